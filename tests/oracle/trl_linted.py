"""Many small launches of TRL linted in one run: which are refused before training, and what their options come to."""

from __future__ import annotations

import re
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlhflint.check import Checker
from rlhflint.finding import Finding, Severity, Stage
from rlhflint.frameworks.trl.batches import grouped, processes, steps_given
from rlhflint.frameworks.trl.programs import SIZED
from rlhflint.project.settings import Settings
from rlhflint.value import Undetermined

_NUMBER = re.compile(r"\d{5}")


@dataclass
class Linted:
    """What was found in one launch."""

    errors: list[Finding] = field(default_factory=list)
    """Errors that strike before the first step."""
    values: dict[str, Any] = field(default_factory=dict)
    """Options by canonical name, those that are known; of a command before those of the script alone."""
    undecided: dict[str, str] = field(default_factory=dict)
    """Rules that could not decide, with the reason."""
    launches: int = 0

    def codes(self) -> set[str]:
        """The rules with errors."""
        return {finding.code for finding in self.errors}


def lint(launches: list[dict[str, str]], versions: dict[str, str], folder: Path, *, late: bool = False) -> list[Linted]:
    """Lint launches, each a mapping of file names to texts, in folders of their own.

    `late`: errors of the first step count, too.
    """
    (folder / ".git").mkdir(exist_ok=True)
    for at, files in enumerate(launches):
        for name, text in files.items():
            path = folder / f"{at:05d}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    found = [Linted() for _ in launches]
    checker = Checker(Settings(select=("TR", "RL"), framework_versions=versions))
    with chdir(folder):
        for file in checker.check(["."]).files:
            number = _NUMBER.search(file.path)
            assert number is not None, [finding.message for finding in file.findings]
            assert not file.broken, (file.path, [finding.message for finding in file.findings])
            one = found[int(number[0])]
            one.errors += [finding for finding in file.findings if _counts(finding, late)]
            one.launches += len(file.launches)
            for judged in file.launches:
                one.undecided |= {undecided.code: undecided.because for undecided in judged.undecided}
                values = known_values(checker.model(file, judged.launch))
                # What a command gives stands above what its script alone would have.
                by_script = judged.launch.details.form == "python"
                one.values = {**values, **one.values} if by_script else {**one.values, **values}
    return found


def _counts(finding: Finding, late: bool) -> bool:
    stages = (Stage.PARSE, Stage.STARTUP, *((Stage.FIRST_STEP,) if late else ()))
    return finding.severity is Severity.ERROR and finding.stage in stages


def known_values(model: Any) -> dict[str, Any]:
    """The options of a typed model that are known."""
    values: dict[str, Any] = {}
    for name in type(model).model_fields:
        try:
            values[name] = getattr(model, name)
        except Undetermined:
            continue
    if values.get("num_generations") and model.session.launch.program in SIZED and grouped(model):
        values |= _generated(model)
    return values


def _generated(model: Any) -> dict[str, Any]:
    """The sizes that follow from others: from 0.18 on the configuration works them out."""
    try:
        size, count = model.per_device_train_batch_size, processes(model)
        total = model.generation_batch_size
        if total is None:
            total = size * count * (steps_given(model) or model.gradient_accumulation_steps)
        return {"generation_batch_size": total, "steps_per_generation": steps_given(model) or total // (size * count)}
    except Undetermined:
        return {}
