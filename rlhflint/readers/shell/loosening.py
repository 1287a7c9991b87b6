"""Values that something which is not followed may have changed: unknown, with what they were as their default."""

from __future__ import annotations

from collections.abc import Sequence

from rlhflint.readers.shell.state import OTHERS, Elements, Gaps, Table, Variable
from rlhflint.text import Traced


def loosened(variable: Variable, because: str) -> Variable:
    """A variable that may have any other value; `because` says why."""
    value = variable.value
    if value is None or isinstance(value, Traced):
        return variable.with_value(loosened_text(value, because))
    if isinstance(value, tuple | Gaps):
        return variable.with_value(loosened_words(variable.elements, because))
    return variable.with_value(loosened_table(value, because))


def loosened_text(text: Traced | None, because: str) -> Traced:
    """A text that may be any other one, or not set."""
    return Traced.hole(because, text.span, default=text.default) if text is not None else Traced.hole(because)


def loosened_words(words: Sequence[Traced], because: str) -> Elements:
    """A list of words that may be any other one; each stands for any number of words."""
    if not words:
        return (Traced.hole(because, many=True),)
    return tuple(Traced.hole(because, word.span, many=True, default=word.default) for word in words)


def loosened_table(table: Table, because: str) -> Table:
    """An associative array whose elements may be any other ones, and that may have more of them."""
    kept = {key: loosened_text(word, because) for key, word in table.items() if key != OTHERS}
    return {**kept, OTHERS: Traced.hole(because, many=True)}
