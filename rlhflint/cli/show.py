"""`rlhflint show`: what was read, before anything is judged."""

from __future__ import annotations

import sys
from typing import Any

import click

from rlhflint.check import Checker
from rlhflint.cli import options
from rlhflint.cli.check import checked
from rlhflint.project.config import ConfigError
from rlhflint.selectors import verify_configured


@click.command("show")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@options.selection_options
@options.context_options
@options.file_options
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@options.output_options
def command(paths: tuple[str, ...], **given: Any) -> None:
    """Print each launch that was read: its program, each setting with its value and where that comes from, what stayed
    unknown and why, which releases were assumed and from where, which checks could not be decided."""
    from rlhflint.reports.printable import json_text
    from rlhflint.reports.show import as_object, render

    checker = Checker(options.settings_of(given))
    try:
        result = checked(checker, paths or (".",), given["stdin_filename"])
        verify_configured(checker.configurations)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    if given["output_format"] == "json":
        click.echo(json_text(as_object(result)), nl=False)
    else:
        click.echo(render(result, colour=options.wants_colour(given["color"])), nl=False, color=True)
    sys.exit(2 if result.broken else 0)
