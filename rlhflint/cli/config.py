"""`rlhflint config`: the configuration in force, and where each of its values was said."""

from __future__ import annotations

import os
from typing import Any

import click

from rlhflint.cli import options
from rlhflint.project.config import Config, ConfigError
from rlhflint.project.configurations import Configurations
from rlhflint.project.places import shown
from rlhflint.reports.printable import json_text, printable


@click.command("config")
@click.argument("path", default=".", type=click.Path(exists=True))
@options.selection_options
@options.context_options
@options.file_options
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(path: str, **given: Any) -> None:
    """Print the configuration in force for the files of a folder, or for a file: each key, its value, and where it was
    said. The text is TOML."""
    configurations = Configurations(options.settings_of(given))
    try:
        config = configurations.for_folder(path) if os.path.isdir(path) else configurations.for_file(path)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    click.echo(_json(config) if given["output_format"] == "json" else _text(config), nl=False)


def _json(config: Config) -> str:
    rows = [{"key": one.key, "value": one.value, "source": one.source} for one in config.effective()]
    file = shown(config.path) if config.path else None
    return json_text({"schema_version": 1, "file": file, "values": rows})


def _text(config: Config) -> str:
    from rlhflint.project.toml_text import toml_key, toml_value

    lines = [f"# {printable(shown(config.path))}" if config.path else "# no configuration file"]
    for one in config.effective():
        source = printable(one.source)
        if one.value is None:
            lines.append(f"# {one.key} is not set")
        else:
            lines.append(f"{toml_key(*one.key.split('.', 1))} = {toml_value(one.value)}  # {source}")
    return "\n".join(lines) + "\n"
