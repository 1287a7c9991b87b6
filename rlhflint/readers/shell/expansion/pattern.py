"""Patterns of the shell: `*`, `?`, `[a-z]`. Matching takes no more steps than text times pattern."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rlhflint.records import dataclass

_CLASSES: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "punct": lambda char: char.isascii() and char.isprintable() and not char.isalnum() and char != " ",
}
_STAR, _ANY = "*", "?"
_MOST_STEPS = 2_000_000
_EXTENDED = "@?*+!"


class NotMatched(Exception):
    """A pattern is written in a way that is not followed, or is too long."""


@dataclass(frozen=True, slots=True)
class _Exactly:
    char: str


@dataclass(frozen=True, slots=True)
class _OneOf:
    chars: str
    ranges: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]
    negated: bool

    def fits(self, char: str) -> bool:
        """Whether a character is meant."""
        inside = (
            char in self.chars
            or any(low <= char <= high for low, high in self.ranges)
            or any(_CLASSES[name](char) for name in self.classes)
        )
        return inside is not self.negated


class Pattern:
    """A pattern that texts are matched against."""

    def __init__(self, characters: Iterable[tuple[str, bool]]) -> None:
        """`characters` come each with whether it is quoted and so stands for itself. Raises `NotMatched`."""
        self._items = tuple(_items(list(characters)))

    @property
    def literal(self) -> str | None:
        """The only text it matches; None if there are several."""
        if all(isinstance(item, _Exactly) for item in self._items):
            return "".join(item.char for item in self._items if isinstance(item, _Exactly))
        return None

    def matches(self, text: str) -> bool:
        """Whether it matches the whole text."""
        return len(text) in _ends(self._items, text)

    def prefix(self, text: str, *, longest: bool) -> int | None:
        """The length of the shortest or longest beginning that it matches; None if it matches none."""
        ends = _ends(self._items, text)
        return (max(ends) if longest else min(ends)) if ends else None

    def suffix(self, text: str, *, longest: bool) -> int | None:
        """The length of the shortest or longest ending that it matches; None if it matches none."""
        ends = _ends(self._items[::-1], text[::-1])
        return (max(ends) if longest else min(ends)) if ends else None

    def find(self, text: str, start: int) -> tuple[int, int] | None:
        """The first place from `start` on where it matches, and the longest end there."""
        literal = self.literal
        if literal is not None:
            found = text.find(literal, start)
            return None if found < 0 else (found, found + len(literal))
        if len(text) * len(text) > _MOST_STEPS:
            raise NotMatched
        for place in range(start, len(text) + 1):
            ends = _ends(self._items, text[place:])
            if ends:
                return place, place + max(ends)
        return None


def _items(characters: Sequence[tuple[str, bool]]) -> Iterable[object]:
    at = 0
    while at < len(characters):
        char, quoted = characters[at]
        following = characters[at + 1] if at + 1 < len(characters) else ("", True)
        if quoted:
            yield _Exactly(char)
        elif char in _EXTENDED and following == ("(", False):
            raise NotMatched
        elif char in (_STAR, _ANY):
            yield char
        elif char == "[" and (found := _set(characters, at + 1)) is not None:
            one_of, at = found
            yield one_of
            continue
        else:
            yield _Exactly(char)
        at += 1


def _set(characters: Sequence[tuple[str, bool]], at: int) -> tuple[_OneOf, int] | None:
    """The set that begins at `at`, behind its `[`, and the place behind its `]`; None if it is not closed."""
    negated = at < len(characters) and characters[at] in (("!", False), ("^", False))
    at += negated
    chars = ""
    ranges: list[tuple[str, str]] = []
    classes: list[str] = []
    first = True
    while at < len(characters):
        char, quoted = characters[at]
        if char == "]" and not quoted and not first:
            return _OneOf(chars, tuple(ranges), tuple(classes), negated), at + 1
        first = False
        if char == "[" and not quoted and characters[at + 1 : at + 2] == [(":", False)]:
            name = "".join(one for one, _ in characters[at + 2 : at + 8]).partition(":")[0]
            if name not in _CLASSES:
                raise NotMatched
            classes.append(name)
            at += len(name) + 4
            continue
        is_range = characters[at + 1 : at + 2] == [("-", False)] and characters[at + 2 : at + 3] not in (
            [],
            [("]", False)],
        )
        if is_range:
            ranges.append((char, characters[at + 2][0]))
            at += 3
        else:
            chars += char
            at += 1
    return None


def _ends(items: Sequence[object], text: str) -> set[int]:
    """The lengths of all beginnings of `text` that the items match."""
    if (len(items) + 1) * (len(text) + 1) > _MOST_STEPS:
        raise NotMatched
    reached = {0}
    for item in items:
        if item == _STAR:
            reached = set(range(min(reached), len(text) + 1)) if reached else reached
            continue
        reached = {place + 1 for place in reached if place < len(text) and _fits(item, text[place])}
    return reached


def _fits(item: object, char: str) -> bool:
    if isinstance(item, _Exactly):
        return item.char == char
    return item == _ANY or (isinstance(item, _OneOf) and item.fits(char))
