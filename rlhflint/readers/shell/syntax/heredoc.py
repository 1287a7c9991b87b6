"""Here-documents: the word behind `<<`, and where the lines that follow end."""

from __future__ import annotations

from rlhflint.expressions import expression

_LINE = expression(r"[^\n]*\n?")
_CLOSED = expression(r"[^\n)]*\)")
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


def heredoc_body(
    text: str, start: int, limit: int, delimiter: str, *, dash: bool, substituted: bool
) -> tuple[int, int]:
    """Where the lines of a here-document that begin at `start` end, and where the code behind its delimiter begins.

    Args:
        text: the script.
        start: place of the first line.
        limit: no line goes further than this.
        delimiter: what the line behind the last one consists of.
        dash: lines may begin with tabs, as behind `<<-`.
        substituted: it stands in `$(…)`, where the delimiter may be followed by code and the `)` on its line.
    """
    place = start
    while place < limit:
        found = _LINE.match(text, place, limit)
        line = found.group() if found else ""
        stripped = line.removesuffix("\n")
        tabs = len(stripped) - len(stripped.lstrip("\t")) if dash else 0
        if stripped[tabs:] == delimiter:
            return place, place + len(line)
        behind = place + tabs + len(delimiter)
        if substituted and delimiter and stripped.startswith(delimiter, tabs) and _CLOSED.match(text, behind):
            return place, behind
        place += max(len(line), 1)
    return limit, limit
