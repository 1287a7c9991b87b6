"""Words of a shell text, as far as it takes to tell where quotes and substitutions in them end."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import field

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.suppress.extents import Extents

_IN_QUOTE = expression(r"[^\\\"`$}']+")
_SINGLE = expression(r"[^']*'?")
_ANSI = expression(r"(?:[^\\']|\\.)*+'?", re.DOTALL)
_QUOTES = frozenset({'"', "${"})


@dataclass(slots=True)
class Frame:
    """Something that is open: `"`, `${`, `` ` ``, `(`, `((`, or a compound command by the word that closes it."""

    kind: str
    command_after: bool = False
    """Whether a command may begin behind it."""
    array: bool = False
    patterns: bool = False
    """In a `case`: the next words are patterns."""
    start: int = 0


@dataclass(slots=True)
class Words:
    """One pass over a text. `quoted` are the stretches of several lines that are not commands of this text."""

    text: str
    extents: Extents = field(default_factory=Extents)
    quoted: list[tuple[int, int]] = field(default_factory=list)
    _at: int = 0
    _stack: list[Frame] = field(default_factory=list)
    _inside: Counter[str] = field(default_factory=Counter)
    """How many frames of each kind are open."""
    _command: bool = True
    """A command may begin here."""

    def _quoted(self) -> bool:
        """Whether the place is inside `"` or `${`, where words and commands mean nothing."""
        return bool(self._stack) and self._stack[-1].kind in _QUOTES

    def _in_quote(self) -> None:
        frame = self._stack[-1]
        run = _IN_QUOTE.match(self.text, self._at)
        if run:
            self._at = run.end()
            return
        character = self.text[self._at]
        if character == "\\":
            self._at += 2
        elif character == "$":
            self._dollar()
        elif character == "`":
            self._tick()
        elif character == '"' and frame.kind == '"':
            self._pop()
            self._at += 1
            self._note_quoted(frame.start, self._at)
        elif character == '"':
            self._push(Frame('"', start=self._at))
        elif character == "}" and frame.kind == "${":
            self._pop()
            self._at += 1
        elif character == "'" and frame.kind == "${" and not any(one.kind == '"' for one in self._stack[-2:-1]):
            self._single()
        else:
            self._at += 1

    def _dollar(self) -> None:
        text, at = self.text, self._at
        if text.startswith("$'", at) and not (self._stack and self._stack[-1].kind == '"'):
            found = _ANSI.match(text, at + 2)
            self._at = found.end() if found else at + 2
        elif text.startswith("$((", at):
            self._push(Frame("(("), 0)
            self._push(Frame("(("), 3)
        elif text.startswith("$(", at):
            self._push(Frame("("), 2)
            self._command = True
        elif text.startswith("${", at):
            self._push(Frame("${"), 2)
        else:
            self._at += 1 + text.startswith(("#", "$"), at + 1)

    def _single(self) -> None:
        start = self._at
        found = _SINGLE.match(self.text, start + 1)
        self._at = found.end() if found else start + 1
        self._note_quoted(start, self._at)

    def _tick(self) -> None:
        nearest = None
        if self._inside["`"]:
            nearest = next(frame for frame in reversed(self._stack) if frame.kind in ("`", "("))
        if nearest is None or nearest.kind != "`":
            self._push(Frame("`"))
            self._command = True
            return
        while self._pop() is not nearest:
            pass
        self._command = False
        self._at += 1

    def _push(self, frame: Frame, length: int = 1) -> None:
        self._stack.append(frame)
        self._inside[frame.kind] += 1
        self._at += length

    def _pop(self) -> Frame:
        frame = self._stack.pop()
        self._inside[frame.kind] -= 1
        self.extents.leave(len(self._stack), self._at)
        return frame

    def _note_quoted(self, start: int, end: int) -> None:
        outermost = not any(self._inside[kind] for kind in _QUOTES)
        if outermost and self.text.find("\n", start, end) >= 0:
            self.quoted.append((start + 1, end - 1))
