"""What launches say, and what they are meant to say after changes: compared once the changed text is read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from rlhflint.call import Made, Named
from rlhflint.proposal import Add, Alone, Change, Move, Remove, Rename, Replace, SetValue
from rlhflint.text import HOLE
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.launch import Launch, Setting

Words: TypeAlias = tuple[str, ...]
Said: TypeAlias = tuple[tuple[str, tuple[Words, ...]], ...]
"""What the settings of a launch say: name → the values given to it, in their order; `LOOSE` for what is none."""
LOOSE = ""
"""In the place of a name: a word that no option takes."""


def said(launch: Launch) -> Said:
    """What a launch says."""
    return _sorted([*((setting.name, _words(setting)) for setting in launch.settings), *_loose(launch)])


def intended(launch: Launch, changes: Sequence[Change]) -> Said:
    """What a launch should say after the changes of its settings."""
    by_place: dict[object, list[Change]] = {}
    behind: dict[object, list[Change]] = {}
    for change in changes:
        if isinstance(change, (Add, Move)) and change.into is not None:
            _note(behind, change.into.name_span, change)
        if isinstance(change, Move):
            by_place.setdefault(_place(change.setting), []).append(change)
        elif isinstance(change, Add):
            place = _place(change.after) if change.after is not None else None
            _note(behind, place, change)
        elif isinstance(change, (Rename, SetValue, Remove, Alone, Replace)):
            by_place.setdefault(_place(change.setting), []).append(change)
    written: list[tuple[str, Words]] = []
    gone = 0
    for setting in launch.settings:
        place = _place(setting)
        if not setting.joined and any(isinstance(change, (Remove, Alone)) for change in by_place.get(place, ())):
            gone += _known(word.text for word in setting.stray)
        written += _changed(setting, by_place.get(place, ()))
        written += [_added(change) for change in behind.get(place, ()) if isinstance(change, Add)]
    for change in behind.get(launch.span, ()):
        if isinstance(change, Add):
            written.append((change.name, (_shown(Known(change.value)),)))
        elif isinstance(change, Move):
            written.append((change.name, _words(change.setting)))
    return _sorted([*written, *_loose(launch)[gone:]])


def alike(meant: Said, read: Said) -> bool:
    """Whether two readings differ only in words that are not known and that settings of the second one take besides.

    They stand for themselves behind a flag that takes no more values; behind one that the release read for does not
    have, they may be values.
    """
    return [(name, len(values)) for name, values in meant] == [(name, len(values)) for name, values in read] and all(
        one == other[: len(one)] and all(word.startswith(HOLE) for word in other[len(one) :])
        for (_, switches), (_, flags) in zip(meant, read, strict=True)
        for one, other in zip(switches, flags, strict=True)
    )


def holes(words: Iterable[str]) -> int:
    """How many words are not known."""
    return sum(word.startswith(HOLE) for word in words)


def _loose(launch: Launch) -> list[tuple[str, Words]]:
    """The words of a command that are known and no part of a setting: all mean the same, which is nothing."""
    if launch.start is None:
        return []
    given = [setting for setting in launch.settings if setting.origin is None]
    values = (text.text for setting in given if not setting.joined for text in setting.text)
    known = _known(word.text for word in launch.start.arguments) - len(given) - _known(values)
    return [(LOOSE, ())] * known


def _known(words: Iterable[str]) -> int:
    return sum(not word.startswith(HOLE) for word in words)


def _note(behind: dict[object, list[Change]], place: object, change: Change) -> None:
    """Note what is to stand behind a place; what two rules ask for alike is written once."""
    changes = behind.setdefault(place, [])
    if change not in changes:
        changes.append(change)


def _sorted(written: Iterable[tuple[str, Words]]) -> Said:
    found: dict[str, list[Words]] = {}
    for name, words in written:
        found.setdefault(name, []).append(words)
    return tuple(sorted((name, tuple(values)) for name, values in found.items()))


def _place(setting: Setting) -> tuple[object, str]:
    return setting.name_span, setting.name


def _words(setting: Setting) -> Words:
    if setting.origin is not None:
        return (_shown(setting.value),)
    return tuple(text.text for text in setting.text)


def _shown(value: object) -> str:
    """A value in words that do not tell where it stands."""
    match value:
        case Known(inside):
            return _shown(inside)
        case Made(call, index):
            return f"<{call.target}{'' if index is None else f'[{index}]'}>"
        case Named(path):
            return f"<{path}>"
        case list() | tuple():
            return f"[{', '.join(map(_shown, value))}]"
        case dict():
            return f"{{{', '.join(f'{_shown(key)}: {_shown(item)}' for key, item in value.items())}}}"
    return repr(value)


def _changed(setting: Setting, changes: Sequence[Change]) -> Iterator[tuple[str, Words]]:
    names: Sequence[str] = (setting.name,)
    words = _words(setting)
    for change in changes:
        match change:
            case Remove() | Move():
                return
            case Rename(_, others):
                names = others
            case SetValue(_, value):
                words = _value(value, setting)
            case Replace(_, by):
                yield from ((name, words if given is None else _given(given, setting)) for name, given in by)
                return
    yield from ((name, words) for name in names)


def _given(words: tuple[object, ...], setting: Setting) -> Words:
    if setting.origin is None:
        return tuple(map(str, words))
    return _value(words[0] if len(words) == 1 else list(words), setting)


def _added(change: Add) -> tuple[str, Words]:
    origin = change.after.origin if change.after is not None else None
    return change.name, (_shown(Known(change.value)),) if origin is not None else _texts(change.value)


def _value(value: object, setting: Setting) -> Words:
    return (_shown(Known(value)),) if setting.origin is not None else _texts(value)


def _texts(value: object) -> Words:
    if value is True:
        return ()
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else (str(value),)
