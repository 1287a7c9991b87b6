"""Computing what the reference model says before training, and what that needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.datasets import has_images, streams
from rlhflint.frameworks.trl.policy import adapted, shipped
from rlhflint.frameworks.trl.programs import DPO, KTO
from rlhflint.frameworks.trl.proposals import remove
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.sharding import zero_stage
from rlhflint.rule import ERROR, FIRST_STEP, LATE, STARTUP, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.call import Argument
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.kto import KTOModel

PRECOMPUTE = "precompute_ref_log_probs"


@rule(
    "TR209",
    "precompute-under-zero",
    severity=ERROR,
    stage=STARTUP,
    programs=(DPO, KTO),
    applies="<1.9.0",
    fix="unsafe",
)
def precompute_under_zero(launch: DPOModel | KTOModel) -> Iterator[Draft]:
    """Reference log-probabilities cannot be computed beforehand under ZeRO, before 1.9.

    What happens: ValueError when the trainer is built, under ZeRO-3 (DPO up to 0.28, KTO up to 1.2); a crash before the
    first step, under ZeRO-2 and 3 (DPO 0.29 to 1.8).

    Why: the pass over the data ran before the model was sharded, or on another device (trainer/dpo_trainer.py@0.28.0,
    @0.29.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        accelerate launch --use_deepspeed --zero_stage 3 --num_processes 8 dpo.py
        --- dpo.py
        from trl import DPOConfig, DPOTrainer

        args = DPOConfig(output_dir="out", precompute_ref_log_probs=True)
        trainer = DPOTrainer("m", args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --use_deepspeed --zero_stage 3 --num_processes 8 dpo.py
        --- dpo.py
        from trl import DPOConfig, DPOTrainer

        args = DPOConfig(output_dir="out", precompute_ref_log_probs=True)
        trainer = DPOTrainer("m", args=args, train_dataset=None)
    """
    dpo = launch.session.launch.program == DPO
    refused = not launch.session.since("0.29.0" if dpo else "1.3.0")
    if not launch.precompute_ref_log_probs or (not dpo and not refused):
        return
    stage = zero_stage(launch)
    if stage < 2 or (refused and stage != 3):
        return
    does = "refuses that" if refused else "breaks off before the first step: model and data are on different devices"
    yield launch.finding(
        PRECOMPUTE,
        message=f"{PRECOMPUTE} under ZeRO-{stage}: TRL {launch.session.release} {does}",
        help="leave it out" + ("; TRL 1.9 and later can do it" if dpo else ""),
        stage=STARTUP if refused else FIRST_STEP,
        proposal=remove(launch, PRECOMPUTE),
    )


@rule("TR210", "precompute-needs-map-dataset", severity=ERROR, stage=STARTUP, programs=(DPO, KTO), applies=">=0.29.0")
def precompute_needs_map_dataset(launch: DPOModel | KTOModel) -> Iterator[Draft]:
    """Reference log-probabilities are computed beforehand for a data set that can be gone through twice.

    What happens: ValueError with an iterable data set when the trainer is built, from 1.6 on also with data that have
    images; from 1.9 on in `evaluate` on other data, after training without an adapter and without ref_model.

    Why: the results are stored as a column of the data, and once it is trained the model cannot stand for its own
    beginning (trainer/dpo_trainer.py@0.29.0, @1.6.0, @1.9.0).
    KTO does so from 1.3 on.

    Example:
        # trl 1.9.0
        --- run.sh
        trl dpo --model_name_or_path m --dataset_name d --dataset_streaming --precompute_ref_log_probs

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl dpo --model_name_or_path m --dataset_name d --precompute_ref_log_probs
    """
    if not launch.precompute_ref_log_probs:
        return
    if launch.session.launch.program == KTO and not launch.session.since("1.3.0"):
        return
    if shipped(launch):
        streaming = launch.dataset_streaming
    else:
        call = details_of(launch).trainer_call
        streaming = call is not None and streams(launch.train_dataset)
    if streaming:
        yield launch.finding(
            PRECOMPUTE,
            "dataset_streaming" if shipped(launch) else "train_dataset",
            message=f"{PRECOMPUTE} with data that is streamed: TRL {launch.session.release} refuses that",
            help="load the data without streaming, or leave precompute_ref_log_probs out",
        )
    if shipped(launch):
        return
    images = has_images(launch.train_dataset)
    if launch.session.since("1.6.0") and images:
        yield launch.finding(
            PRECOMPUTE,
            "train_dataset",
            message=f"{PRECOMPUTE} with data that have images: TRL {launch.session.release} refuses that",
            help="leave precompute_ref_log_probs out",
        )
    if launch.session.since("1.9.0") and not images:
        yield from _evaluated_later(launch)


def _evaluated_later(launch: DPOModel | KTOModel) -> Iterator[Draft]:
    """Data that are handed to `evaluate` after training."""
    trained = False
    for call in details_of(launch).uses:
        method = call.target.rpartition(".")[2]
        trained = trained or (method == "train" and not call.choices)
        data = next((one for one in call.arguments if one.position == 0 or one.name == "eval_dataset"), None)
        if method != "evaluate" or data is None or not trained or call.choices or not _is_data(data):
            continue
        if launch.ref_model is None and not adapted(launch):
            yield launch.finding(
                PRECOMPUTE,
                at=data.span,
                message=f"evaluate is given data after training, and {PRECOMPUTE} leaves no reference to compare them "
                f"with: TRL {launch.session.release} refuses that",
                help="hand the data to the trainer as eval_dataset, or pass ref_model",
                stage=LATE,
            )


def _is_data(given: Argument) -> bool:
    return (
        given.made is not None and given.made.call.target.startswith("datasets.") and not isinstance(given.value, Known)
    )
