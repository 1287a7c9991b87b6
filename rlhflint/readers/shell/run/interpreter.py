"""Statements gone through in their order, on all ways at once."""

from __future__ import annotations

from collections.abc import Sequence

from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.substitute import substitute
from rlhflint.readers.shell.merging import negated
from rlhflint.readers.shell.reading import LONGEST_TEXT, Reading
from rlhflint.readers.shell.run import branches, loops
from rlhflint.readers.shell.run.frame import Frame
from rlhflint.readers.shell.run.mundane import is_mundane
from rlhflint.readers.shell.run.result import Result
from rlhflint.readers.shell.run.simple import perform
from rlhflint.readers.shell.state import ARGUMENTS, DIALECT, STATUS, Arguments, State, function_key, local_key
from rlhflint.readers.shell.syntax.source import Source, without_carriage_returns, without_last_backslash
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

_WORK_OF_PARSING = 16
MOST_CALLS = 16
"""Calls and nested shells that are followed into one another."""


class Interpreter:
    """Goes through the statements of one script and everything it leads to. A state of None: nobody gets there."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.frames: list[Frame] = [Frame("shell")]
        self.parsed: dict[tuple[Source, int], Body] = {}
        """The code of command substitutions, by its place."""
        self.substitutions = 0
        """Command substitutions that are under way, one inside the other."""
        self.substituted: bool | None = True
        """How the last command substitution of a command ended, which is how a command of assignments alone ends."""
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
                return branches.join(state, [after for after, _ in self.simple(state, node)])
            case AndOr():
                first = branches.tested(self, state, node.left)
                run, other = (first.yes, first.no) if node.operator == "&&" else (first.no, first.yes)
                return branches.branched(self, state, [(run, (node.right,)), (other, ())])
            case Negation():
                after = self.statement(state, node.inner)
                if after is not None:
                    after.values[STATUS] = negated(after.values.get(STATUS))
                return after
            case Pipeline():
                state.values[STATUS] = self.pipeline(state, node)
            case Background():
                self.apart(state, (node.inner,))
                state.values[STATUS] = True
            case Subshell():
                state.values[STATUS] = self.apart(state, node.body)
            case Group():
                return self.body(state, node.body)
            case If():
                return branches.conditional(self, state, node)
            case Case():
                return branches.case(self, state, node)
            case For():
                return loops.over_words(self, state, node)
            case ForArithmetic():
                return loops.counting(self, state, node)
            case While():
                return loops.conditional(self, state, node)
            case Function():
                state.values[function_key(node.name)] = node
                state.values[STATUS] = True
        return state

    # --- simple commands --------------------------------------------------------------------------------------------

    def simple(self, state: State, node: Simple) -> list[tuple[State | None, Result]]:
        """The states behind a simple command, one for each way, and how the command went on it."""
        self.reading.place = node.span
        span = None if is_mundane(node) else node.span
        results: list[tuple[State | None, Result]] = []
        for way, result in self.reading.explore(state, lambda way: perform(self, way, node), span):
            after: State | None = way
            if result.then is not None:
                asked = ((one, answer) for one, answer in way.answers.items() if one not in state.answers)
                way.lead(state, asked)
                after = result.then(way)
            else:
                way.values[STATUS] = result.status
            if after is not None:
                after.lead(state, ())
            results.append((after, result))
        return results

    def pipeline(self, state: State, node: Pipeline) -> bool | None:
        """Every part runs in a shell of its own. Whether the pipeline succeeds, None if that is not known."""
        output: Traced | None = None
        statuses: list[bool | None] = []
        for part in node.parts:
            self.input = output
            output = None
            if isinstance(part, Simple):
                frame = Frame("shell")
                self.frames.append(frame)
                results = self.simple(state.copy(), part)
                self.frames.pop()
                output = results[0][1].output if len(results) == 1 else None
                statuses.append(_status([after for after, _ in results], frame))
            else:
                statuses.append(self.apart(state, (part,)))
            self.input = None
        if state.values.get(DIALECT) is not None:
            from rlhflint.readers.shell.run.zsh import end_pipeline

            end_pipeline(state, node.parts[-1])
        # With `pipefail` a part that fails makes the whole fail.
        return statuses[-1] if all(statuses) or statuses[-1] is False else None

    def apart(self, state: State, body: Body) -> bool | None:
        """Run a body in a shell of its own, which leaves the state as it is. Whether that shell succeeds."""
        frame = Frame("shell")
        self.frames.append(frame)
        after = self.body(state.copy(), body)
        self.frames.pop()
        return _status([after], frame)

    # --- functions and other texts ----------------------------------------------------------------------------------

    def call(self, state: State, function: Function, arguments: Sequence[Traced], node: Simple) -> State | None:
        """The state behind the call of a function."""
        if len(self.reading.calls) >= MOST_CALLS or self.reading.recurs_too_often(node):
            return self.unread(state)
        before = state.copy()
        state.values[ARGUMENTS] = Arguments(tuple(arguments))
        frame = Frame("function")
        depth = len(self.frames)
        after = self.inside(frame, before, state, function.body, node)
        if after is not None:
            for name in frame.local | {ARGUMENTS}:
                after.values.pop(local_key(name, depth), None)
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
        return branches.join(before, [after, *frame.ended])

    def read(self, text: Traced, home: Span) -> Body:
        """The statements of a text that is read as code."""
        plain, carriage_return = without_carriage_returns(text)
        if carriage_return is not None:
            message = "the line ends in a carriage return, which the shell takes for a character of the last word"
            self.reading.problem("carriage-return", carriage_return, message)
        source = Source(plain, home, extended=self.reading.extended)
        self.reading.extended = source.extended(len(plain))
        return self.parse(source, 0, len(plain))

    def parse(self, source: Source, start: int, end: int) -> Body:
        """The statements of a part of a text."""
        self.reading.work += _WORK_OF_PARSING * (end - start)
        body, scanned = parse(source, start, end)
        # What a part that is not known stands for may be what is missing, or what makes the rest mean something else.
        self.reading.note(one for one in scanned.problems if one.kind != "syntax" or HOLE not in source.text)
        self.reading.directives.extend(scanned.directives)
        return body

    def evaluate(self, state: State, text: Traced, words: Sequence[Traced], node: Simple) -> State | None:
        """The state behind a text that is read in this very shell, as `eval` does."""
        if len(self.reading.calls) >= MOST_CALLS or len(text) > LONGEST_TEXT:
            self.reading.problem("too-large", node.span, "shell code inside shell code goes too deep to be read")
            return self.unread(state)
        body = self.read(text, node.span)
        state.values[STATUS] = True
        within, self.reading.within = self.reading.within, (*self.reading.within, tuple(words))
        after = self.inside(Frame("eval"), state.copy(), state, body, node)
        self.reading.within = within
        return after

    def file(self, state: State, text: Traced, home: Span, node: Simple) -> State | None:
        """The state behind a sourced file."""
        if len(self.reading.calls) >= MOST_CALLS:
            return self.unread(state)
        state.values[STATUS] = True
        body = self.read(without_last_backslash(text), home)
        return self.inside(Frame("source"), state.copy(), state, body, node)

    def unread(self, state: State) -> State:
        """The state behind code that is not gone through."""
        state.values[STATUS] = None
        return state

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


def _status(ends: Sequence[State | None], frame: Frame) -> bool | None:
    """The status that a shell ends with on every way; None if it is not known or not the same."""
    found = [*(end.values.get(STATUS) for end in ends if end is not None), *frame.exits]
    return found[0] if found and isinstance(found[0], bool) and all(one is found[0] for one in found) else None
