"""The command line within the process of the test, in the same way at every click that may be installed."""

from __future__ import annotations

import inspect
from typing import Any

from click.testing import CliRunner, Result


class _Outcome(Result):
    """What click before 8.2 gives, with the `output` of later ones: both, standard error after standard output."""

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


class _Apart(CliRunner):
    """click before 8.2 mixes both outputs unless told otherwise; then its `output` lacks standard error."""

    def __init__(self) -> None:
        super().__init__(mix_stderr=False)

    def invoke(self, *words: Any, **settings: Any) -> Result:
        return _Outcome(**vars(super().invoke(*words, **settings)))


def runner() -> CliRunner:
    """A runner whose results have `stdout` and `stderr` apart, and both in `output`."""
    return _Apart() if "mix_stderr" in inspect.signature(CliRunner).parameters else CliRunner()
