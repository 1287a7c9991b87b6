"""Commands of Dockerfiles: RUN, CMD and ENTRYPOINT in both forms, with the variables that ENV and ARG set.

What follows an ENTRYPOINT in list form are the words of CMD; a CMD in the form of a shell is there `/bin/sh -c` and its
text, or whatever SHELL says (Dockerfile reference, "Understand how CMD and ENTRYPOINT interact").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from rlhflint.expressions import expression
from rlhflint.mapping import Scalar, Series
from rlhflint.readers.embedded.words import command_of, joined
from rlhflint.readers.positioned_json import read_json
from rlhflint.records import dataclass
from rlhflint.text import Piece, Traced
from rlhflint.value import Known

_INSTRUCTION = expression(r"[ \t]*(?P<name>[A-Za-z]+)[ \t]+")
_OPTIONS = expression(r"(?:--[\w-]+(?:=\S+)?[ \t]+)*")
_ESCAPE = expression(r"#[ \t]*escape[ \t]*=[ \t]*`", re.IGNORECASE)
_HEREDOC = expression(r"<<-?[ \t]*(?P<quote>[\"']?)(?P<word>\w+)(?P=quote)")
_PAIR = expression(r"(?<!\S)(?P<name>[A-Za-z_]\w*)=(?P<value>(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|\\.|[^\s\"'\\])*)")
_OLD = expression(r"(?P<name>[A-Za-z_]\w*)[ \t]++(?P<value>.*\S)")
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh"})
_MOST = 500
"""Instructions of one file that are read."""


@dataclass(slots=True)
class _Stage:
    """What the instructions since the last FROM have set."""

    variables: dict[str, Traced] = field(default_factory=dict)
    entrypoint: Traced | None = None
    words: list[Traced] | None = None
    """The words of an ENTRYPOINT in list form, which CMD is appended to."""
    command: Traced | None = None
    command_words: list[Traced] | None = None
    shell: list[Traced] = field(default_factory=lambda: [Traced.made(word, None) for word in ("/bin/sh", "-c")])
    """What a CMD in the form of a shell is given to, as its last word."""

    @property
    def read_by_shell(self) -> bool:
        """Whether what is written in the form of a shell is read by a shell that is known."""
        return any(word.text.rpartition("/")[2] in _SHELLS for word in self.shell)

    def started(self, rest: Traced) -> tuple[list[Traced] | None, Traced | None]:
        """The words of CMD or ENTRYPOINT in list form, or else its text in the form of a shell, empty if not known."""
        words = _words(rest)
        if words is not None:
            return words, None
        return None, rest if self.read_by_shell else Traced()

    def scripts(self) -> Iterator[Traced]:
        """What the container starts."""
        if any(text is not None and not text.text.strip() for text in (self.entrypoint, self.command)):
            return
        if self.words is not None:
            given = self.command_words or []
            if self.command is not None:
                given = [*self.shell, self.command[: len(self.command.text.rstrip())]]
            yield self.with_variables(command_of((*self.words, *given)))
            return
        started = self.entrypoint or self.command
        if started is None and self.command_words is not None:
            started = command_of(self.command_words)
        if started is not None:
            yield self.with_variables(started)

    def with_variables(self, command: Traced) -> Traced:
        return joined((*self.variables.values(), command), "\n")


def dockerfile_scripts(path: str, text: str) -> Iterator[Traced]:
    """One script for each RUN, and one for what a stage starts."""
    traced = Traced.of_file(path, text)
    stage = _Stage()
    for count, (name, rest) in enumerate(_instructions(traced)):
        if count >= _MOST:
            break
        match name:
            case "from":
                yield from stage.scripts()
                stage = _Stage()
            case "env" | "arg":
                stage.variables.update(_variables(rest, given=name == "env"))
            case "run":
                words = _words(rest)
                if words is not None or stage.read_by_shell:
                    yield stage.with_variables(rest if words is None else command_of(words))
            case "entrypoint":
                stage.words, stage.entrypoint = stage.started(rest)
            case "cmd":
                stage.command_words, stage.command = stage.started(rest)
            case "shell":
                stage.shell = _words(rest) or stage.shell
    yield from stage.scripts()


def _instructions(traced: Traced) -> Iterator[tuple[str, Traced]]:
    """The instructions in their order: the name in lower case, and what follows it without comments."""
    escape = "`" if _ESCAPE.match(traced.text) else "\\"
    lines = _lines(traced)
    for line in lines:
        found = _INSTRUCTION.match(line.text)
        if found is None or line.text.lstrip().startswith("#"):
            continue
        parts = [line[found.end() :]]
        while parts[-1].text.rstrip().endswith(escape):
            following = next(lines, None)
            while following is not None and (not following.text.strip() or following.text.lstrip().startswith("#")):
                following = next(lines, None)
            if following is None:
                break
            parts.append(following)
        if escape == "`":
            parts = [_without_escape(part) for part in parts]
        whole = Traced(piece for part in parts for piece in part.pieces)
        options = _OPTIONS.match(whole.text)
        name = found["name"].lower()
        if name == "run" and (heredoc := _HEREDOC.search(whole.text)) is not None:
            body = Traced(piece for part in _until(lines, heredoc["word"]) for piece in part.pieces)
            alone = not whole.text[: heredoc.start()][options.end() if options else 0 :].strip()
            whole = body if alone else Traced((*whole.pieces, *body.pieces, Piece(heredoc["word"] + "\n")))
            options = None if alone else options
        yield name, whole[options.end() if options else 0 :]


def _lines(traced: Traced) -> Iterator[Traced]:
    place = 0
    for line in traced.text.splitlines(keepends=True):
        yield traced[place : place + len(line)]
        place += len(line)


def _without_escape(part: Traced) -> Traced:
    """A line of a file whose escape is the backtick, with the backslash that a shell knows."""
    end = len(part.text.rstrip())
    if not part.text[:end].endswith("`"):
        return part
    return Traced((*part[: end - 1].pieces, Piece("\\", part.span_of(end - 1, end)), *part[end:].pieces))


def _until(lines: Iterator[Traced], word: str) -> Iterator[Traced]:
    for line in lines:
        if line.text.strip() == word:
            return
        yield line


def _words(rest: Traced) -> list[Traced] | None:
    """The words of an instruction in list form; None if it is in the form of a shell."""
    if not rest.text.lstrip().startswith("["):
        return None
    plain = Traced(
        piece
        for start, end, kept in _parts(rest.text)
        for piece in (rest[start:end].pieces if kept else (Piece(" ", rest.span_of(start, end)),))
    )
    root = read_json("", plain).root
    if root is None or not isinstance(root.node, Series):
        return None
    words = [item.node for item in root.node.items]
    texts = [word.text for word in words if isinstance(word, Scalar) and isinstance(word.value, Known)]
    return texts if len(texts) == len(words) else None


def _parts(text: str) -> Iterator[tuple[int, int, bool]]:
    """Stretches of a list over several lines: what stands there, and the escaped line ends between."""
    last = 0
    for found in re.finditer(r"\\[ \t]*\r?\n", text):
        yield last, found.start(), True
        yield found.start(), found.end(), False
        last = found.end()
    yield last, len(text), True


def _variables(rest: Traced, *, given: bool) -> Iterator[tuple[str, Traced]]:
    """Assignments as a shell would make them; an ARG may be given another value when the image is built."""
    pairs = list(_PAIR.finditer(rest.text))
    if not pairs and given:
        blanks = len(rest.text) - len(rest.text.lstrip())
        old = _OLD.match(rest.text.rstrip(), blanks)
        if old is not None:
            value = rest[old.start("value") : old.end("value")]
            yield old["name"], Traced((Piece(f"export {old['name']}="), *command_of([value]).pieces))
    for pair in pairs:
        value = rest[pair.start("value") : pair.end("value")]
        if given:
            yield pair["name"], Traced((Piece("export "), *rest[pair.start() : pair.end()].pieces))
        else:
            head = f"{pair['name']}=${{{pair['name']}:-"
            yield pair["name"], Traced((Piece(head), *value.pieces, Piece("}")))
