"""A shell text cut into tokens, and its skeleton."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.continuation import Continuations
from rlhflint.readers.shell.syntax.expects import Expects, is_keyword
from rlhflint.readers.shell.syntax.grammar import Grammar
from rlhflint.readers.shell.syntax.heredoc import heredoc_body, heredoc_delimiter, without_quotes
from rlhflint.readers.shell.syntax.keywords import keyword, operate
from rlhflint.readers.shell.syntax.lexing import test_end, word_end
from rlhflint.readers.shell.syntax.quotes import Unclosed
from rlhflint.readers.shell.syntax.skeleton import Skeleton
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.token import Redirection, Scan, Token
from rlhflint.readers.shell.syntax.word import placeholder

if TYPE_CHECKING:
    from rlhflint.readers.shell.syntax.inside import Refused

MOST_TOKENS = 40_000
"""Tokens of one text that are read."""

_BLANKS = expression(r"(?:[ \t]|\\\n)*")
_REDIRECTION = expression(r"(?:\d+|\{[A-Za-z_]\w*\})?(&>>|&>|>>|>\||<<<|<<-|<<|<&|>&|<>|<|>)(?!\()", re.ASCII)
_NUMBERED = expression(r"\d+[<>]", re.ASCII)
_OPERATOR = expression(r";;&|;;|;&|&&|\|\||\|&|[;&|()]")
_EMPTY_BRACKETS = expression(r"[ \t]*\([ \t]*\)")
_BEHIND_PREFIX = {"time": expression(r"[ \t]+-p(?=[ \t])"), "coproc": expression(r"[ \t]+\w+(?=[ \t]+[{(])")}
_BEFORE_ARITHMETIC = (Expects.COMMAND, Expects.LOOP_NAME, Expects.FUNCTION_BODY)
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
        self.skeleton = Skeleton(source, end, self.result)
        self.grammar = Grammar(self.skeleton)
        self.lines = Continuations(self.grammar)
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
        self.grammar.finish()
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
                operate(self.grammar, operator.group(), at, operator.end())
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
            if end == start or self.text[start] == "#":
                self.skeleton.problem("syntax", at, behind, f"`{operator}` has no word behind it to end its text")
            self.heredocs.append((redirection, without_quotes(self.text[start:end])))
        else:
            blanks = _BLANKS.match(self.text, behind, self.end)
            start = blanks.end() if blanks else behind
            numbered = not operator.endswith("&") and _NUMBERED.match(self.text, start)
            end = self._word_end(start) if not numbered else start
            if end == start:
                hint = "name the file; a word with < or > in it, such as a placeholder, has to be in quotes"
                self.skeleton.problem("syntax", at, behind, f"`{operator}` has no file behind it", hint=hint)
        redirection.target = start, end
        redirection.end = self.place = max(end, behind)
        self.tokens.append(redirection)
        self.grammar.redirection(at, redirection.end)

    def _bodies(self) -> int:
        """Take the here-documents that follow the line which ends here; gives the place behind them."""
        self.lines.forget(self.place)
        place = self._line_end(self.place) + 1
        inside = self.text.startswith(")", self.end)
        for redirection, delimiter in self.heredocs:
            start, dash = place, redirection.operator == "<<-"
            end, place = heredoc_body(self.text, start, self.end, delimiter, dash=dash, substituted=inside)
            redirection.body = start, max(start, end)
            if not redirection.literal and end < place:
                self.lines.joined_to_delimiter(start, end, delimiter)
        self.heredocs.clear()
        return place

    # --- words ------------------------------------------------------------------------------------------------------

    def _arithmetic(self, operator: re.Match[str]) -> bool:
        """Whether `((…))` stands where a command may stand, or behind `for`; it is taken then."""
        at = operator.start()
        if operator.group() != "(" or self.grammar.expects not in _BEFORE_ARITHMETIC:
            return False
        try:
            behind = self.source.quotes.arithmetic(at)
        except Unclosed:
            return False
        if behind is None or behind > self.end:
            return False
        if self.grammar.expects is Expects.LOOP_NAME:
            if self.grammar.frames.open[-1].word != "for":
                return False
            from rlhflint.readers.shell.syntax.inside import in_header

            self._refuse(in_header(self.source, at, behind))
        self.tokens.append(Token("arithmetic", at, behind))
        self.grammar.closed(at, behind)
        self.place = behind
        return True

    def _word(self) -> None:
        at = self.place
        negated = self.grammar.expects is Expects.COMMAND and self.text.startswith("!(", at)
        behind = at + 1 if negated else self._word_end(at)
        self.place = max(behind, at + 1)
        word = self.text[at:behind] if behind - at <= _LONGEST_KEYWORD else ""
        if is_keyword(self.grammar.expects, word):
            if word == "[[":
                self._test(at)
            else:
                keyword(self.grammar, word, at, behind)
                passed_over = _BEHIND_PREFIX[word].match(self.text, behind) if word in _BEHIND_PREFIX else None
                self.place = passed_over.end() if passed_over else self.place
            return
        if behind == at:
            return
        named = self.grammar.expects is Expects.FUNCTION_NAME
        first = self.grammar.expects is Expects.COMMAND
        self.tokens.append(Token("word", at, behind))
        self.grammar.word(at, behind)
        if self.text[behind - 1] == ")" and "=(" in self.text[at:behind]:
            from rlhflint.readers.shell.syntax.inside import in_array

            self._refuse(in_array(self.source, at, behind))
        brackets = _EMPTY_BRACKETS.match(self.text, behind, self.end) if named or first else None
        if brackets is not None:
            self.grammar.function_brackets(self.text.index("(", behind), brackets.end())
            self.place = brackets.end()

    def _test(self, at: int) -> None:
        """`[[ … ]]`, one token."""
        behind = test_end(self.source, at, self.end, self._unclosed)
        if behind is None:
            message = "this `[[` is never closed with `]]`"
            self.skeleton.problem("syntax", at, at + 2, message, hint="write `]]` behind the condition")
        else:
            from rlhflint.readers.shell.syntax.inside import in_test

            self._refuse(in_test(self.source, at, behind))
        self.place = self._line_end(at) if behind is None else behind
        self.tokens.append(Token("test", at, self.place))
        self.grammar.closed(at, self.place)

    def _refuse(self, found: Refused | None) -> None:
        if found is not None:
            self.skeleton.problem("syntax", found.start, found.end, found.because)

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
