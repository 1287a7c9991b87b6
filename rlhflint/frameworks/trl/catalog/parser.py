"""How HfArgumentParser, and TrlParser above it, make options of fields and values of words and YAML.

Upstream: transformers/hf_argparser.py up to TRL 0.29, trl/scripts/_hf_argparser.py from TRL 1.0 on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.catalog.annotations import parts_of
from rlhflint.catalog.option import HELP, Option
from rlhflint.conversion import NotAChoice, WrongType
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Field, Fields

_TRUE, _FALSE = ("yes", "true", "t", "y", "1"), ("no", "false", "f", "n", "0")
BOOLEAN_WORDS = (*_TRUE, *_FALSE)
"""Words that transformers reads as true or false, whatever their case (hf_argparser.py@4.56.2)."""
_WORDS = {"int": "a whole number", "float": "a number", "bool": "true or false"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What the parser makes of the words behind one field.

    `kind` is what one word is converted to: `int`, `float`, `bool`, `str`, `choice` (one of `choices`, empty where they
    are not known), `dict` (no word but an empty one converts) or `other` (a class whose conversion is not known).
    `many`: one or more words make a list. `bare`: the flag may stand without a value and then means true. `none`: the
    words none and null mean None. `refused`: a parser with this field cannot be built.
    """

    kind: str
    many: bool = False
    bare: bool = False
    none: bool = False
    choices: tuple[object, ...] = ()
    refused: bool = False


def reading_of(field: Field, *, none_words: bool) -> Reading:
    """How the parser reads a field. `none_words`: it knows the words none and null, as TRL does from 1.6.0 on."""
    parts = parts_of(field.type)
    chosen, accepts_none = parts[0], False
    if len(parts) > 1:
        if "str" not in parts and (len(parts) != 2 or "None" not in parts):
            return Reading("other", refused=True)
        if "None" not in parts:
            chosen = parts[0] if parts[1] == "str" else parts[1]
        elif "bool" not in parts:
            chosen = parts[0] if parts[1] == "None" else parts[1]
            accepts_none = none_words and chosen != "str"
        elif len(parts) != 2:
            return Reading("other", refused=True)
    if chosen == "bool" or set(parts) == {"bool", "None"}:
        optional = chosen == "bool" and "None" in parts
        return Reading("bool", bare=field.bare or not optional or field.default is not None)
    if chosen.startswith("list["):
        inner = chosen[5:-1]
        return Reading(inner if inner in ("int", "float", "str") else _kind(inner), many=True)
    if chosen.startswith("Literal["):
        return Reading("choice", choices=_literals(chosen))
    if _is_enumeration(chosen):
        return Reading("choice", choices=field.accepts)
    if field.choices is None:
        return Reading("choice", none=accepts_none)
    return Reading(_kind(chosen), bare=field.bare, none=accepts_none, choices=field.choices)


def options_of(fields: Fields, *, hyphens: bool = True, none_words: bool = True) -> dict[str, Option]:
    """The options of a parser over `fields`, by every spelling.

    `hyphens`: `--learning-rate` is taken beside `--learning_rate`, as with transformers 4.46 and newer. `--config`,
    which TrlParser takes out of the words before it parses them, is not among them.
    """
    found: dict[str, Option] = {}
    for name, field in fields.items():
        reading = reading_of(field, none_words=none_words)
        spellings = [f"--{name}", *([f"--{name.replace('_', '-')}"] if hyphens and "_" in name else [])]
        option = Option(
            flag=spellings[0],
            dest=name,
            default=None,
            choices=reading.choices or None,
            nargs="+" if reading.many else "?" if reading.bare else None,
            const=True if reading.bare else None,
            required=field.required,
            loose=reading.kind == "other",
            aliases=(*spellings[1:], *field.aliases),
        )
        found |= dict.fromkeys((option.flag, *option.aliases), option)
        if field.default is True and reading.kind == "bool":
            off = Option(
                f"--no_{name}", name, "bool", action="store_false", aliases=(f"--no-{name.replace('_', '-')}",)
            )
            found |= dict.fromkeys((off.flag, *off.aliases), off)
    return found | dict.fromkeys((HELP.flag, *HELP.aliases), HELP)


def convert_words(field: Field, words: Sequence[str], *, none_words: bool) -> object:
    """The value that the words behind a flag give. Raises WrongType or NotAChoice where the parser exits."""
    reading = reading_of(field, none_words=none_words)
    if reading.bare and not words:
        return True
    values = [_one(word, reading, check=True) for word in words]
    return values if reading.many else values[0]


def convert_yaml(field: Field, value: object, *, none_words: bool) -> object:
    """The value that an entry of a TrlParser file gives: text is converted like a word, everything else is kept.

    Choices are never applied, and text stays one value where a list is due. Raises WrongType where the parser exits.
    """
    if not isinstance(value, str):
        return value
    return _one(value, reading_of(field, none_words=none_words), check=False)


def _one(word: str, reading: Reading, *, check: bool) -> object:
    if reading.none and word.lower() in ("none", "null"):
        return None
    value: object = word
    match reading.kind:
        case "int" | "float":
            try:
                value = int(word) if reading.kind == "int" else float(word)
            except ValueError:
                raise WrongType(word, _WORDS[reading.kind]) from None
        case "bool":
            if word.lower() not in BOOLEAN_WORDS:
                raise WrongType(word, _WORDS["bool"])
            value = word.lower() in _TRUE
        case "dict" if not word:
            value = {}
        case "dict":
            raise WrongType(word, "no value on a command line at this release")
        case "choice":
            value = next((choice for choice in reading.choices if str(choice) == word), word)
    if check and reading.choices and value not in reading.choices:
        raise NotAChoice(value, reading.choices)
    return value


def _kind(name: str) -> str:
    if name in ("int", "float", "str"):
        return name
    if name == "dict" or name.startswith("dict["):
        return "dict"
    return "other"


def _is_enumeration(name: str) -> bool:
    return name.isidentifier() and name[0].isupper() and name.endswith(("Strategy", "Type", "Names", "Option", "Enum"))


def _literals(spelled: str) -> tuple[object, ...]:
    import ast

    try:
        value = ast.literal_eval(f"({spelled[len('Literal[') : -1]},)")
    except (ValueError, SyntaxError):
        return ()
    return tuple(value)
