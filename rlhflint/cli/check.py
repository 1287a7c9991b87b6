"""`rlhflint check`: report what is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import click

from rlhflint.check import Checker, without_repetitions
from rlhflint.cli import known_findings, options
from rlhflint.cli.progress import watched
from rlhflint.cli.writing import write
from rlhflint.project.config import ConfigError
from rlhflint.reports.formats import Options, render
from rlhflint.reports.outputs import Output, WrongOutput, default_format, outputs
from rlhflint.result import FileResult, Result
from rlhflint.selectors import verify_configured
from rlhflint.severity import Severity
from rlhflint.stages import Stage, counted


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@options.selection_options
@options.context_options
@options.file_options
@options.report_options
@click.option("--fail-on", type=click.Choice(["error", "warning", "advice", "never"]), help="What makes exit status 1.")
@click.option("--baseline", metavar="FILE", type=click.Path(dir_okay=False), help="Let known findings through.")
@click.option("--write-baseline", metavar="FILE", type=click.Path(dir_okay=False), help="Make all findings known.")
@click.option("--prune-baseline", is_flag=True, help="Take out of --baseline what was fixed.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), metavar="N", help="Processes for many files; default: processors."
)
@click.option("--cache/--no-cache", default=True, help="Remember what is found in many files; default: yes.")
@click.option("--statistics", is_flag=True, help="Count findings by rule.")
@options.output_options
def command(paths: tuple[str, ...], **given: Any) -> None:
    """Read launches in files, folders (recursive) or standard input (-), and report findings."""
    with counted() if given["verbose"] else nullcontext() as stages:
        status = _run(paths, given)
    if stages is not None:
        click.echo(f"time: {stages}", err=True)
    sys.exit(status)


def _run(paths: tuple[str, ...], given: dict[str, Any]) -> int:
    """Check, report, and give the exit status."""
    checker = Checker(options.settings_of(given))
    try:
        result = checked(
            checker,
            paths or (".",),
            given["stdin_filename"],
            quiet=given["quiet"],
            jobs=given["jobs"],
            remembers=given["cache"],
        )
        fail_on = checker.configurations.for_folder(".").fail_on
        verify_configured(checker.configurations)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    result = known_findings.applied(result, given)
    with Stage("report"):
        report(result, given)
    return exit_status(result, fail_on)


def checked(
    checker: Checker,
    paths: tuple[str, ...],
    stdin_filename: str | None,
    *,
    quiet: bool = False,
    jobs: int | None = 1,
    remembers: bool = False,
) -> Result:
    """The result for the paths of a command line; `-` is standard input. Unless `quiet`, how far it is is told.

    With several `jobs` (None: as many as pay), and where it `remembers` what earlier runs found, it is what reports
    tell of the files, without the launches as read.
    """
    if "-" not in paths:
        results = checker.results(paths) if jobs == 1 and not remembers else _many(checker, paths, jobs, remembers)
        return Result(tuple(without_repetitions(results if quiet else watched(results))))
    if len(paths) > 1:
        raise click.UsageError("- (standard input) cannot be checked together with other paths")
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    return Result((checker.check_text(text, stdin_filename or "stdin.sh"),))


def _many(checker: Checker, paths: tuple[str, ...], jobs: int | None, remembers: bool) -> Iterator[FileResult]:
    from rlhflint.processes import results

    return results(checker, paths, jobs, remembers=remembers)


def report(result: Result, given: dict[str, Any], *, err: bool = False) -> None:
    """Write the reports that were asked for, each to its place; `err`: standard error instead of standard output."""
    chosen = wanted(given)
    for output in chosen:
        colour = output.file is None and options.wants_colour(given["color"])
        text = render(output.format, result, Options(colour, given["statistics"], given["quiet"], given["verbose"]))
        if output.file is None:
            click.echo(text, nl=False, color=True, err=err)
        else:
            write(output.file, text)


def wanted(given: dict[str, Any]) -> tuple[Output, ...]:
    """The reports that the options ask for. Raises `click.UsageError` where they contradict each other."""
    try:
        return outputs(given["output_format"], given["output_file"], default_format(os.environ))
    except WrongOutput as error:
        raise click.UsageError(str(error)) from None


def exit_status(result: Result, fail_on: str) -> int:
    """2 if something could not be checked, 1 for findings at or above `fail_on`, else 0."""
    if result.broken:
        return 2
    if fail_on == "never":
        return 0
    least = Severity(fail_on).rank
    return int(any(finding.severity.rank >= least for finding in result.findings))
