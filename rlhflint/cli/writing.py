"""Files that a command writes: reports, baselines."""

from __future__ import annotations

import click


def write(path: str, text: str) -> None:
    """Write a text to a file. Raises `click.UsageError` where that is not possible."""
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from None
