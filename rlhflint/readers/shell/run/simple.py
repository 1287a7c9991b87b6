"""Simple commands on one way: words expanded, assignments made, built-in commands carried out, others recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.command import Command, Redirect
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.assignment import Assignment, assign, read_assignment
from rlhflint.readers.shell.expansion.brackets import Conditions
from rlhflint.readers.shell.expansion.condition import Operand, ask, called
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.output import output_of
from rlhflint.readers.shell.run import nested
from rlhflint.readers.shell.run.builtin import BUILTINS
from rlhflint.readers.shell.run.call import Call
from rlhflint.readers.shell.run.declaration import DECLARATIONS, declared
from rlhflint.readers.shell.run.mundane import is_mundane
from rlhflint.readers.shell.run.result import Result
from rlhflint.readers.shell.state import State, function_key
from rlhflint.readers.shell.syntax.lexing import test_words
from rlhflint.readers.shell.syntax.tree import Function, Simple
from rlhflint.readers.shell.syntax.word import Word
from rlhflint.readers.shell.unknown import identity
from rlhflint.text import Traced

if TYPE_CHECKING:
    from rlhflint.readers.shell.run.interpreter import Interpreter

_MOST_QUESTIONS = 2
"""Questions on one way after which the environment of a command is no longer told apart."""


def perform(interpreter: Interpreter, state: State, node: Simple) -> Result:
    """Carry out a command. Raises `Undecided` where it differs between ways."""
    expansion = interpreter.expansion(state)
    match node.kind:
        case "arithmetic":
            return Result(arithmetic_truth(expansion, node, node.tokens[0].start + 2, node.tokens[0].end - 2), Traced())
        case "test":
            return Result(_extended_test(expansion, node), Traced())
    state.blurred = is_mundane(node)
    try:
        return _Performance(interpreter, state, node, expansion).run()
    finally:
        state.blurred = False


def arithmetic_truth(expansion: Expansion, node: Simple, start: int, end: int) -> bool:
    """Whether the expression of `((…))` is other than zero."""
    from rlhflint.readers.shell.expansion.arithmetic import result

    text = expansion.arithmetic_text(node.source, start, end)
    value = result(expansion, text, node.span)
    if value.known:
        return value.text != "0"
    words = unknown.shortened(node.source.text[start:end])
    subject = (*identity(text), value.because, value.default)
    return ask(expansion, "arithmetic", subject, "", node.span, words, f"not ({words})")


def _extended_test(expansion: Expansion, node: Simple) -> bool:
    token = node.tokens[0]
    operands = []
    for word in test_words(node.source, token.start + 2, token.end - 2):
        segments = expansion.segments(word.source, word.parts, quoted=False)
        operands.append(Operand(expansion.joined(segments), called(word), segments, word.text))
    return Conditions(expansion, node.span).extended(operands)


class _Performance:
    """One simple command on one way."""

    def __init__(self, interpreter: Interpreter, state: State, node: Simple, expansion: Expansion) -> None:
        self.interpreter = interpreter
        self.reading = interpreter.reading
        self.state = state
        self.node = node
        self.expansion = expansion
        self.known = state.answers
        assignments = []
        for word in node.words:
            assignment = read_assignment(word)
            if assignment is None:
                break
            assignments.append(assignment)
        self.assignments: list[Assignment] = assignments
        self.written = node.words[len(assignments) :]
        self.arrays: frozenset[int] = frozenset()

    def run(self) -> Result:
        self.interpreter.substituted = True
        words = self.words()
        if not words:
            for assignment in self.assignments:
                value = assign(self.expansion, assignment)
                self.reading.assigned(assignment.name, value)
            return Result(self.interpreter.substituted, Traced())
        name = words[0].text if words[0].known else ""
        function = self.state.get(function_key(name)) if name else None
        if isinstance(function, Function):
            return self.function(function, words)
        if name in BUILTINS:
            return self.builtin(name, words)
        return self.program(words)

    def words(self) -> list[Traced]:
        if self.written and self.written[0].text in DECLARATIONS:
            found, self.arrays = declared(self.expansion, self.written, self.interpreter.frames)
            return found
        return self.expansion.words(self.written)

    def environment(self) -> dict[str, Traced]:
        """The variables in front of the command; they see one another, the command's own words do not see them."""
        if not self.assignments:
            return {}
        inner = self.state.copy()
        expansion = self.interpreter.expansion(inner)
        found = {}
        for assignment in self.assignments:
            value = assign(expansion, assignment)
            found[assignment.name] = value if value is not None else Traced()
        return found

    def redirects(self) -> tuple[Redirect, ...]:
        source = self.node.source
        found = []
        for one in self.node.redirections:
            if one.body is not None:
                body = self.expansion.document(source, *one.body, literal=one.literal)
                target = body if one.operator != "<<-" else nested.without_tabs(body)
            else:
                target = self.expansion.text(Word(source, *one.target))
            found.append(Redirect(one.operator, target))
        return tuple(found)

    def exported(self) -> dict[str, Traced]:
        """The exported variables. Of those that differ between ways only a few are told apart."""
        if self.state.blurred:
            return {}
        asked = len(self.state.answers) - len(self.reading.before)
        self.state.blurred = asked > _MOST_QUESTIONS
        try:
            return self.state.exported()
        finally:
            self.state.blurred = False

    def record(self, words: Sequence[Traced]) -> Command:
        environment = self.environment()
        exported = {name: value for name, value in self.exported().items() if name not in environment}
        command = Command(
            words=tuple(words),
            span=self.node.span,
            environment=environment,
            exported=exported,
            redirects=self.redirects(),
            directory=self.state.directory,
        )
        self.reading.record(self.node, command, self.state)
        return command

    # --- what can be run --------------------------------------------------------------------------------------------

    def function(self, function: Function, words: Sequence[Traced]) -> Result:
        before = {one.name: self.state.values.get(one.name) for one in self.assignments}

        def then(state: State) -> State | None:
            after = self.interpreter.call(state, function, words[1:], self.node)
            return _restored(after, before)

        for assignment in self.assignments:
            assign(self.expansion, assignment, exported=True)
        return Result(then=then)

    def builtin(self, name: str, words: Sequence[Traced]) -> Result:
        command = self.record(words) if name not in ("[", "test", "(") else None
        before = {one.name: self.state.values.get(one.name) for one in self.assignments}
        for assignment in self.assignments:
            assign(self.expansion, assignment)
        standard_input = nested.standard_input(command.redirects) if command is not None else None
        if standard_input is None:
            standard_input = self.interpreter.input
        call = Call(
            self.interpreter,
            self.state,
            self.expansion,
            self.node,
            self.written,
            tuple(words),
            standard_input,
            self.arrays,
        )
        result = BUILTINS[name](call)
        if before and result.then is None:
            _restored(self.state, before)
        return result

    def program(self, words: Sequence[Traced]) -> Result:
        command = self.record(words)
        if not words[0].known and words[0].default is None:
            message = f"what runs here is not known: {words[0].because}"
            self.reading.problem("not-static", self.node.span, message)
        scripts = nested.scripts_of(command, self.interpreter.input)
        output = output_of(self.expansion, command)
        if not scripts:
            return Result(None if output is None or command.words[0].text == "expr" else True, output)

        def then(state: State) -> State | None:
            for script in scripts:
                inner = nested.beginning(state, script, command.environment)
                self.interpreter.shell(inner, script.text, words, self.node)
            return self.interpreter.unread(state)

        return Result(output=output, then=then)


def _restored(state: State | None, before: dict[str, object]) -> State | None:
    """The state with variables that were set for one command alone as they were."""
    for name, value in before.items():
        if state is not None and value is not None:
            state.values[name] = value
        elif state is not None:
            state.values.pop(name, None)
    return state
