"""What zsh runs otherwise than bash: the last part of a pipeline."""

from __future__ import annotations

from rlhflint.readers.shell.references import loosen_all
from rlhflint.readers.shell.run.builtin import BUILTINS
from rlhflint.readers.shell.state import State, function_key
from rlhflint.readers.shell.syntax.tree import Simple, Statement


def end_pipeline(state: State, last: Statement) -> None:
    """Behind a pipeline: zsh runs its last part in the very shell, where it may set variables."""
    name = last.words[0].text if isinstance(last, Simple) and last.words else ""
    if not name or name in BUILTINS or function_key(name) in state.values:
        loosen_all(state, "may be changed at the end of a pipeline")
