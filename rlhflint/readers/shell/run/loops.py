"""Loops: every round over known words, one round of what is not known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.command import Choice
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.lookup import single
from rlhflint.readers.shell.loosening import loosened, loosened_table
from rlhflint.readers.shell.run.branches import condition, join, news
from rlhflint.readers.shell.run.frame import Frame
from rlhflint.readers.shell.state import ARGUMENTS, DIRECTORY, STATUS, Arguments, Reference, State, Variable
from rlhflint.readers.shell.syntax.tree import Body, For, ForArithmetic, While
from rlhflint.readers.shell.unknown import identity
from rlhflint.text import Span, Traced

if TYPE_CHECKING:
    from rlhflint.readers.shell.run.interpreter import Interpreter

MOST_ROUNDS = 64
"""Rounds of one loop that are gone through one by one."""
MOST_ROUNDS_TOGETHER = 512
"""Rounds of all loops of a script that are gone through one by one."""


def over_words(interpreter: Interpreter, state: State, node: For) -> State | None:
    """`for name in words`, `select`."""

    def expand(way: State) -> list[Traced]:
        if node.words is None:
            return list(way.arguments.words)
        return interpreter.expansion(way).words(node.words)

    ends: list[State | None] = []
    for way, words in interpreter.reading.explore(state, expand, node.span):
        way.lead(state, news(state, way).items())
        way.values[STATUS] = True
        frame = Frame("loop")
        interpreter.frames.append(frame)
        ends.append(_rounds(interpreter, way, node, words))
        interpreter.frames.pop()
        ends.extend(frame.ended)
    return join(state, ends)


def _rounds(interpreter: Interpreter, state: State, node: For, words: Sequence[Traced]) -> State | None:
    before = state.copy()
    current: State | None = state
    if node.chosen:
        chosen = Traced.hole(f"${node.name} is chosen by hand", node.span)
        return _once(interpreter, state, node.body, (node.name, chosen))
    for index, word in enumerate(words):
        if current is None:
            return None
        too_many = index >= MOST_ROUNDS or interpreter.reading.rounds >= MOST_ROUNDS_TOGETHER
        if word.many or too_many:
            if not word.many:
                _too_many_rounds(interpreter, node.span)
            value = single(word) if word.many else Traced.hole(f"${node.name} is one of many words", word.span)
            current = _once(interpreter, current, node.body, (node.name, value or Traced()))
            if too_many:
                break
            continue
        _begin(current, node.name, word)
        round_ = _round(interpreter, current, node.body, _choice(node.name, word, node.span), alone=len(words) == 1)
        current = join(before, round_)
    return current


def _begin(state: State, name: str, word: Traced) -> None:
    """Give the variable of a loop its word: a reference stands for the variable of that name then."""
    if isinstance(state.peek(name), Reference):
        from rlhflint.readers.shell.references import refer

        refer(state, name, word)
    else:
        state.assign(name, word)


def _too_many_rounds(interpreter: Interpreter, span: Span) -> None:
    interpreter.reading.too_many_ways(span, f"the loop has more than {MOST_ROUNDS} rounds")


def _choice(name: str, value: Traced, span: Span) -> Choice:
    return Choice(value.span or span, f"{name} is {unknown.shortened(value.text)}", certain=True)


def _round(
    interpreter: Interpreter, state: State, body: Body, choice: Choice, *, alone: bool = False
) -> list[State | None]:
    """The states behind one round."""
    interpreter.reading.rounds += 1
    frame = interpreter.frames[-1]
    rounds = state.rounds
    if not alone:
        state.rounds = (*rounds, choice)
    after = interpreter.body(state, body)
    continued = list(frame.continued)
    frame.continued.clear()
    ends = [after, *continued]
    for end in ends:
        if end is not None:
            end.rounds = rounds
    return ends


def _once(interpreter: Interpreter, state: State, body: Body, variable: tuple[str, Traced] | None = None) -> State:
    """The state behind any number of rounds, of which one is gone through."""
    before = state.copy()
    frame = interpreter.frames[-1]
    if variable is not None:
        _begin(state, *variable)
    left_before = len(frame.ended)
    ends = [interpreter.body(state, body), *frame.continued, *frame.ended[left_before:]]
    frame.continued.clear()
    del frame.ended[left_before:]
    after = before.copy()
    for end in ends:
        if end is None:
            continue
        after.partial = after.partial or end.partial
        for key, value in end.values.items():
            if key != STATUS and value is not before.values.get(key) and value != before.values.get(key):
                after.values[key] = _loosened(before, after, key, end)
    after.values[STATUS] = None
    return after


def _loosened(before: State, after: State, key: str, end: State) -> object:
    """A value that a loop may change, any number of times."""
    if key == ARGUMENTS:
        return Arguments((Traced.hole("what is left of the arguments", many=True),))
    if key == DIRECTORY:
        return Traced.hole("the loop changes the folder")
    old, new = before.peek(key), end.peek(key)
    because = f"${key} may change in a loop"
    if isinstance(new, Reference):
        return Reference(None, because)
    if not isinstance(new, Variable):
        return end.values[key]
    value = old.value if isinstance(old, Variable) else None
    exported = new.exported or (isinstance(old, Variable) and old.exported)
    if isinstance(value, Traced):
        if isinstance(new.value, Traced) and identity(value) == identity(new.value):
            return old
        hole = Traced.hole(because, value.span, default=value.default)
        return Variable(hole, exported)
    if isinstance(value, tuple) or isinstance(new.value, tuple):
        kept = value if isinstance(value, tuple) else ()
        stays = isinstance(new.value, tuple) and new.value[: len(kept)] == kept
        return Variable((*(kept if stays else ()), Traced.hole(because, many=True)), exported)
    if isinstance(old, Variable) and old.value is not None:
        return Variable(loosened(old, because).value, exported)
    if isinstance(new.value, dict):
        return Variable(loosened_table({}, because), exported)
    return Variable(Traced.hole(because), exported)


def conditional(interpreter: Interpreter, state: State, node: While) -> State | None:
    """`while` and `until`: gone through round by round as long as the condition is known."""
    frame = Frame("loop")
    interpreter.frames.append(frame)
    before = state.copy()
    current: State | None = state
    ends: list[State | None] = []
    status: object = True
    """How the last round ended, which is how the loop does."""
    for index in range(MOST_ROUNDS):
        if current is None:
            break
        start = current.copy()
        found = condition(interpreter, current, node.condition)
        inside, outside = (found.no, found.yes) if node.until else (found.yes, found.no)
        last = index == MOST_ROUNDS - 1 or interpreter.reading.rounds >= MOST_ROUNDS_TOGETHER
        if inside is None or outside is not None or last:
            # It is over, or it is not known for how long it goes on.
            if inside is None:
                if outside is not None:
                    outside.values[STATUS] = status
                ends.append(outside)
            else:
                if outside is None:
                    _too_many_rounds(interpreter, node.span)
                inside.control, inside.reached, inside.answers = start.control, start.reached, start.answers
                ends.append(_once(interpreter, inside, node.body))
            break
        choice = Choice(node.span, f"it is round {index + 1} of the loop", certain=True)
        current = join(before, _round(interpreter, inside, node.body, choice, alone=index == 0))
        if current is not None and _unchanged(current, start):
            # Nothing that the loop goes by changes: it ends by `break` or not at all.
            break
        status = current.values.get(STATUS) if current is not None else None
    interpreter.frames.pop()
    return join(before, [*ends, *frame.ended])


def _unchanged(after: State, before: State) -> bool:
    """Whether a round left everything as it was, but for how its last command ended."""
    return {**after.values, STATUS: None} == {**before.values, STATUS: None}


def counting(interpreter: Interpreter, state: State, node: ForArithmetic) -> State | None:
    """`for ((first; condition; step))`."""
    frame = Frame("loop")
    interpreter.frames.append(frame)
    begun = interpreter.reading.explore(state, lambda way: _evaluated(interpreter, way, node, 0), node.span)
    ends = [_counted(interpreter, way, node) for way, _ in begun]
    interpreter.frames.pop()
    return join(state, [*ends, *frame.ended])


def _counted(interpreter: Interpreter, start: State, node: ForArithmetic) -> State | None:
    """The state behind all rounds of a counting loop that has begun."""
    name = node.source.text[slice(*node.header[0])].partition("=")[0].strip() or "the counter"
    span = node.source.span(*node.header[0])
    current: State | None = start.copy()
    if current is not None:
        current.values[STATUS] = True
    for _ in range(MOST_ROUNDS):
        if current is None:
            return None
        conditions = interpreter.reading.explore(current, lambda way: _evaluated(interpreter, way, node, 1))
        values = {value.text if value.known else "" for _, value in conditions}
        if values == {"0"}:
            return current
        if not values.isdisjoint(("", "0")) or interpreter.reading.rounds >= MOST_ROUNDS_TOGETHER:
            break
        variable = current.peek(name)
        counter = variable.scalar if isinstance(variable, Variable) else None
        choice = _choice(name, counter or Traced(), span)
        current = join(start, _round(interpreter, current, node.body, choice))
        if current is not None:
            stepped = interpreter.reading.explore(current, lambda way: _evaluated(interpreter, way, node, 2))
            current = join(current, [way for way, _ in stepped])
    else:
        _too_many_rounds(interpreter, node.span)
    return _once(interpreter, current, node.body) if current is not None else None


def _evaluated(interpreter: Interpreter, state: State, node: ForArithmetic, part: int) -> Traced:
    """The value of one of the three expressions; one that is empty holds."""
    from rlhflint.readers.shell.expansion.arithmetic import result

    expansion = interpreter.expansion(state)
    text = expansion.arithmetic_text(node.source, *node.header[part])
    if not text.text.strip():
        return Traced.made("1", None)
    return result(expansion, text, node.source.span(*node.header[part]))
