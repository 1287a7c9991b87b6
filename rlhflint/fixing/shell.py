"""Changes of settings that were given by words of a shell command, as edits at the place where the words stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.finding import Edit
from rlhflint.fixing.doubt import Doubt
from rlhflint.proposal import Add, Change, Remove, Rename, Replace, Rewrite, SetValue
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.launch import Launch, Setting
    from rlhflint.source import Source

_PLAIN = re.compile(r"[A-Za-z0-9_./:,=+@%-]+")
"""Words that mean the same at every depth of quoting."""
_BLANKS = " \t"
_BEFORE = _BLANKS + "\r\n\"'(=`"
_AFTER = _BLANKS + "\r\n\"')&|;`<>"


def edits(change: Change, launch: Launch, source: Source) -> list[Edit]:
    """The edits that make one change. Raises `Doubt` where it is not certain what they would do."""
    words = _Words(source, launch)
    match change:
        case Rename(setting, (name,)):
            return [Edit(words.name(setting), name)]
        case Rename(setting, names):
            return words.split(setting, names)
        case Replace(setting, by):
            return words.replace(setting, by)
        case SetValue(setting, value):
            return words.set_value(setting, value)
        case Remove(setting):
            return [words.remove(setting)]
        case Add(name, value, after):
            return [words.add(name, value, after)]
        case Rewrite(span, text):
            return [Edit(span, text)]
    raise Doubt(f"no edit is known for {type(change).__name__}")


class _Words:
    """The words of a launch in the text of the file they stand in."""

    def __init__(self, source: Source, launch: Launch) -> None:
        self.source = source
        self.launch = launch
        self.text = source.text

    def name(self, setting: Setting) -> Span:
        """The characters of a setting's name, which stand there as they are read."""
        span = setting.name_text.verbatim_span if setting.name_text is not None else None
        if span is None or span.path != self.source.path or self.text[span.start : span.end] != setting.name:
            raise Doubt(f"{setting.name} is put together from several parts")
        return span

    def split(self, setting: Setting, names: Sequence[str]) -> list[Edit]:
        """One setting written as several, each with the value as it is written."""
        span, value = self.whole(setting), self.written_value(setting)
        if not value.strip():
            return [Edit(self.name(setting), " ".join(names))]
        more = "".join(f" {name}{value}" for name in names[1:])
        return [Edit(self.name(setting), names[0]), Edit(Span(span.path, span.end, span.end), more)]

    def replace(self, setting: Setting, by: Sequence[tuple[str, tuple[str, ...] | None]]) -> list[Edit]:
        """Other settings in the place of one; columns that the first of them does not touch stay."""
        if not by:
            return [self.remove(setting)]
        written = self.written_value(setting)
        joined = "=" if setting.joined else " "
        parts = []
        for name, words in by:
            if words is None:
                parts.append(name + written)
            else:
                parts.append(joined.join([name, " ".join(map(_plain, words))]) if words else name)
        return [Edit(self.whole(setting), " ".join(parts))]

    def set_value(self, setting: Setting, value: object) -> list[Edit]:
        """Another value, at the place where the present one is written."""
        if value is True and not setting.text:
            return []
        words = [_plain(str(one)) for one in (value if isinstance(value, (list, tuple)) else [value])]
        if len(setting.text) != len(words):
            span = self.whole(setting)
            return [Edit(span, " ".join([setting.name, *words]))]
        made = []
        for text, word in zip(setting.text, words, strict=True):
            if text.text != word:
                place = text.verbatim_span
                if place is None or place.path != self.source.path:
                    raise Doubt(f"the value of {setting.name} is put together from several parts")
                made.append(Edit(place, word))
        return made

    def whole(self, setting: Setting) -> Span:
        """A setting with its value, quotes included; both have to stand on one line."""
        start = self.name(setting).start
        end = self.name(setting).end
        if setting.text:
            last = setting.text[-1].span
            if last is None or last.path != self.source.path or last.start < end:
                raise Doubt(f"the value of {setting.name} stands elsewhere")
            end = self._outer_end(setting, last)
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        if (before and before not in _BEFORE) or (after and after not in _AFTER):
            raise Doubt(f"{setting.name} is part of a longer word")
        between = self.text[start:end].replace("\\\r\n", "").replace("\\\n", "")
        if "\n" in between or "#" in between.split(" ", 1)[-1]:
            raise Doubt(f"{setting.name} and its value do not stand together")
        return Span(self.source.path, start, end)

    def _outer_end(self, setting: Setting, value: Span) -> int:
        """The end of the last value, behind the quote that closes it."""
        first = setting.text[0].span or value
        quote = self.text[first.start - 1 : first.start]
        end = value.end
        if quote in ('"', "'") and first.path == value.path:
            if self.text[end : end + 1] != quote and len(setting.text) == 1:
                close = self.text.find(quote, end)
                word_end = re.compile(r"[\s;&|]").search(self.text, end)
                if close < 0 or (word_end is not None and word_end.start() < close):
                    raise Doubt(f"the value of {setting.name} is quoted in parts")
                return close + 1
            return end + 1 if self.text[end : end + 1] == quote else end
        return end

    def written_value(self, setting: Setting) -> str:
        """What stands behind the name: blanks or `=`, and the value as it is written; empty for a switch."""
        span, name = self.whole(setting), self.name(setting)
        return self.text[name.end : span.end]

    def remove(self, setting: Setting) -> Edit:
        """A setting taken out: with its line if it is alone there, else with the blanks before it."""
        span = self.whole(setting)
        text = self.text
        line = text.rfind("\n", 0, span.start) + 1
        end = text.find("\n", span.end)
        end = len(text) if end < 0 else end
        rest = text[span.end : end].rstrip("\r")
        alone = not text[line : span.start].strip(_BLANKS) and rest.strip(_BLANKS) in ("", "\\")
        if not alone:
            start = span.start
            while start > line and text[start - 1] in _BLANKS:
                start -= 1
            return Edit(Span(span.path, start, span.end), "")
        continues = rest.strip(_BLANKS) == "\\"
        before = text[:line].rstrip("\n").rstrip("\r")
        if not continues and before.endswith("\\"):
            cut = len(before[:-1].rstrip(_BLANKS))
            return Edit(Span(span.path, cut, span.end + len(rest)), "")
        return Edit(Span(span.path, line, min(end + 1, len(text))), "")

    def add(self, name: str, value: object, after: Setting | None) -> Edit:
        """A setting more, one blank behind another one."""
        behind = after or self._last()
        words = [] if value is True else list(value) if isinstance(value, (list, tuple)) else [value]
        text = " ".join([name, *(_plain(str(word)) for word in words)])
        end = self.whole(behind).end
        return Edit(Span(self.source.path, end, end), f" {text}")

    def _last(self) -> Setting:
        """The last setting of the launch that can be written behind."""
        for setting in sorted(self.launch.settings, key=lambda one: -one.name_span.start):
            try:
                self.whole(setting)
            except Doubt:
                continue
            return setting
        raise Doubt("there is no setting to write it behind")


def _plain(word: str) -> str:
    """A word that needs no quotes. Raises `Doubt` for any other."""
    if not _PLAIN.fullmatch(word):
        raise Doubt(f"{word!r} would have to be quoted")
    return word
