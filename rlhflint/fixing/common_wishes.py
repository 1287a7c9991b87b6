"""What several launches would have written into one file that all of them take: what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from rlhflint.fixing.plan import Wish
from rlhflint.fixing.rules import not_fixed
from rlhflint.mapping import Entry
from rlhflint.proposal import Add

if TYPE_CHECKING:
    from rlhflint.finding import Finding
    from rlhflint.launch import Setting
    from rlhflint.text import Span

Key: TypeAlias = tuple[str, str]
"""The name and the value of something to add."""


def in_common(wishes: Sequence[Wish]) -> tuple[list[Wish], list[Finding]]:
    """The wishes, those that add keys to one file cut down to what each of them adds or gives itself; and what is not
    done for that reason.
    """
    groups: dict[Span, list[Wish]] = {}
    for wish in wishes:
        anchor = _anchor(wish)
        if anchor is not None:
            groups.setdefault(anchor.name_span, []).append(wish)
    kept: dict[int, Wish] = {}
    findings: list[Finding] = []
    for span, group in groups.items():
        adds = {_key(one): one for wish in group for one in _added(wish)}
        common = {key: one for key, one in adds.items() if all(_agrees(wish, key) for wish in group)}
        if len(common) == len(adds) == max(len(wish.changes) for wish in group):
            kept |= {id(wish): replace(wish, changes=tuple(common.values())) for wish in group}
            continue
        left = sorted({name for name, _ in adds.keys() - common.keys()})
        if left:
            why = "another launch takes the same file and needs it written differently"
            findings.append(not_fixed(span, f"not done: write the old default of {' and '.join(left)}, since {why}"))
        kept |= {id(wish): replace(wish, title=_title(common), changes=tuple(common.values())) for wish in group}
    return [found for wish in wishes if (found := kept.get(id(wish), wish)).changes], findings


def _title(common: dict[Key, Add]) -> str:
    return f"Write the old default of {' and '.join(name for name, _ in common)}"


def _anchor(wish: Wish) -> Setting | None:
    """The entry of a file that a wish adds others behind, and nothing else."""
    anchors = {id(one.after): one.after for one in _added(wish)}
    if len(anchors) != 1 or len(_added(wish)) != len(wish.changes):
        return None
    anchor = next(iter(anchors.values()))
    return anchor if anchor is not None and isinstance(anchor.origin, Entry) else None


def _added(wish: Wish) -> list[Add]:
    return [one for one in wish.changes if isinstance(one, Add)]


def _key(one: Add) -> Key:
    return one.name, repr(one.value)


def _agrees(wish: Wish, key: Key) -> bool:
    """Whether a launch adds the same as well, or gives it in words of its own, which count for more than a file."""
    if key in map(_key, _added(wish)):
        return True
    own = (one.name.lstrip("-").replace("-", "_") for one in wish.launch.settings if one.origin is None)
    return key[0] in own
