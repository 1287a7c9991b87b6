"""Where the shipped scripts take their data from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.session import details_of
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.shared import TrainerModel


@rule("TR120", "datasets-and-name", severity=WARNING, stage=SILENT, programs=EVERY, applies=">=0.22.0")
def datasets_and_name(launch: TrainerModel) -> Iterator[Draft]:
    """TRL's scripts take their data from `datasets` or from `dataset_name`, one of them.

    What happens: with both, a warning at most, and dataset_name is ignored; with neither, ValueError.

    Why: the script takes the mixture first (scripts/sft.py@0.22.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
        datasets:
          - path: e

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        datasets:
          - path: e
    """
    details = details_of(launch)
    if details.by not in ("trl", "script") or "datasets" not in (details.fields or {}):
        return
    session = launch.session
    given = [name for name in ("dataset_name", "datasets") if session.setting(name) is not None]
    if len(given) == 2 and launch.datasets and launch.dataset_name:
        yield launch.finding(
            "dataset_name",
            "datasets",
            message="dataset_name and datasets are both given: datasets is taken, and dataset_name ignored",
            help="put it into datasets, or take one of them out",
        )
    elif not given and not launch.given("datasets") and not launch.given("dataset_name"):
        yield launch.finding(
            message="neither dataset_name nor datasets is given: the script raises ValueError",
            help="give dataset_name",
            severity=ERROR,
            stage=STARTUP,
        )
