"""`rlhflint diff`: two launches compared setting by setting."""

from __future__ import annotations

import sys
from typing import Any

import click

from rlhflint.check import Checker
from rlhflint.cli import options
from rlhflint.cli.chosen import chosen
from rlhflint.project.config import ConfigError


@click.command("diff")
@click.argument("a")
@click.argument("b")
@options.context_options
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--a-version", multiple=True, metavar="NAME=VERSION", help="A release in force for A alone; repeatable.")
@click.option("--b-version", multiple=True, metavar="NAME=VERSION", help="A release in force for B alone; repeatable.")
def command(a: str, b: str, **given: Any) -> None:
    """Compare two launches setting by setting, whatever the names of settings were at their releases. A and B are PATH,
    or PATH:LINE where a file holds several launches.

    Settings that are not given count with the default of their launch's release. Exit status: 0 nothing differs, 1
    something differs or may, 2 there is nothing to compare.
    """
    from rlhflint.comparison import NotComparable, compared
    from rlhflint.reports.comparison import Side, as_object, render
    from rlhflint.reports.printable import json_text

    try:
        left, right = (
            chosen(
                Checker(options.settings_of(given | {"framework_versions": (*given["framework_versions"], *own)})), text
            )
            for text, own in ((a, given["a_version"]), (b, given["b_version"]))
        )
        comparison = compared(left.model, right.model)
    except (ConfigError, NotComparable) as error:
        raise click.UsageError(str(error)) from None
    sides = tuple(Side(one.file, one.line, one.judged.ways) for one in (left, right))
    if given["output_format"] == "json":
        click.echo(json_text(as_object(comparison, *sides)), nl=False)
    else:
        click.echo(render(comparison, *sides), nl=False)
    sys.exit(0 if comparison.same else 1)
