"""`rlhflint schema`: the JSON Schema of a program's configuration, for editors."""

from __future__ import annotations

import json

import click

from rlhflint.frameworks import NAMES, framework


@click.command("schema")
@click.argument("program", required=False)
@click.option(
    "--framework-version",
    "framework_versions",
    multiple=True,
    metavar="NAME=VERSION",
    help="The release of openrlhf, or of trl and transformers: a version or a specifier; the newest known otherwise.",
)
def command(program: str | None, framework_versions: tuple[str, ...]) -> None:
    """Print the JSON Schema (draft 2020-12) of a program's configuration at a release; without PROGRAM the programs.

    For TRL it describes the YAML file that --config names; for OpenRLHF the options by name, without dashes. An editor
    with the YAML language server takes it by the line

    \b
        # yaml-language-server: $schema=sft.schema.json
    """
    from rlhflint.editor_schema import NoSuchProgram
    from rlhflint.project.settings import parse_versions

    if program is None:
        for name in NAMES:
            click.echo("\n".join(framework(name).programs()))
        return
    family, separator, name = program.partition(":")
    if not separator or family not in NAMES:
        raise click.UsageError(f"{program!r} is no program{_near(program)}")
    chosen = framework(family)
    try:
        versions = parse_versions(framework_versions)
        releases = {package: chosen.release_of(package, version) for package, version in versions.items()}
        found = chosen.schema(name, releases)
    except ValueError as error:
        raise click.UsageError(f"--framework-version: {error}") from None
    except NoSuchProgram as error:
        raise click.UsageError(f"{error}{_near(program)}") from None
    click.echo(json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False))


def _near(program: str) -> str:
    from rlhflint.project.spelling import did_you_mean

    known = [one for name in NAMES for one in framework(name).programs()]
    if program in known:
        return ""
    by_name = [one for one in known if one.partition(":")[2] == program.replace("-", "_")]
    return f"; did you mean {by_name[0]!r}?" if by_name else did_you_mean(program, known)
