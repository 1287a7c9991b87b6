"""How a launch trains, in matters that releases spell differently: precision, attention, packing, correction."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from rlhflint.frameworks.openrlhf.programs import KTO, PPO, RM, SFT
from rlhflint.value import any_holds

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from rlhflint.frameworks.openrlhf.models.train_dpo import TrainDPO
    from rlhflint.frameworks.openrlhf.models.train_kd import TrainKD
    from rlhflint.frameworks.openrlhf.models.train_kto import TrainKTO
    from rlhflint.frameworks.openrlhf.models.train_ppo import TrainPPO
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.models.train_prm import TrainPRM
    from rlhflint.frameworks.openrlhf.models.train_rm import TrainRM
    from rlhflint.frameworks.openrlhf.models.train_sft import TrainSFT

    Supervised: TypeAlias = TrainSFT | TrainRM | TrainDPO
    Living: TypeAlias = TrainPPORay | Supervised
    """The training programs of the newest release."""
    Ended: TypeAlias = TrainPRM | TrainKD | TrainKTO | TrainPPO
    """Training programs of older releases."""


# Which program it is, without loading the typed models of the others.


def is_ppo(launch: Living | Ended) -> TypeIs[TrainPPORay]:
    """Whether it is PPO with Ray."""
    return launch.program == PPO


def is_sft(launch: Living | Ended) -> TypeIs[TrainSFT]:
    """Whether it is supervised fine-tuning."""
    return launch.program == SFT


def is_rm(launch: Living | Ended) -> TypeIs[TrainRM]:
    """Whether it trains a reward model."""
    return launch.program == RM


def is_kto(launch: Living | Ended) -> TypeIs[TrainKTO]:
    """Whether it is KTO."""
    return launch.program == KTO


def is_bf16(launch: Living | Ended) -> bool:
    """Whether models train in bfloat16: by `ds.param_dtype` since 0.9.2 (its default), by `--bf16` before (off)."""
    if not launch.session.since("0.9.2"):
        return launch.bf16
    living = cast("Living", launch)  # train_ppo, which has no such option, ended before it came
    return living.ds.param_dtype == "bf16"


def bf16_setting(launch: Living | Ended) -> tuple[str, object]:
    """The setting, with its value, that turns bfloat16 on at the release in force."""
    return ("ds.param_dtype", "bf16") if launch.session.since("0.9.2") else ("bf16", True)


def attention(launch: Living) -> str:
    """The attention that is asked for; before 0.8.10 `flash_attention_2` with `--flash_attn`, else `eager`."""
    if launch.session.since("0.8.10"):
        return launch.ds.attn_implementation
    return "flash_attention_2" if launch.flash_attn else "eager"


def attention_setting(launch: Living) -> tuple[str, object]:
    """The setting, with its value, that asks for flash attention 2 at the release in force."""
    if launch.session.since("0.8.10"):
        return "ds.attn_implementation", "flash_attention_2"
    return "flash_attn", True


def asks_for_flash_attention(launch: Living) -> bool:
    """Whether upstream takes the attention that is asked for as flash attention: by a part of its name."""
    return "flash_attention" in attention(launch)


def packs(launch: TrainPPORay) -> bool:
    """Whether samples are packed in PPO: asked for, or switched on by a ring (0.8.4) or dynamic batches (0.8.6)."""
    return any_holds(
        lambda: launch.ds.packing_samples,
        lambda: launch.train.dynamic_batch_enable,
        lambda: launch.session.since("0.8.4") and launch.ds.ring_attn_size > 1,
    )


def sees_images(launch: TrainPPORay) -> bool:
    """Whether prompts may hold images (0.10.0)."""
    return launch.data.max_images_per_prompt > 0


def corrects_rollouts(launch: TrainPPORay) -> bool:
    """Whether the loss is corrected for the probabilities of the rollout: by a level since 0.11.2, a switch before."""
    if launch.session.since("0.11.2"):
        return launch.algo.advantage.is_correction_level != "off"
    return launch.algo.advantage.is_correction_enable


def correction_setting(launch: TrainPPORay) -> tuple[str, object]:
    """The setting, with its value, that turns the correction on at the release in force."""
    if launch.session.since("0.11.2"):
        return "algo.advantage.is_correction_level", "token"
    return "algo.advantage.is_correction_enable", True


def written(launch: Living | Ended, setting: tuple[str, object]) -> str:
    """A setting with its value as it is written at the release in force; True is a bare switch."""
    name, value = setting
    return launch.session.spelling(name) + ("" if value is True else f" {value}")
