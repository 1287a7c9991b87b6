"""Settings taken out of the text of a command, with their line where they are alone on it, or out of a list."""

from __future__ import annotations

from re import Match, Pattern
from typing import NamedTuple

from rlhflint.expressions import expression
from rlhflint.finding import Edit
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.shell_words import BLANKS, Place
from rlhflint.text import Span

_NEAR = 400
"""Characters around a setting among which the ends of its line are looked for."""
_OPENING = ('"', "'", "(")
"""What words may begin behind without a blank."""
_REDIRECTING = ("<", ">", "&>")


class _Lines(NamedTuple):
    """How lines end in a kind of file, as expressions of what is in front of a setting, and of what is behind it."""

    before: Pattern[str]
    behind: Pattern[str]


_IN_FILES = _Lines(
    expression(r"(?:(?P<cut>[ \t]*\\\r?\n)|\n|\A)(?P<indent>[ \t]*)\Z"),
    expression(r"[ \t]*(?P<more>\\)?[ \t]*(?P<end>\r?)(?:\n|\Z)"),
)
_BORDER = r'\\n(?:"\s*,\s*")?'
"""The end of a line in the JSON of a notebook, where a line may be a text of its own, or stand within one."""
_IN_NOTEBOOKS = _Lines(
    expression(rf'(?<!\\)(?:(?P<cut>[ \t]*\\\\{_BORDER})|{_BORDER}|")(?P<indent>[ \t]*)\Z'),
    expression(rf'[ \t]*(?P<more>\\\\)?(?P<end>)(?:{_BORDER}|(?="))'),
)


def taken_out(text: str, span: Span) -> Edit:
    """A setting taken out: with its line if it is alone there, else with the blanks before it. Raises `Doubt`.

    At the beginning of a line, or of a text in quotes, it goes with the blanks behind it.
    """
    lines = _IN_NOTEBOOKS if span.path.endswith(".ipynb") else _IN_FILES
    before = lines.before.search(text, max(0, span.start - _NEAR), span.start)
    behind = lines.behind.match(text, span.end, span.end + _NEAR)
    if before is not None and behind is not None:
        return Edit(_line(span, before, behind), "")
    start, stop = span.start, span.end
    if before is None:
        while start and text[start - 1] in BLANKS:
            start -= 1
    if start == span.start and (before is not None or text[start - 1] in _OPENING):
        while stop < len(text) and text[stop] in BLANKS:
            stop += 1
    if start < span.start and text.startswith(_REDIRECTING, stop):
        start += 1  # a number right in front of them would be taken for that of a file
    if text.endswith("]=", 0, start):
        raise Doubt("an empty element of its array would be left")
    if text.endswith(("$'", '$"'), 0, start) and text.startswith(text[start - 1], stop):
        raise Doubt("an empty word would be left")
    return Edit(Span(span.path, start, stop), "")


def _line(span: Span, before: Match[str], behind: Match[str]) -> Span:
    """The line of a setting; where it was the last of a continued command, with what continues the line before."""
    if before["cut"] is not None and behind["more"] is None:
        return Span(span.path, before.start("cut"), behind.start("end"))
    return Span(span.path, before.start("indent"), behind.end())


def element_taken_out(place: Place) -> Edit | None:
    """A setting taken out of a list of words in JSON or YAML; None where it stands in none.

    That are `CMD ["…", "--bf16"]`, and lists whose words have lines of their own.
    """
    return _own_lines(place) or (None if place.setting.text else _between_commas(place.text, place.name))


_COMMA = expression(r"[ \t]*,[ \t]*")
_LINE_END = expression(r"\r?\n")


def _between_commas(text: str, name: Span) -> Edit | None:
    """A switch taken out of words with commas between them, with the comma before it, or else behind it."""
    quote = text[name.start - 1 : name.start]
    own = 1 if quote in ("'", '"') and text[name.end : name.end + 1] == quote else 0
    start, end = name.start - own, name.end + own
    before = text[max(0, start - _NEAR) : start].rstrip()
    after = text[end : end + _NEAR].lstrip()
    comma = _COMMA.match(text, end)
    line = text.rfind("\n", 0, start) + 1
    begins = line > 0 and not text[line:start].strip(BLANKS)
    if comma is not None and begins and before.endswith((",", "[")):
        line_end = _LINE_END.match(text, comma.end())
        return Edit(Span(name.path, start if line_end is None else line, (line_end or comma).end()), "")
    if before.endswith(",") and after[:1] in (",", "]"):
        return Edit(Span(name.path, text.rindex(",", 0, start), end), "")
    return Edit(Span(name.path, start, comma.end()), "") if before.endswith("[") and comma is not None else None


_ITEM = expression(r"""[ \t]*-[ \t]+(?P<quote>["']?)(?P<word>[^\s"'#]+)(?P=quote)[ \t]*\r?(?:\n|\Z)""")


def _own_lines(place: Place) -> Edit | None:
    """A setting taken out whose name and values are items of a YAML list, each on its own line."""
    words = [place.setting.name, *(text.text for text in place.setting.text)]
    if place.setting.joined:
        words = ["=".join(words)]
    start = at = place.text.rfind("\n", 0, place.name.start) + 1
    for word in words:
        item = _ITEM.match(place.text, at)
        if item is None or item["word"] != word:
            return None
        at = item.end()
    return Edit(Span(place.name.path, start, at), "")
