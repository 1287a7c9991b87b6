"""The state of following one module: what every part of the reader works on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from rlhflint.call import Class, Import
from rlhflint.command import Problem
from rlhflint.readers.python.conditions import HEAVIEST, Conditions, barred, possible, weight
from rlhflint.readers.python.frames import Ended, Exhausted, Exits, Frame
from rlhflint.readers.python.relevance import Relevance
from rlhflint.readers.python.source import Source
from rlhflint.readers.python.store import ABSENT, Store, Writes
from rlhflint.readers.python.values import (
    Abstract,
    Alt,
    Entry,
    Function,
    Instance,
    Maybe,
    Open,
    Ref,
    Spread,
    one_of,
)
from rlhflint.records import dataclass
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.readers.python.recording import Record

MOST_STEPS = 60_000
"""More expressions, statements and joined values are not followed (each call of a function of the file counts anew)."""


@dataclass
class Run:
    """One run over a module.

    `evaluate`, `execute` and `call` are the parts of the reader that need one another: the value of an expression,
    following statements (true if their end can be reached), and calling a value.
    """

    source: Source
    watch: Callable[[str], bool]
    evaluate: Callable[[Run, ast.expr], Abstract]
    execute: Callable[[Run, Sequence[ast.stmt]], bool]
    call: Callable[[Run, Abstract, tuple[Entry | Spread, ...], ast.expr], Abstract]
    relevance: Relevance = field(default_factory=Relevance)
    store: Store = field(init=False)
    path: Conditions = ()
    frames: list[Frame] = field(default_factory=lambda: [Frame(0, "")])
    exits: list[Exits] = field(default_factory=lambda: [Exits("function", 1, 0)])
    recording: bool = True
    records: list[Record] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    followed: set[ast.AST] = field(default_factory=set)
    bound: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    """See `bound_names.own_names`."""
    touched: frozenset[str] | None = None
    """See `unfollowed.changed_somewhere`."""
    altered: set[ast.AST] = field(default_factory=set)
    """Functions whose code or defaults were replaced."""
    expected: set[ast.AST] = field(default_factory=set)
    """Functions that tests expect to fail, or do not run everywhere."""
    replaced: set[str] = field(default_factory=set)
    """Names in modules that something else was put in the place of."""
    imports: dict[Span, Import] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    classes: dict[Span, Class] = field(default_factory=dict)
    variables: list[Entry] = field(default_factory=list)
    """Assignments to the environment."""
    problems: dict[tuple[str, Span], Problem] = field(default_factory=dict)
    rounds: int = 1
    """How many rounds of loops over known values are inside one another here."""
    shared: int = 0
    """Objects up to this place were made before the function that is followed alone: others may have changed them."""
    _steps: int = 0
    _numbers: int = 0
    _symbols: dict[Hashable, int] = field(default_factory=dict)
    _watched: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = Store(self.unknown, self.step)

    @property
    def frame(self) -> Frame:
        """The scope that names are assigned in."""
        return self.frames[-1]

    @property
    def bars(self) -> Conditions:
        """That none of the ways was taken that led away from here."""
        return tuple(bar for exits in self.exits for bar in exits.bars)

    def step(self, count: int = 1) -> None:
        """Count expressions, statements or values that are joined. Raises `Exhausted` beyond the bound."""
        self._steps += count
        if self._steps > MOST_STEPS:
            raise Exhausted

    def number(self) -> int:
        """A number not used before."""
        self._numbers += 1
        return self._numbers

    def symbol(self, *key: Hashable) -> int:
        """The number that stands for a value made so: the same for the same key, a new one for none."""
        if not key:
            return self.number()
        if key not in self._symbols:
            self._symbols[key] = self.number()
        return self._symbols[key]

    def unknown(self, because: str, *key: Hashable, probe: str = "") -> Open:
        """A value that is not known."""
        return Open(because, self.symbol(*key), probe)

    def at_run_time(self, node: ast.expr, probe: str = "") -> Open:
        """The value of an expression of which nothing is known before it runs."""
        return self.unknown(f"{self.source.words(node)} is only known when it runs", probe=probe)

    def watches(self, path: str) -> bool:
        """Whether the framework asked for calls of `path`."""
        if path not in self._watched:
            self._watched[path] = self.watch(path)
        return self._watched[path]

    def allocate(self, state: Abstract) -> Ref:
        """A new object with that state."""
        ref = Ref(self.number())
        self.store.set(ref.place, state)
        return ref

    def state(self, ref: Ref) -> Abstract:
        """The state of an object; an unknown value where it is lost."""
        state = self.store.get(ref.place)
        return self.unknown("it is not known here") if state is ABSENT else state

    def behind(self, value: Abstract) -> Abstract:
        """What a value refers to, or the value itself."""
        return self.state(value) if isinstance(value, Ref) else value

    def bind(self, name: str, value: Abstract) -> None:
        """Give a name a value in the scope that it is assigned in here."""
        self.store.set((self.frame.elsewhere.get(name, self.frame.number), name), value)

    def change(self, ref: Ref, state: Abstract) -> None:
        """Put another state in the place of an object."""
        self.store.set(ref.place, state)

    def outside(self, value: Open | Maybe) -> Instance:
        """The attributes set on a value that is not known."""
        state = self.store.get(("attributes", value.symbol))
        return state if isinstance(state, Instance) else Instance()

    def each(self, value: Abstract, use: Callable[[Abstract], Abstract]) -> Abstract:
        """What `use` gives for a value, or for each of the several it may be; what it writes for each is joined."""
        if not isinstance(value, Alt):
            return use(value)
        here = self.path + self.bars
        branches = [(conditions, option) for conditions, option in value.options if possible(here + conditions)]
        if not branches:
            return self.unknown("no way leads here")
        if len(branches) == 1:
            return use(branches[0][1])
        ways: list[tuple[Conditions, Writes]] = []
        results: list[tuple[Conditions, Abstract]] = []
        for conditions, option in branches:
            with self.on_way(conditions), self.store.layer() as writes:
                try:
                    results.append((conditions, use(option)))
                except Ended as ended:
                    self.leave(ended.kind)
                    continue
            ways.append((conditions, writes))
        if not ways:
            raise Ended
        self.store.merge(ways)
        return self.one_of(results)

    def one_of(self, choices: Sequence[tuple[Conditions, Abstract]]) -> Abstract:
        """One of several values."""
        self.step(len(choices))
        return one_of(choices, self.unknown)

    @contextmanager
    def on_way(self, conditions: Conditions) -> Iterator[None]:
        """While it lasts, the conditions hold."""
        before, self.path = self.path, self.path + conditions
        try:
            yield
        finally:
            self.path = before

    @contextmanager
    def leading(self, kind: str) -> Iterator[Exits]:
        """While it lasts, exits of a kind lead to what it gives."""
        self.exits.append(Exits(kind, self.store.depth, len(self.path)))
        try:
            yield self.exits[-1]
        finally:
            self.exits.pop()

    def join(self, exits: Exits, because: str) -> Abstract:
        """Write what holds where the ways of exits come together; the value that they give."""
        if exits.blurred:
            self.store.blur([writes for _, writes, _ in exits.ways], because)
            return self.unknown(because)
        self.store.merge([(conditions, writes) for conditions, writes, _ in exits.ways])
        return self.one_of([(conditions, value) for conditions, _, value in exits.ways])

    def leave(self, kind: str, value: Abstract = ABSENT, *, stop: bool = False) -> None:
        """Take the innermost exit of a kind inside the function; this way is barred to what follows.

        What is raised ("try") leads out of functions, too. The end of a `with` that may keep it from going on
        ("with"), and what is done at the end of a block ("end"), are come by on the way.
        """
        barring = True
        for exits in reversed(self.exits):
            taken = self.path[exits.path :]
            kept = (exits.kind, kind) == ("with", "try")
            if kept or exits.kind in (kind, "end"):
                conditions = taken + tuple(exits.bars)
                exits.blurred |= weight(conditions) > HEAVIEST
                exits.ways.append((conditions, self.store.written_since(exits.depth), value))
                exits.broken += stop
            if barring and (kept or exits.kind in (kind, "function")):
                barring = False
                if taken and weight(taken) + weight(tuple(exits.bars)) <= HEAVIEST:
                    exits.bars.append(barred(taken))
                elif taken:
                    exits.blurred = True
            if exits.kind == kind or (exits.kind == "function" and kind != "try"):
                return

    def report(self, kind: str, span: Span, message: str) -> None:
        """Note a problem, once."""
        self.problems.setdefault((kind, span), Problem(kind, span, message))
