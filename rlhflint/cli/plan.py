"""`rlhflint plan`: which part of a launch sits on which GPU, and what it takes there."""

from __future__ import annotations

import sys
from typing import Any

import click

from rlhflint.check import Checker
from rlhflint.cli import options
from rlhflint.cli.chosen import all_chosen
from rlhflint.project.config import ConfigError


@click.command("plan")
@click.argument("path")
@options.context_options
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(path: str, **given: Any) -> None:
    """Print which part of a launch sits on which GPU, how many GPUs it asks for and how many there are, and an estimate
    of the memory it takes on a GPU. PATH is a file, or PATH:LINE for one of its launches.

    Exit status: 0, 1 where there are certainly too few GPUs, 2 where there is nothing to plan.
    """
    from rlhflint.frameworks import framework
    from rlhflint.reports.plan import as_object, render
    from rlhflint.reports.printable import json_text

    try:
        found = all_chosen(Checker(options.settings_of(given)), path)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    plans = [(one, framework(one.model.session.framework).plan(one.model)) for one in found]
    if given["output_format"] == "json":
        launches = [as_object(one.launch, one.line, plan) for one, plan in plans]
        click.echo(json_text({"schema_version": 1, "launches": launches}), nl=False)
    else:
        click.echo("\n".join(render(one.launch, one.line, plan) for one, plan in plans), nl=False)
    sys.exit(int(any(plan.fits is False for _, plan in plans)))
