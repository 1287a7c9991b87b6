"""What fixing itself has to say."""

from __future__ import annotations

from rlhflint.finding import Finding
from rlhflint.rule import SILENT, WARNING, described
from rlhflint.text import Span

NOT_FIXED = described(
    "RL007",
    "not-fixed",
    severity=WARNING,
    stage=SILENT,
    documentation="""What `rlhflint fix` leaves alone although a fix is known.

    What happens: nothing is changed there, or in that launch; the message says why. The problem itself is still
    reported by its own rule. The other fixes of the file are made.

    Why: an edit is made only if it is certain what it does. One text that several commands share cannot be changed
    where they need different ones; and after each round of edits the file is read and checked again: what does not
    read as intended then, or brings a new finding, is not written. A launch is moved to another release as a whole or
    not at all.
    """,
)


def not_fixed(span: Span, message: str, help: str = "") -> Finding:  # noqa: A002
    """The finding for a place, or a file, that is left as it was."""
    rule = NOT_FIXED
    return Finding(rule.code, rule.name, rule.severity, rule.stage, message, span, help)
