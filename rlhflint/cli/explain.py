"""`rlhflint explain`: from a symptom or a log to the likely cause in the configuration."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from rlhflint.cli import options
from rlhflint.project.config import ConfigError

if TYPE_CHECKING:
    from rlhflint.explain.symptoms import Sign

_LARGEST = 64 * 1024 * 1024
"""Bytes of a log that are read, its last ones."""


@click.command("explain")
@click.argument("text", nargs=-1, metavar="[TEXT | LOG | -]")
@click.option("--launch", metavar="PATH[:LINE]", help="A launch whose settings that bear on it are shown.")
@options.context_options
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(text: tuple[str, ...], launch: str | None, **given: Any) -> None:
    """Say what in the configuration likely leads to a symptom. TEXT is the symptom in words ("KL explodes"), a message,
    or the name of an entry; LOG is a file with the output of a run, - standard input. Without TEXT the entries are
    listed. Exit status 1: nothing of it is known."""
    from rlhflint.explain.answer import as_object, listed, render
    from rlhflint.explain.symptoms import signs, symptoms

    if not text:
        click.echo(listed(symptoms()), nl=False)
        return
    said, log = _said(text)
    found = signs(said)
    if not found:
        click.echo(_nothing(said, log, [one.name for one in symptoms()]), err=True)
        sys.exit(1)
    from rlhflint.rules import load_all

    rules = {rule.code: rule.name for rule in load_all()}
    try:
        of_launch = _settings(launch, found, given) if launch is not None else {}
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    if given["output_format"] == "json":
        from rlhflint.reports.printable import json_text

        click.echo(json_text(as_object(found, rules, of_launch)), nl=False)
    else:
        click.echo(render(found, rules, of_launch, log=log), nl=False)


def _said(words: tuple[str, ...]) -> tuple[str, bool]:
    """The text, and whether it is a log."""
    if words == ("-",):
        return sys.stdin.buffer.read(_LARGEST).decode("utf-8", "replace"), True
    if len(words) == 1 and os.path.isfile(words[0]):
        return _end_of(words[0]), True
    if len(words) == 1 and " " not in words[0] and words[0].endswith((".log", ".txt", ".out", ".err")):
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


def _settings(launch: str, found: tuple[Sign, ...], given: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """For each symptom the settings of a launch that bear on it, with their values and origins."""
    from rlhflint.check import Checker
    from rlhflint.cli.chosen import chosen
    from rlhflint.reports.comparison import Side, in_words
    from rlhflint.resolved import resolved

    one = chosen(Checker(options.settings_of(given)), launch)
    values = resolved(one.model)
    side = Side(one.file, one.line)
    family = one.model.session.framework
    return {
        sign.symptom.name: [
            (name, in_words(values[name], side)) for name in sign.symptom.settings.get(family, ()) if name in values
        ]
        for sign in found
    }
