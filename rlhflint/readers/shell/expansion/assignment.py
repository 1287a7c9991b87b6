"""Assignments: `name=value`, `name+=value`, `name[i]=value`, `name=(…)`."""

from __future__ import annotations

import re

from rlhflint.expressions import expression
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.arrays import associative, has_key, indexed, subscripts
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.lookup import single
from rlhflint.readers.shell.loosening import loosened_table
from rlhflint.readers.shell.state import DIALECT, OTHERS, Elements, Gaps, Table, Variable
from rlhflint.readers.shell.syntax.lexing import MOST_WORDS, list_words
from rlhflint.readers.shell.syntax.word import Word, read_parts
from rlhflint.records import dataclass
from rlhflint.text import Traced

_ASSIGNMENT = expression(r"([A-Za-z_]\w*)(\[)?", re.ASCII)
_EQUALS = expression(r"\+?=")


@dataclass(frozen=True, slots=True)
class Assignment:
    """`words` is set for `name=(…)`, `subscript` are the places of the text between `[` and `]`."""

    name: str
    appends: bool
    value: Word
    words: tuple[Word, ...] | None = None
    subscript: tuple[int, int] | None = None


def read_assignment(word: Word) -> Assignment | None:
    """The assignment that a word is; None if it is none."""
    source = word.source
    found = _ASSIGNMENT.match(source.text, word.start, word.end)
    if found is None:
        return None
    at, subscript = found.end(1), None
    if found[2]:
        from rlhflint.readers.shell.syntax.quotes import Unclosed

        try:
            at = source.quotes.subscript(found.end(1))
        except Unclosed:
            return None
        subscript = (found.end(), at - 1)
    equals = _EQUALS.match(source.text, at, word.end)
    if equals is None:
        return None
    start, words = equals.end(), None
    if source.text.startswith("(", start) and word.end > start + 1 and source.text[word.end - 1] == ")":
        words = tuple(list_words(source, start + 1, word.end - 1))
    return Assignment(found[1], equals.group() == "+=", Word(source, start, word.end), words, subscript)


def assign(expansion: Expansion, assignment: Assignment, *, exported: bool = False) -> Traced | None:
    """Carry out an assignment; gives the text that was assigned, None for an array."""
    state, name = expansion.state, assignment.name
    if assignment.words is not None:
        state.assign(name, array_of(expansion, assignment, state.variable(name)), exported=exported)
        return None
    value = expansion.text(assignment.value)
    if assignment.subscript is None:
        return give(expansion, name, value, appends=assignment.appends, exported=exported)
    state.assign(name, _with_element(expansion, assignment, state.variable(name), value), exported=exported)
    return value


def give(
    expansion: Expansion, name: str, value: Traced, *, appends: bool = False, exported: bool = False
) -> Traced | None:
    """Give a variable a text, or add it to what it holds; gives the text that it holds then."""
    state = expansion.state
    old = state.variable(name)
    if old is not None and old.integer:
        value = _number(expansion, old, value, appends=appends)
    elif appends and old is not None and isinstance(old.value, tuple) and state.get(DIALECT) is not None:
        state.assign(name, (*old.value, value), exported=exported)
        return value
    elif appends:
        before = old.scalar if old is not None else Traced.hole(unknown.environment(name), value.span)
        value = expansion.limited((before or Traced()) + value)
    if old is not None and isinstance(old.value, tuple) and old.value and state.get(DIALECT) is None:
        state.assign(name, (value, *old.value[1:]), exported=exported)
    else:
        state.assign(name, value, exported=exported)
    return value


def _number(expansion: Expansion, old: Variable, value: Traced, *, appends: bool) -> Traced:
    from rlhflint.readers.shell.expansion.arithmetic import result

    whole = (old.scalar or Traced()) + Traced.made("+(", None) + value + Traced.made(")", None) if appends else value
    span = value.span
    return result(expansion, whole, span) if span is not None else value


def array_of(
    expansion: Expansion, assignment: Assignment, old: Variable | None, *, table: bool = False
) -> Elements | Table:
    """What `name=(…)` makes of a variable. `table`: it is declared as an associative array."""
    words = assignment.words or ()
    table = table or (old is not None and isinstance(old.value, dict) and not isinstance(old.value, Gaps))
    if len(words) > MOST_WORDS:
        return (Traced.hole(unknown.TOO_LONG, many=True),)
    if table:
        return associative(expansion, assignment.name, words, old, appends=assignment.appends)
    if any(has_key(word) for word in words):
        return indexed(expansion, assignment.name, words, old if assignment.appends else None)
    elements = expansion.words(words)
    if assignment.appends and old is not None and isinstance(old.value, Gaps):
        return Gaps.or_none(subscripts(old) | dict(enumerate(elements, old.value.end)))
    if assignment.appends:
        if old is None:
            because = unknown.environment(assignment.name)
            elements = [Traced.hole(because, many=True), *elements]
        else:
            elements = [*old.elements, *elements]
    if len(elements) > MOST_WORDS:
        return (Traced.hole(unknown.TOO_LONG, many=True),)
    return tuple(elements)


def _with_element(
    expansion: Expansion, assignment: Assignment, old: Variable | None, value: Traced
) -> Elements | Table:
    start, end = assignment.subscript or (0, 0)
    source = assignment.value.source
    if old is not None and isinstance(old.value, dict) and not isinstance(old.value, Gaps):
        key = expansion.joined(expansion.segments(source, read_parts(source, start, end), quoted=True))
        before = single(old.value.get(key.text, old.value.get(OTHERS))) if assignment.appends else None
        if not key.known:
            return loosened_table(old.value, f"an element of ${assignment.name} is not known")
        return {**old.value, key.text: before + value if before else value}
    from rlhflint.readers.shell.expansion.arithmetic import number

    index = number(expansion, source, start, end)
    elements = old.elements if old is not None else ()
    if expansion.state.get(DIALECT) is not None:
        return (Traced.hole(f"an element of ${assignment.name} is counted from 1", value.span, many=True),)
    if index is None or any(word.many for word in elements):
        # Any of the elements may be the one that is set.
        because = f"an element of ${assignment.name} is not known"
        kept = (Traced.hole(because, word.span, many=word.many, default=word.default) for word in elements)
        return (*kept, Traced.hole(because, value.span, many=True))
    found = subscripts(old)
    if index < 0:
        index += max(found, default=-1) + 1
    if index < 0:
        return elements  # bash refuses it
    before = found.get(index) if assignment.appends else None
    return Gaps.or_none(found | {index: before + value if before else value})
