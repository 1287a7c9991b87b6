"""From what a rule proposes to edits of the file, by the kind of text the settings stand in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from rlhflint.finding import Edit, Finding, Fix
from rlhflint.fixing.doubt import Doubt
from rlhflint.proposal import Change, Rewrite

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.source import Source


def with_fix(finding: Finding, sources: Mapping[str, Source]) -> Finding:
    """A finding with the edits of its proposal, if they are certain."""
    proposal = finding.proposal
    if proposal is None or finding.fix is not None:
        return finding
    try:
        edits = edits_of(proposal.changes, finding.launch, sources)
    except Doubt:
        return finding
    if not edits:
        return finding
    return replace(finding, fix=Fix(proposal.title, proposal.applicability, tuple(edits)))


def edits_of(changes: Iterable[Change], launch: Launch | None, sources: Mapping[str, Source]) -> list[Edit]:
    """The edits that make all the changes, in the order of their places. Raises `Doubt`, also where they overlap."""
    edits = [edit for change in changes for edit in _edits(change, launch, sources)]
    edits = sorted(dict.fromkeys(edits), key=lambda edit: (edit.span.path, edit.span.start, edit.span.end))
    for one, following in pairwise(edits):
        if one.span.path == following.span.path and following.span.start < one.span.end:
            raise Doubt("the changes overlap")
    return edits


def _edits(change: Change, launch: Launch | None, sources: Mapping[str, Source]) -> list[Edit]:
    if isinstance(change, Rewrite):
        return [Edit(change.span, change.text)]
    if launch is None:
        raise Doubt("there is no launch to change")
    source = sources.get(_path(change, launch))
    if source is None:
        raise Doubt("the setting stands in a file that was not read")
    if launch.command is not None:
        from rlhflint.fixing import shell

        return shell.edits(change, launch, source)
    raise Doubt("settings of this kind of file are not changed yet")


def _path(change: Change, launch: Launch) -> str:
    """The file that a change is made in."""
    setting = getattr(change, "setting", None) or getattr(change, "after", None)
    return setting.name_span.path if setting is not None else launch.path
