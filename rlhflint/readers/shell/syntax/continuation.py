"""Line ends inside a command: what continues it, and what was meant to."""

from __future__ import annotations

import re

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.expects import Expects
from rlhflint.readers.shell.syntax.grammar import Grammar

_BLANKS_BEHIND = expression(r"\\[ \t]+(?=\n)")
_ESCAPED_BLANK = expression(r"\\[ \t]+(?=(\S))")
_LOST_FLAG = expression(r"\n((?:[ \t]*(?:#[^\n]*)?\n)*)[ \t]*(?=-[-A-Za-z])")
_FLAG = expression(r"-[-A-Za-z]")
_FLAG_LINE = expression(r"[^\n]*\n[ \t]*-[-A-Za-z]")
_SWALLOWED = expression(r"[ \t]*(fi|done|esac|else|elif)(?=[ \t]*(?:[\n;&|<>)#]|$)|[ \t]+if)")
_COMMENT = expression(r"[ \t]*(?=#)")
_INDENT = expression(r"[ \t]*")


class Continuations:
    """Follows the lines of a command and notes where it ends earlier than its writer meant."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.skeleton = grammar.skeleton
        self.text = self.skeleton.source.text
        self.end = self.skeleton.end
        self._comment: tuple[int, int] | None = None
        """The comment that ends the current line of a command."""
        self._comment_follows = False
        """The last line was continued into a line that is a comment."""
        self._explained = False
        """Why the command ends with this line was said already."""

    def comment(self, start: int, end: int) -> None:
        """A comment stands behind a part of a command."""
        self._comment = (start, end) if self.grammar.expects is Expects.ARGUMENT else None

    def line_end(self, at: int) -> int:
        """A line of code ends at `at`; gives the place to read on, behind it."""
        lost = None
        if self.grammar.expects is Expects.ARGUMENT:
            lost = _LOST_FLAG.match(self.text, at, self.end)
        if lost is None:
            self.forget(at)
            return at + 1
        self._note_lost_flag(lost)
        self._begin_line()
        return lost.end()

    def forget(self, at: int) -> None:
        """A line ends at `at`, and with it the command if there is one."""
        if at < self.end:
            self.grammar.line_end(at)
        self._begin_line()

    def _begin_line(self) -> None:
        self._comment = None
        self._comment_follows = self._explained = False

    def _note_lost_flag(self, lost: re.Match[str]) -> None:
        """The next line with code begins with a flag: the command was meant to go on there, and is read on there."""
        if self._comment is not None and self._comment_follows:
            self.skeleton.problem("comment-in-continuation", *self._comment, "the command ends at this comment")
        elif not self._explained and not self._has_backslash(lost.start()):
            at = self._code_end(self._comment[0] if self._comment else lost.start())
            message = "the command ends here: the line end has no backslash, and the flags below are lost"
            if self.text[at - 1 : at] == "\n" and not lost[1]:
                # An empty line behind a backslash: without it the command goes on.
                self.skeleton.problem("missing-backslash", at, lost.start() + 1, message, "")
                return
            remedy = None if self._comment or lost[1] else " \\"
            self.skeleton.problem("missing-backslash", at, at, message, remedy)

    def _has_backslash(self, end: int) -> bool:
        """Whether a line ends in a backslash all the same, which a quote that is never closed has taken."""
        start = end
        while start > 0 and self.text[start - 1] == "\\":
            start -= 1
        return self._comment is None and (end - start) % 2 == 1

    def continued(self, at: int) -> int:
        """A backslash stands before a line end at `at`; gives the place behind both."""
        behind = at + 2
        skeleton = self.skeleton
        swallowed = _SWALLOWED.match(self.text, behind, self.end)
        if swallowed and self.grammar.expects is Expects.ARGUMENT and self.grammar.frames.closes(swallowed[1]):
            message = f"this backslash makes `{swallowed[1]}` an argument of the command"
            skeleton.problem("syntax", self._code_end(at), at + 1, message, "", hint="remove the backslash")
            self.grammar.line_end(at + 1)
        self._comment_follows = _COMMENT.match(self.text, behind, self.end) is not None
        return behind

    def joined_to_delimiter(self, start: int, end: int, delimiter: str) -> None:
        """Look at the last line of a here-document: ended by a backslash, it takes the delimiter into the text."""
        line = self.text[start : end - 1]
        if (len(line) - len(line.rstrip("\\"))) % 2:
            at = end - 2
            message = f"this backslash makes the line `{delimiter}` a part of the text, which then does not end here"
            self.skeleton.problem("syntax", self._code_end(at), at + 1, message, "", hint="remove the backslash")

    def broken(self, at: int) -> int | None:
        """A backslash at `at` that was meant to continue the line; gives the place to read on.

        None where the backslash means what it says: it makes the next character an ordinary one.
        """
        if self.grammar.expects is not Expects.ARGUMENT:
            return None
        blanks = _BLANKS_BEHIND.match(self.text, at, self.end)
        if blanks:
            return self._blanks_behind(blanks)
        escaped = _ESCAPED_BLANK.match(self.text, at, self.end)
        if escaped is None or self.text[at - 1] not in " \t":
            return None
        line_end = self.text.find("\n", escaped.end(), self.end)
        message = "the backslash is not the last character of its line: the command ends before the next line"
        if escaped[1] == "#" and line_end >= 0:
            self.skeleton.problem("text-after-backslash", at, line_end, message)
            return line_end + 1
        if _FLAG.match(self.text, escaped.end(), self.end) or _FLAG_LINE.match(self.text, escaped.end(), self.end):
            self.skeleton.problem("text-after-backslash", at, escaped.end(), message)
            self._explained = True
            return escaped.end()
        return None

    def _blanks_behind(self, blanks: re.Match[str]) -> int | None:
        """`\\ ` at the end of a line, unless it is there to pass one blank as an argument (`tr -d \\ `)."""
        began = self.grammar.began
        following = blanks.end() + 1 + self._indent(blanks.end() + 1)
        first_line = self.text.rfind("\n", 0, began) + 1
        meant = (
            len(blanks.group()) > 2
            or _FLAG.match(self.text, following, self.end)
            or "\n" in self.text[began : blanks.start()]
            or (
                self._indent(blanks.end() + 1) > self._indent(first_line)
                and self.text[following : following + 1].strip()
            )
        )
        if not meant:
            return None
        message = "blanks behind this backslash: the command ends here"
        self.skeleton.problem("blank-after-backslash", blanks.start() + 1, blanks.end(), message, "")
        return blanks.end() + 1

    def _indent(self, at: int) -> int:
        found = _INDENT.match(self.text, at)
        return len(found.group()) if found else 0

    def _code_end(self, at: int) -> int:
        """The place behind the last character before `at` that is no blank."""
        while at > 0 and self.text[at - 1] in " \t":
            at -= 1
        return at
