"""The text reports: with a frame of the source for people, a line a finding for editors and grep."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.finding import Applicability, Finding, Severity
from rlhflint.reports.formats import Options
from rlhflint.reports.frame import frame
from rlhflint.reports.links import rule_url
from rlhflint.reports.printable import printable, without_commands
from rlhflint.reports.secrets import Secrets
from rlhflint.result import FileResult, Result, by_code
from rlhflint.text import Span

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.ADVICE: "36"}


def render(result: Result, options: Options) -> str:
    """All findings with the source they stand in, and a line that sums them up."""
    paint, seen = _Paint(options.colour), set[str]()
    blocks = []
    for file in result.files:
        secrets = Secrets(file)
        for finding in file.findings:
            blocks.append("\n".join(_block(finding, file, secrets, paint, known=finding.code in seen)))
            seen.add(finding.code)
    return without_commands("".join(f"{block}\n\n" for block in blocks) + closing(result, options))


def render_concise(result: Result, options: Options) -> str:
    """A line a finding, and one that sums them up."""
    paint, lines = _Paint(options.colour), []
    for file in result.files:
        secrets = Secrets(file)
        for finding in file.findings:
            message = " ".join(secrets.masked(finding.message).split("\n"))
            lines.append(f"{where(finding.span, file)}: {_head(finding, message, paint)}\n")
    return without_commands("".join(lines) + closing(result, options))


def closing(result: Result, options: Options) -> str:
    """What stands below the findings: how often each rule was broken, where that was asked for, and the sum."""
    text = ""
    if options.statistics:
        rows = sorted(by_code(result.findings).items(), key=lambda item: (-item[1], item[0]))
        text = "".join(f"{number:6}  {code}  {name}\n" for (code, name), number in rows)
    return f"{text}{summary_line(result)}\n"


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
        f"{counts['known']} in the baseline" if counts["known"] else "",
        f"{_number(counts['undecided'], 'check')} undecided" if counts["undecided"] else "",
    ]
    return f"{text} in {launches}" + "".join(f"; {part}" for part in rest if part)


def where(span: Span, file: FileResult) -> str:
    """`train.sh:12:5`, or `nb.ipynb:cell 3:2:1` in a notebook."""
    source = file.sources.get(span.path)
    if source is None:
        return printable(span.path)
    position = source.position(span.start)
    cell = f":cell {position.cell}" if position.cell else ""
    return f"{printable(span.path)}{cell}:{position.line}:{position.column}"


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


class _Paint:
    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, text: str, codes: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self._on and text else text


def _head(finding: Finding, message: str, paint: _Paint) -> str:
    severity = paint(finding.severity.value, f"1;{_COLOURS[finding.severity]}")
    return f"{severity}[{paint(finding.code, '1')}] {printable(message)}"


def _block(finding: Finding, file: FileResult, secrets: Secrets, paint: _Paint, *, known: bool) -> Iterator[str]:
    """The lines of one finding. `known`: a finding of the same rule was shown before."""
    message, *more = secrets.masked(finding.message).split("\n")
    yield _head(finding, message, paint)
    yield from (f"    {printable(line)}" for line in more)
    yield f"  {paint('-->', '34')} {where(finding.span, file)}"
    source = file.sources.get(finding.span.path)
    if source is not None:
        yield from frame(source, finding.span, secrets, paint, _COLOURS[finding.severity])
    for related in finding.related:
        place = where(related.span, file)
        yield from _note("note", "1", f"{secrets.masked(related.message)} ({place})", paint)
    if finding.help:
        yield from _note("help", "1;32", secrets.masked(finding.help), paint)
    fix = secrets.shown(finding.fix)
    if fix is not None:
        unsafe = " --unsafe" if fix.applicability is Applicability.UNSAFE else ""
        yield from _note("fix", "1;32", f"{fix.title} (rlhflint fix{unsafe})", paint)
    if not known:
        yield from _note("see", "1", rule_url(finding.code), paint)


def _note(label: str, codes: str, text: str, paint: _Paint) -> Iterator[str]:
    first, *more = text.split("\n")
    yield f"  {paint(label + ':', codes)} {printable(first)}"
    yield from (f"  {'':{len(label) + 1}} {printable(line)}" for line in more)
