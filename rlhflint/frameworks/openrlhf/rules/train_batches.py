"""The batch of an optimizer step: what DeepSpeed accepts, what a rollout and a dataset can fill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, roles
from rlhflint.frameworks.openrlhf.programs import PPO, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.batches import Crew
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living


@rule("OR303", "batch-not-divisible", severity=ERROR, stage=STARTUP, programs=TRAINING, fix="unsafe")
def batch_not_divisible(launch: Living) -> Iterator[Draft]:
    """`train.batch_size` times ring and tensor parallel has to be a multiple of micro batch times processes.

    What happens: DeepSpeed refuses the batch ("train_batch_size is not equal to micro_batch_per_gpu *
    gradient_acc_step * world_size"), after the models are loaded.

    Why: every model is a DeepSpeed engine that checks the two numbers against its own processes, the reference and
    the reward model of PPO as well, which get the same numbers although they do not train (get_ds_eval_config in
    utils/deepspeed/deepspeed.py@0.11.2). With dynamic batches actor and critic are exempt, since 0.8.6. DeepSpeed
    tensor parallelism counts from 0.7.4.

    Example:
        --train.batch_size 100

    Use instead:
        --train.batch_size 112
    """
    micro, batch = launch.train.micro_batch_size, launch.train.batch_size
    duplicates = roles.duplicates(launch)
    if micro <= 0:
        return
    wrong: list[Crew] = []
    judged: list[Crew] = []
    missing: Undetermined | None = None
    try:
        for crew in batches.crews(launch):
            if _exempt(launch, crew):
                continue
            judged.append(crew)
            if batch <= 0 or batch % batches.unit(crew.gpus, micro, duplicates):
                wrong.append(crew)
    except Undetermined as undetermined:
        missing = undetermined
    if wrong:
        yield _indivisible(launch, wrong, judged, complete=missing is None)
    elif missing is not None:
        raise missing


def _exempt(launch: Living, crew: Crew) -> bool:
    """Actor and critic make up their batches themselves when they are dynamic."""
    return crew.trains and is_ppo(launch) and launch.train.dynamic_batch_enable


def _indivisible(launch: Living, wrong: list[Crew], judged: list[Crew], *, complete: bool) -> Draft:
    micro, batch, duplicates = launch.train.micro_batch_size, launch.train.batch_size, roles.duplicates(launch)
    spelt = launch.session.spelling
    multiple = batches.common_unit(judged, micro, duplicates)
    near = batches.nearest(batch, multiple)
    best = batches.closest(batch, near)
    size, parts = spelt("train.batch_size"), f"{spelt('train.micro_batch_size')} {micro}"
    whole = f"{size} {batch}" + (
        f" × {duplicates} for ring and tensor parallel = {batch * duplicates}" * (duplicates > 1)
    )
    groups = " and ".join(f"{micro * gpus} ({parts} × {said})" for gpus, said in batches.by_size(wrong).items())
    return launch.finding(
        "train.batch_size",
        "train.micro_batch_size",
        *(setting for crew in wrong for setting in crew.settings),
        message=f"{whole} is no multiple of {groups}: DeepSpeed refuses it once the models are loaded",
        help=f"write {batches.alternatives(near)}, a multiple of {multiple}",
        proposal=Proposal(f"Write {size} {best}", UNSAFE, put(launch, "train.batch_size", best))
        if best is not None and complete
        else None,
    )


@rule("OR305", "rollout-below-train-batch", severity=WARNING, stage=SILENT, programs=PPO, fix="unsafe")
def rollout_below_train_batch(launch: TrainPPORay) -> Iterator[Draft]:
    """A rollout has to fill a whole number of optimizer steps.

    What happens: nothing is said. Gradients of what is left over go into the next rollout, whose samples come from a
    newer policy; with dynamic batches the rest is dropped. If a rollout is smaller than one step, some rollouts end
    without a step, with dynamic batches all of them, and the learning rate schedule may be worked out for 0 steps.

    Why: steps and schedule are counted with whole-number division, and DeepSpeed carries accumulated gradients on
    (prepare_datasets in trainer/ppo_trainer.py@0.11.2, trainer/ppo_utils/replay_buffer.py@0.11.2).

    Example:
        --rollout.batch_size 128 --rollout.n_samples_per_prompt 4 --train.batch_size 1024

    Use instead:
        --rollout.batch_size 128 --rollout.n_samples_per_prompt 4 --train.batch_size 512
    """
    made, batch = batches.samples(launch), launch.train.batch_size
    if batch <= 0 or made <= 0 or made % batch == 0:
        return
    spelt, dynamic = launch.session.spelling, launch.session.since("0.8.6") and launch.train.dynamic_batch_enable
    product = (
        f"{spelt('rollout.batch_size')} {launch.rollout.batch_size} × {spelt('rollout.n_samples_per_prompt')} "
        f"{launch.rollout.n_samples_per_prompt} = {made} samples of a rollout"
    )
    if made < batch:
        effect = (
            "no rollout ever reaches an optimizer step"
            if dynamic
            else "not every rollout ends in an optimizer step, and its gradients run over into the next"
        )
        message = f"{product} are fewer than {spelt('train.batch_size')} {batch}: {effect}"
    else:
        rest = made % batch
        effect = "are dropped" if dynamic else "wait for the next rollout's first step"
        message = (
            f"{product} are no multiple of {spelt('train.batch_size')} {batch}: "
            f"the gradients of {rest} samples {effect}"
        )
    size = _train_batch_for(launch, made)
    yield launch.finding(
        "train.batch_size",
        "rollout.batch_size",
        "rollout.n_samples_per_prompt",
        message=message,
        help=f"make {spelt('train.batch_size')} a divisor of {made}" + (f", such as {size}" if size else ""),
        proposal=Proposal(f"Write {spelt('train.batch_size')} {size}", UNSAFE, put(launch, "train.batch_size", size))
        if size
        else None,
    )


def _train_batch_for(launch: TrainPPORay, made: int) -> int | None:
    """The divisor of the samples of a rollout next to the batch asked for that DeepSpeed accepts for every group."""
    micro = if_known(lambda: launch.train.micro_batch_size)
    if not micro or micro <= 0:
        return None
    multiple = if_known(lambda: batches.common_unit(batches.crews(launch), micro, roles.duplicates(launch)))
    if multiple is None:
        return None
    fitting = (one for one in batches.divisors(made) if one % multiple == 0)
    return batches.closest(launch.train.batch_size, fitting)
