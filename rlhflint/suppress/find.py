"""Where the suppressions of a file are: in the comments of its language, and of the scripts it holds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.suppress.comment import Comment, line_start, may_suppress
from rlhflint.suppress.directive import Directive, written
from rlhflint.text import Span, Traced

if TYPE_CHECKING:
    from rlhflint.document import Document
    from rlhflint.readers.notebook import Notebook
    from rlhflint.source import Source

_LANGUAGES = {"python": "python", "yaml": "yaml", "dockerfile": "dockerfile", "makefile": "makefile"}
"""Kinds of files whose own comments count → module that finds them."""
_QUOTE = expression(r"[rRbBfFuU]{0,2}(?:\"\"\"|'''|\"|')")
_JSON_BEFORE = expression(r"[ \t]*\"\Z")
_JSON_AFTER = expression(r"\",[ \t]*\r?\n")
_DEEPEST = 8
"""How deep scripts are looked for in the quotes of scripts."""


def directives(source: Source, kind: str, document: Document | None = None) -> tuple[Directive, ...]:
    """The suppressions of a file, in their order.

    Args:
        source: the file; also one that the document's file sources.
        kind: of the file, as `Document.kind` has it.
        document: what was read from it; says which of its texts are scripts, and has the cells of a notebook.
    """
    if not may_suppress(source.text):
        return ()
    found: dict[int, Directive] = {}
    for text, comments in _texts(source, kind, document):
        for comment in comments:
            for one in _of_comment(source, text, comment):
                found.setdefault(one.span.start, one)
    return tuple(found[start] for start in sorted(found))


def _texts(source: Source, kind: str, document: Document | None) -> Iterator[tuple[Traced, Iterable[Comment]]]:
    """The texts with comments of their own, the language of the file first."""
    whole = Traced.of_file(source.path, source.text)
    scripts = document.scripts if document is not None else ()
    commands = (command for script in scripts for command in script.commands if command.within)
    inner = sorted(command.span.start for command in commands if command.span.path == source.path)
    if kind in _LANGUAGES:
        text = whole[1:] if source.text.startswith("\ufeff") else whole
        yield text, _finder(_LANGUAGES[kind])(text.text)
    if kind == "shell":
        yield from _of_shell(whole, inner)
    elif kind == "notebook":
        if document is not None and document.notebook is not None:
            yield from _of_notebook(document.notebook, inner)
    else:
        for span in (script.span for script in scripts if script.span.path == source.path):
            quote = _QUOTE.match(source.text, span.start, span.end) if kind == "python" else None
            yield from _of_shell(whole[quote.end() if quote else span.start : span.end], inner)


def _of_notebook(notebook: Notebook, inner: Sequence[int]) -> Iterator[tuple[Traced, Iterable[Comment]]]:
    """The cells of a notebook: their Python, their shell lines, the scripts that they write."""
    for text in notebook.python:
        yield text, _finder("python")(text.text)
    scripts = (file.text for file in notebook.files if file.name.endswith(".sh"))
    for text in (*notebook.shell, *scripts):
        yield from _of_shell(text, inner)


def _of_shell(text: Traced, inner: Sequence[int], depth: int = 0) -> Iterator[tuple[Traced, Iterable[Comment]]]:
    """A script, and the scripts in its quotes and here-documents: those in which a command was read (`inner`)."""
    from rlhflint.suppress.shell import Shell

    if not may_suppress(text.text):
        return
    read = Shell(text.text).run()
    yield text, read.comments
    for start, end in read.quoted if depth < _DEEPEST else ():
        span = _span(text, start, end)
        at = bisect_left(inner, span.start) if span else len(inner)
        if span is not None and at < len(inner) and inner[at] < span.end:
            yield from _of_shell(text[start:end], inner, depth + 1)


def _finder(name: str) -> Callable[[str], Iterator[Comment]]:
    finder: Callable[[str], Iterator[Comment]] = import_module(f"{__package__}.{name}").comments
    return finder


def _of_comment(source: Source, text: Traced, comment: Comment) -> Iterator[Directive]:
    content = text.text[comment.start : comment.end]
    found = list(written(content))
    for one in found:
        start, end = comment.start + one.start, comment.start + one.end
        span = _span(text, start, end)
        if span is None:
            continue
        covers = _span(text, comment.covers_start, comment.covers_end) or Span(span.path, span.start, span.start)
        codes = [(code.text, _span(text, comment.start + code.start, comment.start + code.end)) for code in one.codes]
        alone = comment.alone and len(found) == 1 and content.strip() == content[one.start : one.end]
        yield Directive(
            text=content[one.start : one.end],
            span=span,
            removal=_removal(source, text, start, end, alone=alone) or span,
            covers=None if one.file else covers,
            codes=tuple(code for code, place in codes if place),
            code_spans=tuple(place for _, place in codes if place),
            reason=one.reason,
            wrong=one.wrong or ("" if one.file else comment.broken),
            loose=one.loose,
            misplaced=not one.wrong and bool(comment.broken) and not one.file,
        )


def _span(text: Traced, start: int, end: int) -> Span | None:
    return text.span_of(start, end) if start < end else None


def _removal(source: Source, text: Traced, start: int, end: int, *, alone: bool) -> Span | None:
    """What goes with a suppression: its line if there is nothing else on it, else the blanks in front of it."""
    content = text.text
    if not alone:
        line = line_start(content, start)
        before = content[line:start].rstrip(" \t")
        return _span(text, line + len(before) if before else start, end)
    following = content.find("\n", end)
    span = _span(text, line_start(content, start), following + 1 if following >= 0 else len(content))
    return _json_line(source.text, span) if span else None


def _json_line(text: str, span: Span) -> Span:
    """The line of a notebook's file, if it holds nothing but the JSON string of the line that is removed."""
    start, after = line_start(text, span.start), _JSON_AFTER.match(text, span.end)
    if after and _JSON_BEFORE.fullmatch(text, start, span.start):
        return Span(span.path, start, after.end())
    return span
