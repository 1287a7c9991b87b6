"""Counts what rlhflint executes on fixed inputs, so that a slowdown shows whatever else the machine does.

    python tools/bench/instructions.py             print the counts
    python tools/bench/instructions.py --check     compare with those on record; exit 1 where one grew by a tenth
    python tools/bench/instructions.py --update    put them on record, in `instructions.json` beside this file

Counted are the instructions of a whole process, by valgrind's callgrind, else by perf; without either the calls of
Python functions. What is printed and recorded is how many times the count of an interpreter that does nothing it is
(of calls: of the import of `argparse`), which hardly differs between machines with the same Python.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from corpora import configs, launches, lengthy, recipes, unrelated

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_suffix(".json")
TOLERANCE = 1.1
CALLS = """
import sys
count = 0
def called(frame, event, argument):
    global count
    count += event in ("call", "c_call")
sys.argv = sys.argv[1:]
sys.setprofile(called)
try:
    if sys.argv == ["nothing"]:
        import argparse
    else:
        from rlhflint.__main__ import main
        main()
except SystemExit:
    pass
sys.setprofile(None)
print("calls:", count, file=sys.stderr)
"""
Counter = Callable[[Sequence[str], Mapping[str, str]], int]


def by_valgrind(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Instructions of a run, as callgrind counts them."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *_python(arguments)]
    return _number(r"Collected : (\d+)", command, environment)


def by_perf(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Instructions of a run in user mode, as the processor counts them."""
    command = ["perf", "stat", "-x,", "-e", "instructions:u", *_python(arguments)]
    return _number(r"(?m)^(\d+),.*instructions", command, environment)


def by_calls(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Calls of functions in a run."""
    return _number(
        r"calls: (\d+)",
        [sys.executable, "-c", CALLS, *(["rlhflint", *arguments] if arguments else ["nothing"])],
        environment,
    )


def _python(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, *(["-m", "rlhflint", *arguments] if arguments else ["-c", "pass"])]


def _number(pattern: str, command: Sequence[str], environment: Mapping[str, str]) -> int:
    done = subprocess.run(command, env=dict(environment), capture_output=True, text=True, check=False)
    found = re.search(pattern, done.stderr)
    if found is None:
        raise SystemExit(f"no count from {command[0]}: {done.stderr[-500:]}")
    return int(found[1])


def counter() -> tuple[str, Counter]:
    """The best way to count that works here, and its name."""
    if shutil.which("valgrind"):
        return "callgrind", by_valgrind
    if shutil.which("perf"):
        probe = subprocess.run(
            ["perf", "stat", "-x,", "-e", "instructions:u", "true"], capture_output=True, text=True, check=False
        )
        if re.search(r"(?m)^\d+,", probe.stderr):
            return "perf", by_perf
    return "calls", by_calls


def scenarios(folder: Path) -> dict[str, list[str]]:
    """What is run, by name; the files are made below `folder`."""
    unrelated(folder / "unrelated", 300)
    launches(folder / "launches", 20)
    configs(folder / "configs", 20)
    recipes(folder / "recipes", 20)
    lengthy(folder / "lengthy.sh", 20)
    check = ["check", "--isolated", "--no-cache"]
    return {
        "--version": ["--version"],
        "one unrelated file": [*check, str(folder / "unrelated" / "part-000" / "settings-0.yaml")],
        "300 unrelated files": [*check, str(folder / "unrelated")],
        "one launch script": [*check, str(folder / "launches" / "train-000.sh")],
        "one Python file": [*check, str(folder / "configs" / "train_000.py")],
        "one YAML file": [*check, str(folder / "recipes" / "recipe-000.yaml")],
        "20 launch scripts": [*check, str(folder / "launches")],
        "20 Python files": [*check, str(folder / "configs")],
        "20 YAML files": [*check, str(folder / "recipes")],
        "one script with 20 launches": [*check, str(folder / "lengthy.sh")],
    }


def measured(count: Counter) -> dict[str, float]:
    """The counts of all scenarios, as multiples of an interpreter that does nothing."""
    with tempfile.TemporaryDirectory(prefix="rlhflint-instructions-") as name:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment |= {
            "PYTHONPYCACHEPREFIX": str(Path(name) / "bytecode"),
            "PYTHONPATH": str(ROOT),
            "PYTHONHASHSEED": "0",
            "COLUMNS": "100",
        }
        found: dict[str, float] = {}
        count([], environment)
        unit = count([], environment)
        for title, arguments in scenarios(Path(name)).items():
            subprocess.run(_python(arguments), env=environment, capture_output=True, check=False)  # compiles
            found[title] = round(count(arguments, environment) / unit, 2)
        return found


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="exit 1 where a count grew by more than a tenth")
    mode.add_argument("--update", action="store_true", help="put the counts on record")
    options = parser.parse_args()
    way, count = counter()
    way = f"{way}, Python {sys.version_info.major}.{sys.version_info.minor}"
    records: dict[str, dict[str, float]] = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    before, now = records.get(way, {}), measured(count)
    grown = [name for name, number in now.items() if number > before.get(name, number) * TOLERANCE]
    print(f"| by {way} | interpreters | on record |")
    print("| --- | ---: | ---: |")
    for name, number in now.items():
        print(f"| {name} | {number:.1f} | {before.get(name, '')} |{' grown' if name in grown else ''}")
    if options.update:
        RECORD.write_text(json.dumps({**records, way: now}, indent=2, sort_keys=True) + "\n", "utf-8")
    if options.check and not before:
        print(f"nothing is on record for counts by {way}", file=sys.stderr)
        return 1
    return int(options.check and bool(grown))


if __name__ == "__main__":
    sys.exit(main())
