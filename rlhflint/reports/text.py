"""The text reports: with a frame of the source for people, a line a finding for editors and grep."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.finding import Finding, Severity
from rlhflint.reports.printable import printable
from rlhflint.result import FileResult, Result, by_code
from rlhflint.source import Source

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.ADVICE: "36"}
_WIDEST = 160
"""Characters of a source line that are shown."""


def render(result: Result, *, colour: bool = False, concise: bool = False, statistics: bool = False) -> str:
    """All findings and a line that sums them up."""
    paint = _Paint(colour)
    write = _line if concise else _block
    blocks = [write(finding, file, paint) for file in result.files for finding in file.findings]
    text = ("\n" if concise else "\n\n").join(blocks) + ("\n\n" if blocks and not concise else "\n" if blocks else "")
    if statistics:
        rows = sorted(by_code(result.findings).items(), key=lambda item: (-item[1], item[0]))
        text += "".join(f"{number:6}  {code}  {name}\n" for (code, name), number in rows)
    return text + summary_line(result) + "\n"


def summary_line(result: Result) -> str:
    """`2 errors, 1 warning in 3 launches (2 files)`, or that nothing was found."""
    counts = result.summary()
    launches = f"{_number(counts['launches'], 'launch', 'launches')} ({_number(counts['files'], 'file')})"
    found = [
        _number(counts["error"], "error") if counts["error"] else "",
        _number(counts["warning"], "warning") if counts["warning"] else "",
        _number(counts["advice"], "piece of advice", "pieces of advice") if counts["advice"] else "",
    ]
    text = ", ".join(filter(None, found)) or "Nothing found"
    rest = [
        f"{counts['suppressed']} suppressed" if counts["suppressed"] else "",
        f"{_number(counts['undecided'], 'check')} undecided" if counts["undecided"] else "",
    ]
    return f"{text} in {launches}" + "".join(f"; {part}" for part in rest if part)


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


class _Paint:
    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, text: str, codes: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self._on else text


def _where(finding: Finding, file: FileResult) -> str:
    source = file.sources.get(finding.span.path)
    if source is None:
        return printable(finding.span.path)
    position = source.position(finding.span.start)
    cell = f":cell {position.cell}" if position.cell else ""
    return f"{printable(finding.span.path)}{cell}:{position.line}:{position.column}"


def _head(finding: Finding, paint: _Paint) -> str:
    severity = paint(finding.severity.value, f"1;{_COLOURS[finding.severity]}")
    return f"{severity}[{paint(finding.code, '1')}] {printable(finding.message)}"


def _line(finding: Finding, file: FileResult, paint: _Paint) -> str:
    return f"{_where(finding, file)}: {_head(finding, paint)}"


def _block(finding: Finding, file: FileResult, paint: _Paint) -> str:
    lines = [_head(finding, paint), f"  {paint('-->', '34')} {_where(finding, file)}"]
    source = file.sources.get(finding.span.path)
    if source is not None:
        lines += _frame(source, finding, paint)
    for related in finding.related:
        other = file.sources.get(related.span.path)
        if other is not None:
            position = other.position(related.span.start)
            lines.append(f"  {paint('note:', '1')} {printable(related.message)} ({related.span.path}:{position.line})")
    if finding.help:
        lines.append(f"  {paint('help:', '1;32')} {printable(finding.help)}")
    if finding.fix is not None:
        how = "rlhflint fix" if finding.fix.applicability.value == "safe" else "rlhflint fix --unsafe"
        lines.append(f"  {paint('fix:', '1;32')} {printable(finding.fix.title)} ({how})")
    return "\n".join(lines)


def _frame(source: Source, finding: Finding, paint: _Paint) -> Iterator[str]:
    """The line of the finding with its characters underlined."""
    start, end = source.position(finding.span.start), source.position(finding.span.end)
    text = source.line_at(finding.span.start)
    column = start.column - 1
    length = (end.column - 1 if end.line == start.line and end.cell == start.cell else len(text)) - column
    cut = max(column - _WIDEST // 2, 0) if len(text) > _WIDEST else 0
    shown = text[cut : cut + _WIDEST]
    before = shown[: column - cut]
    marked = shown[column - cut : column - cut + max(length, 1)]
    width = _columns(marked) or 1
    gutter = str(start.line)
    bar = paint("|", "34")
    yield f"{gutter:>5} {bar} {printable(shown)}"
    pad = "".join("\t" if character == "\t" else " " * _columns(character) for character in before)
    yield f"{'':>5} {bar} {pad}{paint('^' * min(width, _WIDEST), _COLOURS[finding.severity])}"


def _columns(text: str) -> int:
    """How many terminal cells a text takes as `printable` writes it."""
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(one) in "WF" else len(printable(one)) for one in text)
