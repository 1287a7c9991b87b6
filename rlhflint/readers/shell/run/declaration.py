"""`export`, `declare`, `local`, `readonly` and `unset`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rlhflint.expressions import expression
from rlhflint.readers.shell.expansion.assignment import Assignment, array_of, assign, give, read_assignment
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.run.call import Call
from rlhflint.readers.shell.run.frame import Frame
from rlhflint.readers.shell.run.result import Result
from rlhflint.readers.shell.state import Reference, State, Variable, local_key
from rlhflint.readers.shell.syntax.word import NAME, Word
from rlhflint.records import dataclass
from rlhflint.text import Piece, Traced

DECLARATIONS = frozenset({"export", "declare", "typeset", "local", "readonly"})
"""Commands whose arguments are assignments: they are not split into words."""
_ASSIGNMENT = expression(r"([A-Za-z_]\w*)(\[[^\]]*\])?(\+?)=", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Declaration:
    """What the name and the options of a declaration say about its variables."""

    name: str
    on: str
    off: str
    frame: Frame | None
    """The function whose variables they become, if they do."""
    depth: int

    @property
    def refers(self) -> bool:
        return "n" in self.on and self.name != "export"

    @property
    def exported(self) -> bool:
        return self.name == "export" or "x" in self.on

    @property
    def withdrawn(self) -> bool:
        return "x" in self.off or ("n" in self.on and self.name == "export")

    def is_new(self, state: State, name: str) -> bool:
        """Whether the declaration hides a variable of the same name from the rest of the function."""
        return self.frame is not None and state.peek(local_key(name, self.depth)) is None

    def begin(self, state: State, name: str) -> str:
        """Declare a variable before it gets its value; gives its name, which may be another one for a reference."""
        if self.frame is not None and self.is_new(state, name):
            self.frame.local.add(name)
            state.values[local_key(name, self.depth)] = True
            old = state.peek(name)
            exported = isinstance(old, Variable) and old.exported
            state.values[name] = Variable({} if "A" in self.on else None, exported)
        if isinstance(state.peek(name), Reference):
            if self.refers or "n" in self.off:
                return name
            from rlhflint.readers.shell.references import target

            name = target(state, name).name or name
        options = self.on + self.off
        if any(letter in options for letter in "iulcAa") and not isinstance(state.peek(name), Reference):
            self._mark(state, name)
        return name

    def _mark(self, state: State, name: str) -> None:
        variable = state.variable(name) or Variable(None)
        if variable.value is None and ("A" in self.on or "a" in self.on):
            variable = variable.with_value({} if "A" in self.on else ())
        letters = next((letter for letter in reversed(self.on) if letter in "ulc"), variable.letters)
        integer = ("i" in self.on or variable.integer) and "i" not in self.off
        kept = "" if letters in self.off else letters
        state.values[name] = replace(variable, integer=integer, letters=kept)

    def value(self, expansion: Expansion, name: str, value: Traced, *, appends: bool) -> Traced | None:
        """Give a declared variable its value."""
        state = expansion.state
        if not self.refers:
            return give(expansion, self.begin(state, name), value, appends=appends, exported=self.exported)
        if value.text == name:
            # The shell complains, and takes a variable of that name from somewhere outside of the function.
            state.values[name] = Reference(None, f"${name} refers to itself")
            return None
        from rlhflint.readers.shell.references import refer

        self.begin(state, name)
        refer(state, name, value)
        return None

    def bare(self, state: State, name: str) -> None:
        """Declare a variable that is given no value."""
        from_before = None if self.is_new(state, name) else state.variable(name)
        target = self.begin(state, name)
        if self.refers and not isinstance(state.peek(name), Reference):
            from rlhflint.readers.shell.references import refer

            refer(state, name, from_before.scalar if from_before is not None else None)
        elif "n" in self.off and isinstance(state.peek(name), Reference):
            from rlhflint.readers.shell.references import name_of

            state.values[name] = Variable(name_of(state, name, None))
        elif self.exported or self.withdrawn:
            state.export(target, exported=not self.withdrawn)

    def array(self, expansion: Expansion, assignment: Assignment) -> None:
        """Assign an array, or an element of one."""
        state, name = expansion.state, assignment.name
        if assignment.words is None:
            assign(expansion, replace(assignment, name=self.begin(state, name)), exported=self.exported)
            return
        new = self.is_new(state, name)
        old = Variable({} if "A" in self.on else ()) if new else state.variable(name)
        value = array_of(expansion, assignment, old, table="A" in self.on)
        state.assign(self.begin(state, name), value, exported=self.exported)


def _declaration(words: Sequence[Traced], frames: Sequence[Frame]) -> _Declaration:
    on = off = ""
    for word in words[1:]:
        if word.text == "--" or word.text[:1] not in ("-", "+"):
            break
        if word.text[0] == "-":
            on += word.text[1:]
        else:
            off += word.text[1:]
    name = words[0].text
    if name in ("local", "declare", "typeset") and "g" not in on:
        for depth, frame in reversed(list(enumerate(frames))):
            if frame.kind == "function":
                return _Declaration(name, on, off, frame, depth)
    return _Declaration(name, on, off, None, 0)


def declared(
    expansion: Expansion, written: Sequence[Word], frames: Sequence[Frame]
) -> tuple[list[Traced], frozenset[int]]:
    """The words of a declaration, and which of them are arrays.

    bash expands all words first, and then assigns what they say; arrays alone it assigns on the way.
    """
    found: list[Traced] = []
    arrays = set()
    for word in written:
        assignment = read_assignment(word)
        if assignment is None:
            found.extend(expansion.fields(word))
        elif assignment.words is None and assignment.subscript is None:
            found.append(word.source.cut(word.start, assignment.value.start) + expansion.text(assignment.value))
        else:
            _declaration(found, frames).array(expansion, assignment)
            arrays.add(len(found))
            found.append(word.source.cut(word.start, word.end))
    return found, frozenset(arrays)


def declare(call: Call) -> Result:
    """`export`, `declare`, `local`, `readonly`."""
    declaration = _declaration(call.words, call.interpreter.frames)
    if any(letter in "pfF" for letter in declaration.on):
        return Result()
    for at, word in enumerate(call.words):
        found = _ASSIGNMENT.match(word.text) if at and at not in call.arrays else None
        if found is not None and found[2]:
            because = f"may be an element that is not known of ${found[1]}"
            call.state.assign(declaration.begin(call.state, found[1]), (Traced.hole(because, many=True),))
        elif found is not None:
            value = word[found.end() : len(word)] or Traced([Piece("", word.span)])
            assigned = declaration.value(call.expansion, found[1], value, appends=bool(found[3]))
            call.interpreter.reading.assigned(found[1], assigned)
        elif at and at not in call.arrays and NAME.fullmatch(word.text):
            declaration.bare(call.state, word.text)
    return Result(status=True, output=Traced())


def unset(call: Call) -> Result:
    """`unset NAME…`: variables, elements of arrays, or functions with `-f`."""
    functions = any(word.text == "-f" for word in call.words[1:2])
    references = any(word.text == "-n" for word in call.words[1:2])
    for word in call.words[1:]:
        name, _, subscript = word.text.partition("[")
        if word.text.startswith("-") or not word.known:
            continue
        if functions:
            call.state.values.pop(name + "()", None)
            continue
        if not references and isinstance(call.state.peek(name), Reference):
            from rlhflint.readers.shell.references import target

            found = target(call.state, name)
            if not found.name:
                call.state.assign(name, None)
                continue
            name = found.name
        if not subscript:
            call.state.values[name] = Variable(None)
        else:
            call.state.values[name] = Variable((Traced.hole(f"an element of ${name} was removed", many=True),))
    return Result(status=True, output=Traced())
