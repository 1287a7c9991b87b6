"""The supply chain of the project, one command each.

    python tools/supply.py lock [--check]    requirements/*.txt: exact releases with hashes (--check: needs no network)
    python tools/supply.py sbom FILE         a bill of materials (CycloneDX) of what an installed rlhflint stands on
    python tools/supply.py audit             known vulnerabilities of everything that is locked; asks the package index

The commands are those of `pip install -e '.[supply]'`: uv, cyclonedx-py and pip-audit.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = ROOT / "requirements" / "runtime.txt"
DEVELOPMENT = ROOT / "requirements" / "dev.txt"
EXTRAS = {RUNTIME: (), DEVELOPMENT: ("dev", "supply")}
"""Lock file → extras of the project that it holds besides what the project itself needs."""
_PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)(?P<marker> *;[^\\\n]*)?(?P<hashes>(?: *\\\n +--hash=\S+)*)$"
)


def tool(name: str) -> str:
    """The path of a command: beside the interpreter, else on the search path. Raises SystemExit if it is not there."""
    found = shutil.which(name, path=os.path.dirname(sys.executable)) or shutil.which(name)
    if found is None:
        sys.exit(f"{name} is not installed: pip install -e '.[supply]'")
    return found


def lock() -> int:
    """Write the lock files."""
    for file, extras in EXTRAS.items():
        file.parent.mkdir(exist_ok=True)
        command = [tool("uv"), "pip", "compile", "pyproject.toml", "--quiet", "--universal", "--generate-hashes"]
        command += [
            "--no-annotate",
            "--custom-compile-command",
            "python tools/supply.py lock",
            "--output-file",
            str(file),
        ]
        command += [word for extra in extras for word in ("--extra", extra)]
        subprocess.run(command, cwd=ROOT, check=True)
    return 0


def pins(text: str) -> dict[str, list[Version]]:
    """Package → versions of a lock file, of which an environment gets one. Raises ValueError for a pin without hash."""
    found: dict[str, list[Version]] = {}
    content = "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#"))
    for entry in filter(None, re.split(r"\n(?=\S)", content.strip())):
        pin = _PIN.fullmatch(entry)
        if pin is None or not pin["hashes"]:
            raise ValueError(f"{entry.partition(chr(10))[0]!r} is no pin with hashes")
        found.setdefault(canonicalize_name(pin["name"]), []).append(Version(pin["version"]))
    return found


def asked(project: dict[str, Any], extras: tuple[str, ...]) -> list[Requirement]:
    """What the project asks for with some extras, those that these name included."""
    wanted = [Requirement(text) for text in project["dependencies"]]
    for extra in extras:
        for requirement in map(Requirement, project["optional-dependencies"][extra]):
            if canonicalize_name(requirement.name) == canonicalize_name(project["name"]):
                wanted += asked(project, tuple(requirement.extras))
            else:
                wanted.append(requirement)
    return wanted


def stale() -> list[str]:
    """What the lock files lack of what pyproject.toml asks for, a line each."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines: list[str] = []
    for file, extras in EXTRAS.items():
        held = pins(file.read_text("utf-8"))
        for requirement in asked(project, extras):
            versions = held.get(canonicalize_name(requirement.name), [])
            if not any(requirement.specifier.contains(version, prereleases=True) for version in versions):
                lines.append(f"{file.relative_to(ROOT)} has no {requirement}: run python tools/supply.py lock")
    return lines


def sbom(output: Path) -> int:
    """Write a bill of materials of the project and what it needs when it runs, as locked."""
    output.parent.mkdir(parents=True, exist_ok=True)
    command = [tool("cyclonedx-py"), "requirements", str(RUNTIME), "--pyproject", "pyproject.toml"]
    command += ["--output-reproducible", "--of", "JSON", "-o", str(output.resolve())]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def audit() -> int:
    """Ask for known vulnerabilities of all that is locked; 1 if there are some."""
    command = [tool("pip-audit"), "--require-hashes", "--disable-pip", "--strict", "--requirement", str(DEVELOPMENT)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    locking = commands.add_parser("lock", help="write requirements/*.txt")
    locking.add_argument("--check", action="store_true", help="write nothing; say what is missing and exit with 1")
    commands.add_parser("sbom", help="write a bill of materials").add_argument("output", type=Path)
    commands.add_parser("audit", help="ask for known vulnerabilities")
    options = parser.parse_args()
    match options.command:
        case "lock" if options.check:
            lines = stale()
            print("\n".join(lines) or "the locked releases are what is asked for")
            return int(bool(lines))
        case "lock":
            return lock()
        case "sbom":
            return sbom(options.output)
    return audit()


if __name__ == "__main__":
    sys.exit(main())
