"""Which item of a `case` is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.readers.shell.expansion.condition import Operand, Relations, called
from rlhflint.readers.shell.state import State
from rlhflint.readers.shell.syntax.tree import Case

if TYPE_CHECKING:
    from rlhflint.readers.shell.run.interpreter import Interpreter


def chosen(interpreter: Interpreter, state: State, node: Case) -> int:
    """The index of the item that is chosen, the number of items if none is. Raises `Undecided`."""
    expansion = interpreter.expansion(state)
    conditions = Relations(expansion, node.word.source.span(node.word.start, node.word.end))
    subject = Operand(expansion.text(node.word), called(node.word))
    for index, (patterns, _, _) in enumerate(node.items):
        for pattern in patterns:
            segments = expansion.segments(pattern.source, pattern.parts, quoted=False)
            if conditions.matches(subject, Operand(expansion.joined(segments), pattern.text, segments)):
                return index
    return len(node.items)
