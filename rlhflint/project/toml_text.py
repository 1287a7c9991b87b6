"""Values and keys as TOML writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rlhflint.project.toml_source import BARE_KEY


def toml_key(*parts: str) -> str:
    """A dotted key: parts that are not plain are quoted."""
    return ".".join(part if BARE_KEY.fullmatch(part) else toml_value(part) for part in parts)


def toml_value(value: object) -> str:
    """A value on one line. Raises `TypeError` for one that TOML has no form for."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        # A JSON string is a basic string of TOML, but for this character.
        return json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f") if _plain(value) else _escaped(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(str(key))} = {toml_value(one)}" for key, one in value.items() if one is not None)
        return f"{{ {inside} }}" if inside else "{}"
    raise TypeError(f"TOML has no form for {type(value).__name__}")


def _plain(text: str) -> bool:
    return all(ord(character) < 0x10000 for character in text)


def _escaped(text: str) -> str:
    """Characters beyond 16 bits, which JSON writes in two halves."""
    parts = (f"\\U{ord(one):08x}" if ord(one) >= 0x10000 else json.dumps(one)[1:-1] for one in text)
    return f'"{"".join(parts)}"'.replace("\x7f", "\\u007f")
