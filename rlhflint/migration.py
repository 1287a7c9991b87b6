"""Moving a launch to other releases: what is asked of its framework, and what the framework gives for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.finding import Finding
from rlhflint.records import dataclass
from rlhflint.rule import ADVICE, SILENT, WARNING, described, rule_of

if TYPE_CHECKING:
    from rlhflint.launch import Launch, Setting
    from rlhflint.proposal import Proposal
    from rlhflint.rule import Check, Rule
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


UNQUOTED = expression(r"[A-Za-z0-9_./:,=+@%-]+")
"""Words that a shell takes as they are."""


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
    launch: Launch,
    setting: Setting | None,
    message: str,
    versions: dict[str, str],
    *,
    settings: tuple[str, ...] | None = None,
    span: Span | None = None,
    mild: bool = False,
) -> Finding:
    """The finding for a setting that a move does not carry over, or not for certain; None for one that is not given.

    `versions` are the releases at the end. `settings` and `span` are given where they are not those of the setting.
    `mild`: its meaning changes in part only.
    """
    if settings is None:
        settings = setting.canonical if setting is not None else ()
    if span is None:
        span = setting.name_span if setting is not None else launch.span
    return _of(LOST, launch, message, span, "", settings, versions, mild=mild)


def told(
    check: Check,
    launch: Launch,
    message: str,
    versions: dict[str, str],
    *,
    settings: tuple[str, ...],
    help: str,  # noqa: A002
    mild: bool,
) -> Finding:
    """A finding of the rule of `check` that a move makes itself, knowing for what the launch was written.

    `mild`: it is less than certain, or matters little.
    """
    return _of(rule_of(check), launch, message, launch.span, help, settings, versions, mild=mild)


def _of(
    rule: Rule,
    launch: Launch,
    message: str,
    span: Span,
    help_: str,
    settings: tuple[str, ...],
    versions: dict[str, str],
    *,
    mild: bool,
) -> Finding:
    severity = ADVICE if mild else rule.severity
    return Finding(
        rule.code, rule.name, severity, rule.stage, message, span, help_, launch.program, settings, (), versions
    )
