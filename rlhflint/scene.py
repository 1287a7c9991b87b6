"""A whole file, or one script in it, as rules see it that are not about one launch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.records import dataclass
from rlhflint.rule import Draft

if TYPE_CHECKING:
    from rlhflint.command import Script
    from rlhflint.document import Document
    from rlhflint.finding import Severity, Stage
    from rlhflint.launch import Launch
    from rlhflint.proposal import Proposal
    from rlhflint.site import Site
    from rlhflint.text import Span


@dataclass(frozen=True)
class Scene:
    """What a rule with the program `script`, `commands` or `module` gets: the text as read and the launches in it."""

    document: Document
    launches: tuple[Launch, ...]
    site: Site
    script: Script | None = None
    """The script; None in the scene of a Python module."""

    def finding(
        self,
        at: Span,
        message: str,
        *,
        help: str = "",  # noqa: A002
        settings: tuple[str, ...] = (),
        severity: Severity | None = None,
        stage: Stage | None = None,
        proposal: Proposal | None = None,
    ) -> Draft:
        """A draft of a finding at a place of the file."""
        return Draft(settings, message, help, severity, stage, proposal, (), at)
