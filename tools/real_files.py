"""Fix and move the files of real repositories in a copy, and see that nothing is broken.

    python -m tools.real_files FOLDER... [--from trl=0.15.2] [--to openrlhf=latest --to trl=latest] [--pin-defaults]
                               [--verbose]

Each FOLDER is a repository. Without --to every fix is made, the unsafe ones included; --from says what is in force
instead of what the repository says. Of each file that changes:

    it can still be read: `bash -n`, `ast.parse`, a YAML or JSON loader, as far as they took it before
    its comments are all there, and so are its line ends
    `patch` makes the new text of the old one and the difference that `--diff` prints
    it has no finding that it had not before (without --to)
    a second run changes nothing

The exit status is 1 if something of this does not hold.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))

from rlhflint.check import Checker
from rlhflint.fixing.diff import unified
from rlhflint.fixing.fixer import Changed, Fixer, Outcome
from rlhflint.fixing.migration import Mover, Targets, parsed
from rlhflint.project.settings import Settings

_LARGEST = 1 << 20
_SHELL = (".sh", ".slurm", ".sbatch")


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--from", action="append", default=[], dest="since")
    parser.add_argument("--to", action="append", default=[])
    parser.add_argument("--pin-defaults", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as name:
            copied(folder, Path(name))
            with chdir(name):
                for fault in tried(options, counts):
                    counts["faults"] += 1
                    print(f"{folder.name}: {fault}", flush=True)
        if options.verbose:
            print(folder.name, dict(counts), flush=True)
    print(dict(counts))
    return int(bool(counts["faults"]))


def copied(folder: Path, target: Path) -> None:
    """Copy the files of a repository that are not large."""
    (target / ".git").mkdir()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts and path.stat().st_size < _LARGEST:
            place = target / path.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def tried(options: argparse.Namespace, counts: Counter[str]) -> Iterator[str]:
    """What does not hold in the repository in the working directory."""
    outcome = changed(options)
    counts["launches"] += sum(len(file.launches) for file in outcome.result.files)
    counts["left alone"] += sum(one.code == "RL007" for file in outcome.result.files for one in file.findings)
    before = Counter[tuple[str, str, tuple[str, ...]]]()
    if not options.to and outcome.changed:
        before = findings(options)
    for one in outcome.changed:
        counts["changed"] += 1
        yield from faults(one)
        Path(one.path).write_bytes(one.after.encode())
    if not options.to and outcome.changed:
        yield from (f"{path}: {code} is new ({', '.join(names)})" for path, code, names in findings(options) - before)
    for one in changed(options).changed:
        yield f"{one.path}: a second run changes it again\n{unified(one.path, one.before, one.after)}"


def changed(options: argparse.Namespace) -> Outcome:
    """What fixing, or the move, makes of the working directory."""
    checker = Checker(Settings(framework_versions=parsed(options.since)))
    if not options.to:
        return Fixer(checker, unsafe=True).fix(["."])
    mover = Mover(Targets(parsed(options.to), options.pin_defaults))
    return Fixer(checker, mover=mover).fix(["."])


def findings(options: argparse.Namespace) -> Counter[tuple[str, str, tuple[str, ...]]]:
    """The findings in the working directory."""
    result = Checker(Settings(framework_versions=parsed(options.since))).check(["."])
    return Counter((one.span.path, one.code, one.settings) for file in result.files for one in file.findings)


def faults(one: Changed) -> Iterator[str]:
    """What does not hold of one file that changed."""
    if readable(one.path, one.before) and not readable(one.path, one.after):
        yield f"{one.path}: it cannot be read any more"
    if (one.before.count("\r\n") > 0) != (one.after.count("\r\n") > 0):
        yield f"{one.path}: its line ends are others"
    lost = comments(one.path, one.before) - comments(one.path, one.after)
    if lost:
        yield f"{one.path}: comments are gone: {list(lost)[:3]}"
    difference = unified("file", one.before, one.after)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "file"
        path.write_bytes(one.before.encode())
        command = ["patch", "-p1", "--binary", "--quiet"]
        done = subprocess.run(command, input=difference.encode(), cwd=name, check=False, capture_output=True)
        if done.returncode or path.read_bytes() != one.after.encode():
            yield f"{one.path}: patch makes another text of it"


def readable(path: str, text: str) -> bool:
    """Whether the reader of a kind of file takes a text."""
    try:
        if path.endswith(_SHELL):
            return subprocess.run(["bash", "-n"], input=text.encode(), capture_output=True, check=False).returncode == 0
        if path.endswith(".py"):
            ast.parse(text)
        elif path.endswith((".yaml", ".yml")):
            list(yaml.safe_load_all(text))
        elif path.endswith((".json", ".ipynb")):
            json.loads(text)
    except (SyntaxError, ValueError, yaml.YAMLError):
        return False
    return True


def comments(path: str, text: str) -> Counter[str]:
    """The comments of a text; of a shell script its lines that are one."""
    if path.endswith(".py"):
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        except (tokenize.TokenError, SyntaxError):
            return Counter()
        return Counter(one.string for one in tokens if one.type == tokenize.COMMENT)
    if path.endswith((*_SHELL, ".yaml", ".yml")):
        return Counter(line.strip() for line in text.splitlines() if line.lstrip().startswith("#"))
    return Counter()


if __name__ == "__main__":
    sys.exit(main())
