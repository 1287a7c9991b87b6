"""The command line. Each command is a module of its own, loaded only when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from rlhflint import __version__

COMMANDS = {
    "check": "Report what is wrong with the launches in files and folders.",
    "config": "Print the configuration in force, and where each of its values was said.",
    "diff": "Compare two launches setting by setting, across old and new names.",
    "explain": "Say what in the configuration likely leads to a symptom or to what a log shows.",
    "fix": "Put right what can be put right for certain; move launches to another release.",
    "init": "Write a configuration file from what is found in a project.",
    "plan": "Print which part of a launch sits on which GPU, and what it takes there.",
    "rule": "Print the documentation of a rule, or the table of all rules.",
    "schema": "Print the JSON Schema of a program's configuration at a release, for editors.",
    "show": "Print what was read: launches, settings, where values come from, releases in force.",
}


class LazyGroup(click.Group):
    """Commands by name, imported when one is called; their one-line help is kept here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, from its module."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"rlhflint.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words name; for one that does not exist the one that is meant is told."""
        name = args[0]
        if name not in COMMANDS and not ctx.resilient_parsing and not name.startswith("-"):
            from rlhflint.wording import did_you_mean

            ctx.fail(f"No such command {name!r}{did_you_mean(name, COMMANDS) or '.'}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="rlhflint %(version)s")
def rlhflint() -> None:
    """Say what will go wrong with an RLHF launch (OpenRLHF, TRL) before the GPUs are booked.

    Exit status of `check`: 0 nothing found at or above --fail-on, 1 something found, 2 wrong usage or a file that could
    not be read.
    """
