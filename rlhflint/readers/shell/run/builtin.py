"""Built-in commands that change what the shell remembers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.brackets import Conditions
from rlhflint.readers.shell.expansion.condition import Operand, called
from rlhflint.readers.shell.expansion.input import read_array, read_variables
from rlhflint.readers.shell.expansion.output import formatted, output_of
from rlhflint.readers.shell.run import nested
from rlhflint.readers.shell.run.call import Call
from rlhflint.readers.shell.run.declaration import DECLARATIONS, declare, unset
from rlhflint.readers.shell.run.folder import change_folder, leave_folder
from rlhflint.readers.shell.run.frame import Frame
from rlhflint.readers.shell.run.result import Result
from rlhflint.readers.shell.state import ARGUMENTS, STATUS, Arguments, State
from rlhflint.readers.shell.syntax.word import NAME
from rlhflint.text import Traced


def _true(call: Call) -> Result:
    return Result(status=True, output=Traced())


def _false(call: Call) -> Result:
    return Result(status=False, output=Traced())


def _set(call: Call) -> Result:
    words = call.words[1:]
    for index, word in enumerate(words):
        if word.text in ("--", "-"):
            call.state.values[ARGUMENTS] = Arguments(tuple(words[index + 1 :]))
            return Result(status=True, output=Traced())
        if word.text[:1] not in ("-", "+"):
            if index == 0 or words[index - 1].text not in ("-o", "+o", "-eo", "-euo", "-exo", "-euxo", "-uo", "-xeuo"):
                call.state.values[ARGUMENTS] = Arguments(tuple(words[index:]))
                break
        elif "a" in word.text[1:]:
            call.state.allexport = word.text.startswith("-")
    return Result(status=True, output=Traced())


def _setopt(call: Call) -> Result:
    from rlhflint.readers.shell.expansion.zsh import change_options

    change_options(call.state)
    return Result()


def _shift(call: Call) -> Result:
    count = call.words[1].text if len(call.words) > 1 else "1"
    arguments = call.state.arguments
    words, shifted = list(arguments.words), arguments.shifted
    if not count.isdecimal():
        call.state.values[ARGUMENTS] = Arguments((Traced.hole(unknown.ARGUMENTS, many=True),), shifted)
        return Result(status=True, output=Traced())
    there = None if any(word.many for word in words) else len(words)
    if there is not None and int(count) > there:
        return Result(status=False, output=Traced())
    for _ in range(min(int(count), 1000)):
        if words and words[0].many:
            shifted += words[0].because == unknown.ARGUMENTS
        elif words:
            words.pop(0)
    call.state.values[ARGUMENTS] = Arguments(tuple(words), shifted)
    return Result(status=None if there is None else True, output=Traced())


def _let(call: Call) -> Result:
    from rlhflint.readers.shell.expansion.arithmetic import result

    value = Traced()
    for word in call.words[1:]:
        value = result(call.expansion, word, word.span or call.node.span)
    return Result(status=value.text != "0" if value.known else None, output=Traced())


def _test(call: Call) -> Result:
    """`[ … ]` and `test …`."""
    operands = [Operand(field, called(word)) for word in call.written[1:] for field in call.expansion.fields(word)]
    if call.words[0].text == "[":
        if not operands or operands[-1].text.text != "]":
            return Result(status=None, output=Traced())
        operands.pop()
    return Result(status=Conditions(call.expansion, call.node.span).test(operands), output=Traced())


def _eval(call: Call) -> Result:
    text = nested.joined(call.words[1:])

    def then(state: State) -> State | None:
        if not text.known and not text.text.strip("\U0010fffd \t\n"):
            message = f"what runs here is not known: {text.because}"
            call.interpreter.reading.problem("not-static", call.node.span, message)
            return call.interpreter.unread(state)
        return call.interpreter.evaluate(state, text, call.words, call.node)

    return Result(then=then)


def _source(call: Call) -> Result:
    from rlhflint.readers.shell.run.sourcing import source_file

    return Result(then=lambda state: source_file(call, state)) if len(call.words) > 1 else Result()


def _exit(call: Call) -> Result:
    def then(state: State) -> None:
        shell = next(frame for frame in reversed(call.interpreter.frames) if frame.kind == "shell")
        shell.exits.append(_given(call, state))

    return Result(then=then)


def _given(call: Call, state: State) -> object:
    """The status that `exit` or `return` is given: without one it is that of the last command."""
    if len(call.words) == 1:
        return state.values.get(STATUS)
    status = call.words[1].text
    return int(status) % 256 == 0 if status.isdecimal() and len(status) < 6 else None


def _return(call: Call) -> Result:
    def then(state: State) -> None:
        state.values[STATUS] = _given(call, state)
        for frame in reversed(call.interpreter.frames):
            if frame.kind in ("function", "source"):
                frame.ended.append(state)
                return
            if frame.kind == "shell":
                frame.exits.append(state.values[STATUS])
                return

    return Result(then=then)


def _break(call: Call) -> Result:
    text = call.words[1].text if len(call.words) > 1 else "1"
    levels = int(text) if text.isdecimal() and len(text) < 4 else 1

    def then(state: State) -> State | None:
        state.values[STATUS] = True
        loops = _loops(call.interpreter.frames)
        if not loops:
            return state
        frame = loops[-min(levels, len(loops)) or -1]
        (frame.continued if call.words[0].text == "continue" else frame.ended).append(state)
        return None

    return Result(then=then)


def _loops(frames: Sequence[Frame]) -> list[Frame]:
    """The loops that can be left: those of this shell and function."""
    found: list[Frame] = []
    for frame in frames:
        if frame.kind in ("function", "shell"):
            found.clear()
        elif frame.kind == "loop":
            found.append(frame)
    return found


def _exec(call: Call) -> Result:
    """`exec`: with a command it ends the script; without one it redirects."""
    if len(call.words) == 1:
        return Result(status=True, output=Traced())
    record = call.interpreter.reading.records[-1].command
    scripts = nested.scripts_of(replace(record, words=record.words[1:]), None)

    def then(state: State) -> None:
        for script in scripts:
            inner = nested.beginning(state, script, record.environment)
            call.interpreter.shell(inner, script.text, call.words, call.node)

    return Result(then=then)


def _read(call: Call) -> Result:
    read_variables(call.expansion, call.words, call.input, call.node.span)
    return Result(output=Traced())


def _readarray(call: Call) -> Result:
    read_array(call.expansion, call.words, call.input, call.node.span)
    return Result(status=True, output=Traced())


def _printf(call: Call) -> Result:
    words = call.words
    if len(words) > 3 and words[1].text == "-v" and NAME.fullmatch(words[2].text):
        value = formatted(words[3:])
        because = f"${words[2].text} is made by printf"
        call.state.assign(words[2].text, value if value is not None else Traced.hole(because, call.node.span))
        return Result(status=True, output=Traced())
    return Result(status=True, output=formatted(words[1:]))


def _getopts(call: Call) -> Result:
    if len(call.words) > 2 and NAME.fullmatch(call.words[2].text):
        call.state.assign(call.words[2].text, Traced.hole("an option of the script", call.node.span))
    call.state.assign("OPTARG", Traced.hole("the value of an option of the script", call.node.span))
    return Result(output=Traced())


def _prints(call: Call) -> Result:
    command = call.interpreter.reading.records[-1].command
    return Result(status=True, output=output_of(call.expansion, command))


BUILTINS: Mapping[str, Callable[[Call], Result]] = {
    ":": _true,
    "true": _true,
    "false": _false,
    **dict.fromkeys(DECLARATIONS, declare),
    "unset": unset,
    "set": _set,
    **dict.fromkeys(("setopt", "unsetopt", "emulate"), _setopt),
    "shift": _shift,
    "let": _let,
    "cd": change_folder,
    "pushd": change_folder,
    "popd": leave_folder,
    "test": _test,
    "[": _test,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "exit": _exit,
    "return": _return,
    "break": _break,
    "continue": _break,
    "exec": _exec,
    "read": _read,
    "mapfile": _readarray,
    "readarray": _readarray,
    "printf": _printf,
    "getopts": _getopts,
    "echo": _prints,
    "pwd": _prints,
}
