"""The words behind `verl.trainer.main_ppo` as Hydra reads them: overrides, and options of Hydra itself.

An override is `name=value`; `+name=value` adds a setting that is not there, `++name=value` sets it in either case,
`~name` takes it out. Values have a grammar of their own, see `kind_of`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Traced

_PREFIX = expression(r"~|\+{0,2}")
_NAME = expression(r"[A-Za-z_][\w.@:/-]*")
_INTEGER = expression(r"[+-]?(?:0|[1-9](?:_?\d)*)")
_DIGITS = r"\d(?:_?\d)*"
_FLOAT = expression(
    rf"[+-]?(?:(?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS}|{_DIGITS})(?:[eE][+-]?{_DIGITS})?|inf|nan)", re.IGNORECASE
)
_CALL = expression(r"[A-Za-z_]\w*\(.*\)", re.DOTALL)
_WITH_VALUE = {"--config-name": "name", "-cn": "name", "--config-path": "path", "-cp": "path"}
_OTHERS_WITH_VALUE = ("--config-dir", "-cd", "--cfg", "-c", "--package", "-p", "--info", "-i")


@dataclass(frozen=True, slots=True)
class Override:
    """One override: its prefix (`+`, `++`, `~` or none), its name, its value; None for `~name` alone."""

    prefix: str
    name: Traced
    """With its prefix, as written."""
    value: Traced | None

    @property
    def setting(self) -> str:
        """The dotted name, without the prefix."""
        return self.name.text.removeprefix(self.prefix)


@dataclass(slots=True)
class Words:
    """What the words say: overrides in their order, the configuration's name and folder, what is not certain."""

    overrides: list[Override] = field(default_factory=list)
    configuration: dict[str, Traced] = field(default_factory=dict)
    """`name` and `path`, where they are given."""
    more: str = ""
    """Why further overrides may be given that cannot be seen."""


def read(words: Sequence[Traced]) -> Words:
    """All that the words say; one that is neither an override nor an option of Hydra is left out."""
    found = Words()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word.text.startswith("-"):
            at += _option(word, words[at : at + 1], found)
            continue
        override = _override(word)
        if override is not None:
            found.overrides.append(override)
        elif HOLE in word.text.partition("=")[0]:
            found.more = found.more or word.because
    return found


def _option(word: Traced, following: Sequence[Traced], found: Words) -> int:
    """Note an option of Hydra; how many of the words behind it are its value."""
    equals = word.text.find("=")
    name = word.text if equals < 0 else word.text[:equals]
    if HOLE in name:
        found.more = found.more or word.because
        return 0
    value = word[equals + 1 :] if equals >= 0 else following[0] if following else None
    if name in _WITH_VALUE and value is not None:
        found.configuration[_WITH_VALUE[name]] = value
    return int(equals < 0 and (name in _WITH_VALUE or name in _OTHERS_WITH_VALUE))


def _override(word: Traced) -> Override | None:
    equals = word.text.find("=")
    name = word if equals < 0 else word[:equals]
    match = _PREFIX.match(name.text)
    prefix = match[0] if match else ""
    if HOLE in name.text or _NAME.fullmatch(name.text.removeprefix(prefix)) is None:
        return None
    if equals < 0 and prefix != "~":
        return None
    return Override(prefix, name, None if equals < 0 else word[equals + 1 :])


def kind_of(text: str) -> str:
    """The kind of value that Hydra's grammar makes of a text.

    `int`, `float`, `bool`, `list`, `dict`, `str`; `any` for null and for what is worked out later: interpolations,
    functions, and several values with commas.
    """
    stripped = text.strip()
    lowered = stripped.lower()
    if lowered == "null" or "${" in stripped or HOLE in stripped or _CALL.fullmatch(stripped):
        return "any"
    if lowered in ("true", "false"):
        return "bool"
    if _INTEGER.fullmatch(stripped):
        return "int"
    if _FLOAT.fullmatch(stripped):
        return "float"
    if stripped[:1] in ("[", "{"):
        return "list" if stripped[0] == "[" else "dict"
    if stripped[:1] in ("'", '"'):
        return "str"
    return "any" if "," in stripped else "str"
