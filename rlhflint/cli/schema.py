"""`rlhflint schema`: the JSON Schema of a program's configuration, for editors."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from rlhflint.frameworks import framework
from rlhflint.project.programs import known_program
from rlhflint.registry import programs

if TYPE_CHECKING:
    from rlhflint.frameworks import Framework


def _programs(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [one for one in programs() if one.startswith(incomplete)]


@click.command("schema")
@click.argument("program", required=False, shell_complete=_programs)
@click.option(
    "--framework-version",
    "framework_versions",
    multiple=True,
    metavar="NAME=VERSION",
    help="The release of openrlhf, or of trl and transformers; otherwise that in force here, or the newest known.",
)
def command(program: str | None, framework_versions: tuple[str, ...]) -> None:
    """Print the JSON Schema (draft 2020-12) of a program's configuration at a release; without PROGRAM the programs.
    The release is the one that is in force for the files of the current folder.

    For TRL it describes the YAML file that --config names; for OpenRLHF the options by name, without dashes. An editor
    with the YAML language server takes it by the line

    \b
        # yaml-language-server: $schema=sft.schema.json
    """
    from rlhflint.editor_schema import NoSuchProgram
    from rlhflint.project.settings import parse_versions

    if program is None:
        click.echo("\n".join(programs()))
        return
    try:
        family, _, name = known_program(program).partition(":")
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    chosen = framework(family)
    try:
        versions = parse_versions(framework_versions)
        given = {package: chosen.release_of(package, version) for package, version in versions.items()}
        releases = {**_in_force(chosen, skipping=given), **given}
        found = chosen.schema(name, releases)
    except ValueError as error:
        raise click.UsageError(f"--framework-version: {error}") from None
    except NoSuchProgram as error:
        raise click.UsageError(str(error)) from None
    click.echo(json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False))


def _in_force(chosen: Framework, skipping: Mapping[str, str]) -> dict[str, str]:
    """The releases that the project states for files of the current folder, which are told on standard error."""
    from rlhflint.packages.names import PACKAGES
    from rlhflint.project.config import ConfigError
    from rlhflint.project.configurations import Configurations
    from rlhflint.project.places import Repositories
    from rlhflint.project.settings import Settings
    from rlhflint.reports.printable import printable
    from rlhflint.versions.search import VersionSearch

    repositories = Repositories()
    try:
        config = Configurations(Settings(), repositories).for_folder(".")
        declared = VersionSearch(repositories).declared(os.path.join(".", "configuration.yaml"), config=config)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    found: dict[str, str] = {}
    for package in PACKAGES:
        if package in skipping or (version := declared.resolve(package)) is None:
            continue
        try:
            found[package] = chosen.release_of(package, version.specifier or version.value)
        except ValueError as error:
            if package == chosen.name:
                click.echo(printable(f"{error}; the newest is taken"), err=True)
            continue
        click.echo(printable(f"{package} {found[package]} from {version.source}"), err=True)
    return found
