"""Fuzzing of every reader, the check and fixing: no crash, no hang, no memory beyond a bound, whatever the input.

    python -m tools.fuzz [--inputs 1000000] [--campaign 1] [--only shell --only fix-shell] [--from 0]

Inputs are made of the texts of tests/cases and tests/rules/cases, changed as the language has it and by noise of
bytes; the same campaign gives the same inputs. Each input has 20 s of processor time and 2 GiB of memory. An input
that a target fails on is made smaller and saved in tests/robustness/seeds/TARGET/, where the tests take it up; the
exit status is 1 then. `--inputs` counts those of the readers; check and fixing get a twentieth of it on top.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.fuzz.targets import BY_NAME, READERS, TARGETS, Target, in_folder_of_its_own
from tools.fuzz.worker import Fault, run, smaller

SAVED = Path(__file__).resolve().parents[2] / "tests" / "robustness" / "seeds"
_ROUND = 5_000
"""Inputs of a target in one process."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=1_000_000, help="inputs over all readers")
    parser.add_argument("--campaign", type=int, default=1, help="another number gives other inputs")
    parser.add_argument("--only", action="append", choices=sorted(BY_NAME), help="only these targets")
    options = parser.parse_args(arguments)
    chosen = [target for target in TARGETS if not options.only or target.name in options.only]
    faults: list[Fault] = []

    def tell(fault: Fault) -> None:
        faults.append(fault)
        print(f"{fault.target} {fault.number}: {fault.what}", flush=True)
        print(f"  saved as {save(fault)}", flush=True)

    given = 0
    with tempfile.TemporaryDirectory() as folder:
        in_folder_of_its_own(folder)
        for target in chosen:
            start, count = time.monotonic(), _count(target, chosen, options.inputs)
            for first in range(0, count, _ROUND):
                run(target, options.campaign, range(first, min(first + _ROUND, count)), tell)
            given += count
            print(f"{target.name}: {count:,} inputs in {time.monotonic() - start:.0f} s", flush=True)
    print(f"{given:,} inputs, {len(faults)} faults")
    return 1 if faults else 0


def _count(target: Target, chosen: Sequence[Target], inputs: int) -> int:
    readers = [one for one in chosen if one in READERS]
    if target in readers:
        return -(-inputs * target.share // sum(one.share for one in readers))
    others = len(chosen) - len(readers)
    return -(-(inputs // 20 if readers else inputs) // others)


def save(fault: Fault) -> str:
    """Keep the input of a fault, made smaller, for the tests. Returns where."""
    text = fault.text if "process" in fault.what else smaller(BY_NAME[fault.target], fault.text)
    raw = text.encode("utf-8", "surrogatepass")
    folder = SAVED / fault.target
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / hashlib.sha256(raw).hexdigest()[:12]
    path.write_bytes(raw)
    return path.relative_to(SAVED.parents[2]).as_posix()


if __name__ == "__main__":
    sys.exit(main())
