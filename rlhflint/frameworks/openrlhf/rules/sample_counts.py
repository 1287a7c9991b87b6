"""The number of samples against the batches they have to fill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, few_samples, roles
from rlhflint.frameworks.openrlhf.datasets import at_most, exactly
from rlhflint.frameworks.openrlhf.programs import PPO, SUPERVISED
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import is_sft
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.records import dataclass
from rlhflint.rule import ERROR, FIRST_STEP, LATE, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.finding import Stage
    from rlhflint.frameworks.openrlhf.models.train_dpo import TrainDPO
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.models.train_rm import TrainRM
    from rlhflint.frameworks.openrlhf.models.train_sft import TrainSFT


@rule("OR307", "too-few-samples", severity=WARNING, stage=SILENT, programs=PPO, fix="unsafe")
def too_few_samples(launch: TrainPPORay) -> Iterator[Draft]:
    """`data.max_samples` has to fill at least one rollout and one optimizer step.

    What happens: a dry run with `data.max_samples 8` alone trains nothing. Up to 0.9.0 the incomplete rollout is
    dropped and the run ends at once; from 0.9.1 to 0.9.8 it is generated and thrown away. Since 0.9.9 it is trained:
    then too few micro batches for the actor's processes end it with "Insufficient batch size", and too few samples
    for `train.batch_size` never reach an optimizer step.

    Why: prompts come in batches of `rollout.batch_size` (0.8.1 to 0.9.0: of `--vllm_generate_batch_size`), and
    incomplete ones are dropped (trainer/ppo_trainer.py@0.9.0, experience_maker.py@0.9.6, samples_generator.py@0.9.9).

    Example:
        --data.max_samples 8

    Use instead:
        --data.max_samples 8 --rollout.batch_size 8 --train.batch_size 64
    """
    if launch.session.setting("data.max_samples") is None:
        return
    prompts, each = launch.data.max_samples, launch.rollout.n_samples_per_prompt
    if prompts <= 0 or each <= 0:
        return
    shortage = _of_a_rollout(launch, prompts) or _of_a_step(launch, prompts * each)
    if shortage is None:
        return
    spelt = launch.session.spelling
    smaller = few_samples.batch_sizes(launch, prompts)
    written = " ".join(f"{spelt(name)} {value}" for name, value in smaller)
    changes = tuple(change for name, value in smaller for change in put(launch, name, value))
    yield launch.finding(
        "data.max_samples",
        *shortage.settings,
        message=f"{spelt('data.max_samples')} {prompts}: {shortage.message}",
        help=f"write {written} beside it" if smaller else "allow more samples, or take fewer GPUs for a dry run",
        severity=ERROR if shortage.stage is FIRST_STEP else WARNING,
        stage=shortage.stage,
        proposal=Proposal(f"Write {written}", UNSAFE, changes) if changes else None,
    )


@dataclass(frozen=True, slots=True)
class _Shortage:
    """What too few samples lead to."""

    message: str
    stage: Stage
    settings: tuple[str, ...]


def _of_a_rollout(launch: TrainPPORay, prompts: int) -> _Shortage | None:
    session = launch.session
    if session.since("0.9.9"):
        return _of_pieces(launch, prompts)
    name, wanted = "rollout.batch_size", launch.rollout.batch_size
    if session.since("0.8.1") and not session.since("0.9.1") and launch.rollout.vllm_generate_batch_size:
        name, wanted = "rollout.vllm_generate_batch_size", launch.rollout.vllm_generate_batch_size
    if prompts >= wanted:
        return None
    fate = "it is generated and thrown away" if session.since("0.9.1") else "it is dropped, and the run ends at once"
    return _Shortage(f"the only rollout falls short of {session.spelling(name)} {wanted}: {fate}", SILENT, (name,))


def _of_pieces(launch: TrainPPORay, prompts: int) -> _Shortage | None:
    """Too few micro batches for the actor's processes, where an incomplete rollout is trained."""
    micro = launch.rollout.micro_batch_size
    if micro <= 0 or prompts >= launch.rollout.batch_size or launch.train.dynamic_batch_enable:
        return None
    samples = prompts * launch.rollout.n_samples_per_prompt
    pieces = -(-samples // micro)
    at_once = batches.parallel(roles.role(launch, "actor").gpus, roles.duplicates(launch))
    if pieces >= at_once:
        return None
    return _Shortage(
        f"{samples} samples make {pieces} micro batches, fewer than the {at_once} that actors work on at a time: the "
        'first rollout ends with "Insufficient batch size"',
        FIRST_STEP,
        ("rollout.micro_batch_size", "actor.num_gpus_per_node"),
    )


def _of_a_step(launch: TrainPPORay, samples: int) -> _Shortage | None:
    batch = launch.train.batch_size
    if samples >= batch:
        return None
    return _Shortage(
        f"{samples} samples are fewer than {launch.session.spelling('train.batch_size')} {batch}, so that no episode "
        "reaches an optimizer step",
        SILENT,
        ("train.batch_size", "rollout.n_samples_per_prompt"),
    )


@rule("OR308", "dataset-smaller-than-batch", severity=ERROR, stage=STARTUP, programs=SUPERVISED)
def dataset_smaller_than_batch(launch: TrainSFT | TrainRM | TrainDPO) -> Iterator[Draft]:
    """The data has to fill at least one batch of `train.batch_size` samples.

    What happens: since 0.9.7 a ValueError ends the run once the model is loaded ("num_update_steps_per_epoch must be
    positive"). Before, it runs through its epochs without a single update and saves the model as it was.

    Why: updates in an epoch are samples ÷ batch, rounded down (cli/train_sft.py@0.9.6, trainer/sft_trainer.py@0.9.7,
    trainer/dpo_trainer.py@0.11.2). In train_sft of 0.11.2 all epochs together have to fill one batch.

    Example:
        --data.max_samples 64 --train.batch_size 128 --train.max_epochs 1

    Use instead:
        --data.max_samples 64 --train.batch_size 32 --train.max_epochs 1
    """
    batch, session = launch.train.batch_size, launch.session
    samples = at_most(session, launch.data.dataset, launch.data.max_samples)
    over_epochs = is_sft(launch) and session.since("0.11.2")
    counted = samples * max(launch.train.max_epochs, 1) if over_epochs else samples
    if counted >= batch:
        return
    raises = session.since("0.9.7")
    limited = session.setting("data.max_samples") is not None and samples == launch.data.max_samples
    yield launch.finding(
        "data.max_samples" if limited else "train.batch_size",
        "train.batch_size",
        "data.dataset",
        message=(
            f"{samples} samples do not fill one batch of {session.spelling('train.batch_size')} {batch}: "
            + ("the run ends with a ValueError" if raises else "the model is never updated, and nothing says so")
        ),
        help=f"lower {session.spelling('train.batch_size')} to {samples} or less, or use more data",
        stage=STARTUP if raises else SILENT,
    )


@rule(
    "OR316",
    "last-rollout-too-small",
    severity=ERROR,
    stage=LATE,
    programs=PPO,
    applies=">=0.9.9",
    fix="unsafe",
)
def last_rollout_too_small(launch: TrainPPORay) -> Iterator[Draft]:
    r"""The rest of the prompts, after the last whole rollout, has to make enough micro batches for the actor.

    What happens: at the end of the first episode a ValueError ends the run ("Insufficient batch size"), after all
    the training before.

    Why: since 0.9.9 the incomplete last rollout of an episode is trained, and dealing out fewer micro batches than
    processes that work at a time is refused (samples_generator.py@0.9.9, trainer/ray/launcher.py@0.11.2). How many
    prompts there are is known where the data is one `.jsonl` file of the project.

    Example:
        --- data/prompts.jsonl
        {"input": "1 + 1"}
        {"input": "2 + 2"}
        {"input": "3 + 3"}
        {"input": "4 + 4"}
        {"input": "5 + 5"}
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --data.prompt_dataset data/prompts.jsonl \
           --rollout.batch_size 4 --rollout.n_samples_per_prompt 4 --rollout.micro_batch_size 2 \
           --actor.num_gpus_per_node 4

    Use instead:
        --- data/prompts.jsonl
        {"input": "1 + 1"}
        {"input": "2 + 2"}
        {"input": "3 + 3"}
        {"input": "4 + 4"}
        {"input": "5 + 5"}
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --data.prompt_dataset data/prompts.jsonl --data.max_samples 4 \
           --rollout.batch_size 4 --rollout.n_samples_per_prompt 4 --rollout.micro_batch_size 2 \
           --actor.num_gpus_per_node 4
    """
    if launch.algo.dynamic_filtering_enable or launch.train.dynamic_batch_enable:
        return
    micro, rollout = launch.rollout.micro_batch_size, launch.rollout.batch_size
    at_once = batches.parallel(roles.role(launch, "actor").gpus, roles.duplicates(launch))
    if micro <= 0 or rollout <= 0 or at_once <= 1:
        return
    prompts = exactly(launch.session, launch.data.prompt_dataset, launch.data.max_samples)
    rest = prompts % rollout
    pieces = -(-rest * launch.rollout.n_samples_per_prompt // micro)
    if prompts < rollout or rest == 0 or pieces >= at_once:
        return
    whole, name = prompts - rest, launch.session.spelling("data.max_samples")
    yield launch.finding(
        "rollout.batch_size",
        "data.prompt_dataset",
        "data.max_samples",
        "rollout.micro_batch_size",
        message=(
            f"{prompts} prompts in rollouts of {rollout} leave {rest} for the last one, which makes {pieces} micro "
            f'batches for {at_once} that actors work on at a time: the episode ends with "Insufficient batch size"'
        ),
        help=f"write {name} {whole} to leave the rest out",
        proposal=Proposal(f"Write {name} {whole}", UNSAFE, put(launch, "data.max_samples", whole)),
    )
