"""Codes on the command line: each has to fit a rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click

from rlhflint.selectors import trouble

_OPTIONS = ("select", "ignore", "extend_select")


def verify_options(given: Mapping[str, Any], selectors: Iterable[str]) -> None:
    """Raise `click.UsageError` for a selector of the command line that fits no rule.

    Args:
        given: the options of a command, by which the one at fault is named.
        selectors: all the codes and prefixes they hold.
    """
    for selector in selectors:
        if (wrong := trouble(selector)) is not None:
            named = (name for name in _OPTIONS if any(selector in _split(text) for text in given.get(name) or ()))
            raise click.UsageError(f"--{next(named, 'select').replace('_', '-')}: {wrong}")


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]
