"""`rlhflint explain`: from a symptom or a log to the likely cause in the configuration."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from rlhflint.cli import options
from rlhflint.project.config import ConfigError

if TYPE_CHECKING:
    from rlhflint.explain.answer import Bearing
    from rlhflint.explain.symptoms import Sign
    from rlhflint.judged import Chosen

_LARGEST = 64 * 1024 * 1024
"""Bytes of a log that are read, its last ones."""


@click.command("explain")
@click.argument("text", nargs=-1, metavar="[TEXT | LOG | -]")
@click.option("--launch", metavar="PATH[:LINE]", help="A launch whose settings that bear on it are shown.")
@click.option("--dry-run", metavar="PATH[:LINE]", help="Print the file with its launches made small, for a trial.")
@click.option("--report", metavar="PATH[:LINE]", help="Print what an issue needs, nothing private in it.")
@options.context_options
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(text: tuple[str, ...], launch: str | None, dry_run: str | None, report: str | None, **given: Any) -> None:
    """Say what in the configuration likely leads to a symptom. TEXT is the symptom in words ("KL explodes"), a message,
    or the name of an entry; LOG is a file with the output of a run or its metrics (lines of JSON, a trainer's state),
    - standard input. Without TEXT the entries are listed. Exit status 1: nothing of it is known."""
    if sum(one is not None for one in (launch, dry_run, report)) > 1 or (dry_run is not None and text):
        raise click.UsageError("--launch, --dry-run and --report are for one at a time, --dry-run without a text")
    try:
        if dry_run is not None:
            _rehearse(dry_run, given)
        elif report is not None:
            _report(report, text, given)
        else:
            _explain(text, launch, given)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None


def _explain(text: tuple[str, ...], launch: str | None, given: dict[str, Any]) -> None:
    from rlhflint.explain.answer import Answer, as_object, listed, render
    from rlhflint.explain.symptoms import signs, symptoms

    if not text:
        click.echo(listed(symptoms()), nl=False)
        return
    said, log = _said(text)
    one = _chosen(launch, given) if launch is not None else None
    found = signs(said, one.model.session.framework if one is not None else "")
    if not found:
        click.echo(_nothing(said, log, [entry.name for entry in symptoms()]), err=True)
        sys.exit(1)
    from rlhflint.rules import load_all

    bearings = {} if one is None else {sign.symptom.name: _bearing(sign, one) for sign in found}
    answer = Answer(found, {rule.code: rule.name for rule in load_all()}, bearings, log)
    if given["output_format"] == "json":
        from rlhflint.reports.printable import json_text

        click.echo(json_text(as_object(answer)), nl=False)
    else:
        click.echo(render(answer), nl=False)


def _said(words: tuple[str, ...]) -> tuple[str, bool]:
    """The text, and whether it is a log."""
    if words == ("-",):
        return sys.stdin.buffer.read(_LARGEST).decode("utf-8", "replace"), True
    if len(words) == 1 and os.path.isfile(words[0]):
        return _end_of(words[0]), True
    if (
        len(words) == 1
        and " " not in words[0]
        and words[0].endswith((".log", ".txt", ".out", ".err", ".json", ".jsonl"))
    ):
        raise click.UsageError(f"{words[0]} is {'no file' if os.path.lexists(words[0]) else 'not there'}")
    return " ".join(words), False


def _end_of(path: str) -> str:
    try:
        with open(path, "rb") as file:
            file.seek(max(os.path.getsize(path) - _LARGEST, 0))
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from None


def _nothing(said: str, log: bool, names: list[str]) -> str:
    from rlhflint.explain.symptoms import nearest

    if log:
        return "no symptom that is known was found in the log; `rlhflint explain` lists those that are"
    near = nearest(said, names)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"no symptom that is known is in these words; {hint}`rlhflint explain` lists those that are"


def _chosen(launch: str, given: dict[str, Any]) -> Chosen:
    from rlhflint.check import Checker
    from rlhflint.cli.chosen import chosen

    return chosen(Checker(options.settings_of(given)), launch)


def _bearing(sign: Sign, one: Chosen) -> Bearing:
    """What a launch has to do with a symptom."""
    from rlhflint.explain.answer import Bearing
    from rlhflint.reports.comparison import Side, in_words
    from rlhflint.resolved import resolved

    session, values, side = one.model.session, resolved(one.model), Side(one.file, one.line)
    names = [name for name in sign.symptom.settings.get(session.framework, ()) if name in values]
    found = {finding.code for finding in one.file.findings if finding.launch in one.judged.every}
    return Bearing(
        tuple((name, in_words(values[name], side), session.spelling(name)) for name in names),
        tuple(code for code in sign.symptom.rules if code in found),
        session.framework,
        str(session.release),
    )


def _rehearse(path: str, given: dict[str, Any]) -> None:
    """Print a file with its launches made small; what was written is told on standard error."""
    from rlhflint.check import Checker
    from rlhflint.cli.chosen import all_chosen, split
    from rlhflint.explain.rehearsal import NoRehearsal, rehearsal
    from rlhflint.project.discovery import Candidate
    from rlhflint.project.kinds import FileKind, kind_of_file
    from rlhflint.reports.printable import printable

    checker = Checker(options.settings_of(given))
    found = all_chosen(checker, path)
    name = split(path)[0]
    numbers = [found[0].file.launches.index(one.judged) for one in found]
    try:
        made = rehearsal(checker, Candidate(name, kind_of_file(name) or FileKind.OTHER), numbers)
    except NoRehearsal as error:
        raise click.UsageError(printable(str(error))) from None
    for program, written in made.written:
        sizes = " ".join(f"{name} {value}" for name, value in written)
        click.echo(printable(f"{program}: {sizes}"), err=True)
    sys.stdout.buffer.write(made.text.encode())
    sys.stdout.buffer.flush()


def _report(path: str, text: tuple[str, ...], given: dict[str, Any]) -> None:
    """Print the report of a launch for an issue, with what a log of it shows."""
    from rlhflint.explain.report import report
    from rlhflint.explain.symptoms import signs

    one = _chosen(path, given)
    shown = signs(_said(text)[0], one.model.session.framework) if text else ()
    click.echo(report(one, shown), nl=False)
