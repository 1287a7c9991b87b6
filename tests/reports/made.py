"""Results as a run would give them, made from a text in which the place of the finding is marked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rlhflint.finding import Finding, Severity, Stage
from rlhflint.result import FileResult, Result
from rlhflint.source import Position, Source
from rlhflint.text import Span

OPEN, CLOSE = "⟦", "⟧"


def marked(text: str, path: str = "train.sh") -> tuple[Source, Span]:
    """The text without its marks, and the span between them."""
    start = text.index(OPEN)
    end = text.index(CLOSE) - 1
    return Source(path, text.replace(OPEN, "").replace(CLOSE, "")), Span(path, start, end)


def finding(span: Span, **changes: Any) -> Finding:
    """An error of OR203 at a place."""
    plain = Finding(
        code="OR203",
        name="async-with-colocate-all",
        severity=Severity.ERROR,
        stage=Stage.STARTUP,
        message="asynchronous training needs engines of its own",
        span=span,
        settings=("train.async_enable",),
        program="openrlhf:train_ppo_ray",
    )
    return replace(plain, **changes)


def result(text: str, path: str = "train.sh", **changes: Any) -> Result:
    """One file with one finding at the marked place."""
    source, span = marked(text, path)
    return one_file(source, finding(span, **changes))


def one_file(source: Source, *findings: Finding, **changes: Any) -> Result:
    """One file with the given findings."""
    return Result((FileResult(source.path, sources={source.path: source}, findings=findings, **changes),))


def notebook(text: str, path: str = "train.ipynb") -> tuple[Source, Span]:
    """A notebook as its JSON text, with places counted in its cells: a cell begins at each `"source"`."""
    plain, span = marked(text, path)

    def locate(offset: int) -> Position:
        cell = plain.text.count('"source"', 0, offset)
        start = plain.text.rfind('"source"', 0, offset)
        lines = plain.text.count('\\n"', start, offset)
        opening = plain.text.rfind('"', start, offset)
        return Position(lines + 1, offset - opening, cell) if cell else plain.position_in_file(offset)

    return Source(path, plain.text, locate), span
