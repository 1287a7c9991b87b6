"""A shell text cut into tokens, and its skeleton."""

from __future__ import annotations

import re

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.continuation import Continuations
from rlhflint.readers.shell.syntax.heredoc import heredoc_body, heredoc_delimiter, without_quotes
from rlhflint.readers.shell.syntax.lexing import word_end
from rlhflint.readers.shell.syntax.quotes import Unclosed
from rlhflint.readers.shell.syntax.skeleton import Expects, Skeleton
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.token import Redirection, Scan, Token
from rlhflint.readers.shell.syntax.word import placeholder

MOST_TOKENS = 40_000
"""Tokens of one text that are read."""

_BLANKS = expression(r"(?:[ \t]|\\\n)*")
_REDIRECTION = expression(r"(?:\d+|\{[A-Za-z_]\w*\})?(&>>|&>|>>|>\||<<<|<<-|<<|<&|>&|<>|<|>)(?!\()", re.ASCII)
_OPERATOR = expression(r";;&|;;|;&|&&|\|\||\|&|[;&|()]")
_EMPTY_BRACKETS = expression(r"[ \t]*\([ \t]*\)")
_TEST_END = expression(r"\]\](?=[ \t\n;&|)<>]|$)")
_BEHIND_PREFIX = {"time": expression(r"[ \t]+-p(?=[ \t])"), "coproc": expression(r"[ \t]+\w+(?=[ \t]+[{(])")}
_LONGEST_KEYWORD = len("function")


def scan(source: Source, start: int = 0, end: int | None = None) -> Scan:
    """Cut `source.text[start:end]` into tokens."""
    return _Scanner(source, start, len(source.text) if end is None else end).run()


class _Scanner:
    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.text = source.text
        self.end = end
        self.place = start
        self.result = Scan(start)
        self.tokens = self.result.tokens
        self.skeleton = Skeleton(source, start, end, self.result.problems, self.result.negations)
        self.lines = Continuations(self.skeleton)
        self.heredocs: list[tuple[Redirection, str]] = []

    def run(self) -> Scan:
        while self.place < self.end:
            if len(self.tokens) > MOST_TOKENS:
                message = "the script is too long; the rest was not read"
                self.skeleton.problem("too-large", self.place, self.place + 1, message)
                break
            self._step(self.text[self.place])
        if self.heredocs:
            self._bodies()
        self.skeleton.finish()
        self.result.skeleton = bytes(self.skeleton.text)
        return self.result

    def _step(self, char: str) -> None:
        at = self.place
        if char in " \t":
            self.place += 1
        elif char == "\n":
            self.place = self._bodies() if self.heredocs else self.lines.line_end(at)
        elif char == "#":
            self._comment()
        elif char == "\\" and self.text.startswith("\n", at + 1):
            self.place = self.lines.continued(at)
        elif char == "\\" and (behind_it := self.lines.broken(at)) is not None:
            self.place = behind_it
        elif (found := _REDIRECTION.match(self.text, at, self.end)) and not self._is_placeholder(found):
            self._redirection(found)
        elif (operator := _OPERATOR.match(self.text, at, self.end)) is not None:
            if not self._arithmetic(operator):
                self.skeleton.operator(operator.group(), at, operator.end())
                self.place = operator.end()
        else:
            self._word()

    def _comment(self) -> None:
        at, self.place = self.place, self._line_end(self.place)
        if self.text.startswith("#SBATCH", at):
            self.result.directives.append(self.source.cut(at + 1, self.place))
        self.lines.comment(at, self.place)

    def _line_end(self, at: int) -> int:
        behind = self.text.find("\n", at, self.end)
        return self.end if behind < 0 else behind

    # --- redirections -----------------------------------------------------------------------------------------------

    def _is_placeholder(self, found: re.Match[str]) -> bool:
        return found[1] == "<" and placeholder(self.text, found.start(1)) is not None

    def _redirection(self, found: re.Match[str]) -> None:
        at, behind, operator = found.start(), found.end(), found[1]
        redirection = Redirection("redirection", at, behind, operator)
        if operator in ("<<", "<<-"):
            start, end, redirection.literal = heredoc_delimiter(self.text, behind)
            self.heredocs.append((redirection, without_quotes(self.text[start:end])))
        else:
            blanks = _BLANKS.match(self.text, behind, self.end)
            start = blanks.end() if blanks else behind
            end = self._word_end(start)
            if end == start:
                hint = "name the file; a word with < or > in it, such as a placeholder, has to be in quotes"
                self.skeleton.problem("syntax", at, behind, f"`{operator}` has no file behind it", hint=hint)
        redirection.target = start, end
        redirection.end = self.place = max(end, behind)
        self.tokens.append(redirection)
        self.skeleton.redirection(at, redirection.end)

    def _bodies(self) -> int:
        """Take the here-documents that follow the line which ends here; gives the place behind them."""
        self.lines.forget(self.place)
        place = self._line_end(self.place) + 1
        for redirection, delimiter in self.heredocs:
            dash = redirection.operator == "<<-"
            start, (end, place) = place, heredoc_body(self.text, place, self.end, delimiter, dash=dash)
            redirection.body = start, max(start, end)
            if not redirection.literal and end < place:
                self.lines.joined_to_delimiter(start, end, delimiter)
        self.heredocs.clear()
        return place

    # --- words ------------------------------------------------------------------------------------------------------

    def _arithmetic(self, operator: re.Match[str]) -> bool:
        """Whether `((…))` stands where a command may stand, or behind `for`; it is taken then."""
        at = operator.start()
        if operator.group() != "(" or self.skeleton.expects not in (Expects.COMMAND, Expects.LOOP_NAME):
            return False
        try:
            behind = self.source.quotes.arithmetic(at)
        except Unclosed:
            return False
        if behind is None or behind > self.end:
            return False
        self.tokens.append(Token("arithmetic", at, behind))
        self.skeleton.closed(at, behind)
        self.place = behind
        return True

    def _word(self) -> None:
        at = self.place
        behind = self._word_end(at)
        self.place = max(behind, at + 1)
        word = self.text[at:behind] if behind - at <= _LONGEST_KEYWORD else ""
        if self.skeleton.is_keyword(word):
            if word == "[[":
                self._test(at)
            else:
                self.skeleton.keyword(word, at, behind)
                passed_over = _BEHIND_PREFIX[word].match(self.text, behind) if word in _BEHIND_PREFIX else None
                self.place = passed_over.end() if passed_over else self.place
            return
        if behind == at:
            return
        named = self.skeleton.expects is Expects.FUNCTION_NAME
        first = self.skeleton.expects is Expects.COMMAND
        self.tokens.append(Token("word", at, behind))
        self.skeleton.word(at, behind)
        brackets = _EMPTY_BRACKETS.match(self.text, behind, self.end) if named or first else None
        if brackets is not None:
            self.skeleton.function_brackets(self.text.index("(", behind), brackets.end())
            self.place = brackets.end()

    def _test(self, at: int) -> None:
        """`[[ … ]]`, one token."""
        place = at + 2
        while place < self.end and not (
            self.text[place - 1] in " \t\n" and _TEST_END.match(self.text, place, self.end)
        ):
            char = self.text[place]
            if char in "\"'`$":
                try:
                    place = self.source.quotes.end(place)
                except Unclosed as unclosed:
                    self._unclosed(unclosed)
                    place = self._line_end(place)
            else:
                place += 2 if char == "\\" else 1
        if place >= self.end:
            message = "this `[[` is never closed with `]]`"
            self.skeleton.problem("syntax", at, at + 2, message, hint="write `]]` behind the condition")
            place = self._line_end(at) - 2
        self.place = min(max(place, at) + 2, self.end)
        self.tokens.append(Token("test", at, self.place))
        self.skeleton.closed(at, self.place)

    def _word_end(self, at: int) -> int:
        return word_end(self.source, at, self.end, self._is_broken, self._unclosed)

    def _is_broken(self, at: int) -> bool:
        """Whether the backslash at `at`, in the middle of a word, was meant to end its line."""
        return self.lines.broken(at) is not None

    def _unclosed(self, unclosed: Unclosed) -> None:
        at = unclosed.at
        if at > 0 and self.text[at - 1] == "$" and self.text[at] in "({'\"":
            at -= 1
        if unclosed.too_deep:
            self.skeleton.problem("too-large", at, at + 1, "quotes are nested too deeply to be read")
            return
        opening = self.text[at : at + 2] if self.text[at] == "$" else self.text[at]
        called = {'"': "double quote", "'": "single quote", "`": "backtick"}.get(opening, f"`{opening}`")
        closing = {"$(": "`)`", "(": "`)`", "${": "`}`"}.get(opening, "other one")
        hint = f"write the {closing} that belongs to it, or a backslash before it if it is meant as a character"
        self.skeleton.problem("syntax", at, at + len(opening), f"this {called} is never closed", hint=hint)
