"""Numbers of processes, machines and GPUs, each with the place it comes from or the reason why it is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rlhflint.expressions import expression
from rlhflint.launchers.options.reading import LauncherOption
from rlhflint.launchers.unwrapping.start import Wrapper
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced
from rlhflint.value import Known, OneOf, Undetermined, Unknown, Value

_Combine: TypeAlias = Callable[[int, int], int]
_NUMBER = expression(r"\s*\+?(\d{1,9})\s*")


@dataclass(frozen=True, slots=True)
class Count:
    """A number of something.

    `number` is None where it is not known; `because` then says why, and `default` is what it is unless something
    outside the file says otherwise (`${N:-8}`). `span` are the characters that say it, None where nothing in a file
    does. `source` names what says it and fits behind "by": "--num_gpus", "the #SBATCH header".
    """

    number: int | None
    source: str = ""
    span: Span | None = None
    because: str = ""
    default: int | None = None

    @classmethod
    def unknown(cls, because: str, span: Span | None = None) -> Count:
        """A number that cannot be known."""
        return cls(None, because=because, span=span)

    @property
    def known(self) -> bool:
        """Whether the number is known."""
        return self.number is not None

    @property
    def value(self) -> Value:
        """As a three-valued value."""
        if self.number is not None:
            return Known(self.number)
        return Unknown(self.because) if self.default is None else OneOf(self.default, self.because)

    def need(self, what: str) -> int:
        """The number. Raises `Undetermined` about `what` where it is not known."""
        if self.number is None:
            raise Undetermined(what, self.because)
        return self.number

    def times(self, other: Count) -> Count:
        """The product of two numbers; zero machines of whatever size are none."""
        return self._with(other, lambda left, right: left * right)

    def divided(self, other: Count) -> Count:
        """The whole part of a quotient; not known where it divides by zero."""
        if other.number == 0:
            return Count.unknown("a division by zero", other.span)
        return self._with(other, lambda left, right: left // right if right else left)

    def _with(self, other: Count, combine: _Combine) -> Count:
        source = " and ".join(dict.fromkeys(part for part in (self.source, other.source) if part))
        span = self.span or other.span
        if self.number is not None and other.number is not None:
            return Count(combine(self.number, other.number), source, span)
        because = "; ".join(dict.fromkeys(part for part in (self.because, other.because) if part))
        left = self.default if self.number is None else self.number
        right = other.default if other.number is None else other.number
        default = None if left is None or right is None else combine(left, right)
        return Count(None, source, span, because, default)


def number_of(text: str) -> int | None:
    """The whole number that a text is, as C and Python read plain digits; None for anything else."""
    found = _NUMBER.fullmatch(text[:32]) if len(text) <= 32 else None
    return int(found[1]) if found else None


def count_of(word: Traced | None, source: str) -> Count:
    """The number that a word gives, `source` naming what it is the value of."""
    if word is None:
        return Count.unknown(f"{source} has no value")
    span = word.span
    if word.known:
        number = number_of(word.text)
        if number is None:
            return Count.unknown(f"{source} is {word.text[:40]!r}", span)
        return Count(number, source, span)
    default = number_of(word.default) if word.default is not None else None
    return Count(None, source, span, word.because, default)


def option_count(wrapper: Wrapper, name: str) -> Count | None:
    """The number that an option of a launcher gives; None where the option is not given, for sure."""
    option = wrapper.given(name)
    if option is None:
        return Count.unknown(wrapper.more) if wrapper.more else None
    return given_count(wrapper, option)


def given_count(wrapper: Wrapper, option: LauncherOption) -> Count:
    """The number that a given option says; not known where words behind it may say otherwise."""
    if not option.certain:
        return Count.unknown(wrapper.more, option.value.span if option.value else None)
    return count_of(option.value, option.flag.text)
