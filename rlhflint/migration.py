"""Moving a launch to other releases: what is asked of its framework, and what the framework gives for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rlhflint.finding import Finding
from rlhflint.records import dataclass
from rlhflint.rule import ADVICE, SILENT, WARNING, described, rule_of

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.proposal import Proposal
    from rlhflint.rule import Check, Rule
    from rlhflint.severity import Severity
    from rlhflint.text import Span

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

CHANGED = ADVICE
"""The severity where a setting is carried over and its meaning changed in part."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The releases to move to, by package; whether changed defaults are written out; whether meaning may be lost.

    `defaults` says whether they are looked at at all: only while a launch is as its owner wrote it.
    """

    releases: Mapping[str, str]
    pin_defaults: bool = False
    unsafe: bool = False
    defaults: bool = True


@dataclass(frozen=True, slots=True)
class Migration:
    """What one launch takes to get to other releases.

    Each proposal is made as a whole or not at all. `notes` tell what is not carried over, or not for certain, and
    which defaults changed under the launch.
    """

    proposals: tuple[Proposal, ...] = ()
    notes: tuple[Finding, ...] = ()


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
    return _of(LOST, severity, span, message, help, program, settings, versions)


def told(
    check: Check,
    launch: Launch,
    message: str,
    *,
    help: str,  # noqa: A002
    settings: tuple[str, ...],
    versions: dict[str, str],
    mild: bool,
) -> Finding:
    """A finding of the rule of `check` that a move makes itself, knowing for what the launch was written.

    `mild`: it is less than certain, or matters little, and is advice then.
    """
    rule = rule_of(check)
    severity = CHANGED if mild else rule.severity
    return _of(rule, severity, launch.span, message, help, launch.program, settings, versions)


def _of(
    rule: Rule,
    severity: Severity,
    span: Span,
    message: str,
    help_: str,
    program: str,
    settings: tuple[str, ...],
    versions: dict[str, str],
) -> Finding:
    return Finding(rule.code, rule.name, severity, rule.stage, message, span, help_, program, settings, (), versions)
