"""Which statement, element or entry follows a comment that stands alone."""

from __future__ import annotations

from dataclasses import field

from rlhflint.records import dataclass
from rlhflint.suppress.comment import Comment


@dataclass(slots=True)
class _Waiting:
    start: int
    end: int
    depth: int
    begin: int = -1


@dataclass(slots=True)
class Extents:
    """Told of comments and of what a reader comes across behind them; collects the comments with what they cover.

    `depth` is how many brackets, blocks or the like are open; a statement ends at the depth where it began.
    """

    comments: list[Comment] = field(default_factory=list)
    _waiting: list[_Waiting] = field(default_factory=list)
    _begun: list[_Waiting] = field(default_factory=list)

    def alone(self, start: int, end: int, depth: int) -> None:
        """A comment on a line of its own."""
        self._waiting.append(_Waiting(start, end, depth))

    def begin(self, at: int, depth: int) -> None:
        """Something that belongs to a statement: what was waiting for one has found it."""
        for one in self._waiting:
            one.begin, one.depth = at, depth
        self._begun += self._waiting
        self._waiting.clear()

    def end(self, depth: int, at: int) -> None:
        """All statements end that began at `depth` or deeper."""
        while self._begun and self._begun[-1].depth >= depth:
            self._add(self._begun.pop(), at)

    def leave(self, depth: int, at: int) -> None:
        """A bracket or block closes, after which `depth` are open: nothing in it goes on or can begin."""
        self.end(depth + 1, at)
        while self._waiting and self._waiting[-1].depth > depth:
            one = self._waiting.pop()
            self._add(one, one.end)

    def finish(self, at: int) -> list[Comment]:
        """The text ends. All comments, in their order."""
        self.end(0, at)
        self.leave(-1, at)
        return sorted(self.comments, key=lambda comment: comment.start)

    def _add(self, one: _Waiting, end: int) -> None:
        begin = one.begin if one.begin >= 0 else end
        self.comments.append(Comment(one.start, one.end, begin, max(begin, end), alone=True))
