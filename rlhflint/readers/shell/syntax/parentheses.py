"""Where parentheses around shell code end: those of `$(…)`, `<(…)`, subshells, patterns and arrays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.heredoc import heredoc_body, heredoc_delimiter, without_quotes

if TYPE_CHECKING:
    from rlhflint.readers.shell.syntax.quotes import Quotes

_CODE = expression(
    r"(?P<blank>[ \t]+)|(?P<word>[\w./:=,+%@^~\[\]{}*?!-]+)|(?P<heredoc><<-?(?!<))|(?P<other><<<|.)", re.DOTALL
)
_COMMAND_FOLLOWS = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "{", "time"})


def closing_parenthesis(quotes: Quotes, at: int, *, commands: bool) -> int | None:
    """The place behind the `)` that closes the `(` at `at`; None where the text ends before.

    Between them are commands, which may hold `case` and here-documents, or else words. Raises `Unclosed` for something
    in them that does not end.
    """
    text, place = quotes.text, at + 1
    open_: list[str] = []
    heredocs: list[tuple[str, bool]] = []
    command = starts = True
    while place < len(text):
        found = _CODE.match(text, place)
        if found is None:
            break
        token = found.group()
        kind, place = found.lastgroup, found.end()
        if kind == "blank":
            starts = True
            continue
        if kind == "word":
            if commands and command and starts:
                if token == "case":
                    open_.append("case")
                elif token == "esac" and open_[-1:] == ["case"]:
                    open_.pop()
            command = starts and token in _COMMAND_FOLLOWS
            starts = False
            continue
        if kind == "heredoc" and commands:
            place = _heredoc(text, place, heredocs, dash=token.endswith("-"))
            starts = False
            continue
        if token == "#" and starts:
            place = (text.find("\n", place) + 1 or len(text) + 1) - 1
        elif token == "\\":
            place += 1
        elif token in "\"'`$" or (token in "<>" and text.startswith("(", place)):
            place = quotes.end(found.start())
            command = starts = False
        elif token == "\n":
            place = _bodies(text, place, heredocs)
            command = starts = True
        elif token == "(":
            inner = quotes.arithmetic(found.start()) if commands and command else None
            if inner is None:
                open_.append("(")
            place = inner or place
            command = starts = inner is None
        elif token == ")":
            if not open_:
                return place
            if open_[-1] == "(":
                open_.pop()
            command = starts = True
        else:
            command = starts = token in ";&|<>"
    return None


def _heredoc(text: str, place: int, heredocs: list[tuple[str, bool]], *, dash: bool) -> int:
    """Note a here-document; the place behind its delimiter."""
    start, end, _ = heredoc_delimiter(text, place)
    heredocs.append((without_quotes(text[start:end]), dash))
    return end


def _bodies(text: str, place: int, heredocs: list[tuple[str, bool]]) -> int:
    """The place behind the bodies of the here-documents noted, which begin at `place`."""
    for delimiter, dash in heredocs:
        _, place = heredoc_body(text, place, len(text), delimiter, dash=dash, substituted=True)
    heredocs.clear()
    return place
