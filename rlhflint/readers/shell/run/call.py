"""The call of a built-in command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.state import State
from rlhflint.readers.shell.syntax.tree import Simple
from rlhflint.readers.shell.syntax.word import Word
from rlhflint.records import dataclass
from rlhflint.text import Traced

if TYPE_CHECKING:
    from rlhflint.readers.shell.run.interpreter import Interpreter


@dataclass(frozen=True, slots=True)
class Call:
    """A built-in command on one way: `written` are its words as they stand, `words` what they became."""

    interpreter: Interpreter
    state: State
    expansion: Expansion
    node: Simple
    written: Sequence[Word]
    words: tuple[Traced, ...]
    input: Traced | None
    """What it reads, where that stands in the script."""
    arrays: frozenset[int] = frozenset()
    """Which of `words` are arrays of a declaration, assigned while the words were expanded."""
