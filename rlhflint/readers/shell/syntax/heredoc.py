"""Here-documents: the word behind `<<`, and where the lines that follow end."""

from __future__ import annotations

from rlhflint.expressions import expression

_LINE = expression(r"[^\n]*\n?")
_QUOTE_CHARACTERS = str.maketrans("", "", "\"'\\")
_DELIMITER = expression(r"(?:\\.|'[^'\n]*'|\"[^\"\n]*\"|[^ \t\n;&|<>()'\"\\])*")


def without_quotes(word: str) -> str:
    """The delimiter of a here-document as its last line has it."""
    return word.translate(_QUOTE_CHARACTERS)


def heredoc_delimiter(text: str, place: int) -> tuple[int, int, bool]:
    """The word behind `<<`: its start and end, and whether it is quoted, so that nothing in the body is expanded."""
    while text[place : place + 1] in (" ", "\t"):
        place += 1
    found = _DELIMITER.match(text, place)
    end = found.end() if found else place
    word = text[place:end]
    return place, end, word != without_quotes(word)


def heredoc_body(text: str, start: int, limit: int, delimiter: str, *, dash: bool) -> tuple[int, int]:
    """Where the lines of a here-document that begin at `start` end, and where the line behind its delimiter begins."""
    place = start
    while place < limit:
        found = _LINE.match(text, place, limit)
        line = found.group() if found else ""
        stripped = line.removesuffix("\n")
        if (stripped.lstrip("\t") if dash else stripped) == delimiter:
            return place, place + len(line)
        place += max(len(line), 1)
    return limit, limit
