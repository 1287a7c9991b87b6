"""What a check reports."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from rlhflint.records import dataclass
from rlhflint.severity import Applicability, Severity, Stage
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.proposal import Proposal
    from rlhflint.rule import Rule

__all__ = ["Applicability", "Edit", "Finding", "Fix", "Related", "Severity", "Stage"]


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the characters of `span` by `text`; an empty span inserts, an empty text removes."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together: all of them are made, or none."""

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with a finding."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, at one place.

    `settings` are canonical names, `versions` the releases the finding was judged by. `proposal` is what its rule
    would change in `launch`; the edits that this takes are worked out where they are wanted and put into `fix`.
    """

    code: str
    name: str
    severity: Severity
    stage: Stage
    message: str
    span: Span
    help: str = ""
    program: str = ""
    settings: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    versions: dict[str, str] = field(default_factory=dict, hash=False)
    fix: Fix | None = None
    conceal: bool = False
    """The characters of `span` are a secret: no report shows them."""
    proposal: Proposal | None = field(default=None, compare=False, repr=False)
    launch: Launch | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, rule: Rule, span: Span, message: str, help: str = "", fix: Fix | None = None) -> Finding:  # noqa: A002
        """A finding of a rule that is not about the settings of one launch."""
        return cls(rule.code, rule.name, rule.severity, rule.stage, message, span, help, fix=fix)
