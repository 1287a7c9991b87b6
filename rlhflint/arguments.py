"""Command-line words read as Python's argparse reads them, without stopping at the first mistake.

The rules are those of `argparse.ArgumentParser` of Python 3.11 with abbreviations allowed and no positional arguments,
which is what every program of OpenRLHF uses. Words that are not known are values where a value is due; elsewhere they
may be anything, and the reading says so in `more`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Traced

if TYPE_CHECKING:
    from rlhflint.catalog.option import Option

NEGATIVE_NUMBER = expression(r"-\d+|-\d*\.\d+")


class Mistake(Enum):
    """How a word fails to be an argument."""

    UNKNOWN = "unknown"
    """No option has this name, nor is it the beginning of one."""
    AMBIGUOUS = "ambiguous"
    """The beginning of several options."""
    MISSING_VALUE = "missing value"
    """Fewer values follow than the option takes."""
    SURPLUS_VALUE = "surplus value"
    """`--switch=value`: the option takes none."""
    STRAY_WORD = "stray word"
    """A word that no option takes."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An option as it was given: its name as written, and the words it takes."""

    option: Option
    name: Traced
    values: tuple[Traced, ...] = ()
    joined: bool = False
    """`--name=value` in one word."""

    @property
    def abbreviated(self) -> bool:
        """Written as an unambiguous beginning of the option's name."""
        return self.name.text != self.option.flag and self.name.text not in self.option.aliases


@dataclass(frozen=True, slots=True)
class Trouble:
    """A word, or the words of one option, that argparse refuses.

    `before` is the option directly in front of a stray word, `candidates` the options an ambiguous name fits, `values`
    the words that follow an unknown option and look like its values.
    """

    mistake: Mistake
    word: Traced
    option: Option | None = None
    before: Argument | None = None
    candidates: tuple[str, ...] = ()
    values: tuple[Traced, ...] = ()
    joined: bool = False
    """`--name=value` in one word, of an unknown option."""
    name: Traced | None = None
    """The name in front of a surplus value."""


@dataclass(slots=True)
class Reading:
    """All that a sequence of words says."""

    arguments: list[Argument] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    more: str = ""
    """Why further options may be given that cannot be seen."""


def read_arguments(words: Sequence[Traced], options: Mapping[str, Option]) -> Reading:
    """Read `words` by the option strings of `options` (every spelling is a key)."""
    return _Reader(words, options).read()


class _Reader:
    def __init__(self, words: Sequence[Traced], options: Mapping[str, Option]) -> None:
        self.words = words
        self.options = options
        self.reading = Reading()
        self.position = 0

    def read(self) -> Reading:
        previous: Argument | None = None
        while self.position < len(self.words):
            word = self.words[self.position]
            self.position += 1
            if word.text == "--":
                self._after_dashes(previous)
            elif word.text.startswith(HOLE) or word.text.startswith(("-" + HOLE, "--" + HOLE)):
                self.reading.more = self.reading.more or word.because
                previous = None
            elif not self._is_option(word):
                self._trouble(Mistake.STRAY_WORD, word, before=previous)
                previous = None
            else:
                previous = self._option(word)
        return self.reading

    def _trouble(self, mistake: Mistake, word: Traced, **more: object) -> None:
        self.reading.troubles.append(Trouble(mistake, word, **more))  # type: ignore[arg-type]

    def _after_dashes(self, previous: Argument | None) -> None:
        """`--` and all words behind it are positional, which no program takes."""
        for word in self.words[self.position - 1 :]:
            if HOLE not in word.text:
                self._trouble(Mistake.STRAY_WORD, word, before=previous)
                previous = None
        self.position = len(self.words)

    def _is_option(self, word: Traced) -> bool:
        """What argparse's `_parse_optional` takes for an option, known or not."""
        text = word.text
        if not text.startswith("-") or len(text) == 1:
            return False
        name = text.partition("=")[0]
        if text in self.options or name in self.options or self._beginnings(name):
            return True
        return not NEGATIVE_NUMBER.fullmatch(text) and " " not in text

    def _beginnings(self, name: str) -> list[str]:
        if HOLE in name:
            return []
        if name.startswith("--"):
            return [flag for flag in self.options if flag.startswith(name)]
        return [flag for flag in self.options if flag.startswith(name) or flag == name[:2]]

    def _option(self, word: Traced) -> Argument | None:
        if word.text in self.options:
            return self._argument(self.options[word.text], word)
        equals = word.text.find("=")
        name = word if equals < 0 else word[:equals]
        value = None if equals < 0 else word[equals + 1 :]
        if name.text in self.options:
            return self._argument(self.options[name.text], name, value)
        if HOLE in name.text:
            self.reading.more = self.reading.more or name.because
            return None
        fitting = self._beginnings(name.text)
        if len(fitting) == 1:
            return self._argument(self.options[fitting[0]], name, value)
        if fitting:
            self._trouble(Mistake.AMBIGUOUS, name, candidates=tuple(sorted(fitting)))
            self.position += len(list(self._values_ahead()))
            return None
        values = (value,) if value is not None else tuple(self._values_ahead())
        if value is None:
            self.position += len(values)
        self._trouble(Mistake.UNKNOWN, name, values=values, joined=value is not None)
        return None

    def _argument(self, option: Option, name: Traced, joined: Traced | None = None) -> Argument:
        least, most = takes(option)
        if joined is not None:
            if most == 0:
                self._trouble(Mistake.SURPLUS_VALUE, name + joined, option=option, name=name)
            elif least > 1:
                self._trouble(Mistake.MISSING_VALUE, name, option=option)
            argument = Argument(option, name, () if most == 0 else (joined,), joined=True)
        else:
            values: list[Traced] = []
            for value in self._values_ahead():
                if most is not None and len(values) == most:
                    break
                values.append(value)
            self.position += len(values)
            if len(values) < least and not any(value.many for value in values):
                self._trouble(Mistake.MISSING_VALUE, name, option=option, values=tuple(values))
                return Argument(option, name)
            argument = Argument(option, name, tuple(values))
        self.reading.arguments.append(argument)
        return argument

    def _values_ahead(self) -> Iterator[Traced]:
        for word in self.words[self.position :]:
            if word.text == "--" or (self._is_option(word) and not word.text.startswith(HOLE)):
                return
            yield word


def takes(option: Option) -> tuple[int, int | None]:
    """How many words an option takes: at least, and at most (None: any number)."""
    if option.action in ("store_true", "store_false", "store_const", "count", "help", "version"):
        return 0, 0
    match option.nargs:
        case None:
            return 1, 1
        case "?":
            return 0, 1
        case "*":
            return 0, None
        case "+":
            return 1, None
        case int(number):
            return number, number
    return 0, None
