"""The skeleton of a shell text: what is left of it when every word is a row of `x`.

It is as long as the text and made of ASCII, so that its byte offsets are the text's characters. Keywords and operators
stand at their places; comments, here-documents, continued line ends and `!`, which the parser understands in front of a
simple command alone, are blank. A parser that reads it cannot trip over a word. What a shell refuses is noted and
mended while it is written, so that the rest can be read.
"""

from __future__ import annotations

from enum import Enum, auto

from rlhflint.command import Problem
from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.frames import KEYWORDS, Frames
from rlhflint.readers.shell.syntax.source import Source


class Expects(Enum):
    """What the shell expects at a place."""

    COMMAND = auto()
    ARGUMENT = auto()
    SEPARATOR = auto()
    """Behind `fi`, `done`, `}`, `)`, `]]`: redirections, an operator, a line end or another closing keyword."""
    PATTERN = auto()
    LOOP_NAME = auto()
    LOOP_IN = auto()
    LOOP_WORD = auto()
    CASE_WORD = auto()
    CASE_IN = auto()
    FUNCTION_NAME = auto()


_BEHIND_NAME = {
    Expects.LOOP_NAME: Expects.LOOP_IN,
    Expects.CASE_WORD: Expects.CASE_IN,
    Expects.FUNCTION_NAME: Expects.COMMAND,
}
_IN = expression(r"\s*in(?=[ \t\n;])")
_OPENING = frozenset({"if", "while", "until", "for", "select", "case", "function", "{", "time", "coproc", "!"})
_END_EXPECTED = "the shell expects the end of the command here"
_QUOTE = "if it belongs to a word, write the word in quotes"
_BEHIND_KEYWORD = {"for": Expects.LOOP_NAME, "select": Expects.LOOP_NAME, "case": Expects.CASE_WORD}


class Skeleton:
    """The skeleton in the making, with the state of the shell's grammar at the place reached."""

    def __init__(self, source: Source, start: int, end: int, problems: list[Problem], negations: list[int]) -> None:
        self.source = source
        self.start = start
        self.end = end
        self.problems = problems
        self.negations = negations
        self.text = bytearray(b" ") * (end - start)
        self.frames = Frames()
        self.expects = Expects.COMMAND
        self.began = start
        """Where the current command begins."""
        self._operator: tuple[int, int] | None = None
        """An operator, or the head of a function, that a command has to follow."""
        self._prefixed = False
        """`time` or `!` stands before, behind which a command need not follow."""

    def problem(
        self, kind: str, start: int, end: int, message: str, remedy: str | None = None, *, hint: str = ""
    ) -> None:
        """Note a problem at `start` to `end` of the text."""
        self.problems.append(Problem(kind, self.source.span(start, end), message, remedy, hint))

    def put(self, start: int, end: int, text: bytes) -> None:
        """Write `text`; a single character fills the whole stretch."""
        start, end = start - self.start, min(end, self.end) - self.start
        row = text * (end - start) if len(text) == 1 else text.ljust(end - start)
        self.text[start:end] = row[: end - start]

    def is_keyword(self, word: str) -> bool:
        """Whether a word without quotes is a keyword at this place."""
        match self.expects:
            case Expects.COMMAND | Expects.SEPARATOR:
                return word in KEYWORDS
            case Expects.PATTERN:
                return word == "esac"
            case Expects.LOOP_IN:
                return word in ("in", "do")
            case Expects.CASE_IN:
                return word == "in"
        return False

    def line_end(self, at: int) -> None:
        """A line ends at `at`."""
        if self.expects in (Expects.CASE_WORD, Expects.CASE_IN, Expects.LOOP_NAME):
            return
        if self.expects is Expects.LOOP_IN and _IN.match(self.source.text, at, self.end):
            return
        self.put(at, at + 1, b"\n")
        if self.expects is not Expects.PATTERN:
            self.expects = Expects.COMMAND

    def word(self, start: int, end: int) -> None:
        """A word that is no keyword."""
        self.put(start, end, b"x")
        if self.expects is Expects.COMMAND:
            if self._operator is not None and self.source.text[self._operator[1] - 1] == ")":
                self.problem("syntax", start, end, "the body of a function begins with `{` or `(`")
            self.begin(start)
        elif self.expects is Expects.SEPARATOR:
            self.problem("syntax", start, end, _END_EXPECTED)
            self.expects = Expects.ARGUMENT
        else:
            self.expects = _BEHIND_NAME.get(self.expects, self.expects)

    def redirection(self, start: int, end: int) -> None:
        """A redirection, of a command or of what was just closed."""
        if self.expects is Expects.SEPARATOR:
            return
        if self.expects is Expects.COMMAND:
            self.begin(start)
        self.put(start, end, b"x")

    def begin(self, at: int) -> None:
        """A command begins."""
        top = self.frames.top
        if top is not None and top.kind == "loop" and top.stage == "words":
            message = f"`do` is missing between `{top.word}` and this command"
            self.problem("syntax", at, at + 1, message, hint="write `do` before it")
            top.stage = "body"
        self.began = at
        self.expects = Expects.ARGUMENT
        self.frames.empty = False
        self._operator = None
        self._prefixed = False

    def closed(self, start: int, end: int) -> None:
        """`((…))` or `[[…]]`, a whole command."""
        if self.expects is Expects.LOOP_NAME:
            # `for ((…))` is written as a loop over words, which the parser reads in every form.
            self.put(start, end, b"x")
            self.put(start + 1, start + 5, b" in ")
            self.expects = Expects.LOOP_WORD
            return
        self.begin(start)
        self.put(start, end, b"x")
        self.expects = Expects.SEPARATOR

    def keyword(self, word: str, start: int, end: int) -> None:
        """A keyword other than `[[`."""
        if word == "in":
            self.put(start, end, b"in")
            self._stage("words" if self.expects is Expects.LOOP_IN else "patterns")
            self.expects = Expects.LOOP_WORD if self.expects is Expects.LOOP_IN else Expects.PATTERN
            return
        self._operator = None
        if self.expects is Expects.SEPARATOR and word in _OPENING:
            self.problem("syntax", start, end, _END_EXPECTED)
        self._prefixed = word in ("time", "!")
        if word == "!":
            self.negations.append(start)
        if word in ("time", "coproc", "!"):
            return
        if word == "function":
            self.put(start, end, word.encode())
            self.expects = Expects.FUNCTION_NAME
            return
        if self.expects in (Expects.SEPARATOR, Expects.LOOP_IN) and self.text[start - 1 - self.start :][:1] == b" ":
            # The parser wants a separator where the shell does not need one: `(a) then`, `fi fi`, `for x do`.
            self.put(start - 1, start, b";")
        if self._take(word, start, end):
            self.put(start, end, word.encode())
        closing = word in ("fi", "done", "esac", "}")
        self.expects = Expects.SEPARATOR if closing else _BEHIND_KEYWORD.get(word, Expects.COMMAND)

    def operator(self, operator: str, start: int, end: int) -> None:
        """An operator or bracket that is not part of a word."""
        match operator:
            case "(":
                self._open(start, end)
            case ")":
                self._close(start, end)
            case ";;" | ";&" | ";;&":
                self._case_end(operator, start, end)
            case "|" if self.expects is Expects.PATTERN:
                self.put(start, end, b"|")
            case _ if self.expects is Expects.COMMAND and not self._prefixed:
                self.problem("syntax", start, end, f"`{operator}` has no command before it", hint=_QUOTE)
            case _:
                self.put(start, end, b"| " if operator == "|&" else operator.encode())
                self._prefixed = False
                self._operator = (start, end) if operator in ("&&", "||", "|", "|&") else None
                self.expects = Expects.COMMAND

    def function_brackets(self, start: int, end: int) -> None:
        """The `()` behind the name of a function."""
        self.put(start, start + 1, b"(")
        self.put(end - 1, end, b")")
        self._operator = start, end
        self.expects = Expects.COMMAND

    def finish(self) -> None:
        """Complete what is still open at the end of the text."""
        if self._operator is not None:
            start, end = self._operator
            operator = self.source.text[start:end]
            hint = "write the command that is missing, or remove it"
            self.problem("syntax", start, end, f"`{operator}` has no command behind it", hint=hint)
            self.text += b" x"
        top = self.frames.top
        if top is not None and not any(problem.kind in ("syntax", "too-large") for problem in self.problems):
            message = f"this `{top.word}` is never closed with `{top.closing}`"
            hint = f"write `{top.closing}` where it ends"
            self.problem("syntax", top.start, top.start + len(top.word), message, hint=hint)
        for frame in reversed(self.frames.open):
            self.text += f"\n{frame.completion}".encode()
        self.text += b"\n\n"

    def _open(self, start: int, end: int) -> None:
        if self.expects is Expects.PATTERN:
            self.put(start, end, b"(")
        elif self.expects is Expects.COMMAND:
            self.put(start, end, b"(")
            self.frames.take("(", start)
            self._operator = None
        else:
            self.problem("syntax", start, end, "the shell refuses a bracket here unless it is quoted", hint=_QUOTE)
            self.put(start, end, b"x")

    def _close(self, start: int, end: int) -> None:
        if self.expects is Expects.PATTERN:
            self.put(start, end, b")")
            self._stage("body")
            self.expects = Expects.COMMAND
            return
        if self._take(")", start, end):
            self.put(start, end, b")")
        self.expects = Expects.SEPARATOR

    def _case_end(self, operator: str, start: int, end: int) -> None:
        top = self.frames.top
        if top is None or top.kind != "case":
            self.problem("syntax", start, end, f"`{operator}` stands outside `case`")
            self.expects = Expects.COMMAND
            return
        self.put(start, start + 2, b";;")
        self._stage("patterns")
        self.expects = Expects.PATTERN

    def _take(self, word: str, start: int, end: int) -> bool:
        """Follow a keyword; whether it belongs into the skeleton."""
        wrong = self.frames.take(word, start)
        if wrong is not None:
            self.problem("syntax", start, end, wrong, hint=_QUOTE if word == ")" else "")
        return wrong is None or "missing" in wrong

    def _stage(self, stage: str) -> None:
        if self.frames.top is not None:
            self.frames.top.stage = stage
