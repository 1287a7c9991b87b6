"""Whether all ways to a launch want the same of a setting: what is None on one of them may count on another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rlhflint.fixing.doubt import Doubt
from rlhflint.proposal import Change, Move, Remove, Rename, Replace, SetValue

if TYPE_CHECKING:
    from rlhflint.fixing.plan import Wish
    from rlhflint.launch import Launch, Setting


class Asked:
    """What launches ask for, setting by setting."""

    def __init__(self, wishes: Iterable[Wish]) -> None:
        self._asked: dict[int, set[object]] = {}
        for wish in wishes:
            self._asked.setdefault(id(wish.launch), set()).update(key for key, _ in _settings(wish))

    def on_every_way(self, wish: Wish, launches: Sequence[Launch]) -> None:
        """Raise `Doubt` where another way to the launch has one of the settings and asks for something else."""
        changed = dict(_settings(wish))
        for other in launches:
            if other is wish.launch or (other.span, other.program) != (wish.launch.span, wish.launch.program):
                continue
            places = {_place(setting) for setting in other.settings} if changed else set()
            for key, setting in changed.items():
                if _place(setting) in places and key not in self._asked.get(id(other), ()):
                    raise Doubt(f"{setting.name} is another one on another way to it")


def _settings(wish: Wish) -> Iterator[tuple[object, Setting]]:
    """What is asked of each setting of a call or file that a wish changes, and the setting."""
    for change in wish.changes:
        key = _key(change)
        if isinstance(change, (Remove, Rename, SetValue, Replace, Move)) and change.setting.origin is not None:
            yield key, change.setting


def _place(setting: Setting) -> tuple[object, str]:
    return setting.name_span, setting.name


def _key(change: Change) -> object:
    """What is asked of which setting; None for what is about none."""
    match change:
        case Remove(setting):
            return _place(setting), "remove"
        case Rename(setting, names):
            return _place(setting), "rename", names
        case SetValue(setting, value):
            return _place(setting), "set", repr(value)
        case Replace(setting, by):
            return _place(setting), "replace", repr(by)
        case Move(setting, name, into):
            return _place(setting), "move", name, into.span
    return None
