"""Overlays: `changes.toml`, which is written by people, made into `changes.json`, which is quick to load."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any


def compile_changes(source: Path) -> str:
    """The text of `changes.json`: the same tables, `class` always a list, one entry a line."""
    content = tomllib.loads(source.read_text(encoding="utf-8"))
    lines = []
    for section, rows in content.items():
        if isinstance(rows, list):
            entries = ",\n".join(f"  {_compact(_with_classes(row))}" for row in rows)
            lines.append(f" {json.dumps(section)}: [\n{entries}\n ]")
        else:
            entries = ",\n".join(f"  {json.dumps(key)}: {_compact(value)}" for key, value in rows.items())
            lines.append(f" {json.dumps(section)}: {{\n{entries}\n }}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _with_classes(row: dict[str, Any]) -> dict[str, Any]:
    named = row.get("class")
    return row | {"class": [named]} if isinstance(named, str) else row


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
