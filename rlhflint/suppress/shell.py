"""Comments of a shell text, with the command or the elements of an array that they speak of.

This reads no commands. It follows quotes, substitutions, here-documents and compound commands as far as it takes to
tell a comment from other text, and where the statement behind a comment ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.suppress.comment import CONTINUED, Comment, line_end, line_start, may_suppress, stands_alone
from rlhflint.suppress.shell_words import Frame, Words

_PLAIN = expression(r"[^\\'\"`$(){}\[\];&|<>#\s=]+")
_HERE = expression(r"<<(?P<strip>-?)[ \t]*(?P<word>(?:\\.|'[^'\n]*'|\"[^\"\n]*\"|[^\s'\"\\;&|<>()`])+)")
_QUOTING = expression(r"\\(.)|['\"]")

_BODY_BELOW = expression(r"\r?\n[ \t]*\{\s")
"""The body of a function that begins on the line below its name."""

_OPENS = {"if": "fi", "for": "done", "while": "done", "until": "done", "select": "done", "case": "esac", "{": "}"}
_CLOSES = frozenset({"fi", "done", "esac", "}"})
_LEADS = frozenset({"then", "else", "elif", "do", "!", "time", "coproc", *_OPENS}) - {"for", "select", "case"}
"""Words behind which a command begins."""


@dataclass(slots=True)
class Shell(Words):
    """One pass over a text."""

    comments: list[Comment] = field(default_factory=list)
    _named: bool = False
    """The word `function` was read, and its name is next."""
    _continued: int = -1
    """Where the line begins that a backslash joined to the one before."""
    _heres: list[tuple[str, bool]] = field(default_factory=list)
    """Here-documents whose bodies are below: delimiter, and whether tabs in front of it do not count."""

    def run(self) -> Shell:
        """Read the whole text."""
        while self._at < len(self.text):
            if self._quoted():
                self._in_quote()
            else:
                self._in_commands()
        self.comments = self.extents.finish(len(self.text))
        return self

    def _in_commands(self) -> None:
        text, at = self.text, self._at
        character = text[at]
        if character == "\n":
            self._newline()
        elif character in " \t\r\f\v":
            self._at += 1
        elif character == "\\":
            if text.startswith(("\n", "\r\n"), at + 1):
                self._at = text.index("\n", at) + 1
                self._continued = self._at
            else:
                self.extents.begin(at, len(self._stack))
                self._at += 2
                self._command = False
        elif character == "#" and self._at_word_start() and not self._arithmetic():
            self._comment()
        elif character == ")":
            self._close_paren()
        elif character in ";&|":
            self._separator(character)
        elif character == "<":
            self._redirect()
        elif character == "`":
            self.extents.begin(at, len(self._stack))
            self._tick()
        else:
            self._word()

    def _word(self) -> None:
        text, at = self.text, self._at
        character = text[at]
        plain = _PLAIN.match(text, at)
        whole = plain is not None or character in "{}"
        word = plain[0] if plain else character
        end = at + len(word)
        if whole and self._at_word_start() and self._ends_word(end) and self._reserved(word, end):
            return
        self.extents.begin(at, len(self._stack))
        if character == "'":
            self._single()
        elif character == '"':
            self._push(Frame('"', start=self._at))
        elif character == "$":
            self._dollar()
        elif character == "(":
            self._open_paren()
            return
        else:
            self._at = end
        if self._named and plain:
            self._named, self._command = False, True
        elif not self._stack or self._stack[-1].kind != "${":
            self._command = False

    def _reserved(self, word: str, end: int) -> bool:
        """Whether a word at the place of a command opens, divides or closes a compound command; it is read then."""
        top = self._stack[-1] if self._stack else None
        if top is not None and top.patterns:
            if word != "esac":
                return False
        elif word == "in" and top is not None and top.kind == "esac" and not top.command_after:
            top.patterns, top.command_after = True, True
            self._at = end
            return True
        elif not self._command:
            return False
        if word in _CLOSES:
            if top is not None and top.kind == word:
                self._pop()
            self._at, self._command = end, True
            return True
        if word in _OPENS:
            self.extents.begin(self._at, len(self._stack))
            self._push(Frame(_OPENS[word]), 0)
        elif word == "function":
            self.extents.begin(self._at, len(self._stack))
            self._named = True
        elif word not in _LEADS:
            return False
        self.extents.begin(self._at, len(self._stack))
        self._at, self._command = end, word in _LEADS
        return True

    def _open_paren(self) -> None:
        text, at = self.text, self._at
        top = self._stack[-1] if self._stack else None
        if top is not None and top.patterns and self._at_word_start():
            self._at += 1
            return
        if text.startswith("((", at) and self._command:
            self._push(Frame("((", command_after=True), 0)
            self._push(Frame("(("), 2)
            return
        before = text[at - 1] if at else ""
        self._push(Frame("(", command_after=before not in "=<>@?*+!", array=before == "="))
        self._command = before != "="

    def _close_paren(self) -> None:
        top = self._stack[-1] if self._stack else None
        if top is not None and top.patterns:
            top.patterns, self._command = False, True
        elif top is not None and top.kind in ("(", "(("):
            self._command = self._pop().command_after
        self._at += 1

    def _separator(self, character: str) -> None:
        top = self._stack[-1] if self._stack else None
        ends_clause = character == ";" and self.text.startswith((";;", ";&"), self._at)
        if ends_clause and top is not None and top.kind == "esac":
            top.patterns, self._command = True, False
            self._at += 2
            return
        self._command = not (top is not None and top.patterns)
        self._at += 1

    def _redirect(self) -> None:
        text, at = self.text, self._at
        self.extents.begin(at, len(self._stack))
        if text.startswith("<<<", at):
            self._at += 3
        elif text.startswith("<<", at) and not self._arithmetic():
            found = _HERE.match(text, at)
            if found:
                self._heres.append((_QUOTING.sub(r"\1", found["word"]), bool(found["strip"])))
            self._at = found.end() if found else at + 2
        else:
            self._at += 1

    def _newline(self) -> None:
        end = self._at
        self._at += 1
        for delimiter, strip in self._heres:
            end = self._here(delimiter, strip)
        self._heres.clear()
        body_follows = _BODY_BELOW.match(self.text, end) and self.text.endswith((")", ")\r"), 0, end)
        if not body_follows:
            self.extents.end(len(self._stack), end)
        top = self._stack[-1] if self._stack else None
        self._command = not (top is not None and (top.array or top.patterns))

    def _here(self, delimiter: str, strip: bool) -> int:
        """Skip the body of a here-document; where it ends."""
        start = self._at
        while self._at < len(self.text):
            end = line_end(self.text, self._at)
            line = self.text[self._at : end]
            following = self.text.find("\n", end) + 1 or len(self.text)
            if (line.lstrip("\t") if strip else line) == delimiter:
                self.quoted.append((start, self._at))
                self._at = following
                return end
            self._at = following
        self.quoted.append((start, len(self.text)))
        return len(self.text)

    def _comment(self) -> None:
        start = self._at
        end = line_end(self.text, start)
        if self._inside["`"]:
            tick = self.text.find("`", start, end)
            end = tick if tick >= 0 else end
        self._at = end
        if not may_suppress(self.text[start:end]):
            return
        alone = stands_alone(self.text, start)
        inside_array = bool(self._stack) and self._stack[-1].array
        if alone and line_start(self.text, start) == self._continued and not inside_array:
            self.extents.comments.append(Comment(start, end, start, start, alone, CONTINUED))
        elif alone:
            self.extents.alone(start, end, len(self._stack))
        else:
            self.extents.comments.append(Comment(start, end, line_start(self.text, start), start, alone))

    def _at_word_start(self) -> bool:
        return self._at == 0 or self.text[self._at - 1] in " \t\r\n\f\v;&|()<>`"

    def _ends_word(self, at: int) -> bool:
        return at >= len(self.text) or self.text[at] in " \t\r\n\f\v;&|()<>`"

    def _arithmetic(self) -> bool:
        return bool(self._stack) and self._stack[-1].kind == "(("


def comments(text: str) -> Iterator[Comment]:
    """The comments of a shell text that may hold suppressions, in their order."""
    yield from Shell(text).run().comments
