"""Which items of a `case` are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.readers.shell.expansion.condition import Operand, Relations, called
from rlhflint.readers.shell.state import State
from rlhflint.readers.shell.syntax.tree import Case
from rlhflint.readers.shell.syntax.word import Word

if TYPE_CHECKING:
    from rlhflint.readers.shell.run.interpreter import Interpreter


def chosen(interpreter: Interpreter, state: State, node: Case) -> tuple[int, ...]:
    """The indices of the items whose commands run: the first that matches, and those that `;&` and `;;&` lead on to.

    Raises `Undecided`.
    """
    expansion = interpreter.expansion(state)
    conditions = Relations(expansion, node.word.source.span(node.word.start, node.word.end))
    subject = Operand(expansion.text(node.word), called(node.word))

    def matches(pattern: Word) -> bool:
        segments = expansion.segments(pattern.source, pattern.parts, quoted=False)
        return conditions.matches(subject, Operand(expansion.joined(segments), pattern.text, segments))

    found: list[int] = []
    falls = False
    for index, (patterns, _, ending) in enumerate(node.items):
        if falls or any(matches(pattern) for pattern in patterns):
            found.append(index)
            falls = ending == ";&"
            if ending == ";;":
                break
    return tuple(found)
