"""Lists of path patterns: `.gitignore` files and the globs of a configuration."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rlhflint.expressions import expression
from rlhflint.project.wildmatch import compiled

MOST = 20_000
"""Patterns of one list that are looked at."""

_SPECIAL = expression(r"[*?\[\\]")


class _Pattern:
    __slots__ = ("_expression", "_ready", "folders_only", "negated", "text", "whole_path")

    def __init__(self, text: str, *, negated: bool, folders_only: bool, whole_path: bool) -> None:
        self.text = text
        self.negated = negated
        self.folders_only = folders_only
        self.whole_path = whole_path
        self._expression: re.Pattern[str] | None = None
        self._ready = False

    def matches(self, path: str, name: str) -> bool:
        if not self._ready:
            self._expression = compiled(self.text)
            self._ready = True
        matched = self._expression and self._expression.fullmatch(path if self.whole_path else name)
        return matched is not None


class Patterns:
    """Patterns in the order of their list, of which the last that matches decides.

    A pattern without `/` (one at its end apart) is held against the name of a file or folder, any other against its
    path relative to the folder of the list. `/` at the end: folders only. `!` in front: let it through after all.
    """

    __slots__ = ("_all", "_any_ending", "_endings", "_names", "_paths", "_rest")

    def __init__(self) -> None:
        self._all: list[_Pattern] = []
        # Positions of the patterns that need no expression: of plain names, of `*` and an ending, of plain paths.
        self._names: dict[str, list[int]] = {}
        self._endings: list[tuple[str, int]] = []
        self._paths: dict[str, list[int]] = {}
        self._rest: list[int] = []
        self._any_ending: tuple[str, ...] = ()

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> Patterns:
        """The patterns of the lines of a `.gitignore`, without comments, blank lines, and blanks at the end."""
        made = cls()
        for line in lines:
            if len(made._all) >= MOST:
                break
            if not line.startswith("#"):
                made._add(_without_blanks(line))
        return made._finished()

    @classmethod
    def of_globs(cls, globs: Iterable[str]) -> Patterns:
        """The patterns of a list in a configuration, each taken as it is."""
        made = cls()
        for glob in globs:
            made._add(glob)
        return made._finished()

    @classmethod
    def of_bytes(cls, raw: bytes) -> Patterns:
        """The patterns of a `.gitignore` file, one character a byte: to git, `?` is one byte."""
        text = raw.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        return cls.of_lines(line.removesuffix("\r") for line in text.split("\n"))

    def __bool__(self) -> bool:
        return bool(self._all)

    def verdict(self, path: str, name: str, *, folder: bool) -> bool | None:
        """Whether the list takes (True) or spares (False) a path; None if it says nothing of it.

        Args:
            path: relative to the folder of the list, with `/`.
            name: its last part.
            folder: it is a folder.
        """
        best = -1
        for candidates in (self._names.get(name), self._paths.get(path)):
            if candidates:
                best = max(best, self._last(candidates, folder))
        if name.endswith(self._any_ending):
            best = max(best, self._last([at for ending, at in self._endings if name.endswith(ending)], folder))
        for at in reversed(self._rest):
            if at < best:
                break
            pattern = self._all[at]
            if (folder or not pattern.folders_only) and pattern.matches(path, name):
                best = at
                break
        return None if best < 0 else not self._all[best].negated

    def _last(self, candidates: list[int], folder: bool) -> int:
        return max((at for at in candidates if folder or not self._all[at].folders_only), default=-1)

    def _finished(self) -> Patterns:
        self._any_ending = tuple(ending for ending, _ in self._endings)
        return self

    def _add(self, text: str) -> None:
        negated = text.startswith("!")
        text = text.removeprefix("!")
        folders_only = text.endswith("/")
        text = text.removesuffix("/")
        whole_path = "/" in text
        text = text.removeprefix("/")
        if not text:
            return
        at = len(self._all)
        self._all.append(_Pattern(text, negated=negated, folders_only=folders_only, whole_path=whole_path))
        if not _SPECIAL.search(text):
            (self._paths if whole_path else self._names).setdefault(text, []).append(at)
        elif not whole_path and text[0] == "*" and len(text) > 1 and not _SPECIAL.search(text, 1):
            self._endings.append((text[1:], at))
        else:
            self._rest.append(at)


def _without_blanks(line: str) -> str:
    """A line of a `.gitignore` without the blanks at its end that no backslash protects."""
    kept = line.rstrip(" ")
    backslashes = len(kept) - len(kept.rstrip("\\"))
    return kept + " " if backslashes % 2 and len(kept) < len(line) else kept
