"""What fixing itself has to say."""

from __future__ import annotations

from rlhflint.finding import Finding, Severity
from rlhflint.rule import ADVICE, SILENT, WARNING, described
from rlhflint.text import Span

NOT_FIXED = described(
    "RL007",
    "not-fixed",
    severity=WARNING,
    stage=SILENT,
    documentation="""What `rlhflint fix` leaves alone although a fix is known.

    What happens: nothing is changed there, or in the whole file; the message says why. The problem itself is still
    reported by its own rule.

    Why: an edit is made only if it is certain what it does. One text that several commands share cannot be changed
    where they need different ones; and after each round of edits the file is read and checked again: if it does not
    read as intended, or a new finding would appear, nothing of it is written.
    """,
)

LOST = described(
    "RL008",
    "lost-in-migration",
    severity=WARNING,
    stage=SILENT,
    documentation="""What a launch loses, or may lose, on its way to another release.

    What happens: `rlhflint fix --to` names every setting whose meaning cannot be carried over.

    Why: some settings ended without a successor, and some mean something else under the same name.
    """,
)


def not_fixed(span: Span, message: str, help: str = "") -> Finding:  # noqa: A002
    """The finding for a place, or a file, that is left as it was."""
    rule = NOT_FIXED
    return Finding(rule.code, rule.name, rule.severity, rule.stage, message, span, help)


def lost(
    span: Span,
    message: str,
    *,
    program: str,
    settings: tuple[str, ...],
    versions: dict[str, str],
    severity: Severity = WARNING,
    help: str = "",  # noqa: A002
) -> Finding:
    """The finding for a setting that a migration does not carry over, or not for certain."""
    rule = LOST
    return Finding(rule.code, rule.name, severity, rule.stage, message, span, help, program, settings, (), versions)


CHANGED = ADVICE
"""The severity where a setting is carried over and its meaning changed in part."""
