"""Changes of settings that were given by words of a shell command, as edits at the place where the words stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.finding import Edit
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.shell_words import BLANKS, Place, plain
from rlhflint.proposal import Add, Alone, Change, Remove, Rename, Replace, SetValue
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.launch import Launch, Setting
    from rlhflint.source import Source


def edits(change: Change, launch: Launch, source: Source) -> list[Edit]:
    """The edits that make one change. Raises `Doubt` where it is not certain what they would do."""
    match change:
        case Rename(setting, (name,)):
            return [Edit(Place(source.text, setting).name, name)]
        case Rename(setting, names):
            return _split(Place(source.text, setting), names)
        case Replace(setting, by):
            return _replace(Place(source.text, setting), by)
        case SetValue(setting, value):
            return _set_value(Place(source.text, setting), value)
        case Remove(setting):
            return [_removed(_with_stray(source.text, setting))]
        case Alone(setting):
            return [_left_alone(source.text, setting)]
        case Add(name, value, after):
            if after is None:
                raise Doubt("there is no setting to write it behind")
            from rlhflint.fixing.shell_adding import gap_behind

            whole = Place(source.text, after).whole
            gap = gap_behind(source.text, whole)
            return [Edit(Span(source.path, whole.end, whole.end), gap + plain([name, *_words(value)]))]
    raise Doubt(f"no edit is known for {type(change).__name__}")


def _words(value: object) -> list[str]:
    if value is True:
        return []
    return list(map(str, value)) if isinstance(value, (list, tuple)) else [str(value)]


def _with_stray(text: str, setting: Setting) -> Place:
    """The place of a setting, of a switch with the word behind it that nothing takes."""
    return Place(text, replace(setting, text=setting.stray) if setting.stray else setting)


def _left_alone(text: str, setting: Setting) -> Edit:
    """What stands behind a switch taken out, with the blanks or the sign between them. Raises `Doubt`."""
    try:
        place = _with_stray(text, setting)
        whole = place.whole
    except Doubt:
        return _stray_taken_out(text, setting)
    quoted = whole.start < place.name.start and not setting.joined
    return Edit(Span(whole.path, place.name.end + quoted, place.words[-1][1]), "")


def _stray_taken_out(text: str, setting: Setting) -> Edit:
    """The word behind a switch taken out where the name of the switch is written elsewhere. Raises `Doubt`."""
    from rlhflint.fixing.shell_removal import taken_out

    span = setting.stray[-1].verbatim_span
    if span is None or setting.joined:
        raise Doubt(f"what stands behind {setting.name} is put together from several parts")
    quote = text[span.start - 1 : span.start]
    if quote in ("'", '"') and text.startswith(quote, span.end):
        span = Span(span.path, span.start - 1, span.end + 1)
    if text[span.start - 1 : span.start] not in BLANKS:
        raise Doubt(f"what stands behind {setting.name} is part of a longer word")
    return taken_out(text, span)


def _removed(place: Place) -> Edit:
    """A setting taken out, with all that only belongs to it."""
    from rlhflint.fixing.shell_removal import element_taken_out, taken_out

    return element_taken_out(place) or taken_out(place.text, place.whole)


def _split(place: Place, names: Sequence[str]) -> list[Edit]:
    """One setting written as several, each with the value as it is written."""
    whole = place.whole
    if not place.setting.text:
        return [Edit(place.name, " ".join(names))]
    value = _written(place)
    more = "".join(f" {name}{value}" for name in names[1:])
    return [Edit(place.name, names[0]), Edit(Span(whole.path, whole.end, whole.end), more)]


def _written(place: Place) -> str:
    """What stands behind the name: blanks or `=`, and the value as it is written; empty for a switch."""
    if not place.setting.text:
        return ""
    words = place.words
    sign = "=" if place.setting.joined else place.text[place.name.end : words[0][0]].lstrip("\"'")
    return sign + place.text[words[0][0] : words[-1][1]]


def _replace(place: Place, by: Sequence[tuple[str, tuple[object, ...] | None]]) -> list[Edit]:
    """Other settings in the place of one."""
    if not by:
        return [_removed(place)]
    whole = place.whole
    written = _written(place)
    parts = []
    for index, (name, given) in enumerate(by):
        words = None if given is None else list(map(str, given))
        if words is None:
            parts.append(name + written)
        elif not words:
            parts.append(name)
        elif index == 0 and len(words) == len(place.words) == 1:
            parts.append(name + written[: -len(_last(place))] + plain(words))
        else:
            parts.append(("=" if place.setting.joined and len(words) == 1 else " ").join([name, plain(words)]))
    return [Edit(whole, " ".join(parts))]


def _last(place: Place) -> str:
    """The last word of the value as it is written."""
    start, end = place.words[-1]
    return place.text[start:end]


def _set_value(place: Place, value: object) -> list[Edit]:
    """Another value, at the place where the present one is written."""
    setting = place.setting
    if value is True and not setting.text:
        return []
    words = _words(value)
    if len(setting.text) != len(words):
        if not words:
            return [Edit(place.whole, setting.name)]
        if not setting.text:
            end = place.whole.end
            return [Edit(Span(place.name.path, end, end), " " + plain(words))]
        first, last = place.words[0], place.words[-1]
        return [Edit(Span(place.name.path, first[0], last[1]), plain(words))]
    made = []
    for text, word in zip(setting.text, words, strict=True):
        if text.text != word:
            span = text.verbatim_span
            if span is None:
                raise Doubt(f"the value of {setting.name} is put together from several parts")
            made.append(Edit(span, plain([word])))
    return made
