"""Scripts read for tests, every span looked at on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlhflint.command import Command, Script
from rlhflint.readers.shell import read_script
from rlhflint.text import HOLE, Span, Traced

PATH = "scripts/train.sh"


def read(text: str, files: Mapping[str, str] | None = None, path: str = PATH) -> Script:
    """A script as it is read; `files` are those that it may source."""
    script = read_script(Traced.of_file(path, text), path, read_file=(files or {}).get)
    texts = {path: text, **(files or {})}
    for command in script.commands:
        for word in (*command.words, *command.environment.values(), *command.exported.values()):
            _look_at(word, texts)
        _inside(command.span, texts)
        for choice in command.choices:
            _inside(choice.span, texts)
    for problem in script.problems:
        _inside(problem.span, texts)
    return script


def _look_at(word: Traced, texts: Mapping[str, str]) -> None:
    for piece in word.pieces:
        assert (piece.text == HOLE) is (piece.because is not None)
        if piece.span is not None:
            _inside(piece.span, texts)
            if piece.verbatim:
                assert texts[piece.span.path][piece.span.start : piece.span.end] == piece.text


def _inside(span: Span, texts: Mapping[str, str]) -> None:
    assert 0 <= span.start <= span.end <= len(texts[span.path])


def launches(text: str, files: Mapping[str, str] | None = None) -> list[Command]:
    """The commands named `launch`."""
    return [command for command in read(text, files).commands if command.words[0].text == "launch"]


def launch(text: str, files: Mapping[str, str] | None = None) -> Command:
    """The only command named `launch`."""
    [found] = launches(text, files)
    return found


def texts(words: Sequence[Traced]) -> list[str]:
    """Words as text: an unknown part as `<default>` or `<?>`, a word that may be any number of words with `*`."""
    return [shown(word) for word in words]


def shown(word: Traced) -> str:
    parts = []
    for piece in word.pieces:
        if piece.because is None:
            parts.append(piece.text)
        else:
            parts.append(f"<{'?' if piece.default is None else piece.default}>{'*' if piece.many else ''}")
    return "".join(parts)


def arguments(text: str, files: Mapping[str, str] | None = None) -> list[str]:
    """The arguments of the only `launch`, as text."""
    return texts(launch(text, files).words[1:])


def origin(word: Traced, text: str) -> str:
    """The characters of the file that made a word."""
    return "" if word.span is None else text[word.span.start : word.span.end]


def ways(text: str, files: Mapping[str, str] | None = None) -> dict[str, str]:
    """The arguments of every `launch`, and when it gets them."""
    return {
        " and ".join(choice.taken for choice in command.choices): " ".join(texts(command.words[1:]))
        for command in launches(text, files)
    }


def problems(text: str, files: Mapping[str, str] | None = None) -> list[tuple[str, int, str]]:
    """Kind, line and characters of every problem."""
    return [
        (problem.kind, text.count("\n", 0, problem.span.start) + 1, text[problem.span.start : problem.span.end])
        for problem in read(text, files).problems
    ]
