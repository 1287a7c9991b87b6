"""`rlhflint fix`: put right what can be put right for certain, or move launches to another release."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from rlhflint.check import Checker, without_repetitions
from rlhflint.cli import known_findings, options
from rlhflint.cli.check import exit_status, report, wanted
from rlhflint.fixing.diff import unified
from rlhflint.fixing.fixer import Fixer, Group, Outcome
from rlhflint.project.config import ConfigError
from rlhflint.result import Result
from rlhflint.selectors import verify_configured

if TYPE_CHECKING:
    from rlhflint.fixing.migration import Mover

STDIN = "-"


@click.command("fix")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--unsafe", is_flag=True, help="Make also fixes that may change what a launch does, or lose a comment.")
@click.option("--diff", "as_diff", is_flag=True, help="Print what would change as a unified diff, and write nothing.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit status 1 if something would change.")
@click.option(
    "--to",
    "targets",
    multiple=True,
    metavar="NAME=VERSION",
    help="Move launches to this release (openrlhf=0.11.2, trl=latest); repeatable.",
)
@click.option("--pin-defaults", is_flag=True, help="With --to: write out defaults that changed, with their old values.")
@options.selection_options
@options.context_options
@options.file_options
@options.report_options
@click.option("--fail-on", type=click.Choice(["error", "warning", "advice", "never"]), help="What makes exit status 1.")
@click.option("--baseline", metavar="FILE", type=click.Path(dir_okay=False), help="Let known findings through.")
@click.option("--statistics", is_flag=True, help="Count findings by rule.")
@options.output_options
def command(paths: tuple[str, ...], **given: Any) -> None:
    """Fix launches in files and folders (recursive), and report what is left. With - the text of standard input is
    fixed and printed."""
    wanted(given)
    checker = Checker(options.settings_of(given))
    mover = _mover(given)
    baseline = known_findings.baseline_at(given["baseline"]) if given["baseline"] is not None else None
    try:
        outcome = _outcome(Fixer(checker, given["unsafe"], mover), paths or (".",), given["stdin_filename"])
        fail_on = checker.configurations.for_folder(".").fail_on
        verify_configured(checker.configurations)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    writes = not (given["as_diff"] or given["only_check"])
    refused: list[str] = []
    if STDIN in paths:
        if writes:
            sys.stdout.buffer.write(outcome.text.encode())
            sys.stdout.buffer.flush()
    elif writes:
        outcome, refused = _written(outcome, checker)
    if baseline is not None:
        outcome = replace(outcome, result=known_findings.without_known(outcome.result, given["baseline"], baseline))
    _tell(outcome, mover, given, refused)
    if given["as_diff"]:
        for one in outcome.changed:
            click.echo(unified(one.path, one.before, one.after), nl=False)
    if not given["only_check"]:
        report(outcome.result, given, err=given["as_diff"] or STDIN in paths)
    sys.exit(_exit_status(outcome, given, fail_on, refused))


def _mover(given: dict[str, Any]) -> Mover | None:
    if not given["targets"]:
        if given["pin_defaults"]:
            raise click.UsageError("--pin-defaults needs --to NAME=VERSION")
        return None
    from rlhflint.fixing.migration import Mover, parsed
    from rlhflint.migration import Targets

    try:
        return Mover(Targets(parsed(given["targets"]), given["pin_defaults"], given["unsafe"]))
    except ValueError as error:
        raise click.UsageError(f"--to: {error}") from None


def _outcome(fixer: Fixer, paths: tuple[str, ...], stdin_filename: str | None) -> Outcome:
    if STDIN not in paths:
        outcome = fixer.fix(paths)
        return replace(outcome, result=Result(tuple(without_repetitions(outcome.result.files))))
    if len(paths) > 1:
        raise click.UsageError("- (standard input) cannot be fixed together with other paths")
    from rlhflint.project.discovery import Candidate
    from rlhflint.project.kinds import kind_of_text

    name = stdin_filename or "stdin.sh"
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError:
        raise click.UsageError("standard input is no UTF-8 text") from None
    return fixer.fix_text(Candidate(name, kind_of_text(name, text)), text)


def _written(outcome: Outcome, checker: Checker) -> tuple[Outcome, list[str]]:
    """The outcome with what could not be written as it stands, and why it could not be."""
    from rlhflint.fixing.writing import NotWritten, Writing, write_together

    unwritten: list[Group] = []
    refused: list[str] = []
    for group in outcome.groups:
        root = checker.repositories.root(os.path.dirname(os.path.abspath(group.changed[0].path)))
        try:
            write_together([Writing(one.path, one.before, one.after) for one in group.changed], root)
        except NotWritten as error:
            unwritten.append(group)
            refused.append(str(error))
    return outcome.without(unwritten), refused


def _tell(outcome: Outcome, mover: Mover | None, given: dict[str, Any], refused: list[str]) -> None:
    """What was done, on standard error."""
    for reason in refused:
        click.echo(f"not written: {reason}", err=True)
    if given["quiet"]:
        return
    would = "would change" if given["as_diff"] or given["only_check"] else "changed"
    for one in outcome.changed:
        click.echo(f"{would} {one.path}", err=True)
    if given["verbose"]:
        for (code, title), count in sorted(outcome.fixed.items()):
            times = f" ({count} times)" if count > 1 else ""
            click.echo(f"  {f'{code}: ' if code else ''}{title}{times}", err=True)
    for statement in mover.statements if mover is not None else ():
        click.echo(statement, err=True)


def _exit_status(outcome: Outcome, given: dict[str, Any], fail_on: str, refused: list[str]) -> int:
    if refused or not outcome.settled:
        return 2
    if given["only_check"]:
        return 2 if outcome.result.broken else int(bool(outcome.changed))
    return exit_status(outcome.result, fail_on)
