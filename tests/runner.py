"""The command line within the process of the test."""

from __future__ import annotations

import inspect

from click.testing import CliRunner

_APART = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
"""click before 8.2 mixes both outputs unless told otherwise; later ones keep both and have no such parameter."""


def runner() -> CliRunner:
    """A runner that keeps standard output and standard error apart, at every click that may be installed."""
    return CliRunner(**_APART)
