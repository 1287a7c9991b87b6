"""`rlhflint init`: a configuration file from what a project holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rlhflint.check import Checker
from rlhflint.project.config import ConfigError
from rlhflint.project.places import shown
from rlhflint.project.settings import Settings
from rlhflint.reports.printable import printable
from rlhflint.wording import counted

if TYPE_CHECKING:
    from rlhflint.cli.proposed_configuration import Found

NAME = "rlhflint.toml"


@click.command("init")
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--print", "only_print", is_flag=True, help="Print the file and write nothing.")
@click.option("--diff", "as_diff", is_flag=True, help="Print the file as a unified diff and write nothing.")
def command(folder: str, only_print: bool, as_diff: bool) -> None:
    """Write a rlhflint.toml that suits the project in a folder: the launches that are found there, the releases that
    are stated for them and those that are assumed. What exists is not changed."""
    from rlhflint.cli.proposed_configuration import found_in, table

    path = os.path.join(folder, NAME)
    checker = Checker(Settings())
    try:
        existing = checker.configurations.for_folder(folder).path
        if not (only_print or as_diff):
            _refuse(existing, path)
        found = found_in(checker.check([folder]))
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    text = table(found)
    if as_diff:
        from rlhflint.fixing.diff import unified

        click.echo(unified(shown(path), "", text), nl=False)
    elif only_print:
        click.echo(text, nl=False)
    else:
        _write(path, text)
        click.echo(f"wrote {printable(shown(path))}", err=True)
    for line in _told(found):
        click.echo(line, err=True)


def _refuse(existing: str | None, path: str) -> None:
    if existing is not None:
        raise click.UsageError(
            f"{shown(existing)} is the configuration here already, and nothing was written; "
            "rlhflint init --print shows what would be"
        )
    if os.path.lexists(path):
        raise click.UsageError(f"{shown(path)} is there already, and nothing was written")


def _write(path: str, text: str) -> None:
    try:
        with Path(path).open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise click.UsageError(f"{shown(path)}: {error.strerror}") from None


def _told(found: Found) -> list[str]:
    """What was found, for standard error."""
    from rlhflint.cli.proposed_configuration import said

    lines = [f"{program} in {counted(len(files), 'file')}" for program, files in found.programs.items()]
    for version in (*found.stated, *found.assumed):
        assumed = "" if version.stated else " (assumed)"
        lines.append(f"{version.name} {said(version)} from {printable(version.source)}{assumed}")
    lines += [f"{printable(path)} could not be read in full" for path in found.open_files]
    return lines or ["no launches were found"]
