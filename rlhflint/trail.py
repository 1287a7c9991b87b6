"""What a check asked the disk, and what it was answered: its result holds as long as the same answers are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rlhflint import disk
from rlhflint.digest import digest

if TYPE_CHECKING:
    from rlhflint.disk import Answer

MOST = 100_000
"""Questions that are kept; a check that asks more is not worth remembering."""


class Trail:
    """Questions (see `rlhflint.disk.ask`), the paths each was asked of, and the answers in short.

    `broken`: one question had two answers, so that not everything rests on the same state of the disk, or there are too
    many.
    """

    def __init__(self, answers: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.answers: dict[str, dict[str, str]] = {key: dict(given) for key, given in (answers or {}).items()}
        self.broken = False
        self._size = sum(map(len, self.answers.values()))
        self._new: list[tuple[str, str, str]] = []

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        return ((question, path, answer) for question, given in self.answers.items() for path, answer in given.items())

    def note(self, question: str, path: str, answer: Answer) -> None:
        """Keep an answer."""
        self.add(question, path, in_short(answer))

    def add(self, question: str, path: str, answer: str) -> None:
        """Keep an answer that was noted elsewhere."""
        given = self.answers.setdefault(question, {})
        if path not in given:
            given[path] = answer
            self._new.append((question, path, answer))
            self._size += 1
            self.broken |= self._size > MOST
        elif given[path] != answer:
            self._new.append((question, path, answer))  # who hears the news has to hear of both
            self.broken = True

    def news(self) -> list[tuple[str, str, str]]:
        """What was noted since this was asked last: for the process that shares out the files."""
        news, self._new = self._new, []
        return news

    def holds(self) -> bool:
        """Whether every question has the same answer now."""
        return not self.broken and all(in_short(disk.ask(question, path)) == answer for question, path, answer in self)


def in_short(answer: Answer) -> str:
    """An answer as a short text; two answers that differ have different ones."""
    if answer is None or isinstance(answer, bool):
        return str(answer)
    return f"={digest(answer if isinstance(answer, bytes) else repr(answer))}"
