"""Write the JSON Schema of rlhflint's own configuration to schemas/rlhflint.schema.json; --check only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from rlhflint.project.json_schema import schema_text

TARGET = Path(__file__).parents[1] / "schemas" / "rlhflint.schema.json"


def main(arguments: list[str]) -> int:
    """Run the command; 1 if `--check` finds a difference, 2 for unknown arguments."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    text = schema_text()
    if not arguments:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print(f"{TARGET.name} is out of date: run python tools/{Path(__file__).name}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
