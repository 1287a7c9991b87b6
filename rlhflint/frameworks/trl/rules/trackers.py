"""What is logged, and the packages it is logged with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.programs import DPO, KTO
from rlhflint.frameworks.trl.proposals import remove
from rlhflint.rule import ERROR, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.kto import KTOModel

_TRACKERS = ("wandb", "comet-ml", "mlflow")


@rule(
    "TR242",
    "generation-eval-without-tracker",
    severity=ERROR,
    stage=STARTUP,
    programs=(DPO, KTO),
    applies=">=0.8.0,<1.2.0",
    fix="unsafe",
)
def generation_eval_without_tracker(launch: DPOModel | KTOModel) -> Iterator[Draft]:
    """Answers that are generated in an evaluation need a tracker that shows them.

    What happens: ValueError "`generate_during_eval=True` requires Weights and Biases …" when the trainer is built.

    Why: the answers go into a table of Weights & Biases, Comet or MLflow (trainer/dpo_trainer.py@0.28.0). Said only
    where a lock file lists all packages there will be, and none of these. DPO has the option up to 0.28, KTO up to 1.1.

    Example:
        # trl 0.24.0
        --- uv.lock
        version = 1

        [[package]]
        name = "torch"
        version = "2.8.0"

        [[package]]
        name = "transformers"
        version = "4.56.2"

        [[package]]
        name = "trl"
        version = "0.24.0"
        --- dpo.py
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", generate_during_eval=True)

    Use instead:
        # trl 0.24.0
        --- uv.lock
        version = 1

        [[package]]
        name = "torch"
        version = "2.8.0"

        [[package]]
        name = "transformers"
        version = "4.56.2"

        [[package]]
        name = "trl"
        version = "0.24.0"

        [[package]]
        name = "wandb"
        version = "0.21.0"
        --- dpo.py
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", generate_during_eval=True)
    """
    if not launch.generate_during_eval:
        return
    missing = launch.session.site.declared.missing
    listings = [missing(package) for package in _TRACKERS]
    if all(listing is not None and listing.closed for listing in listings):
        yield launch.finding(
            "generate_during_eval",
            message=f"generate_during_eval, and {listings[0].place if listings[0] else ''} lists neither wandb nor "
            f"comet-ml nor mlflow: TRL {launch.session.release} refuses that",
            help="add wandb to the packages, or leave generate_during_eval out",
            proposal=remove(launch, "generate_during_eval"),
        )
