"""Launches that are moved as a whole or not at all: which of them a change concerns, and which go together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from rlhflint.fixing.rules import not_fixed
from rlhflint.proposal import Add, Change, Move

if TYPE_CHECKING:
    from rlhflint.finding import Finding
    from rlhflint.fixing.plan import Planned, Withheld
    from rlhflint.launch import Launch, Setting
    from rlhflint.result import FileResult
    from rlhflint.text import Span

Key: TypeAlias = tuple[int, int]
"""A launch by the number of its file among those that share texts, and its own number there: the same in all rounds."""


_AFTER_ANOTHER = "a launch that shares its text stays as it is"


class Hold(Exception):
    """Launches have to stay as they were, each for a reason: all is to be begun anew without them."""

    def __init__(self, launches: Mapping[Key, str]) -> None:
        super().__init__()
        self.launches = launches


class Held:
    """The launches that stay as they were, and what that means for changes of the others."""

    def __init__(self) -> None:
        self._reasons: dict[Key, str] = {}
        self._launches = _Launches((), ())
        self._all: set[Key] = set()

    def add(self, hold: Hold) -> None:
        """Let further launches stay as they were."""
        self._reasons |= hold.launches

    def others(self, now: Sequence[FileResult], judged: Sequence[FileResult]) -> list[Launch]:
        """The launches on every way that do not stay as they were.

        `now` and `judged` are the results of the texts as they are, at the releases that the launches come from and at
        those moved to. Raises `Hold` for all of them where it cannot be told any more which one is which.
        """
        self._launches = _Launches(now, judged)
        present = {key for key, _ in _numbered(now)}
        self._all = self._all or present
        moving = self._all - self._reasons.keys()
        if self._reasons and moving and present != self._all:
            raise Hold(dict.fromkeys(moving, _AFTER_ANOTHER))
        return [launch for key, launch in _numbered(now) if key in moving]

    def without(self, planned: Iterable[Planned]) -> list[Planned]:
        """The changes that have nothing to do with a launch that stays.

        Raises `Hold` for what else they have to do with: a launch is not changed in part.
        """
        found: list[Planned] = []
        more: set[Key] = set()
        for one in planned:
            concerned = self._launches.concerned(one)
            if concerned.isdisjoint(self._reasons):
                found.append(one)
            else:
                more |= concerned - self._reasons.keys()
        if more:
            raise Hold(dict.fromkeys(more, _AFTER_ANOTHER))
        return found

    def together(self, planned: Iterable[Planned]) -> list[tuple[Planned, ...]]:
        """Changes in groups, in the order of the first of each, so that no launch is concerned by two groups."""
        some = list(planned)
        groups: list[tuple[list[int], set[Key]]] = []
        for index, one in enumerate(some):
            members, keys = [index], self._launches.concerned(one)
            apart = []
            for group in groups:
                if group[1].isdisjoint(keys):
                    apart.append(group)
                else:
                    members, keys = group[0] + members, group[1] | keys
            groups = [*apart, (members, keys)]
        return [tuple(some[index] for index in numbers) for numbers in sorted(sorted(members) for members, _ in groups)]

    def hold(self, refused: Iterable[tuple[Iterable[Planned], str]]) -> None:
        """Raise `Hold` for the launches that groups of changes were for which cannot be made, if there are any."""
        found: dict[Key, str] = {}
        for group, reason in refused:
            for one in group:
                for key in self._launches.concerned(one):
                    found.setdefault(key, reason)
        if found:
            raise Hold(found)

    def hold_refused(self, withheld: Iterable[Withheld]) -> None:
        """Raise `Hold` for the launches that would be refused for a name that is left as it was, if there are any."""
        found: dict[Key, str] = {}
        for one in withheld:
            settings = [setting for change in one.changes if (setting := getattr(change, "setting", None)) is not None]
            for key in self._launches.wishers(one.wishers):
                left = [setting.name for setting in settings if self._launches.refuses(key, setting)]
                if left:
                    names = " and ".join(dict.fromkeys(left))
                    found.setdefault(key, f"{names} would be refused and is not rewritten, since {one.reason}")
        if found:
            raise Hold(found)

    def told(self, now: Sequence[FileResult]) -> Iterator[Finding]:
        """A finding for each launch that stays as it was."""
        seen: set[Key] = set()
        for key, launch in _numbered(now):
            if key in self._reasons and key not in seen:
                seen.add(key)
                name = launch.program.partition(":")[2]
                yield not_fixed(launch.span, f"nothing of this launch of {name} is changed: {self._reasons[key]}")


class _Launches:
    """The launches of files that share texts, as they are now, found by what is changed.

    `judged` are the results of the same texts at the releases moved to, whose findings may ask for changes.
    """

    def __init__(self, now: Sequence[FileResult], judged: Sequence[FileResult]) -> None:
        self._wishers: dict[int, set[Key]] = {}
        self._places: dict[Span, set[Key]] = {}
        self._paths: dict[str, set[Key]] = {}
        self._refused: dict[Span, set[Key]] = {}
        starts: dict[object, set[Key]] = {}
        for key, launch in _numbered(now):
            self._wishers[id(launch)] = {key}
            starts.setdefault((launch.span, launch.program), set()).add(key)
            for span in (launch.span, *(setting.name_span for setting in launch.settings)):
                self._places.setdefault(span, set()).add(key)
                self._paths.setdefault(span.path, set()).add(key)
        for _, launch in _numbered(judged):
            keys = starts.get((launch.span, launch.program), set())
            self._wishers.setdefault(id(launch), keys)
            for setting in launch.refused:
                self._refused.setdefault(setting.name_span, set()).update(keys)

    def wishers(self, launches: Iterable[int]) -> set[Key]:
        """The keys of launches, given by identity."""
        return {key for one in launches for key in self._wishers.get(one, ())}

    def refuses(self, key: Key, setting: Setting) -> bool:
        """Whether the release moved to refuses a name as it is written in a launch."""
        return key in self._refused.get(setting.name_span, ())

    def concerned(self, planned: Planned) -> set[Key]:
        """The launches that a change is for, or has a part in; all of a file where it is for none in particular."""
        found = self.wishers(planned.wishers)
        for span in filter(None, map(_place, planned.changes)):
            found |= self._places.get(span, set())
        for edit in () if found else planned.edits:
            found |= self._paths.get(edit.span.path, set())
        return found


def _numbered(results: Iterable[FileResult]) -> Iterator[tuple[Key, Launch]]:
    """Launches on every way, each with its key."""
    for number, result in enumerate(results):
        for index, judged in enumerate(result.launches):
            for launch in judged.every or (judged.launch,):
                yield (number, index), launch


def _place(change: Change) -> Span | None:
    """The setting, or the call, that a change is about."""
    if isinstance(change, (Add, Move)) and change.into is not None:
        return change.into.name_span
    setting = change.after if isinstance(change, Add) else getattr(change, "setting", None)
    return setting.name_span if setting is not None else None
