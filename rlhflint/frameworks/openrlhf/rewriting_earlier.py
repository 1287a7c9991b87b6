"""Settings rewritten for an earlier release than the one they were written for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.frameworks.openrlhf.rewritings import Rewriting, newer, under_its_name
from rlhflint.frameworks.openrlhf.stages import Item, Track

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program
    from rlhflint.catalog.succession import Succession
    from rlhflint.launch import Setting


def earlier(
    program: Program,
    settings: Sequence[Setting],
    meant: Sequence[str],
    outdated: Mapping[int, Succession],
    release: str,
    since: str,
    *,
    critic: bool = True,
) -> dict[int, Rewriting]:
    """What becomes of the settings that have to be written otherwise, by their places; arguments as in `later`."""
    found = {index: newer(settings[index], succession, index) for index, succession in outdated.items()}
    remade = {step.flag: step for steps in program.steps.values() for step in steps if step.flag in step.to}
    position = program.releases.position
    for index, flag in enumerate(meant):
        step = remade.get(flag)
        if index not in found and step and position(release) < position(step.release) <= position(since):
            track = Track((), [Item(flag, None, position(release))], [step])
            succession = under_its_name(flag, release, track, since)
            lost = f"it means something else before {step.release}"
            found[index] = Rewriting(settings[index], succession, lost=lost, bundle=index)
    for index, rewriting in found.items():
        if rewriting.succession.kind is Kind.JOINED and not rewriting.lost:
            found[index] = _joined(rewriting, index, found, critic)
    return found


def _joined(rewriting: Rewriting, index: int, found: Mapping[int, Rewriting], critic: bool) -> Rewriting:
    """Several flags that were one: all of them that count have to be given, with the same value."""
    step = next(step for step in rewriting.succession.steps if len(step.to) > 1)
    partners = {other: one for other, one in found.items() if step in one.succession.steps and one.succession.flags}
    names = {one.succession.flag for one in partners.values()}
    values = {tuple(text.text for text in one.setting.text) for one in partners.values()}
    (flag,) = rewriting.succession.flags[:1]
    counting = {one for one in step.to if critic or not one.startswith("--critic.")}
    if not counting or not counting <= names or len(values) > 1:
        return replace(rewriting, by=(), lost=f"{flag} sets {' and '.join(step.to)}, which differ here")
    first = min(partners)
    return replace(rewriting, by=rewriting.by if index == first else (), bundle=first)
