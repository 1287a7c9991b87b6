"""The ways to install rlhflint, each tried in an empty environment.

    python tools/distributions.py [--keep FOLDER]

builds the source distribution and the wheel, installs each of them, and the checkout as an editable install, in an
environment of its own, and runs the same commands outside the checkout. All have to tell the same. The dependencies
come from the package index; `--keep` leaves what was built in a folder.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (
    ("--version",),
    ("check", "--output-format", "json", "."),
    ("show", "."),
    ("plan", "openrlhf/train_ppo.sh"),
    ("fix", "--diff", "."),
    ("fix", "--to", "trl=1.16.0", "--diff", "trl"),
    ("schema", "trl:grpo"),
    ("schema", "openrlhf:train_ppo_ray"),
    ("rule", "OR203"),
    ("explain", "out of memory"),
)
"""What is run in a copy of `examples`: between them they read every kind of data that the package carries."""


def build(source: Path, target: str, folder: Path) -> Path:
    """Build the `sdist` or the `wheel` of a source tree into a folder, in this environment."""
    before = set(folder.iterdir()) if folder.exists() else set()
    words = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(words, cwd=source, check=True, capture_output=True)
    (built,) = set(folder.iterdir()) - before
    return built


def told(
    command: list[str],
    folder: Path,
    environment: dict[str, str] | None = None,
    commands: Sequence[tuple[str, ...]] = COMMANDS,
) -> dict[str, tuple[int, str, str]]:
    """What each of the commands ends with and prints, in a copy of the examples below a folder outside the checkout."""
    examples = folder / "examples"
    shutil.copytree(ROOT / "examples", examples)
    (examples / ".git").mkdir()
    found = {}
    for words in commands:
        done = subprocess.run(
            [*command, *words], cwd=examples, env=environment, capture_output=True, text=True, check=False
        )
        found[" ".join(words)] = (done.returncode, done.stdout, done.stderr)
    return found


def installed(what: list[str], folder: Path) -> list[str]:
    """The command of an environment in which nothing but this and its dependencies is installed."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [str(programs / "python"), "-m", "pip", "install", "--quiet", *what]
    subprocess.run(words, cwd=folder, env=environment, check=True)
    return [str(programs / "rlhflint")]


def differences(found: dict[str, dict[str, tuple[int, str, str]]]) -> list[str]:
    """The commands that the ways to install tell otherwise than the first one, or that crash."""
    first = next(iter(found.values()))
    wrong = []
    for way, outcomes in found.items():
        for command, outcome in outcomes.items():
            if outcome != first[command]:
                wrong.append(f"{way}: rlhflint {command} tells otherwise")
            if outcome[0] not in (0, 1) or "Traceback" in outcome[2]:
                wrong.append(f"{way}: rlhflint {command} ends with {outcome[0]}: {outcome[2][-500:]}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    keep = parser.parse_args().keep
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dist = (keep or folder / "dist").resolve()
        sdist, wheel = build(ROOT, "sdist", dist), build(ROOT, "wheel", dist)
        ways = {"wheel": [str(wheel)], "source distribution": [str(sdist)], "editable": ["--editable", str(ROOT)]}
        found = {}
        for way, what in ways.items():
            (folder / way).mkdir()
            command = installed(what, folder / way / "environment")
            found[way] = told(command, folder / way)
    wrong = differences(found)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{', '.join(ways)}: {len(COMMANDS)} commands each, {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
