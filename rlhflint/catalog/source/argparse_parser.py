"""A parser as argparse would build it, from calls whose arguments were read statically."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import field
from math import isfinite
from typing import Any

from rlhflint.catalog.source.values import UNKNOWN, External, PythonValue, known
from rlhflint.records import dataclass

_NOT_KEPT = {"help", "metavar", "deprecated", "version"}
_MEANING_NOTHING: Mapping[str, object] = {"type": "str", "required": False, "action": "store"}
_ORDER = ("action", "type", "nargs", "choices", "const", "default", "required", "dest")
_TYPES = {"builtins.int": "int", "builtins.float": "float", "builtins.str": "str", "builtins.bool": "bool"}
_BOOLEAN_PAIR = "argparse.BooleanOptionalAction"


@dataclass(eq=False, slots=True)
class Parser:
    """Options by flag, in the form of the data files, and what is known of the parser as a whole.

    `open` says why it may have options that are not listed here; `broken` why building it raises.
    """

    options: dict[str, dict[str, Any]] = field(default_factory=dict)
    open: str = ""
    broken: str = ""
    allow_abbrev: bool = True
    resolves_conflicts: bool = False
    parsed: bool = False
    _spellings: dict[str, str] = field(default_factory=dict)

    @classmethod
    def made(cls, keywords: Mapping[str | None, PythonValue]) -> Parser:
        """`ArgumentParser(**keywords)`."""
        parser = cls()
        parser.allow_abbrev = keywords.get("allow_abbrev", True) is not False
        parser.resolves_conflicts = keywords.get("conflict_handler", "error") != "error"
        for name in ("prefix_chars", "fromfile_prefix_chars", "argument_default"):
            if keywords.get(name, None) not in (None, "-"):
                parser.doubt(f"the parser is built with {name}")
        if None in keywords:
            parser.doubt("the parser is built with arguments that are not literal")
        parents = keywords.get("parents", [])
        for parent in parents if isinstance(parents, list) else [UNKNOWN]:
            parser._take_over(parent)
        return parser

    def doubt(self, because: str) -> None:
        """Note that it may have further options; the first reason is kept."""
        self.open = self.open or because

    def add(
        self,
        names: Sequence[PythonValue],
        keywords: Mapping[str | None, PythonValue],
        sources: Mapping[str, ast.expr],
        *,
        sometimes: bool,
    ) -> None:
        """`add_argument(*names, **keywords)`.

        Args:
            names: the option strings, or the one name of a positional.
            keywords: by name; a key None stands for keywords that are not known.
            sources: where the keywords are written; the text is kept for values that are no literals.
            sometimes: the call is made under a condition that is not known.
        """
        if not names or not all(isinstance(name, str) and name for name in names):
            self.doubt("it has options whose names are not literal")
            return
        flag = next((name for name in names if name.startswith("--")), names[0])
        row = _row(flag, keywords, sources)
        aliases = [name for name in names if name != flag]
        if keywords.get("action") == External(_BOOLEAN_PAIR):
            aliases += [f"--no-{name[2:]}" for name in names if name.startswith("--")]
        if aliases:
            row["aliases"] = aliases
        if self.parsed:
            row["after_parse"] = True
        taken = [name for name in (flag, *aliases) if name in self._spellings]
        if taken and not (sometimes or self.resolves_conflicts or self.parsed):
            self.broken = self.broken or f"it registers {taken[0]} twice"
        if taken and sometimes and self._spellings.get(flag) == flag:
            row = _either(self.options[flag], row)
        self.options[flag] = row
        self._spellings.update(dict.fromkeys((flag, *aliases), flag))

    def set_defaults(self, keywords: Mapping[str | None, PythonValue], *, sometimes: bool) -> None:
        """`set_defaults(**keywords)`."""
        for flag, row in self.options.items():
            dest = row.get("dest", destination(flag))
            if dest in keywords or None in keywords:
                row["default"] = _value(UNKNOWN if sometimes else keywords.get(dest, UNKNOWN), None)

    def _take_over(self, parent: PythonValue) -> None:
        if not isinstance(parent, Parser):
            self.doubt("it takes options over from a parent parser that cannot be followed")
            return
        self.options |= {flag: dict(row) for flag, row in parent.options.items()}
        self._spellings |= parent._spellings
        if parent.open:
            self.doubt(parent.open)


def destination(flag: str) -> str:
    """The attribute that argparse derives from an option string."""
    return flag.lstrip("-").replace("-", "_")


def _row(flag: str, keywords: Mapping[str | None, PythonValue], sources: Mapping[str, ast.expr]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in keywords.items():
        if name is None:
            row["open"] = True
        elif name == "type":
            row[name] = _type(value, sources.get(name))
        elif name == "action":
            row[name] = _action(value, sources.get(name))
        elif name not in _NOT_KEPT:
            row[name] = _value(value, sources.get(name))
    if row.get("dest") == destination(flag) or not flag.startswith("-"):
        row.pop("dest", None)
    if row.get("action") in ("store_true", "store_false"):
        if row.get("default") is (row["action"] == "store_false"):
            del row["default"]
    elif "default" in row and row["default"] is None:
        del row["default"]
    for name, value in _MEANING_NOTHING.items():
        if name in row and row[name] == value:
            del row[name]
    return {key: row[key] for key in (*_ORDER, *row) if key in row}


def _either(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """What two registrations of one option agree on; the rest depends on a condition that is not known."""
    agreed = {key: value for key, value in first.items() if key in second and second[key] == value}
    return agreed if agreed == first == second else {**agreed, "open": True}


def _value(value: PythonValue, source: ast.expr | None) -> object:
    if isinstance(value, float) and not isfinite(value):
        return {"expr": repr(value)}
    if isinstance(value, set) and known(value):
        value = sorted(value, key=repr)
    if known(value) and _is_json(value):
        return value
    return _expression(source)


def _is_json(value: PythonValue) -> bool:
    if isinstance(value, list):
        return all(_is_json(item) for item in value)
    if isinstance(value, float):
        return isfinite(value)
    return value is None or isinstance(value, (str, int))


def _type(value: PythonValue, source: ast.expr | None) -> object:
    if value is None:
        return "str"
    name = _TYPES.get(value.name) if isinstance(value, External) else None
    return name or _expression(source)


def _action(value: PythonValue, source: ast.expr | None) -> object:
    if isinstance(value, str):
        return value
    if isinstance(value, External) and value.name.startswith("argparse."):
        return value.name.removeprefix("argparse.")
    return _expression(source)


def _expression(source: ast.expr | None) -> dict[str, str]:
    """How a value that is no literal is kept: its source text, spelled one way."""
    return {"expr": ast.unparse(source)[:200] if source is not None else "not literal"}
