"""What the shell's grammar expects at a place of a script, and what is wrong with anything else there."""

from __future__ import annotations

from enum import Enum, auto

from rlhflint.readers.shell.syntax.frames import KEYWORDS


class Expects(Enum):
    """What the shell expects at a place."""

    COMMAND = auto()
    ARGUMENT = auto()
    SEPARATOR = auto()
    """Behind `fi`, `done`, `}`, `)`, `]]`: redirections, an operator, a line end or another closing keyword."""
    PATTERN = auto()
    """An item of a `case`, or its end."""
    PATTERN_WORD = auto()
    PATTERN_END = auto()
    LOOP_NAME = auto()
    LOOP_IN = auto()
    LOOP_WORD = auto()
    LOOP_BODY = auto()
    """Behind `for ((…))`, where neither `;` nor a line end is needed."""
    CASE_WORD = auto()
    CASE_IN = auto()
    FUNCTION_NAME = auto()
    FUNCTION_BODY = auto()


BEHIND_WORD = {
    Expects.LOOP_NAME: Expects.LOOP_IN,
    Expects.CASE_WORD: Expects.CASE_IN,
    Expects.FUNCTION_NAME: Expects.FUNCTION_BODY,
    Expects.PATTERN: Expects.PATTERN_END,
    Expects.PATTERN_WORD: Expects.PATTERN_END,
}
"""What is expected behind a word that was expected; elsewhere it stays what it is."""
BEHIND_KEYWORD = {
    "for": Expects.LOOP_NAME,
    "select": Expects.LOOP_NAME,
    "case": Expects.CASE_WORD,
    "function": Expects.FUNCTION_NAME,
    **dict.fromkeys(("fi", "done", "esac", "}"), Expects.SEPARATOR),
}
"""What is expected behind a keyword; behind any other one a command is."""
_KEYWORDS: dict[Expects, frozenset[str]] = {
    **dict.fromkeys((Expects.COMMAND, Expects.SEPARATOR, Expects.FUNCTION_BODY), KEYWORDS),
    Expects.PATTERN: frozenset({"esac"}),
    Expects.LOOP_IN: frozenset({"in", "do"}),
    Expects.LOOP_BODY: frozenset({"do", "{"}),
    Expects.CASE_IN: frozenset({"in"}),
}
_BODIES = frozenset({"{", "if", "while", "until", "for", "select", "case", "[["})
_OTHERWISE = {
    Expects.PATTERN: "a pattern or `esac` is expected here",
    Expects.PATTERN_WORD: "a pattern is expected here",
    Expects.PATTERN_END: "`)` or `|` is expected behind a pattern",
    Expects.LOOP_NAME: "the name of a variable is expected here",
    Expects.LOOP_IN: "`in`, `do`, `;` or a line end is expected behind the variable of a loop",
    Expects.LOOP_WORD: "the words of a loop end with `;` or a line end",
    Expects.LOOP_BODY: "`do` is expected here",
    Expects.CASE_WORD: "`case` is followed by a word",
    Expects.CASE_IN: "`in` is expected here",
    Expects.FUNCTION_NAME: "the name of a function is expected here",
    Expects.FUNCTION_BODY: "the body of a function begins with `{` or `(`",
}


def is_keyword(expects: Expects, word: str) -> bool:
    """Whether a word without quotes is a keyword at such a place."""
    return word in _KEYWORDS.get(expects, ())


def begins_body(keyword: str) -> bool:
    """Whether the body of a function may begin with a keyword."""
    return keyword in _BODIES


def otherwise(expects: Expects) -> str | None:
    """What is wrong with something that is not expected; None for a place where that depends on what it is."""
    return _OTHERWISE.get(expects)
