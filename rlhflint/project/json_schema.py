"""The JSON Schema of the configuration table, for editors and for `schemas/rlhflint.schema.json`."""

from __future__ import annotations

import json
from typing import Any

from rlhflint.project.schema import Table


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
