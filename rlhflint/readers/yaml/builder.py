"""Nodes of a YAML text, made of the events that its parser gives."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from rlhflint.command import Problem
from rlhflint.expressions import expression
from rlhflint.mapping import Entry, Mapping, Node, Placed, Scalar, Series
from rlhflint.readers.yaml.scalars import Refused, is_default, is_merge, typed
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Span, Traced
from rlhflint.value import Known, Unknown, Value

DEEPEST = 100
"""Lists and mappings inside one another beyond this depth are not read."""
DEEPEST_MERGE = 20
"""Mappings that merge one another, one through the next, are followed this far."""

_NAME = expression(r"[0-9A-Za-z_-]+")
_HEAD = expression(r"(?:[&!]\S*\s*)*")
_UNUSUAL = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("set", "omap", "pairs"))
"""Collections that the loader knows and no configuration uses."""


class Stop(Exception):
    """What follows cannot be read."""


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end was not met yet."""

    start: int
    event: Any
    parts: list[Placed] = field(default_factory=list)
    merges: list[int] = field(default_factory=list)
    """Which of the keys are `<<`."""


class Builder:
    """Makes nodes of the events of a text."""

    def __init__(self, path: str, traced: Traced) -> None:
        self._path = path
        self._traced = traced
        self._anchors: dict[str, Node | None] = {}
        self._merge_depth: dict[int, int] = {}
        self._open: list[_Open] = []
        self.problems: list[Problem] = []

    def span(self, start: int, end: int) -> Span:
        """The characters of the file that a stretch of the text was made from."""
        length = len(self._traced)
        if start >= end:
            # An empty value has a place, but no characters.
            before = self._traced.span_of(max(start - 1, 0), max(start, 1)) if start else self._traced.span_of(0, 1)
            if before is None:
                return Span(self._path, 0, 0)
            place = before.end if start else before.start
            return Span(before.path, place, place)
        return self._traced.span_of(min(start, length), min(end, length)) or Span(self._path, 0, 0)

    def take(self, event: Any) -> Placed | None:
        """Take one event; the root node when it is complete."""
        start, end = event.start_mark.index, event.end_mark.index
        if isinstance(event, SequenceStartEvent | MappingStartEvent):
            if len(self._open) >= DEEPEST:
                self.problems.append(Problem("too-deep", self.span(start, end), "nested too deeply: it was not read"))
                raise Stop
            self._anchor(event, None)
            self._open.append(_Open(start + self._head(event, start, end), event))
            return None
        if isinstance(event, AliasEvent):
            return self._place(Placed(self._aliased(event), self.span(start, end), alias=True))
        if isinstance(event, ScalarEvent):
            return self._place(self._scalar(event, start, end))
        if isinstance(event, SequenceEndEvent | MappingEndEvent):
            return self._place(self._close(event))
        return None

    def _place(self, placed: Placed) -> Placed | None:
        if not self._open:
            return placed
        self._open[-1].parts.append(placed)
        return None

    def _is_key(self) -> bool:
        return (
            bool(self._open)
            and isinstance(self._open[-1].event, MappingStartEvent)
            and len(self._open[-1].parts) % 2 == 0
        )

    def _scalar(self, event: Any, start: int, end: int) -> Placed:
        plain = bool(event.implicit[0])
        tag = None if event.tag is None else str(event.tag)
        value: Value
        text = event.value
        if HOLE in text and not self._traced.known:
            value = Unknown(self._traced.because)
        elif self._is_key() and is_merge(text, tag, plain=plain):
            self._open[-1].merges.append(len(self._open[-1].parts))
            value = Known(text)
        elif self._is_key() and is_default(text, tag, plain=plain):
            value = Known(text)
        else:
            try:
                value = Known(typed(text, tag, plain=plain))
            except Refused as refusal:
                self.refuse(event, f"yaml.safe_load stops here: {refusal}")
                value = Unknown("the loader stops at it")
        style = "block" if event.style in ("|", ">") else "quoted" if event.style else "plain"
        start += self._head(event, start, end)
        node = Scalar(value, self._characters(text, start, end, style), style)
        self._anchor(event, node)
        return Placed(node, self.span(start, end))

    def _head(self, event: Any, start: int, end: int) -> int:
        """How many characters the anchor and the tag in front of a scalar take."""
        if event.tag is None and event.anchor is None:
            return 0
        head = _HEAD.match(self._traced.text, start, end)
        return head.end() - start if head else 0

    def _characters(self, text: str, start: int, end: int, style: str) -> Traced:
        """The characters of a scalar, each with its place if they stand there letter for letter."""
        around = {"plain": 0, "quoted": 1}.get(style)
        if around is not None and start + around <= end - around:
            inside = self._traced[start + around : end - around]
            if inside.text == text:
                return inside
        return Traced.made(text, self.span(start, end))

    def _close(self, event: Any) -> Placed:
        opened = self._open.pop()
        end = event.end_mark.index
        flow = bool(opened.event.flow_style)
        if not flow and opened.parts:
            # The end of a block is met only at the next line that is not in it.
            span = self.span(opened.start, opened.start + 1).to(opened.parts[-1].span)
        else:
            span = self.span(opened.start, end)
        self._check_tag(opened.event)
        node: Node
        if isinstance(opened.event, SequenceStartEvent):
            node = Series(tuple(opened.parts), flow)
        else:
            node = self._mapping(opened, flow)
        self._anchor(opened.event, node, again=True)
        return Placed(node, span)

    def _mapping(self, opened: _Open, flow: bool) -> Mapping:
        pairs = zip(opened.parts[::2], opened.parts[1::2], strict=True)
        entries = [Entry(key, value, 2 * n in opened.merges) for n, (key, value) in enumerate(pairs)]
        depth = 0
        for entry in entries:
            if entry.merge:
                depth = max(depth, self._merged(entry))
            elif not isinstance(entry.key.node, Scalar):
                self.refuse_span(entry.key.span, "yaml.safe_load stops here: a list or mapping is no key")
        node = Mapping(tuple(entries), flow)
        self._merge_depth[id(node)] = depth
        return node

    def _merged(self, entry: Entry) -> int:
        """How deep the mappings are merged that a `<<` takes over."""
        node = entry.value.node
        sources = [item.node for item in node.items] if isinstance(node, Series) else [node]
        if not all(isinstance(source, Mapping) for source in sources):
            self.refuse_span(entry.value.span, "yaml.safe_load stops here: `<<` takes a mapping, or a list of mappings")
            return 0
        depth = 1 + max((self._merge_depth.get(id(source), DEEPEST_MERGE) for source in sources), default=0)
        if depth > DEEPEST_MERGE:
            message = "mappings merge one another too many times: it was not read"
            self.problems.append(Problem("too-deep", entry.value.span, message))
            raise Stop
        return depth

    def _check_tag(self, event: Any) -> None:
        tag = None if event.tag is None else str(event.tag)
        if tag is None or tag == "!":
            return
        fitting = "tag:yaml.org,2002:seq" if isinstance(event, SequenceStartEvent) else "tag:yaml.org,2002:map"
        if tag not in (fitting, *_UNUSUAL):
            self.refuse(event, f"yaml.safe_load stops here: the tag {tag} means nothing to it")
        elif tag != fitting:
            self.problems.append(
                Problem(
                    "not-read",
                    self.span(event.start_mark.index, event.end_mark.index),
                    f"the tag {tag} is not followed",
                )
            )
            raise Stop

    def _anchor(self, event: Any, node: Node | None, *, again: bool = False) -> None:
        name = _anchor_name(event)
        if name is None:
            return
        if not _NAME.fullmatch(name):
            span = self.span(event.start_mark.index, event.end_mark.index)
            self.problems.append(Problem("not-read", span, "an anchor that loaders of YAML read in different ways"))
            raise Stop
        if name in self._anchors and not again:
            self.refuse(event, f"the anchor {name} is given twice")
        self._anchors[name] = node

    def _aliased(self, event: Any) -> Node:
        name = _anchor_name(event) or ""
        if not _NAME.fullmatch(name):
            span = self.span(event.start_mark.index, event.end_mark.index)
            self.problems.append(Problem("not-read", span, "an alias that loaders of YAML read in different ways"))
            raise Stop
        if name not in self._anchors:
            self.refuse(event, f"no anchor {name} stands before this alias")
            raise Stop
        node = self._anchors[name]
        if node is None:
            return Scalar(Unknown("it holds itself"), Traced(), "plain")
        return node

    def refuse(self, event: Any, message: str) -> None:
        """Note that YAML, or its readers, refuse what an event stands for."""
        self.refuse_span(self.span(event.start_mark.index, event.end_mark.index), message)

    def refuse_span(self, span: Span, message: str) -> None:
        """The same, for characters of the file."""
        # What is not known of the text may make it right.
        self.problems.append(Problem("syntax" if self._traced.known else "not-read", span, message))


def _anchor_name(event: Any) -> str | None:
    anchor = event.anchor
    return None if anchor is None else str(getattr(anchor, "value", anchor))
