"""An option of a command line, as a release accepts it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from rlhflint.records import dataclass
from rlhflint.value import Unknown

OptionType: TypeAlias = Literal["str", "int", "float", "bool"]

_SWITCHES = ("store_true", "store_false")
_KINDS = ("int", "float", "bool")


@dataclass(frozen=True, slots=True)
class Option:
    """One option.

    `flag` is its name as it is written, `--zero_stage`, or without dashes for a positional; `aliases` are further
    spellings. `default` is the value in force where the option is not given, converted; `Unknown` if it is worked out
    when the program starts. `type` is what the words are converted to. `loose`: only its name is known, so that
    nothing can be said of its values. `after_parse`: it is registered too late, and the command line rejects it.
    """

    flag: str
    dest: str
    type: OptionType = "str"
    default: object = None
    choices: tuple[object, ...] | None = None
    nargs: int | str | None = None
    action: str = "store"
    const: object = None
    required: bool = False
    after_parse: bool = False
    loose: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def switch(self) -> bool:
        """It takes no value."""
        return self.action in _SWITCHES


HELP = Option("--help", "help", action="help", aliases=("-h",))
"""What every parser has unless it is told not to."""


def options_by_spelling(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Option]:
    """Options by every spelling that the command line knows them by, `--help` included.

    Args:
        rows: flag → its row in a data file or in what `argparse_source` reads.
    """
    found: dict[str, Option] = {}
    for flag, row in rows.items():
        for option in read_options(flag, row):
            if not option.after_parse:
                found |= dict.fromkeys((option.flag, *option.aliases), option)
    for spelling in (HELP.flag, *HELP.aliases):
        found.setdefault(spelling, HELP)
    return found


def read_options(flag: str, row: Mapping[str, Any]) -> tuple[Option, ...]:
    """The option in a row; two for one that can also be switched off, by `--no-flag`."""
    dest = row.get("dest") or flag.lstrip("-").replace("-", "_")
    aliases = tuple(row.get("aliases", ()))
    if row.get("action") == "BooleanOptionalAction":
        off = tuple(name for name in aliases if name.startswith("--no-"))
        on = tuple(name for name in aliases if name not in off)
        default = _plain(row.get("default"))
        required = bool(row.get("required"))
        return (
            Option(flag, dest, "bool", default, action="store_true", required=required, aliases=on),
            Option(off[0], dest, "bool", default, action="store_false", aliases=off[1:]),
        )
    return (_read(flag, dest, aliases, row),)


def _read(flag: str, dest: str, aliases: tuple[str, ...], row: Mapping[str, Any]) -> Option:
    action, kind, nargs = row.get("action", "store"), row.get("type", "str"), row.get("nargs")
    required, after_parse = bool(row.get("required")), bool(row.get("after_parse"))
    loose = row.get("open", False) or not isinstance(action, str) or isinstance(nargs, dict) or nargs in ("...", "A...")
    if loose:
        unknown = Unknown("only the name of the option is known")
        return Option(
            flag,
            dest,
            default=unknown,
            nargs="*",
            required=required,
            after_parse=after_parse,
            loose=True,
            aliases=aliases,
        )
    if action in _SWITCHES:
        default = _plain(row["default"]) if "default" in row else action == "store_false"
        return Option(flag, dest, "bool", default, None, None, action, None, required, after_parse, False, aliases)
    converts = isinstance(kind, str)
    choices = row.get("choices")
    return Option(
        flag,
        dest,
        kind if kind in _KINDS else "str",
        _default(_plain(row.get("default")), kind),
        tuple(choices) if isinstance(choices, list) and converts else None,
        nargs,
        action,
        _plain(row.get("const")),
        required,
        after_parse,
        not converts,
        aliases,
    )


def _plain(value: object) -> object:
    """A value of a data file; what is no literal is not known, save for infinity."""
    if isinstance(value, dict):
        text = str(value.get("expr"))
        return float(text) if text in ("inf", "-inf") else Unknown("it is worked out when the program starts")
    return value


def _default(value: object, kind: object) -> object:
    """A default as argparse leaves it: text is converted like a word of the command line."""
    if isinstance(value, str):
        if kind == "int":
            return int(value)
        if kind == "float":
            return float(value)
    return value
