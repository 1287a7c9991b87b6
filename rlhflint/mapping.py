"""Documents of keys and values, with the place of each: what the YAML and JSON readers make of a file."""

from __future__ import annotations

from typing import TypeAlias

from rlhflint.command import Problem
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced
from rlhflint.value import Known, Unknown, Value

MOST_NODES = 10_000
"""A value that holds more, aliases written out, is not given as data."""
DEEPEST = 100
"""A value that is nested deeper is not given as data."""
TOO_MUCH = "it holds too much"


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A single value. `text` are its characters without quotes; `value` is what its loader makes of them."""

    value: Value
    text: Traced
    style: str
    """`plain`, `quoted` or `block`."""


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A list."""

    items: tuple[Placed, ...]
    flow: bool = False
    """Written in brackets."""


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """Keys and values, all that are written, in the order of the file."""

    entries: tuple[Entry, ...]
    flow: bool = False
    """Written in braces."""

    def in_force(self) -> dict[object, Entry]:
        """The entry that counts for each key: the last one; those of `<<` only where the key is not given itself.

        Keys that are lists or mappings are left out. The value of a key that several merged mappings have is unknown:
        which one counts differs between releases of PyYAML.
        """
        return _in_force(self, {})

    def get(self, name: str) -> Entry | None:
        """The entry that counts for a key."""
        return self.in_force().get(name)


Node: TypeAlias = Scalar | Series | Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A node where it stands; `span` is with quotes or brackets.

    For an alias it is the alias; the node stands elsewhere.
    """

    node: Node
    span: Span
    alias: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One key with its value. `merge`: the key is `<<`, which takes the entries of another mapping over."""

    key: Placed
    value: Placed
    merge: bool = False

    @property
    def name(self) -> str:
        """The key if it is text, else empty."""
        node = self.key.node
        if isinstance(node, Scalar) and isinstance(node.value, Known) and isinstance(node.value.value, str):
            return node.value.value
        return ""

    @property
    def name_span(self) -> Span:
        """The characters of the key, without quotes where they are the key letter for letter."""
        node = self.key.node
        inside = node.text.verbatim_span if isinstance(node, Scalar) and not self.key.alias else None
        return inside or self.key.span

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return self.key.span.to(self.value.span)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """What was read from one text.

    `root` is None for a text without a document, or one that could not be read. `problems` of the kind `syntax` are
    those for which the loader refuses the file.
    """

    path: str
    root: Placed | None = None
    problems: tuple[Problem, ...] = ()
    program: Traced | None = None
    """What a comment line `# rlhflint: program=…` names."""

    @property
    def mapping(self) -> Mapping | None:
        """The keys and values at the top."""
        return self.root.node if self.root is not None and isinstance(self.root.node, Mapping) else None


def _in_force(mapping: Mapping, known: dict[int, dict[object, Entry]]) -> dict[object, Entry]:
    if id(mapping) in known:
        return known[id(mapping)]
    merged: dict[object, Entry] = {}
    own: dict[object, Entry] = {}
    for entry in mapping.entries:
        if entry.merge:
            for source in _sources(entry.value.node):
                for key, taken in _in_force(source, known).items():
                    merged[key] = _doubtful(taken) if key in merged else taken
        elif isinstance(entry.key.node, Scalar) and isinstance(entry.key.node.value, Known):
            own.pop(entry.key.node.value.value, None)
            own[entry.key.node.value.value] = entry
    known[id(mapping)] = {**merged, **own}
    return known[id(mapping)]


def _sources(node: Node) -> list[Mapping]:
    """The mappings that `<<: node` merges."""
    nodes = [item.node for item in node.items] if isinstance(node, Series) else [node]
    return [one for one in nodes if isinstance(one, Mapping)]


def _doubtful(entry: Entry) -> Entry:
    unknown = Scalar(Unknown("several merged mappings give it"), Traced(), "plain")
    return Entry(entry.key, Placed(unknown, entry.value.span))


def data(node: Node) -> Value:
    """The data a node stands for; unknown where a part of it is, where it holds itself, or where it is too large."""
    return _Data().of(node, 0)[0]


class _Data:
    """Makes data of nodes, each once."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Value, int]] = {}
        self._left = MOST_NODES

    def of(self, node: Node, depth: int) -> tuple[Value, int]:
        """The data of a node and how many nodes it holds."""
        if id(node) not in self._made:
            if depth > DEEPEST or self._left <= 0:
                return Unknown(TOO_MUCH), MOST_NODES + 1
            self._left -= 1
            self._made[id(node)] = Unknown("it holds itself"), 1
            self._made[id(node)] = self._make(node, depth + 1)
        return self._made[id(node)]

    def _make(self, node: Node, depth: int) -> tuple[Value, int]:
        if isinstance(node, Scalar):
            return node.value, 1
        entries = node.in_force() if isinstance(node, Mapping) else {}
        inside = [item.node for item in node.items] if isinstance(node, Series) else []
        inside += [entry.value.node for entry in entries.values()]
        self._left -= len(inside)
        known: list[object] = []
        count = 1
        for one in inside:
            value, size = self.of(one, depth)
            count += size
            if count > MOST_NODES:
                return Unknown(TOO_MUCH), count
            if not isinstance(value, Known):
                return Unknown(value.because), count
            known.append(value.value)
        return Known(known if isinstance(node, Series) else dict(zip(entries, known, strict=True))), count
