"""Write the pages of all rules, docs/rules/, from the rules' own documentation.

python tools/generate_docs.py            write them
python tools/generate_docs.py --check    say what is stale, and exit with 1 if something is
"""

from __future__ import annotations

import argparse
import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rlhflint.page import markdown, page  # noqa: E402
from rlhflint.registry import abouts  # noqa: E402
from rlhflint.rule import Rule  # noqa: E402
from rlhflint.rules import load_all  # noqa: E402

FOLDER = ROOT / "docs" / "rules"
GROUPS = {
    **{
        one.prefix: one.title + (f" (experimental: `--experimental {one.name}`)" if one.experimental else "")
        for one in abouts()
    },
    "LA": "Launchers: shell, Ray, Slurm, accelerate, deepspeed, torchrun",
    "RL": "The files themselves, and suppressions",
    "VE": "Releases of companions, and environment variables",
}


def pages() -> dict[str, str]:
    """File name → text of every page, and of the table of all rules."""
    rules = sorted(load_all(), key=lambda rule: rule.code)
    by_code = {code: list(records) for code, records in groupby(rules, key=lambda rule: rule.code)}
    made = {f"{code}.md": markdown(records) for code, records in by_code.items()}
    return {"index.md": table(by_code), **made}


def table(by_code: dict[str, list[Rule]]) -> str:
    """The table of all rules, by group."""
    lines = ["# Rules", ""]
    for prefix, title in sorted(GROUPS.items()):
        lines += [f"## {prefix}: {title}", "", "| code | name | severity | what has to hold |", "|---|---|---|---|"]
        for code, records in by_code.items():
            if code.startswith(prefix):
                first = records[0]
                summary = page(first.documentation).summary.split("\n\n", 1)[0].replace("|", "\\|")
                severity = first.severity.value + ("" if first.on else ", off by default")
                lines.append(f"| [{code}]({code}.md) | {first.name} | {severity} | {summary} |")
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write docs/rules/ from the rules.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is stale")
    options = parser.parse_args()
    wanted = pages()
    present = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    stale = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
    if options.check:
        for name in stale:
            print(f"docs/rules/{name} is stale: run python tools/generate_docs.py")
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
    print(f"{len(wanted)} pages, {len(stale)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
