"""The text of an f-string."""

from __future__ import annotations

import ast
from functools import partial

from rlhflint.readers.python import constants
from rlhflint.readers.python.operations import binary
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import Abstract, Maybe, Open, Sure


def formatted_text(run: Run, node: ast.JoinedStr) -> Abstract:
    """An f-string, put together of what is known of its parts."""
    text: Abstract = Sure("")
    for part in node.values:
        piece: Abstract = Sure("")
        if isinstance(part, ast.FormattedValue):
            with run.source.inside(node):
                template = (
                    formatted_text(run, part.format_spec) if isinstance(part.format_spec, ast.JoinedStr) else piece
                )
                piece = run.each(run.evaluate(run, part.value), partial(_formatted, run, part, template))
        elif isinstance(part, ast.Constant):
            with run.source.inside(node):
                piece = run.evaluate(run, part)
        text = _concatenated(run, text, piece, node)
    if isinstance(text, Sure) and all(isinstance(part, ast.Constant) for part in node.values):
        return Sure(text.value, run.source.span(node))
    return text


def _concatenated(run: Run, text: Abstract, piece: Abstract, node: ast.expr) -> Abstract:
    return run.each(text, lambda one: run.each(piece, lambda other: binary(run, ast.Add, one, other, node)))


def _formatted(run: Run, part: ast.FormattedValue, template: Abstract, value: Abstract) -> Abstract:
    if isinstance(template, Sure) and isinstance(value, Sure | Maybe):
        known = value.value if isinstance(value, Sure) else value.default
        try:
            text = constants.formatted(known, part.conversion, str(template.value))
        except constants.NotWorkedOut:
            return run.at_run_time(part.value)
        return Sure(text) if isinstance(value, Sure) else Maybe(text, value.because, run.number())
    because = value.because if isinstance(value, Open) else f"{run.source.words(part.value)} is only known when it runs"
    return run.unknown(because)
