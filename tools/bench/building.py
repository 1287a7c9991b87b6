"""Compares checking configurations of TRL with building them by TRL itself, the other way to have them checked.

    python tools/bench/building.py [--files 200] [--sample 3] [--release 1.16.0]

The same Python files are checked by one run of rlhflint, run one by one as a user would (a sample of them), and run all
in one process that has imported TRL. It takes an environment with torch and transformers; see
`tests/oracle/trl_environments.py`. Prints a table in Markdown; times are processor seconds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.oracle.trl_environments import environment_of  # noqa: E402
from tools.schemas.packages import wheel  # noqa: E402

CONFIG = """from trl import GRPOConfig

args = GRPOConfig(
    output_dir="out-{n}",
    use_cpu=True,
    bf16=False,
    per_device_train_batch_size={batch},
    num_generations=8,
    generation_batch_size={generated},
    learning_rate=1e-6,
    beta=0.0{n},
    max_completion_length={length},
)
"""
TOGETHER = """import runpy
import sys
import time

import trl

trl.GRPOConfig
before = time.process_time()
for path in sys.argv[1:]:
    runpy.run_path(path)
print(time.process_time() - before)
"""


def main() -> None:
    """Make the files, have them checked and built, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", type=int, default=200, help="configurations (default: 200)")
    parser.add_argument("--sample", type=int, default=3, help="those that are run one by one (default: 3)")
    parser.add_argument("--release", default="1.16.0", help="of TRL (default: 1.16.0)")
    options = parser.parse_args()
    python = str(environment_of(options.release).python)
    with tempfile.TemporaryDirectory(prefix="rlhflint-building-") as name:
        folder = Path(name)
        with zipfile.ZipFile(wheel("trl", options.release)) as archive:
            archive.extractall(folder / "trl")
        files = configurations(folder / "files", options.files)
        (folder / "together.py").write_text(TOGETHER)
        bytecode = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        bytecode |= {
            "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_OFFLINE": "1",
        }
        theirs = bytecode | {"PYTHONPATH": str(folder / "trl")}
        mine = bytecode | {"PYTHONPATH": str(ROOT), "RLHFLINT_CACHE_DIR": str(folder / "kept")}
        check = [
            sys.executable,
            "-m",
            "rlhflint",
            "check",
            "--fail-on",
            "never",
            "--framework-version",
            f"trl={options.release}",
        ]
        seconds([python, files[0]], theirs)  # bytecode is there for all from here on
        seconds([*check, "--no-cache", str(folder / "files")], mine)
        first, _ = seconds([*check, "--no-cache", str(folder / "files")], mine)
        seconds([*check, str(folder / "files")], mine)
        again, _ = seconds([*check, str(folder / "files")], mine)
        alone = [seconds([python, file], theirs)[0] for file in files[: options.sample]]
        each = sum(alone) / len(alone)
        together, printed = seconds([python, str(folder / "together.py"), *files], theirs)
        rows = [
            (f"each run by itself (from {len(alone)} of them)", each * len(files)),
            ("all in one process", together),
            ("the same without the import of TRL", float(printed)),
        ]
        print(f"{len(files)} files: rlhflint {first:.2f} s, again {again:.2f} s; TRL {options.release}:\n")
        print("| built by TRL | s | rlhflint is faster by | again |\n| --- | ---: | ---: | ---: |")
        for what, needed in rows:
            print(f"| {what} | {needed:.2f} | {needed / first:.3g} | {needed / again:.3g} |")


def configurations(folder: Path, number: int) -> list[str]:
    """Files with a configuration each, no two alike, all of which TRL accepts."""
    folder.mkdir()
    paths = []
    for n in range(number):
        path = folder / f"train_{n:03}.py"
        batch = (8, 16, 32)[n % 3]
        path.write_text(CONFIG.format(n=n, batch=batch, generated=batch * 2, length=256 + n))
        paths.append(str(path))
    return paths


def seconds(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, str]:
    """User and system time of a command, and what it printed. Raises SystemExit where it fails."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, env=dict(environment), stdout=output, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            raise SystemExit(f"exit status {process.returncode}: {' '.join(command[:4])}\n{errors.read()[-2000:]}")
        return used.ru_utime + used.ru_stime, output.read()


if __name__ == "__main__":
    main()
