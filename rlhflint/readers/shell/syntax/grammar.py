"""The shell's grammar followed from token to token: the skeleton is written, and what a shell refuses is noted.

It is mended while it is written, so that what stands behind a mistake can be read.
"""

from __future__ import annotations

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.awaited import Awaited
from rlhflint.readers.shell.syntax.expects import BEHIND_WORD, Expects, otherwise
from rlhflint.readers.shell.syntax.frames import Frames
from rlhflint.readers.shell.syntax.skeleton import Skeleton

_IN = expression(r"(?:\s|\\\n|#[^\n]*+)*+in(?=[ \t\n;\\])")
END_EXPECTED = "the shell expects the end of the command here"


class Grammar:
    """The state of the shell's grammar at the place reached."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.frames = Frames()
        self.expects = Expects.COMMAND
        self.began = skeleton.start
        """Where the current command begins."""
        self.name = skeleton.start, skeleton.start
        """The word that stands where the name of a function may stand."""
        self.awaited = Awaited(skeleton)
        self._behind_in = 0
        """The place behind the next `in` of a loop, where it was looked for."""
        self.refused = 0
        """Brackets of the current command that were refused, and whose other halves are yet to come."""

    def line_end(self, at: int) -> None:
        """A line ends at `at`."""
        match self.expects:
            case Expects.CASE_IN | Expects.FUNCTION_BODY:
                return
            case Expects.LOOP_IN if self._in_follows(at):
                return
            case Expects.PATTERN:
                self.skeleton.put(at, at + 1, b"\n")
                return
            case Expects.PATTERN_WORD | Expects.PATTERN_END | Expects.CASE_WORD:
                self.misplaced(at, at + 1)
                return
            case Expects.LOOP_NAME | Expects.FUNCTION_NAME:
                self.misplaced(at, at + 1)
        self.skeleton.put(at, at + 1, b"\n")
        self.expects = Expects.COMMAND
        if self.awaited.prefixed:
            self.frames.empty = False
            self.awaited.met()

    def word(self, start: int, end: int) -> None:
        """A word that is no keyword."""
        match self.expects:
            case Expects.LOOP_IN | Expects.LOOP_BODY | Expects.CASE_IN | Expects.PATTERN_END:
                self.misplaced(start, end)
                return
            case Expects.FUNCTION_BODY:
                self.misplaced(start, end)
                self.skeleton.put(self.began, start, b" ")
                self.begin(start)
            case Expects.COMMAND:
                written = self.skeleton.source.text[start:end] if end - start == 2 else ""
                if written in ("in", "]]"):
                    self.skeleton.problem("syntax", start, end, f"`{written}` stands where a command begins")
                self.begin(start)
                self.name = start, end
            case Expects.SEPARATOR:
                self.skeleton.problem("syntax", start, end, END_EXPECTED)
                self.expects = Expects.ARGUMENT
            case _:
                self.expects = BEHIND_WORD.get(self.expects, self.expects)
                if self.expects is Expects.FUNCTION_BODY:
                    self.name = start, end
                    self.awaited.behind(start, end)
        self.skeleton.put(start, end, b"x")

    def redirection(self, start: int, end: int) -> None:
        """A redirection, of a command or of what was just closed."""
        if self.expects is Expects.SEPARATOR:
            return
        if self.expects is Expects.COMMAND:
            self.begin(start)
        elif self.expects is not Expects.ARGUMENT:
            self.misplaced(start, end)
            return
        self.skeleton.put(start, end, b"x")

    def begin(self, at: int) -> None:
        """A command begins."""
        self.demand_do(at)
        self.began = at
        self.expects = Expects.ARGUMENT
        self.frames.empty = False
        self.refused = 0
        self.awaited.met()

    def begin_body(self, at: int) -> None:
        """A compound command begins at `at`: where a function expects its body, it is that."""
        if self.expects is Expects.FUNCTION_BODY:
            self.skeleton.function_head(self.began, self.name, at)

    def closed(self, start: int, end: int) -> None:
        """`((…))` or `[[…]]`, a whole command."""
        if self.expects is Expects.LOOP_NAME:
            # `for ((…))` is written as a loop over a variable, which the parser reads in every form.
            self.skeleton.put(start + 1, start + 2, b"x")
            self.expects = Expects.LOOP_BODY
            return
        if self.expects is Expects.SEPARATOR:
            self.skeleton.problem("syntax", start, end, END_EXPECTED)
        self.begin_body(start)
        self.begin(start)
        self.skeleton.put(start, end, b"x")
        self.expects = Expects.SEPARATOR

    def function_brackets(self, start: int, end: int) -> None:
        """The `()` behind the name of a function."""
        self.awaited.behind(start, end)
        self.expects = Expects.FUNCTION_BODY

    def finish(self) -> None:
        """Complete what is still open at the end of the text."""
        skeleton = self.skeleton
        if self.expects is Expects.FUNCTION_NAME:
            self.misplaced(skeleton.end - 1, skeleton.end)
        elif self.awaited.place is not None and not self.awaited.prefixed:
            self.awaited.demand(function=self.expects is Expects.FUNCTION_BODY)
            skeleton.complete(" x")
        top = self.frames.top
        if top is not None and not any(one.kind in ("syntax", "too-large") for one in skeleton.result.problems):
            message = f"this `{top.word}` is never closed with `{top.closing}`"
            hint = f"write `{top.closing}` where it ends"
            skeleton.problem("syntax", top.start, top.start + len(top.word), message, hint=hint)
        for frame in reversed(self.frames.open):
            skeleton.complete(f"\n{frame.completion}")
        skeleton.complete("\n\n")

    def _in_follows(self, at: int) -> bool:
        """Whether `in` is the next that stands behind a place."""
        if at >= self._behind_in:
            found = _IN.match(self.skeleton.source.text, at, self.skeleton.end)
            self._behind_in = found.end() if found is not None else 0
        return at < self._behind_in

    # --- what is wrong ----------------------------------------------------------------------------------------------

    def demand_do(self, at: int) -> None:
        """Note that `do` is missing where a loop has only its words yet."""
        top = self.frames.top
        if top is not None and self.frames.takes_braces:
            message = f"`do` is missing between `{top.word}` and this command"
            self.skeleton.problem("syntax", at, at + 1, message, hint="write `do` before it")
            top.stage = "body"

    def misplaced(self, start: int, end: int) -> None:
        """Note that something else is expected."""
        self.skeleton.problem("syntax", start, end, otherwise(self.expects) or END_EXPECTED)
