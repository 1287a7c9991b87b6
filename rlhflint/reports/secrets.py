"""Secrets that a launch holds, kept out of every report."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.finding import Fix
    from rlhflint.result import FileResult
    from rlhflint.text import Span

MASK = "*"
_SHORTEST = 8
"""Characters below which a text is no secret that could be told from other text."""


class Secrets:
    """The places of one file's result that are not shown, and their text wherever else it appears."""

    def __init__(self, file: FileResult) -> None:
        concealed = {finding.span for finding in file.findings if finding.conceal}
        self.spans: tuple[Span, ...] = tuple(sorted(concealed.union(file.secrets)))
        self._file = file

    def masked(self, text: str) -> str:
        """`text` with every secret in it replaced by asterisks."""
        return self._pattern.sub(MASK * 8, text) if self._pattern is not None else text

    def masked_in(self, value: object) -> object:
        """A value with every secret in its texts replaced likewise."""
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, (list, tuple)):
            return [self.masked_in(one) for one in value]
        if isinstance(value, dict):
            return {name: self.masked_in(one) for name, one in value.items()}
        return value

    def shown(self, fix: Fix | None) -> Fix | None:
        """A fix as a report may tell it; None for one that would write a secret elsewhere."""
        if fix is None or any(self.masked(edit.text) != edit.text for edit in fix.edits):
            return None
        return replace(fix, title=self.masked(fix.title))

    def hides(self, path: str, offsets: Iterable[int]) -> list[bool]:
        """For each offset of the file at `path`, whether the character there is part of a secret."""
        spans = [span for span in self.spans if span.path == path]
        if not spans:
            return [False for _ in offsets]
        return [any(span.start <= offset < span.end for span in spans) for offset in offsets]

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        texts = set()
        for span in self.spans:
            source = self._file.sources.get(span.path)
            if source is not None:
                written = source.text[span.start : span.end]
                texts |= {written, written.strip("\"'")}
        secrets = sorted((text for text in texts if len(text) >= _SHORTEST), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, secrets))) if secrets else None
