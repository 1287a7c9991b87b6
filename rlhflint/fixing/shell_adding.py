"""Settings written behind others in a shell command: on the same line, or on one of their own where the others have."""

from __future__ import annotations

from rlhflint.expressions import expression
from rlhflint.text import Span

_NEAR = 400
"""Characters in front of a setting among which the beginning of its line is looked for."""
_BEFORE = expression(r"\\(?P<end>\r?\n)(?P<indent>[ \t]*)\Z")
"""The end of the line before, which is continued, and the margin."""
_BEHIND = expression(r"""[ \t]*(?:["')|>&]|\d>|\\?\r?\n|\Z)""")
"""What ends the words of the command, or their line."""


def gap_behind(text: str, span: Span) -> str:
    """What goes between a setting at a place and one written behind it.

    That is a blank; a line that is continued, with the same margin, where the setting has a continued line to itself.
    In the JSON of a notebook it is a blank always.
    """
    before = _BEFORE.search(text, max(0, span.start - _NEAR), span.start)
    if before is None or _BEHIND.match(text, span.end) is None or span.path.endswith(".ipynb"):
        return " "
    return f" \\{before['end']}{before['indent']}"
