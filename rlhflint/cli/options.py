"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import click

from rlhflint.project.selection import parse_selectors
from rlhflint.project.settings import Settings, parse_frameworks, parse_programs, parse_versions
from rlhflint.reports.formats import FORMATS

F = TypeVar("F", bound=Callable[..., Any])
Options: TypeAlias = list[Callable[[Any], Any]]

_SELECTION: Options = [
    click.option("--select", multiple=True, metavar="CODES", help="Run only these rules: codes, prefixes, ALL."),
    click.option("--ignore", multiple=True, metavar="CODES", help="Do not run these rules."),
    click.option("--extend-select", multiple=True, metavar="CODES", help="Run these rules besides the usual ones."),
]
_CONTEXT: Options = [
    click.option(
        "--framework-version",
        "framework_versions",
        multiple=True,
        metavar="NAME=VERSION",
        help="The release in force of openrlhf, trl, transformers, vllm, deepspeed, …; repeatable.",
    ),
    click.option("--program", "programs", multiple=True, metavar="GLOB=PROGRAM", help="Which program files configure."),
    click.option("--cluster", metavar="NODESxGPUS", help="The machines there are, such as 2x8."),
    click.option("--experimental", multiple=True, metavar="FRAMEWORK", help="Look at this framework, too: verl."),
    click.option("--python", metavar="PATH", help="An environment whose installed packages count if nothing is said."),
    click.option("--config", type=click.Path(exists=True, dir_okay=False), help="Use only this configuration file."),
    click.option("--isolated", is_flag=True, help="Use no configuration file."),
]
_FILES: Options = [
    click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files and folders besides."),
    click.option("--force-exclude", is_flag=True, help="Leave out excluded files also where they are named."),
    click.option("--stdin-filename", metavar="NAME", help="The name that standard input (-) goes by."),
    click.option("--markdown/--no-markdown", default=None, help="Check shell blocks of Markdown files, too."),
]
_REPORT: Options = [
    click.option("--output-format", multiple=True, metavar="FORMAT[:FILE]", help=f"{', '.join(FORMATS)}; repeatable."),
    click.option("--output-file", type=click.Path(dir_okay=False, writable=True), help="Write the report there."),
]
_OUTPUT: Options = [
    click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True),
    click.option("--quiet", "-q", is_flag=True, help="Print findings only."),
    click.option(
        "--verbose",
        "-v",
        is_flag=True,
        help="Say also what could not be decided and why; of a check, how long it took.",
    ),
]


def selection_options(command: F) -> F:
    """--select, --ignore, --extend-select."""
    return _add(command, _SELECTION)


def context_options(command: F) -> F:
    """What is in force: releases, programs, machines, configuration."""
    return _add(command, _CONTEXT)


def file_options(command: F) -> F:
    """Which files are looked at."""
    return _add(command, _FILES)


def report_options(command: F) -> F:
    """The forms of the report and where it goes."""
    return _add(command, _REPORT)


def output_options(command: F) -> F:
    """How much is said, in which colours."""
    return _add(command, _OUTPUT)


def _add(command: F, options: Options) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def settings_of(given: dict[str, Any]) -> Settings:
    """The settings in a command's options. Raises `click.UsageError` for one that cannot be understood."""
    try:
        if given.get("cluster"):
            from rlhflint.project.cluster import parse_cluster

            parse_cluster(given["cluster"])
        settings = Settings(
            select=parse_selectors(given["select"]) if given.get("select") else None,
            ignore=parse_selectors(given.get("ignore", ())),
            extend_select=parse_selectors(given.get("extend_select", ())),
            framework_versions=parse_versions(given.get("framework_versions", ())),
            programs=parse_programs(given.get("programs", ())),
            exclude=tuple(given.get("exclude", ())),
            force_exclude=bool(given.get("force_exclude")),
            fail_on=given.get("fail_on"),
            cluster=given.get("cluster"),
            python=given.get("python"),
            markdown=given.get("markdown"),
            experimental=parse_frameworks(given.get("experimental", ())),
            config=given.get("config"),
            isolated=bool(given.get("isolated")),
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if selectors := (*(settings.select or ()), *settings.ignore, *settings.extend_select):
        from rlhflint.cli.codes import verify_options

        verify_options(given, selectors)
    return settings


def wants_colour(choice: str, stream: Any = None) -> bool:
    """Whether to print in colour: as chosen, else on a terminal unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    stream = stream or sys.stdout
    return not os.environ.get("NO_COLOR") and stream.isatty() and os.environ.get("TERM") != "dumb"
