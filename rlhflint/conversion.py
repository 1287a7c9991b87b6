"""Words of a command line turned into the value an option holds, as argparse turns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rlhflint.wording import listed

if TYPE_CHECKING:
    from rlhflint.catalog.option import Option


class NotAChoice(ValueError):
    """The value converts, but is none of those that the option takes."""

    def __init__(self, value: object, choices: Sequence[object]) -> None:
        super().__init__(f"takes {listed(choices)}, not {str(value)!r}")
        self.value = value
        self.choices = tuple(choices)


class WrongType(ValueError):
    """The word does not convert to the option's type."""

    def __init__(self, word: str, kind: str) -> None:
        super().__init__(f"takes {kind}, not {word!r}")
        self.word = word


def converter(option: Option) -> Callable[[Sequence[str]], object]:
    """What turns the words behind an option into its value.

    The function raises `WrongType` or `NotAChoice`. A switch gets no words.
    """
    return partial(_convert, option)


def _convert(option: Option, words: Sequence[str]) -> object:
    if option.action == "store_true":
        return True
    if option.action == "store_false":
        return False
    if option.action == "store_const":
        return option.const
    values = [_one(option, word) for word in words]
    if option.nargs is None:
        return values[0]
    if option.nargs == "?":
        return values[0] if values else option.const
    return values


def _one(option: Option, word: str) -> object:
    value: object = word
    if option.type == "int":
        value = _number(int, word, "a whole number")
    elif option.type == "float":
        value = _number(float, word, "a number")
    elif option.type == "bool":
        value = bool(word)
    if option.choices and value not in option.choices:
        raise NotAChoice(value, option.choices)
    return value


def _number(kind: Callable[[str], int | float], word: str, words: str) -> int | float:
    try:
        return kind(word)
    except ValueError:
        raise WrongType(word, words) from None
