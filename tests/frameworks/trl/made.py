"""Launches of TRL in the folder of a test, as typed models."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.project.settings import Settings


class Folder:
    """A project that holds what a test writes."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (path / ".git").mkdir()
        monkeypatch.chdir(path)
        self.path = path

    def model(self, text: str, name: str = "run.sh", **files: str) -> TrainerModel:
        """The one launch of a file; further files by their name without `.`, whose place `_` takes."""
        for one, content in {name: text, **{one.replace("_", "."): content for one, content in files.items()}}.items():
            (self.path / one).write_text(content)
        checker = Checker(Settings(framework_versions={"trl": "0.24.0", "transformers": "4.56.2"}))
        found = [(file, judged) for file in checker.results([name]) for judged in file.launches]
        (chosen,) = [(file, judged) for file, judged in found if judged.launch.program != "trl:launch"]
        model = checker.model(chosen[0], chosen[1].launch)
        assert isinstance(model, TrainerModel)
        return model
