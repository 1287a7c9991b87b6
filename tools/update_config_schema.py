"""Write the JSON Schema of rlhflint's own configuration to schemas/rlhflint.schema.json; --check only compares."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from rlhflint.project.schema import Table

TARGET = Path(__file__).parents[1] / "schemas" / "rlhflint.schema.json"


def configuration_schema() -> dict[str, Any]:
    """The schema of the table `tool.rlhflint`, and of a whole rlhflint.toml."""
    schema: dict[str, Any] = _plain(Table.model_json_schema())
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "rlhflint", **schema}


def schema_text() -> str:
    """The schema as the text of its file."""
    return json.dumps(configuration_schema(), indent=2, ensure_ascii=False) + "\n"


def _plain(node: Any) -> Any:
    """A schema without what a TOML file cannot hold (null), without titles that repeat the keys, and in a form that
    does not depend on the release of pydantic: keywords in order, whole numbers as such.
    """
    if isinstance(node, list):
        return [_plain(inner) for inner in node]
    if isinstance(node, float) and node.is_integer():
        return int(node)
    if not isinstance(node, dict):
        return node
    kept = {key: value for key, value in node.items() if not (key == "title" and isinstance(value, str))}
    if kept.get("default", 0) is None:
        del kept["default"]
    branches = [branch for branch in kept.get("anyOf", ()) if branch != {"type": "null"}]
    if len(branches) == 1:
        del kept["anyOf"]
        kept = {**branches[0], **kept}
    elif branches:
        kept["anyOf"] = branches
    plain = {key: _plain(kept[key]) for key in sorted(kept)}
    if isinstance(node.get("properties"), dict):
        plain["properties"] = {key: plain["properties"][key] for key in node["properties"]}
    return plain


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
