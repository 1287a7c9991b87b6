"""The arguments of a call as they are written, and the place of names in quotes."""

from __future__ import annotations

import ast

from rlhflint.call import Origin
from rlhflint.expressions import expression
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.source import STAND_IN
from rlhflint.readers.python.values import Abstract, Entry, Spread, Sure
from rlhflint.text import Span

_QUOTE = expression(r"[uUrR]?('''|\"\"\"|'|\")")


def arguments_of(run: Run, node: ast.Call) -> tuple[Entry | Spread, ...]:
    """The arguments of a call with their values, positions first, as Python evaluates them."""
    given: list[Entry | Spread] = []
    for index, argument in enumerate(node.args):
        if isinstance(argument, ast.Starred):
            given.append(Spread(run.evaluate(run, argument.value), 1, run.source.words(argument)))
            continue
        span = run.source.span(argument)
        given.append(Entry(index, run.evaluate(run, argument), span, None, span, Origin.POSITION))
    for keyword in node.keywords:
        value = run.evaluate(run, keyword.value)
        if keyword.arg is None:
            given.append(Spread(value, 2, f"**{run.source.words(keyword.value)}"))
            continue
        if run.source.holes and STAND_IN in keyword.arg:
            given.append(Spread(run.unknown("its name is not known"), 2, "the name of a keyword"))
            continue
        name_span, renamable = name_at(run, keyword, keyword.arg)
        span, value_span = run.source.span(keyword), run.source.span(keyword.value)
        given.append(Entry(keyword.arg, value, span, name_span, value_span, Origin.KEYWORD, renamable))
    return tuple(given)


def name_at(run: Run, node: ast.keyword | ast.expr, name: str) -> tuple[Span, bool]:
    """The characters of a name that a node starts with, and whether they are the name letter for letter."""
    start = run.source.start(node)
    # Python normalises identifiers: what is written may be longer or shorter than the name.
    written = run.source.text.startswith(name, start)
    span = run.source.span_of(start, start + len(name)) if written else run.source.span(node)
    return span, written and len(span) == len(name)


def attribute_name(run: Run, node: ast.Attribute) -> tuple[Span, bool]:
    """The characters of the name behind the dot, and whether they are the name letter for letter."""
    end = run.source.end(node)
    start = end - len(node.attr)
    written = run.source.text.startswith(node.attr, start)
    span = run.source.span_of(start, end) if written else run.source.span(node)
    return span, written and len(span) == len(node.attr)


def name_in_quotes(run: Run, node: ast.expr, name: Abstract) -> tuple[Span, bool]:
    """The characters of a key inside its quotes, and whether they are the key letter for letter.

    Where the key is no plain string literal it is the whole expression, which cannot be renamed in place.
    """
    whole = run.source.span(node)
    if isinstance(name, Sure) and isinstance(name.value, str) and isinstance(node, ast.Constant):
        start, end = run.source.start(node), run.source.end(node)
        written = run.source.text[start:end]
        quote = _QUOTE.match(written)
        if quote and written[quote.end() : -len(quote[1])] == name.value:
            inside = run.source.span_of(start + quote.end(), end - len(quote[1]))
            if len(inside) == len(name.value):
                return inside, True
    return whole, False
