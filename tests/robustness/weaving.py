"""Texts that mean the same and are written in other ways, with the place of everything in each of them.

A launch is put together from characters that stand for those of its words, one for each, so that whatever is done with
it (words joined, quoted, put into a variable or a function) shows in the end where each of them went.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from rlhflint.check import Checker
from rlhflint.project.settings import Settings
from rlhflint.text import Span

_CHARACTERS = 0x100000
"""The first of the characters that stand for others."""
_MARKS = 0xF0000
"""The first of the characters that stand around what is marked: two for each."""
TOGETHER = 240
"""So many characters between a name and a value are not too many for one place."""
SEEN = ("OR", "TR", "LA", "VE")
"""Codes that are about launches; how a text is written has rules of its own."""
Place: TypeAlias = tuple[int, int]
Told: TypeAlias = tuple[str, tuple[str, ...], str, Place, tuple[Place, ...]]
"""Code, settings, message, place and further places of a finding."""


@dataclass(frozen=True)
class Woven:
    """A text, where each character of a word came to stand in it, and where what was marked begins and ends."""

    text: str
    characters: dict[int, int]
    marked: dict[int, Place]
    ends: frozenset[int]
    """Which of the characters end a word."""


@dataclass
class Loom:
    """Makes words of which it is known where they go."""

    _known: list[str] = field(default_factory=list)
    _marks: int = 0
    _ends: set[int] = field(default_factory=set)

    def word(self, text: str) -> str:
        """A word, in characters of its own."""
        first = _CHARACTERS + len(self._known)
        self._known += text
        self._ends.add(_CHARACTERS + len(self._known) - 1)
        return "".join(chr(first + number) for number in range(len(text)))

    def marked(self, text: str) -> str:
        """A part of which only begin and end matter: what stands between may be written in another way."""
        self._marks += 1
        return f"{chr(_MARKS + 2 * self._marks)}{text}{chr(_MARKS + 2 * self._marks + 1)}"

    def woven(self, text: str) -> Woven:
        """The text as it is written to a file. A word that stands in it twice is at the last of its places."""
        out: list[str] = []
        characters: dict[int, int] = {}
        starts: dict[int, int] = {}
        marked: dict[int, Place] = {}
        for one in text:
            number = ord(one)
            if number >= _CHARACTERS:
                characters[number] = len(out)
                out.append(self._known[number - _CHARACTERS])
            elif number >= _MARKS:
                mark, end = divmod(number - _MARKS, 2)
                if end:
                    marked[mark] = starts[mark], len(out)
                else:
                    starts[mark] = len(out)
            else:
                out.append(one)
        return Woven("".join(out), characters, marked, frozenset(self._ends))


def moved(before: Woven, after: Woven, place: Place) -> Place:
    """Where what stands at a place of one text stands in another one that is made of the same words.

    A setting is told at its name and value if they stand together, and at its name alone otherwise.
    """
    for mark, marked in before.marked.items():
        if marked == place:
            return after.marked[mark]
    inside = [
        one for at, one in sorted((at, one) for one, at in before.characters.items()) if place[0] <= at < place[1]
    ]
    assert inside, f"{before.text[place[0] : place[1]]!r} is no word"
    first = next(number for number, one in enumerate(inside, 1) if one in before.ends or number == len(inside))
    name, values = [[after.characters[one] for one in part] for part in (inside[:first], inside[first:])]
    together = values and 0 <= min(values) - (name[-1] + 1) <= TOGETHER
    return name[0], (max(values) if together else name[-1]) + 1


def told(text: str, name: str, release: str = "") -> list[Told]:
    """What is found in a text about launches, with all places."""
    result = Checker(Settings(framework_versions={"openrlhf": release} if release else {})).check_text(text, name)
    assert not result.broken, [one.message for one in result.findings]
    return [
        (
            one.code,
            tuple(sorted(one.settings)),
            one.message,
            _place(one.span),
            tuple(sorted(_place(other.span) for other in one.related)),
        )
        for one in result.findings
        if one.code.startswith(SEEN)
    ]


def _place(span: Span) -> Place:
    return span.start, span.end


def same(before: Woven, after: Woven, name: str, release: str = "", *, other: str = "") -> None:
    """The same is found in both texts, at the places where things stand. Raises AssertionError.

    `name` is the file of both, or of the first where the second has an `other` one.
    """
    wanted = Counter(
        (code, settings, message, moved(before, after, place), tuple(sorted(moved(before, after, one) for one in more)))
        for code, settings, message, place, more in told(before.text, name, release)
    )
    found = Counter(told(after.text, other or name, release))
    assert found == wanted, "\n".join(
        [after.text, *_shown("not found", after, wanted - found), *_shown("not wanted", after, found - wanted)]
    )


def _shown(what: str, woven: Woven, findings: Iterable[Told]) -> list[str]:
    return [
        f"{what}: {code} {message} {place} {woven.text[place[0] : place[1]]!r} {more}"
        for code, _, message, place, more in findings
    ]
