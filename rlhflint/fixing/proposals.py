"""From what a rule proposes to edits of the file, by the kind of text the settings stand in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.finding import Edit, Finding, Fix
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.edits import touching
from rlhflint.proposal import IMPORTING, Add, Change, ImportBehind, ImportBeside, Move, Reimport, Requalify, Rewrite
from rlhflint.text import HOLE

if TYPE_CHECKING:
    from rlhflint.fixing.python import Rearranged
    from rlhflint.launch import Launch, Setting
    from rlhflint.proposal import Importing
    from rlhflint.source import Source
    from rlhflint.text import Traced


def with_fix(finding: Finding, sources: Mapping[str, Source], every: Sequence[Launch] = ()) -> Finding:
    """A finding with the edits of its proposal, if they are certain; `every`: its launch on all ways to it."""
    proposal = finding.proposal
    if proposal is None or finding.fix is not None:
        return finding
    try:
        changes = anchored(proposal.changes, finding.launch, every)
        edits = edits_of(changes, finding.launch, sources)
    except Doubt:
        return finding
    if not edits:
        return finding
    fix = Fix(proposal.title, proposal.applicability, tuple(edits))
    return replace(finding, fix=fix, proposal=replace(proposal, changes=changes))


def anchored(changes: Sequence[Change], launch: Launch | None, every: Sequence[Launch]) -> tuple[Change, ...]:
    """The changes with a setting to stand behind for each that is added."""
    if launch is None or not any(isinstance(change, Add) and change.after is None for change in changes):
        return tuple(changes)
    removed = {id(setting) for change in changes if (setting := getattr(change, "setting", None)) is not None}
    found = next((one for one in reversed(anchors(launch, every)) if id(one) not in removed), None)
    return behind(changes, found)


def behind(changes: Sequence[Change], anchor: Setting | None) -> tuple[Change, ...]:
    """The changes, those that add something without a place behind `anchor`."""
    return tuple(
        replace(change, after=anchor) if isinstance(change, Add) and change.after is None else change
        for change in changes
    )


def anchors(launch: Launch, every: Sequence[Launch], others: Sequence[Launch] = ()) -> list[Setting]:
    """The settings that something may be written behind, in their order.

    These are what all ways to the launch have in common and no other launch shares, in front of words that may hold
    more settings: what they give counts for more then.

    Args:
        launch: to be changed.
        every: the launch on all ways to it.
        others: the other launches that the same texts may make.
    """
    everywhere = [{setting.name_span for setting in other.settings} for other in every if other is not launch]
    elsewhere = {setting.name_span for other in others for setting in other.settings}
    return [
        setting
        for setting in _in_sight(launch)
        if setting.name_span not in elsewhere and all(setting.name_span in one for one in everywhere)
    ]


def _in_sight(launch: Launch) -> list[Setting]:
    """The settings in front of words that are not known; all of them where they are no words of a command."""
    if launch.start is None:
        return list(launch.settings)
    by_place = {setting.name_span.start: setting for setting in launch.settings}
    found: list[Setting] = []
    for word in launch.start.arguments:
        if word.text.startswith(HOLE) and not (found and _takes(found[-1], word)):
            break
        if word.span is not None and (setting := by_place.get(word.span.start)) is not None:
            found.append(setting)
    return found


def _takes(setting: Setting, word: Traced) -> bool:
    return any(text.span == word.span for text in setting.text)


def edits_of(changes: Iterable[Change], launch: Launch | None, sources: Mapping[str, Source]) -> list[Edit]:
    """The edits that make all the changes, in the order of their places. Raises `Doubt`, also where they overlap."""
    changes = list(changes)
    edits = [_in_cell(edit) for change in changes for edit in _edits(change, launch, sources)]
    edits += _rearranged(changes, launch, sources) + _importing(changes, sources)
    edits = sorted(_joined(edits))
    for index, one in enumerate(edits):
        if any(touching(one, other) for other in edits[index + 1 :]):
            raise Doubt("the changes overlap")
    return edits


def _in_cell(edit: Edit) -> Edit:
    """An edit as it has to be written in the JSON text of a notebook."""
    if not edit.span.path.endswith(".ipynb") or not edit.text:
        return edit
    return Edit(edit.span, json.dumps(edit.text, ensure_ascii=False)[1:-1])


def _joined(edits: Iterable[Edit]) -> list[Edit]:
    """Each edit once; texts that are inserted at one place become one, in their order."""
    found: dict[object, Edit] = {}
    for edit in dict.fromkeys(edits):
        at = found.get(edit.span)
        if at is not None and len(edit.span) == 0:
            found[edit.span] = Edit(edit.span, at.text + edit.text)
        else:
            found[edit.span if len(edit.span) == 0 else edit] = edit
    return list(found.values())


def _rearranged(changes: Iterable[Change], launch: Launch | None, sources: Mapping[str, Source]) -> list[Edit]:
    """The edits that add arguments to calls and take them out, all of one file together."""
    found: dict[str, list[Rearranged]] = {}
    for change in changes:
        if launch is not None and (path := _python(change)):
            from rlhflint.fixing import origins

            found.setdefault(path, []).extend(origins.rearranged(change, launch, _source(path, sources)))
    edits: list[Edit] = []
    for path, some in found.items():
        if some:
            from rlhflint.fixing.structure.arguments import rearranged

            edits += rearranged(some, sources[path])
    return edits


def _importing(changes: Iterable[Change], sources: Mapping[str, Source]) -> list[Edit]:
    """The edits that change imports, all of one file together."""
    found: dict[str, list[Importing]] = {}
    for change in changes:
        match change:
            case Reimport(one) | ImportBeside(one) | Requalify(one) | ImportBehind(one):
                found.setdefault(one.statement.path, []).append(change)
    edits: list[Edit] = []
    for path, some in found.items():
        from rlhflint.fixing.structure.imports import importing

        edits += importing(some, _source(path, sources))
    return edits


def _python(change: Change) -> str:
    """The file with the call that a change of settings is about; empty where it is about none."""
    if isinstance(change, (Add, Move)) and change.into is not None:
        return change.into.span.path
    setting = change.after if isinstance(change, Add) else getattr(change, "setting", None)
    if setting is None or setting.origin is None:
        return ""
    from rlhflint.call import Argument

    return setting.name_span.path if isinstance(setting.origin, Argument) else ""


def _source(path: str, sources: Mapping[str, Source]) -> Source:
    source = sources.get(path)
    if source is None:
        raise Doubt("it stands in a file that was not read")
    return source


def _edits(change: Change, launch: Launch | None, sources: Mapping[str, Source]) -> list[Edit]:
    if isinstance(change, Rewrite):
        return [Edit(change.span, _in_its_lines(change, sources))]
    if isinstance(change, IMPORTING):
        return []
    if launch is None:
        raise Doubt("there is no launch to change")
    if isinstance(change, Add) and change.into is not None:
        return []
    setting = change.after if isinstance(change, Add) else change.setting
    source = _source(setting.name_span.path if setting is not None else launch.path, sources)
    if launch.command is not None and (setting is None or setting.origin is None):
        from rlhflint.fixing import shell

        return shell.edits(change, launch, source)
    from rlhflint.fixing import origins

    return origins.edits(change, launch, source)


_MARGIN = expression(r"(?:\A|[\r\n])([ \t]*)[^\r\n]*\Z")
_LINE_END = expression(r"\r\n|\r|\n")
_LONGEST = 10_000
"""Characters of a line whose margin is looked for."""


def _in_its_lines(change: Rewrite, sources: Mapping[str, Source]) -> str:
    """What is written, further lines with the margin and the end of the line that it stands in.

    The text of a notebook's cell has none: its lines stand in JSON.
    """
    source = sources.get(change.span.path)
    if "\n" not in change.text or source is None or change.span.path.endswith(".ipynb"):
        return change.text
    start, end = change.span.start, change.span.end
    margin = _MARGIN.search(source.text, max(0, start - _LONGEST), start)
    line_end = _LINE_END.match(source.text, end)
    return change.text.replace("\n", (line_end[0] if line_end else "\n") + (margin[1] if margin else ""))
