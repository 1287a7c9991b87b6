"""Runs that remember, also where there are few files, and while others work on the linter itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from rlhflint import processes
from rlhflint.cli import rlhflint
from rlhflint.digest import digest
from rlhflint.project.settings import Settings
from rlhflint.remembered import memory
from tests.runner import runner


class Runs:
    """Runs of `check`, those that remember in a folder of their own.

    `given` counts the results that were given again in the last run, `kept` is the folder.
    """

    def __init__(self, kept: Path) -> None:
        self.kept = kept
        self.given = 0

    def __call__(self, *words: str) -> tuple[int, str]:
        """Exit status and output."""
        self.given = 0
        done = runner().invoke(
            rlhflint, ["check", *words], catch_exceptions=False, env={"RLHFLINT_CACHE_DIR": str(self.kept)}
        )
        told = [line for line in done.stderr.splitlines(keepends=True) if not line.startswith("time: ")]
        return done.exit_code, done.stdout + "".join(told)


@contextmanager
def remembering(kept: Path) -> Iterator[Runs]:
    """Runs that remember from the first file on."""
    runs = Runs(kept)
    result = memory.Memory.result

    def counted(self: memory.Memory, candidate: object, names: Sequence[str]) -> object:
        found = result(self, candidate, names)  # type: ignore[arg-type]
        runs.given += found is not None
        return found

    def identity(settings: Settings) -> str:
        return digest(repr((settings, os.getcwd())))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "FEWEST_REMEMBERED", 1)
        patch.setattr(memory.Memory, "result", counted)
        patch.setattr(memory, "identity_of", identity)
        yield runs


@pytest.fixture
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """Runs that remember from the first file on, nothing so far."""
    with remembering(tmp_path_factory.mktemp("kept")) as made:
        yield made
