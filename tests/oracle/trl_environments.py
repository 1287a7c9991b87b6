"""Virtual environments in which releases of TRL can be asked themselves: a CPU torch and one transformers each.

    python -m tests.oracle.trl_environments            make what is missing (about 4 GB, some minutes)
    python -m tests.oracle.trl_environments --test     make what is missing, then run all tests that use them

They lie in RLHFLINT_ORACLE, else in a folder below the system's temporary one. Tests that find none are skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TORCH = ("torch==2.13.0", "numpy")
_ALSO = ("accelerate==1.15.0", "jinja2", "requests", "rich", "pyyaml")


@dataclass(frozen=True)
class Environment:
    """One environment: the transformers in it, and the releases of TRL that are asked there."""

    name: str
    transformers: str
    packages: tuple[str, ...]
    releases: tuple[str, ...]

    @property
    def python(self) -> Path:
        """Its interpreter, whether it is there or not."""
        return folder() / f"env-{self.name}" / "bin" / "python"


ENVIRONMENTS = (
    Environment("old", "4.46.3", ("datasets==3.6.0", "peft==0.17.1"), ("0.14.0", "0.15.2", "0.17.0")),
    Environment(
        "mid", "4.56.2", ("datasets==4.0.0", "peft==0.19.1"), ("0.19.1", "0.22.2", "0.24.0", "0.26.2", "0.28.0")
    ),
    Environment(
        "new", "5.23.0", ("datasets", "peft==0.21.0"), ("0.29.1", "1.0.0", "1.6.0", "1.9.2", "1.13.0", "1.16.0")
    ),
)


def folder() -> Path:
    """Where the environments lie."""
    return Path(os.environ.get("RLHFLINT_ORACLE") or Path(tempfile.gettempdir()) / "rlhflint-oracle")


def environment_of(release: str) -> Environment:
    """The environment a release of TRL is asked in. Raises KeyError for one that is not listed."""
    for environment in ENVIRONMENTS:
        if release in environment.releases:
            return environment
    raise KeyError(release)


def make() -> None:
    """Make the environments that are missing; torch is installed once and seen by all."""
    base = folder() / "base"
    if not (base / "bin" / "python").exists():
        _run([sys.executable, "-m", "venv", str(base)])
        _run([str(base / "bin" / "python"), "-m", "pip", "install", "--quiet", *TORCH])
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for environment in ENVIRONMENTS:
        place = folder() / f"env-{environment.name}"
        if environment.python.exists():
            continue
        _run([sys.executable, "-m", "venv", str(place)])
        shared = place / "lib" / version / "site-packages" / "shared.pth"
        shared.write_text(f"{base / 'lib' / version / 'site-packages'}\n", encoding="utf-8")
        needed = (f"transformers=={environment.transformers}", *_ALSO, *environment.packages)
        _run([str(environment.python), "-m", "pip", "install", "--quiet", *needed])


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    make()
    if sys.argv[1:] == ["--test"]:
        root = Path(__file__).resolve().parent.parent.parent
        sys.exit(subprocess.call([sys.executable, "-m", "pytest", "tests/oracle", "-k", "trl"], cwd=root))
