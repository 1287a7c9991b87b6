"""One reading of a script: what it has found so far, what it may still spend, and the exploring of ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import TypeVar

from rlhflint.command import Choice, Command, Problem
from rlhflint.readers.shell.decision import Answers, Compound, Decision, Region, Undecided
from rlhflint.readers.shell.question import Register, simplified, without_implied
from rlhflint.readers.shell.state import State
from rlhflint.readers.shell.syntax.tree import Node, Simple
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced

T = TypeVar("T")

MOST_WAYS = 64
"""Ways to one command that are followed."""
MOST_STEPS = 10_000
"""Commands that are gone through in one script, counted for every way, round and call."""
MOST_WORK = 20_000_000
"""Characters that are put together while the words of a script are expanded."""
MOST_PROBLEMS = 200
"""Problems of one script that are told."""
MOST_RECURSIONS = 64
"""Calls of functions out of themselves that are followed in one script."""
_ANSWERS_OF_A_STEP = 32
LONGEST_TEXT = 262_144
"""Characters of the longest value that is followed."""


class Exhausted(Exception):
    """The script takes more steps than are gone."""


@dataclass(frozen=True, slots=True)
class Record:
    """A command on one way. `site` is the statement, with the calls that led to it."""

    site: tuple[Node, ...]
    command: Command
    answers: Mapping[Decision, bool]
    rounds: tuple[Choice, ...]
    partial: bool = False
    """There are more ways that lead to it than were followed."""


@dataclass
class Reading:
    """What is shared by everything that is read because of one script."""

    path: str
    read_file: Callable[[str], str | None] | None = None
    register: Register = field(default_factory=Register)
    records: list[Record] = field(default_factory=list)
    problems: dict[tuple[str, Span], Problem] = field(default_factory=dict)
    sourced: dict[str, None] = field(default_factory=dict)
    reading_files: list[str] = field(default_factory=list)
    """The sourced files that are being read, outermost first."""
    directives: list[Traced] = field(default_factory=list)
    values: dict[tuple[str, Traced], None] = field(default_factory=dict)
    """Every text that the script gave a variable, with the variable's name."""
    within: tuple[tuple[Traced, ...], ...] = ()
    """The commands whose argument text is being read, outermost first."""
    calls: tuple[Node, ...] = ()
    """The calls of functions and of nested shells that are under way."""
    known: list[Answers] = field(default_factory=list)
    """The answers in force before the command that is under way, and before those around it."""
    extended: bool = False
    """`shopt -s extglob` may be in force somewhere in what was read."""
    place: Span | None = None
    """The simple command that is under way, or was last."""
    rounds: int = 0
    recursions: int = 0
    steps: int = 0
    work: int = 0

    def step(self, answers: Answers) -> None:
        """Count a step, one on a way with many answers for more than one. Raises `Exhausted`."""
        self.steps += 1 + len(answers) // _ANSWERS_OF_A_STEP
        if self.steps > MOST_STEPS or self.work > MOST_WORK:
            raise Exhausted

    def problem(self, kind: str, span: Span, message: str, remedy: str | None = None) -> None:
        """Note a problem, once."""
        self.note([Problem(kind, span, message, remedy)])

    def note(self, problems: Iterable[Problem]) -> None:
        """Note problems, each once and not too many."""
        for problem in problems:
            if len(self.problems) < MOST_PROBLEMS:
                self.problems.setdefault((problem.kind, problem.span), problem)

    def too_many_ways(self, span: Span, message: str) -> None:
        """Note, once for a script, that not all ways through it are followed."""
        if not any(kind == "too-many-ways" for kind, _ in self.problems):
            self.problem("too-many-ways", span, f"{message}; not all of them were read")

    def recurs_too_often(self, call: Simple) -> bool:
        """Whether a call that is reached out of itself is one too many, which is noted."""
        if call not in self.calls:
            return False
        self.recursions += 1
        if self.recursions == MOST_RECURSIONS + 1:
            message = f"functions call themselves more than {MOST_RECURSIONS} times; further calls were not read"
            self.problem("too-large", call.span, message)
        return self.recursions > MOST_RECURSIONS

    def assigned(self, name: str, value: Traced | None) -> None:
        """Note that a variable got a text."""
        if value is not None:
            self.values.setdefault((name, value))

    def record(self, node: Node, command: Command, state: State) -> None:
        """Note a command. Its choices are those that lead to its place and those that its words were asked for."""
        answers = {decision: answer for decision, answer in state.control if answer is not decision.expected}
        before = self.before
        answers.update((decision, answer) for decision, answer in state.answers.items() if decision not in before)
        answers = {decision: answer for decision, answer in answers.items() if not isinstance(decision, Region)}
        site, command = (*self.calls, node), replace(command, within=self.within)
        self.records.append(Record(site, command, answers, state.rounds, state.partial))

    @property
    def before(self) -> Answers:
        """The answers in force before the command that is under way."""
        return self.known[-1] if self.known else Answers()

    def explore(self, state: State, run: Callable[[State], T], span: Span | None = None) -> list[tuple[State, T]]:
        """Run something on every way that it takes a different turn on.

        `run` gets a state of its own and may raise `Undecided`; it is run again for each answer then. `span` is named
        where there are too many ways: the first questions get all their answers, further ones get one or the other.
        """
        self.known.append(state.answers)
        try:
            return self._explore(state, run, span)
        finally:
            self.known.pop()

    def _explore(self, state: State, run: Callable[[State], T], span: Span | None) -> list[tuple[State, T]]:
        pending, first, partial = [state.answers], len(self.records), False
        done: list[tuple[State, T]] = []
        while pending:
            way = state.copy()
            way.answers = pending.pop()
            mark = len(self.records)
            self.step(way.answers)
            try:
                done.append((way, run(way)))
            except Undecided as open_:
                del self.records[mark:]
                answers = [way.answers.assume(open_.decision, answer) for answer in (False, True)]
                answers = [one for one in answers if one.possible(open_.decision)]
                if answers and len(done) + len(pending) + len(answers) > MOST_WAYS:
                    if span is not None:
                        self.too_many_ways(span, f"more than {MOST_WAYS} ways lead through here")
                    answers, partial = answers[len(done) % len(answers) :][:1], True
                pending.extend(answers)
        if partial:
            self.records[first:] = [replace(one, partial=True) for one in self.records[first:]]
            for way, _ in done:
                way.partial = True
        return done

    def commands(self) -> tuple[Command, ...]:
        """The commands found, each once for every set of choices that makes it what it is."""
        groups: dict[tuple[object, ...], list[Record]] = {}
        for found in self.records:
            command = found.command
            key = (
                found.site,
                command.words,
                tuple(sorted(command.environment.items())),
                tuple(sorted(command.exported.items())),
                command.within,
                command.directory,
            )
            groups.setdefault(key, []).append(found)
        return tuple(_merged(records) for records in groups.values())


def _merged(records: list[Record]) -> Command:
    """The command that records with the same words come down to.

    Where several sets of choices lead to it that do not come down to one, the shortest is taken. Of choices that not
    all ways were followed for, none is certain to lead to it.
    """
    rounds = records[0].rounds
    for other in records[1:]:
        rounds = tuple(choice for choice in rounds if choice in other.rounds)
    if any(one.partial for one in records):
        return replace(records[0].command, choices=rounds, partial=True)
    terms = simplified([dict(one.answers) for one in records])
    shortest = min(terms, key=len)
    choices = (decision.choice(answer) for decision, answer in _told(without_implied(shortest)).items())
    return replace(records[0].command, choices=(*dict.fromkeys(choices), *rounds))


def _told(answers: dict[Decision, bool]) -> dict[Decision, bool]:
    """The answers without those that follow from the others."""
    told = dict(answers)
    for decision in answers:
        others = Answers({one: answer for one, answer in told.items() if one is not decision})
        if isinstance(decision, Compound) and others.truth(decision) is not None:
            del told[decision]
    return told
