"""Files that a script sources."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.decision import Split
from rlhflint.readers.shell.loosening import loosened_words
from rlhflint.readers.shell.references import loosen_all
from rlhflint.readers.shell.run.call import Call
from rlhflint.readers.shell.run.folder import within_folder
from rlhflint.readers.shell.state import ARGUMENTS, Arguments, State
from rlhflint.text import HOLE, Span, Traced

if TYPE_CHECKING:
    from rlhflint.readers.shell.reading import Reading

_MOST_FILES = 32
_DEEPEST = 8
_LONGEST = 1_000_000
_SETS_UP = expression(
    r"(?:^|/)(?:activate[\w.-]*|\.?bash_?rc|\.profile|\.bash_profile|\.zshrc|profile|conda\.sh|mamba\.sh|setvars\.sh)$"
)
"""Files that prepare a shell for its user; they leave the variables of a script alone."""


def source_file(call: Call, state: State) -> State | None:
    """The state behind `source file arguments`."""
    reading, target = call.interpreter.reading, call.words[1]
    before = state.values.get(ARGUMENTS)
    path, text = _find(reading, target, state)
    if text is None:
        if not _SETS_UP.search(target.text) and not target.text.startswith(("/", "~")):
            _may_change(call, state)
        return call.interpreter.unread(state)
    if path in reading.reading_files or len(reading.sourced) >= _MOST_FILES or len(reading.reading_files) >= _DEEPEST:
        return call.interpreter.unread(state)
    reading.sourced.setdefault(path)
    if len(call.words) > 2:
        state.values[ARGUMENTS] = Arguments(tuple(call.words[2:]))
    reading.reading_files.append(path)
    after = call.interpreter.file(state, Traced.of_file(path, text[:_LONGEST]), Span(path, 0, 0), call.node)
    reading.reading_files.pop()
    if after is not None and len(call.words) > 2 and before is not None:
        after.values[ARGUMENTS] = before
    return after


def _find(reading: Reading, target: Traced, state: State) -> tuple[str, str | None]:
    """The path and text of a file; no text where it cannot be found or read."""
    if reading.read_file is None:
        return "", None
    candidates, certain = _candidates(reading.path, target, state.directory)
    for path in candidates:
        text = reading.read_file(path)
        if text is not None:
            return path, text
    named = target.known and "/" in target.text
    if candidates and (certain or named) and not _SETS_UP.search(target.text):
        span = target.span
        if span is not None:
            written = target.text.replace(HOLE, "…").lstrip("…/")
            reading.problem("sourced-file-missing", span, f"there is no file {written} to source")
    return "", None


def _candidates(script: str, target: Traced, directory: Traced | None) -> tuple[list[str], bool]:
    """Where a file may be, in the order of likelihood; and whether it can be nowhere else."""
    whole = within_folder(directory, target)
    folder = posixpath.dirname(script)
    first = whole.pieces[0] if whole.pieces else None
    if first is None or whole.text.startswith(("/", "~")):
        return [], False
    if first.because == unknown.SCRIPT_FOLDER:
        rest = whole[1 : len(whole)]
        return ([_joined(folder, rest.text.lstrip("/"))], True) if rest.known else ([], False)
    if first.because == unknown.START_FOLDER:
        whole = whole[1 : len(whole)]
        whole = whole[len(whole.text) - len(whole.text.lstrip("/")) : len(whole)]
    if not whole.known or not whole.text:
        return [], False
    candidates = []
    for _ in range(_DEEPEST):
        candidates.append(_joined(folder, whole.text))
        if not folder or folder in ("/", ".") or folder.startswith(".."):
            break
        folder = posixpath.dirname(folder)
    return list(dict.fromkeys(candidates)), False


def _joined(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))


def _may_change(call: Call, state: State) -> None:
    """A file that is not read may change whatever it shares with the script: variables, arguments, functions."""
    name = unknown.shortened(call.words[1].text)
    because = f"may be changed by {name}, which is not read"
    loosen_all(state, because)
    given = state.peek(ARGUMENTS)
    if len(call.words) == 2 and isinstance(given, Arguments) and not any(word.many for word in given.words):
        state.values[ARGUMENTS] = replace(given, words=loosened_words(given.words, f"$@ {because}"))
    yes, no = f"{name} replaces the functions of the script", f"{name} leaves the functions of the script alone"
    span = call.words[1].span or call.node.span
    replaced = call.interpreter.reading.register.test("replaces", (name,), "", span, yes, no)
    for key, value in list(state.values.items()):
        if key.endswith("()") and value is not None:
            state.values[key] = Split(replaced, None, value)
