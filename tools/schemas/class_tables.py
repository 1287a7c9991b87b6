"""Configuration classes of several releases folded into the form of the data files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlhflint.catalog.source.class_source import ClassSource
from tools.schemas.histories import fold

History = dict[str, Mapping[str, Any]]


class ClassTable:
    """The states of one class, release by release."""

    def __init__(self) -> None:
        self.life: History = {}
        self.fields: dict[str, History] = defaultdict(dict)
        self.replaced: dict[str, History] = defaultdict(dict)
        self.enums: dict[str, History] = defaultdict(dict)

    def add(self, release: str, source: ClassSource, bases: Sequence[str], shim: str, values: ValuesOf) -> None:
        """What a release has: `values` gives the values of an enumeration by its name, None if it is not one."""
        state: dict[str, Any] = {"module": source.module, "bases": list(bases)}
        if not source.is_dataclass:
            state["dataclass"] = False
        if shim:
            state["shim"] = shim
        if source.warns:
            state["warns"] = source.warns
        if source.json_fields:
            state["json"] = list(source.json_fields)
        self.life[release] = state
        for name, field in source.fields.items():
            self.fields[name][release] = field
        for name, text in source.replaced.items():
            self.replaced[name][release] = {"by": text}
        for name, enumeration in source.enums.items():
            if found := values(source, enumeration):
                self.enums[name][release] = {"values": list(found)}

    def to_json(self, order: Sequence[str]) -> dict[str, Any]:
        """One object with `class`, `fields` and, where there is something, `replaced` and `enums`."""
        found: dict[str, Any] = {"class": rows(self.life, order)}
        for name in ("replaced", "enums", "fields"):
            if part := getattr(self, name):
                found[name] = {field: rows(history, order) for field, history in part.items()}
        return found


ValuesOf = Callable[[ClassSource, str], Sequence[str] | None]


def rows(history: Mapping[str, Mapping[str, Any]], order: Sequence[str]) -> list[dict[str, Any]]:
    """The intervals of a history as the data files hold them."""
    return [interval.to_row() for interval in fold(history, order)]
