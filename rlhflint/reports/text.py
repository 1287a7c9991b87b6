"""The text reports: with a frame of the source for people, a line a finding for editors and grep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.result import Result, by_code
from rlhflint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rlhflint.reports.formats import Options


def render(result: Result, options: Options) -> str:
    """All findings with the source they stand in, and a line that sums them up."""
    if not result.findings:
        return closing(result, options)
    from rlhflint.reports.block import blocks

    return blocks(result, colour=options.colour) + closing(result, options)


def render_concise(result: Result, options: Options) -> str:
    """A line a finding, and one that sums them up."""
    if not result.findings:
        return closing(result, options)
    from rlhflint.reports.block import lines

    return lines(result, colour=options.colour) + closing(result, options)


def closing(result: Result, options: Options) -> str:
    """What stands below the findings: checks that were not decided and how often each rule was broken, where that was
    asked for, and the sum."""
    text = "".join(undecided(result)) if options.verbose else ""
    if options.statistics:
        rows = sorted(by_code(result.findings).items(), key=lambda item: (-item[1], item[0]))
        text += "".join(f"{number:6}  {code}  {name}\n" for (code, name), number in rows)
    return text if options.quiet else f"{text}{summary_line(result)}\n"


def undecided(result: Result) -> Iterator[str]:
    """A line for each check that could not be decided: where, which, and what is in the way."""
    from rlhflint.reports.printable import printable
    from rlhflint.reports.regions import line_of

    for file in result.files:
        for judged in file.launches:
            span = judged.launch.span
            for one in judged.undecided:
                yield (
                    printable(f"{span.path}:{line_of(span, file)}: undecided {one.code}: {one.what}: {one.because}")
                    + "\n"
                )


def summary_line(result: Result) -> str:
    """`2 errors, 1 warning in 3 launches (2 files)`, or that nothing was found."""
    counts = result.summary()
    launches = f"{counted(counts['launches'], 'launch', 'launches')} ({counted(counts['files'], 'file')})"
    found = [
        counted(counts["error"], "error") if counts["error"] else "",
        counted(counts["warning"], "warning") if counts["warning"] else "",
        counted(counts["advice"], "piece of advice", "pieces of advice") if counts["advice"] else "",
    ]
    text = ", ".join(filter(None, found)) or "Nothing found"
    rest = [
        f"{counts['suppressed']} suppressed" if counts["suppressed"] else "",
        f"{counts['known']} in the baseline" if counts["known"] else "",
        f"{counted(counts['undecided'], 'check')} undecided" if counts["undecided"] else "",
    ]
    return f"{text} in {launches}" + "".join(f"; {part}" for part in rest if part)
