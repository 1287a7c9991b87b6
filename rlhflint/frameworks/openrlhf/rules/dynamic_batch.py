"""Micro-batches cut by tokens: what they switch on, what they need, what is in vain without them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import asks_for_flash_attention, attention_setting, sees_images
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ADVICE, FIRST_STEP, SILENT, WARNING, Draft, rule
from rlhflint.value import all_hold, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule(
    "OR210",
    "dynamic-batch-turns-packing-on",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.8.6",
    fix="safe",
)
def dynamic_batch_turns_packing_on(launch: TrainPPORay) -> Iterator[Draft]:
    """`train.dynamic_batch_enable` packs samples, with flash attention.

    What happens: packing is switched on with a printed line; `rollout.max_tokens_per_gpu` becomes
    `train.max_tokens_per_gpu` if it is not given, and an attention that cannot pack is replaced, which makes this a
    warning.

    Why: batches by tokens are packs (cli/train_ppo_ray.py@0.8.6, @0.11.2).

    Example:
        --train.dynamic_batch_enable

    Use instead:
        --train.dynamic_batch_enable --ds.packing_samples
    """
    if not all_hold(lambda: launch.train.dynamic_batch_enable, lambda: not launch.ds.packing_samples):
        return
    spelt = launch.session.spelling
    packing = spelt("ds.packing_samples")
    replaced = if_known(lambda: asks_for_flash_attention(launch)) is False
    consequences = [f"{packing} is switched on"]
    if if_known(lambda: launch.rollout.max_tokens_per_gpu is None):
        cap = if_known(lambda: launch.train.max_tokens_per_gpu)
        consequences.append(f"{spelt('rollout.max_tokens_per_gpu')} becomes {cap or 'that of training'}")
    if replaced:
        consequences.append("the attention that is asked for is replaced by flash_attention_2")
    yield launch.finding(
        "train.dynamic_batch_enable",
        "ds.packing_samples",
        *(("ds.attn_implementation",) if replaced else ()),
        message=f"{spelt('train.dynamic_batch_enable')} changes more at OpenRLHF {launch.session.release}: "
        + ", and ".join(consequences),
        help=f"write {packing} out, so that the launch says what it does",
        severity=WARNING if replaced else ADVICE,
        proposal=None if if_known(lambda: sees_images(launch)) else _written_out(launch, replaced),
    )


def _written_out(launch: TrainPPORay, replaced: bool) -> Proposal:
    """The switch that upstream turns on, and the attention that it takes instead."""
    spelt = launch.session.spelling
    changes, title = put(launch, "ds.packing_samples", True), f"Add {spelt('ds.packing_samples')}"
    if replaced:
        name, value = attention_setting(launch)
        changes += put(launch, name, value)
        title += f" and write {spelt(name)}" + ("" if value is True else f" {value}")
    return Proposal(title, SAFE, changes)


@rule(
    "OR211",
    "dynamic-batch-below-zero3",
    severity=WARNING,
    stage=FIRST_STEP,
    programs=PPO,
    applies=">=0.8.6",
    fix="unsafe",
)
def dynamic_batch_below_zero3(launch: TrainPPORay) -> Iterator[Draft]:
    """`train.dynamic_batch_enable` goes with ZeRO stage 3.

    What happens: users report a crash in DeepSpeed's code for the stages 1 and 2 at the first training step.

    Why: OpenRLHF#1131, open. Stage 2 is the default; upstream's scripts pair dynamic batches with stage 3
    (cli/train_ppo_ray.py@0.11.2).

    Example:
        --train.dynamic_batch_enable --ds.zero_stage 2

    Use instead:
        --train.dynamic_batch_enable --ds.zero_stage 3
    """
    if all_hold(lambda: launch.train.dynamic_batch_enable, lambda: launch.ds.zero_stage < 3):
        spelt, stage = launch.session.spelling, launch.ds.zero_stage
        default = "" if launch.session.setting("ds.zero_stage") is not None else ", the default,"
        yield launch.finding(
            "ds.zero_stage",
            "train.dynamic_batch_enable",
            message=f"{spelt('train.dynamic_batch_enable')} with {spelt('ds.zero_stage')} {stage}{default} is reported "
            "to crash in DeepSpeed at the first training step",
            help=f"write {spelt('ds.zero_stage')} 3, as upstream's scripts with dynamic batches do",
            proposal=Proposal(f"Write {spelt('ds.zero_stage')} 3", UNSAFE, put(launch, "ds.zero_stage", 3)),
        )


@rule(
    "OR212",
    "token-cap-without-dynamic-batch",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.8.6",
    fix="unsafe",
)
def token_cap_without_dynamic_batch(launch: TrainPPORay) -> Iterator[Draft]:
    """A cap of tokens per GPU counts only with `train.dynamic_batch_enable`.

    What happens: the cap is not read; micro-batches have the fixed number of samples that is set for them.

    Why: only dynamic batches are cut by tokens (trainer/ray/ppo_actor.py@0.8.6, @0.11.2).

    Example:
        --train.max_tokens_per_gpu 8192

    Use instead:
        --train.max_tokens_per_gpu 8192 --train.dynamic_batch_enable --ds.packing_samples
    """
    setting = launch.session.setting
    given = [name for name in ("train.max_tokens_per_gpu", "rollout.max_tokens_per_gpu") if setting(name) is not None]
    if not given or launch.train.dynamic_batch_enable:
        return
    spelt = launch.session.spelling
    enable = spelt("train.dynamic_batch_enable")
    yield launch.finding(
        *given,
        "train.dynamic_batch_enable",
        message=f"{' and '.join(map(spelt, given))} {'are' if len(given) > 1 else 'is'} not read without {enable}",
        help=f"add {enable}, with {spelt('ds.zero_stage')} 3, or set {spelt('train.micro_batch_size')} and "
        f"{spelt('rollout.micro_batch_size')}",
        proposal=_dynamic(launch),
    )


def _dynamic(launch: TrainPPORay) -> Proposal:
    """Batches by tokens, and the packing that they take."""
    spelt = launch.session.spelling
    changes, title = put(launch, "train.dynamic_batch_enable", True), f"Add {spelt('train.dynamic_batch_enable')}"
    if if_known(lambda: launch.ds.packing_samples) is False:
        changes += put(launch, "ds.packing_samples", True)
        title += f" and {spelt('ds.packing_samples')}"
    return Proposal(title, UNSAFE, changes)
