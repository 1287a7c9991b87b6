"""Statements gone through in their order, on all ways at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.decision import Decision, condition, question
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.substitute import substitute
from rlhflint.readers.shell.reading import Reading
from rlhflint.readers.shell.run import loops
from rlhflint.readers.shell.run.mundane import is_mundane, is_notable
from rlhflint.readers.shell.run.result import Result
from rlhflint.readers.shell.run.simple import perform
from rlhflint.readers.shell.state import ARGUMENTS, Arguments, State, function_key, merge
from rlhflint.readers.shell.syntax.source import Source, without_carriage_returns
from rlhflint.readers.shell.syntax.structure import parse
from rlhflint.readers.shell.syntax.tree import (
    AndOr,
    Background,
    Body,
    Case,
    For,
    ForArithmetic,
    Function,
    Group,
    If,
    Negation,
    Pipeline,
    Simple,
    Statement,
    Subshell,
    While,
)
from rlhflint.text import HOLE, Span, Traced

MOST_CALLS = 16
"""Calls and nested shells that are followed into one another."""


@dataclass(slots=True)
class Frame:
    """A loop, a function, a sourced file or a shell that is being gone through, with the states that left it early."""

    kind: str
    ended: list[State] = field(default_factory=list)
    """Left by `break` or `return`."""
    continued: list[State] = field(default_factory=list)
    local: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Branches:
    """The states behind a condition that holds, and behind one that does not; None where that cannot be."""

    yes: State | None
    no: State | None


class Interpreter:
    """Goes through the statements of one script and everything it leads to. A state of None: nobody gets there."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.frames: list[Frame] = [Frame("shell")]
        self.parsed: dict[tuple[Source, int], Body] = {}
        """The code of command substitutions, by its place."""
        self.substitutions = 0
        """Command substitutions that are under way, one inside the other."""
        self.input: Traced | None = None
        """What the command before a pipe prints, for the command behind it."""

    def expansion(self, state: State) -> Expansion:
        """Expands words in a state."""
        return Expansion(self.reading, state, lambda expansion, source, part: substitute(self, expansion, source, part))

    def body(self, state: State | None, body: Body) -> State | None:
        """The state behind all statements of a body."""
        for statement in body:
            if state is None:
                return None
            state = self.statement(state, statement)
        return state

    def statement(self, state: State, node: Statement) -> State | None:
        """The state behind a statement."""
        match node:
            case Simple():
                return self.join(state, [after for after, _ in self.simple(state, node)])
            case AndOr():
                first = self.tested(state, node.left)
                run, other = (first.yes, first.no) if node.operator == "&&" else (first.no, first.yes)
                return self.branched(state, [(run, (node.right,)), (other, ())])
            case Negation():
                return self.statement(state, node.inner)
            case Pipeline():
                self.pipeline(state, node)
            case Background():
                self.apart(state, (node.inner,))
            case Subshell():
                self.apart(state, node.body)
            case Group():
                return self.body(state, node.body)
            case If():
                return self.conditional(state, node)
            case Case():
                return self.case(state, node)
            case For():
                return loops.over_words(self, state, node)
            case ForArithmetic():
                return loops.counting(self, state, node)
            case While():
                return loops.conditional(self, state, node)
            case Function():
                state.values[function_key(node.name)] = node
        return state

    # --- simple commands --------------------------------------------------------------------------------------------

    def simple(self, state: State, node: Simple) -> list[tuple[State | None, Result]]:
        """The states behind a simple command, one for each way, and how the command went on it."""
        span = None if is_mundane(node) else node.span
        results: list[tuple[State | None, Result]] = []
        for way, result in self.reading.explore(state, lambda way: perform(self, way, node), span):
            after: State | None = way
            if result.then is not None:
                asked = ((one, answer) for one, answer in way.answers.items() if one not in state.answers)
                way.control = (*state.control, *asked)
                after = result.then(way)
            if after is not None:
                after.control = state.control
            results.append((after, result))
        return results

    def pipeline(self, state: State, node: Pipeline) -> None:
        """Every part runs in a shell of its own."""
        output: Traced | None = None
        for part in node.parts:
            copy = state.copy()
            self.input = output
            output = None
            if isinstance(part, Simple):
                results = self.simple(copy, part)
                output = results[0][1].output if len(results) == 1 else None
            else:
                self.apart(copy, (part,))
            self.input = None

    def apart(self, state: State, body: Body) -> None:
        """Run a body in a shell of its own, which leaves the state as it is."""
        frames, self.frames = self.frames, [*self.frames, Frame("shell")]
        self.body(state.copy(), body)
        self.frames = frames

    # --- conditions -------------------------------------------------------------------------------------------------

    def condition(self, state: State, body: Body) -> Branches:
        """The states behind the commands of a condition."""
        before = self.body(state, body[:-1])
        if before is None or not body:
            return Branches(before, None)
        return self.tested(before, body[-1])

    def tested(self, state: State, node: Statement) -> Branches:
        """The states behind a statement that succeeds, and behind one that fails."""
        after: State | None
        match node:
            case Negation():
                inner = self.tested(state, node.inner)
                return Branches(inner.no, inner.yes)
            case AndOr():
                return self.both(state, node)
            case Group():
                return self.condition(state, node.body)
            case Simple():
                results = [(end, result.status) for end, result in self.simple(state, node) if end is not None]
                if any(status is not None for _, status in results):
                    outcomes: list[tuple[State, bool]] = []
                    for end, status in results:
                        outcomes += self.asked(end, node) if status is None else [(end, status)]
                    return self.distinguish(state, outcomes, node)
                after = self.join(state, [end for end, _ in results])
            case _:
                after = self.statement(state, node)
        return Branches(None, None) if after is None else self.distinguish(state, self.asked(after, node), node)

    def asked(self, state: State, node: Statement) -> list[tuple[State, bool]]:
        """A state on both sides of the question whether a command succeeds."""
        key = (node, self.reading.calls, state.rounds)
        decision = self.reading.register.success(key, node.span, unknown.shortened(node.text))
        found = []
        for answer in (True, False):
            side = state.copy()
            side.answers = state.answers.assume(decision, answer)
            found.append((side, answer))
        return found

    def both(self, state: State, node: AndOr) -> Branches:
        first = self.tested(state, node.left)
        goes_on, settled = (first.yes, first.no) if node.operator == "&&" else (first.no, first.yes)
        second = self.tested(goes_on, node.right) if goes_on is not None else Branches(None, None)
        outcomes = [(second.yes, True), (second.no, False), (settled, node.operator == "||")]
        return self.distinguish(state, [(one, truth) for one, truth in outcomes if one is not None], node)

    def distinguish(self, before: State, outcomes: Sequence[tuple[State, bool]], node: Statement) -> Branches:
        """The outcomes of a condition brought together on its two sides, told apart by one question."""
        sides = [[state for state, truth in outcomes if truth is side] for side in (True, False)]
        leaves = [(self.news(before, state), truth) for state, truth in outcomes]
        found = condition(leaves, node.span, f"`{unknown.shortened(node.text)}` holds") if outcomes else True
        branches: list[State | None] = []
        for side, states in zip((True, False), sides, strict=True):
            if not states:
                branches.append(None)
                continue
            merged = merge(states).copy()
            merged.control = before.control
            if not isinstance(found, bool):
                decision, answer = found
                merged.answers = merged.answers.assume(decision, answer is side)
                merged.control = (*before.control, (decision, answer is side))
            branches.append(merged)
        return Branches(*branches)

    def news(self, before: State, after: State) -> dict[Decision, bool]:
        """The answers that came with a way."""
        return {decision: answer for decision, answer in after.answers.items() if decision not in before.answers}

    # --- branches ---------------------------------------------------------------------------------------------------

    def conditional(self, state: State, node: If) -> State | None:
        """`if`."""
        branches: list[tuple[State | None, Body]] = []
        rest: State | None = state
        for tests, body in node.branches:
            if rest is None:
                break
            found = self.condition(rest, tests)
            branches.append((found.yes, body))
            rest = found.no
        branches.append((rest, node.otherwise or ()))
        return self.branched(state, branches)

    def branched(self, before: State, branches: Iterable[tuple[State | None, Body]]) -> State | None:
        """The state behind alternatives.

        Where one of them ends the script, what follows is reached on the other ones alone. That is a choice to speak
        of only if the one that ends did more than complain.
        """
        ends: list[State | None] = []
        notable = False
        for state, body in branches:
            if state is None:
                continue
            mark = len(self.reading.records)
            after = self.body(state, body)
            ends.append(after)
            done = self.reading.records[mark:]
            notable = notable or (after is None and any(is_notable(record.command) for record in done))
        joined = self.join(before, ends)
        if joined is not None and notable:
            joined.control = (*before.control, *self.news(before, joined).items())
        return joined

    def join(self, before: State, ends: Iterable[State | None]) -> State | None:
        """One state for the ways that are left, where `before` was one state."""
        left = [state for state in ends if state is not None]
        if not left:
            return None
        joined = merge(left).copy()
        joined.control, joined.rounds = before.control, before.rounds
        return joined

    def case(self, state: State, node: Case) -> State | None:
        """`case`."""
        from rlhflint.readers.shell.run.cases import chosen

        found = self.reading.explore(state, lambda way: chosen(self, way, node), node.span)
        indices = sorted({index for _, index in found})
        questions = [self.question(state, found, index, node) for index in indices]
        branches: list[tuple[State | None, Body]] = []
        for index in indices:
            merged = merge([way for way, one in found if one == index]).copy()
            for other, asked in zip(indices, questions, strict=True):
                if asked is not None:
                    merged.answers = merged.answers.assume(asked, other == index)
            merged.control = (*state.control, *self.news(state, merged).items())
            body: Body = ()
            for _, commands, ending in node.items[index:]:
                body += commands
                if ending != ";&":
                    break
            branches.append((merged, body))
        return self.branched(state, branches)

    def question(self, before: State, found: list[tuple[State, int]], index: int, node: Case) -> Decision | None:
        """The question whether an item is chosen, where that takes more than one set of answers."""
        leaves = tuple((self.news(before, way), one == index) for way, one in found)
        if sum(leads for _, leads in leaves) < 2 or all(leads for _, leads in leaves):
            return None
        patterns = node.items[index][0] if index < len(node.items) else ()
        words = f"{unknown.shortened(node.word.text)} is " + " or ".join(pattern.text for pattern in patterns[:4])
        return question(leaves, node.span, words)

    # --- functions and other texts ----------------------------------------------------------------------------------

    def call(self, state: State, function: Function, arguments: Sequence[Traced], node: Simple) -> State | None:
        """The state behind the call of a function."""
        if len(self.reading.calls) >= MOST_CALLS:
            return state
        before = state.copy()
        state.values[ARGUMENTS] = Arguments(tuple(arguments))
        frame = Frame("function")
        after = self.inside(frame, before, state, function.body, node)
        if after is not None:
            for name in frame.local | {ARGUMENTS}:
                if name in before.values:
                    after.values[name] = before.values[name]
                else:
                    after.values.pop(name, None)
        return after

    def inside(self, frame: Frame, before: State, state: State, body: Body, node: Simple) -> State | None:
        """The state behind a body that can be left by `return`."""
        self.frames.append(frame)
        self.reading.calls += (node,)
        after = self.body(state, body)
        self.reading.calls = self.reading.calls[:-1]
        self.frames.pop()
        return self.join(before, [after, *frame.ended])

    def read(self, text: Traced, home: Span) -> Body:
        """The statements of a text that is read as code."""
        plain, carriage_return = without_carriage_returns(text)
        if carriage_return is not None:
            message = "the line ends with a carriage return, which the shell takes for a character of the last word"
            self.reading.problem("carriage-return", carriage_return, message)
        return self.parse(Source(plain, home), 0, len(plain))

    def parse(self, source: Source, start: int, end: int) -> Body:
        """The statements of a part of a text."""
        body, scanned = parse(source, start, end)
        self.reading.note(scanned.problems)
        self.reading.directives.extend(scanned.directives)
        return body

    def evaluate(self, state: State, text: Traced, words: Sequence[Traced], node: Simple) -> State | None:
        """The state behind a text that is read in this very shell, as `eval` does."""
        if len(self.reading.calls) >= MOST_CALLS:
            return state
        body = self.read(text, node.span)
        within, self.reading.within = self.reading.within, (*self.reading.within, tuple(words))
        after = self.inside(Frame("eval"), state.copy(), state, body, node)
        self.reading.within = within
        return after

    def file(self, state: State, text: Traced, home: Span, node: Simple) -> State | None:
        """The state behind a sourced file."""
        if len(self.reading.calls) >= MOST_CALLS:
            return state
        return self.inside(Frame("source"), state.copy(), state, self.read(text, home), node)

    def shell(self, state: State, text: Traced, words: Sequence[Traced], node: Simple) -> None:
        """Go through a text that a shell of its own reads; `state` is what it begins with."""
        if not text.known and not text.text.strip(HOLE + " \t\n"):
            self.reading.problem("not-static", node.span, f"what runs here is not known: {text.because}")
            return
        if len(self.reading.calls) >= MOST_CALLS:
            return
        frames, self.frames = self.frames, [Frame("shell")]
        self.evaluate(state, text, words, node)
        self.frames = frames
