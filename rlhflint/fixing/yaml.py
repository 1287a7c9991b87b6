"""Changes of entries in YAML and JSON files, by the places of keys and values; all else stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.finding import Edit
from rlhflint.fixing.doubt import Doubt
from rlhflint.mapping import Scalar
from rlhflint.proposal import Add, Change, Remove, Rename, Replace, SetValue
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.mapping import Entry
    from rlhflint.source import Source

_BLANKS = " \t"
_PLAIN = expression(r"[A-Za-z_/.][A-Za-z0-9_./ -]*[A-Za-z0-9_./]|[A-Za-z_]")


def edits(change: Change, entry: Entry, source: Source) -> list[Edit]:
    """The edits that make one change of an entry. Raises `Doubt` where it is not certain what they would do."""
    text = _Text(source, entry)
    match change:
        case Rename(_, (name,)):
            return [text.renamed(name)]
        case Rename(_, names):
            return [text.renamed(names[0]), *text.behind([(name, text.value()) for name in names[1:]])]
        case SetValue(_, value):
            return [Edit(text.value_span(), scalar(value))]
        case Remove():
            return [text.removal()]
        case Replace(_, by):
            return text.replaced(by)
        case Add(name, value, _):
            return text.behind([(name, scalar(value))])
    raise Doubt(f"no edit is known for {type(change).__name__}")


def scalar(value: object) -> str:
    """A value as YAML writes it, on one line."""
    from rlhflint.readers.yaml.scalars import typed

    if value is None or isinstance(value, (bool, int)):
        return json.dumps(value)
    if isinstance(value, float):
        written = repr(value)
        if "e" in written and "." not in written:  # YAML 1.1 takes 1e-06 for text
            written = written.replace("e", ".0e")
        return written
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(scalar, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{scalar(key)}: {scalar(one)}' for key, one in value.items())}}}"
    if isinstance(value, str):
        if _PLAIN.fullmatch(value) and typed(value, None, plain=True) == value:
            return value
        return json.dumps(value, ensure_ascii=False)
    raise Doubt("the value cannot be written on one line")


class _Text:
    """One entry in the text of its file."""

    def __init__(self, source: Source, entry: Entry) -> None:
        self.text = source.text
        self.path = source.path
        self.entry = entry
        self.end = entry.value.span.end
        while self.end > entry.key.span.end and self.text[self.end - 1].isspace():
            self.end -= 1

    def renamed(self, name: str) -> Edit:
        """Another key, in the quotes of this one."""
        span = self.entry.name_span
        if self.text[span.start : span.end] == self.entry.name:
            return Edit(span, name)
        key = self.entry.key
        if key.alias or not self.quote or not isinstance(key.node, Scalar) or key.node.style != "quoted":
            raise Doubt(f"the key {self.entry.name} is not written out")
        return Edit(key.span, f"{self.quote}{name}{self.quote}")

    @property
    def quote(self) -> str:
        """The quotes of the key; empty for one without."""
        first = self.text[self.entry.key.span.start]
        return first if first in "\"'" else ""

    def value_span(self) -> Span:
        """The characters of the value, with its quotes."""
        value = self.entry.value
        if not isinstance(value.node, Scalar) or value.alias or value.node.style == "block" or not len(value.span):
            raise Doubt(f"the value of {self.entry.name} is not on one line")
        return value.span

    def value(self) -> str:
        """The value as it is written."""
        span = self.value_span()
        return self.text[span.start : span.end]

    @property
    def _line(self) -> int:
        return self.text.rfind("\n", 0, self.entry.key.span.start) + 1

    @property
    def _alone(self) -> bool:
        """It starts its line and nothing but a comment follows it there: an entry of a block."""
        before = self.text[self._line : self.entry.key.span.start]
        return not before.strip(_BLANKS) and (self._rest().strip() == "" or self._rest().lstrip(_BLANKS)[:1] == "#")

    def _rest(self) -> str:
        """What follows on its last line."""
        end = self.text.find("\n", self.end)
        return self.text[self.end : len(self.text) if end < 0 else end]

    def removal(self) -> Edit:
        """The entry taken out: with its lines, or with its comma; a comment behind it stays."""
        start = self.entry.key.span.start
        if not self._alone:
            after = re.compile(r"\s*,[ \t]*").match(self.text, self.end)
            if after is not None:
                return Edit(Span(self.path, start, after.end()), "")
            before = re.compile(r",\s*\Z").search(self.text, max(0, start - 200), start)
            if before is not None:
                return Edit(Span(self.path, before.start(), self.end), "")
            raise Doubt(f"{self.entry.name} does not stand alone")
        rest = self._rest()
        comment = rest.lstrip(_BLANKS)
        if comment.strip():
            return Edit(Span(self.path, start, self.end + len(rest) - len(comment)), "")
        end = min(self.end + len(rest) + 1, len(self.text))
        return Edit(Span(self.path, self._line, end), "")

    def behind(self, more: Sequence[tuple[str, str]]) -> list[Edit]:
        """Further entries behind this one, in its style."""
        if not more:
            return []
        quote = self.quote
        if not self._alone:
            lines = "".join(f", {quote}{name}{quote}: {value}" for name, value in more)
            return [Edit(Span(self.path, self.end, self.end), lines)]
        rest = self._rest()
        newline = "\r\n" if rest.endswith("\r") else "\n"
        indent = self.text[self._line : self.entry.key.span.start]
        at = self.end + len(rest.removesuffix("\r"))
        return [
            Edit(
                Span(self.path, at, at),
                "".join(f"{newline}{indent}{quote}{name}{quote}: {value}" for name, value in more),
            )
        ]

    def replaced(self, by: Sequence[tuple[str, tuple[object, ...] | None]]) -> list[Edit]:
        """Other entries in the place of this one."""
        if not by:
            return [self.removal()]
        values = [
            (name, self.value() if given is None else scalar(given[0] if len(given) == 1 else list(given)))
            for name, given in by
        ]
        made = [self.renamed(values[0][0]), *self.behind(values[1:])]
        if by[0][1] is not None:
            made.insert(1, Edit(self.value_span(), values[0][1]))
        return made
