"""Regenerate `schemas/` from the released packages themselves.

    python tools/update_schemas.py                       every target, the releases it has
    python tools/update_schemas.py openrlhf --add 0.12.0 one target, with one more release
    python tools/update_schemas.py --check               write nothing, say what differs and exit 1

Wheels are looked up in `--packages DIR` (default: RLHFLINT_PACKAGES, else a folder below the temporary one) and fetched
with `pip download --no-deps` where they are missing. Nothing of a package is installed, imported or run.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.schemas.histories import sort_releases  # noqa: E402
from tools.schemas.packages import Unavailable, folder, wheel  # noqa: E402

SCHEMAS = ROOT / "schemas"


@dataclass(frozen=True)
class Target:
    """What is made from the releases of one package.

    `module` has `build(wheels)`: it gives texts by path below `schemas/`, or these together with a list of what is
    wrong with the overlay over them. `releases` is the data file whose `releases` says which to read.
    """

    package: str
    module: str
    releases: str


TARGETS = {
    "openrlhf": Target("openrlhf", "tools.schemas.openrlhf", "openrlhf/releases.json"),
    "trl": Target("trl", "tools.schemas.trl", "trl/releases.json"),
    "transformers": Target("transformers", "tools.schemas.transformers", "transformers/training_arguments.json"),
    "accelerate": Target("accelerate", "tools.schemas.accelerate", "accelerate/releases.json"),
    "verl": Target("verl", "tools.schemas.verl", "verl/releases.json"),
}


def build(target: Target, added: Iterable[str], packages: Path) -> tuple[dict[str, str], list[str]]:
    """The data files of a target, and what is wrong with the overlay over them. Raises Unavailable, ValueError."""
    listed = SCHEMAS / target.releases
    known = json.loads(listed.read_text("utf-8"))["releases"] if listed.is_file() else []
    wheels = [wheel(target.package, release, packages) for release in sort_releases({*known, *added})]
    module = importlib.import_module(target.module)
    built: dict[str, str] | tuple[dict[str, str], list[str]] = module.build(wheels)
    return built if isinstance(built, tuple) else (built, [])


def differences(files: dict[str, str]) -> list[str]:
    """Lines of a diff from the committed data to what the packages give."""
    lines: list[str] = []
    for name, text in sorted(files.items()):
        path = SCHEMAS / name
        held = path.read_text("utf-8") if path.is_file() else ""
        lines += difflib.unified_diff(held.splitlines(), text.splitlines(), f"schemas/{name}", name, "", "", 0, "")
    folders = {name.partition("/")[0] for name in files}
    for path in sorted(found for below in folders for found in (SCHEMAS / below).rglob("*.json")):
        name = path.relative_to(SCHEMAS).as_posix()
        if name not in files:
            lines.append(f"schemas/{name}: the packages give no such file")
    return lines


def main() -> int:
    """The command line; 0 if all is as it should be, 1 if the data differs or the overlay is wrong, 2 if not read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("target", nargs="*", metavar="TARGET", help=f"{', '.join(TARGETS)} (default: all)")
    parser.add_argument("--add", action="append", default=[], metavar="RELEASE", help="read this release too")
    parser.add_argument("--packages", type=Path, default=folder(), metavar="DIR", help="folder with wheels")
    parser.add_argument("--check", action="store_true", help="write nothing; say what differs")
    options = parser.parse_args()
    if unknown := [name for name in options.target if name not in TARGETS]:
        parser.error(f"no such target: {', '.join(unknown)}")
    if options.add and len(options.target) != 1:
        parser.error("--add goes with one target")
    wrong = False
    for name in options.target or TARGETS:
        try:
            files, problems = build(TARGETS[name], options.add, options.packages)
        except (Unavailable, ValueError, OSError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
        changed = differences(files)
        for line in changed:
            print(line)
        for problem in problems:
            print(f"{name}: {problem}", file=sys.stderr)
        wrong = wrong or bool(problems) or (options.check and bool(changed))
        if not options.check:
            for path, text in files.items():
                (SCHEMAS / path).parent.mkdir(parents=True, exist_ok=True)
                (SCHEMAS / path).write_text(text, encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
