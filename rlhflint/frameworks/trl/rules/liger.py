"""Liger's fused losses, and what they cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rlhflint.frameworks.trl.conflicts import Conflict, conflicts
from rlhflint.frameworks.trl.policy import adapted, lora_targets
from rlhflint.frameworks.trl.programs import DPO, GRPO, KTO, SFT
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.rules.preference_losses import losses
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.kto import KTOModel
    from rlhflint.frameworks.trl.models.sft import SFTModel

KERNEL, OLD = "use_liger_kernel", "use_liger_loss"
_FUSED = ("sigmoid", "apo_zero", "apo_down", "sppo_hard", "nca_pair")


def _other_loss(*fused: str) -> Any:
    return lambda launch: any(name not in fused for name in losses(launch))


def _head(launch: Any) -> bool:
    return adapted(launch) and "lm_head" in lora_targets(launch)


_DPO = (
    Conflict("loss_type", lambda one: len(losses(one)) > 1, "several losses", "0.29.0", "1.14.0"),
    Conflict("loss_type", _other_loss("sigmoid"), "another loss than sigmoid", "0.19.0", "0.22.0"),
    Conflict("loss_type", _other_loss(*_FUSED), f"another loss than {', '.join(_FUSED)}", "0.22.0", "0.29.0"),
    Conflict("compute_metrics", lambda one: one.compute_metrics is not None, "compute_metrics", "0.29.0", "1.15.0"),
    Conflict(
        "precompute_ref_log_probs",
        lambda one: one.precompute_ref_log_probs,
        "precompute_ref_log_probs",
        "0.29.0",
        "1.14.0",
    ),
    Conflict("peft_config", adapted, "an adapter", "0.29.0", "1.8.0"),
    Conflict("peft_config", _head, "an adapter on lm_head", "1.8.0", "1.15.0"),
    Conflict(
        "f_divergence_type",
        lambda one: one.f_divergence_type not in (None, "reverse_kl"),
        "another f_divergence_type than reverse_kl",
        "1.10.0",
        "1.14.0",
    ),
    Conflict("use_weighting", lambda one: one.use_weighting, "use_weighting", "1.14.0", "1.15.0"),
)
_GRPO = (
    Conflict("loss_type", lambda one: one.loss_type != "bnpo", "another loss than bnpo", "0.17.0", "0.18.0"),
    Conflict("peft_config", adapted, "an adapter", "0.17.0", "0.18.0"),
    Conflict("delta", lambda one: one.delta is not None, "delta", "0.18.0", "1.4.0"),
    Conflict(
        "top_entropy_quantile",
        lambda one: one.top_entropy_quantile < 1,
        "top_entropy_quantile below 1",
        "0.20.0",
        "1.14.0",
    ),
    Conflict(
        "importance_sampling_level",
        lambda one: one.importance_sampling_level != "token",
        'another importance_sampling_level than "token"',
        "0.20.0",
        "1.0.0",
    ),
    Conflict(
        "off_policy_mask_threshold",
        lambda one: one.off_policy_mask_threshold is not None,
        "off_policy_mask_threshold",
        "0.27.0",
        "1.14.0",
    ),
    Conflict("entropy_coef", lambda one: one.entropy_coef != 0, "entropy_coef", "1.8.0", "1.14.0"),
    Conflict("peft_config", _head, "an adapter on lm_head", "1.7.0", "1.15.0"),
)
_KTO = (
    Conflict(
        "loss_type", lambda one: one.loss_type == "apo_zero_unpaired", "the loss apo_zero_unpaired", "0.17.0", "1.14.0"
    ),
    Conflict(
        "precompute_ref_log_probs",
        lambda one: one.precompute_ref_log_probs,
        "precompute_ref_log_probs",
        "0.17.0",
        "1.14.0",
    ),
    Conflict("peft_config", adapted, "an adapter", "0.17.0", "1.8.0"),
    Conflict(
        "desirable_weight",
        lambda one: (one.desirable_weight, one.undesirable_weight) != (1.0, 1.0),
        "other weights than 1",
        "1.13.0",
        "1.14.0",
    ),
)
_SFT = (Conflict("loss_type", lambda one: one.loss_type == "chunked_nll", "the loss chunked_nll", "1.4.0", "1.15.0"),)
_TABLES = {DPO: _DPO, GRPO: _GRPO, KTO: _KTO, SFT: _SFT}


@rule(
    "TR216",
    "liger-combination",
    severity=ERROR,
    stage=STARTUP,
    programs=(DPO, GRPO, KTO, SFT),
    applies=">=0.17.0",
    fix="unsafe",
)
def liger_combination(launch: DPOModel | GRPOModel | KTOModel | SFTModel) -> Iterator[Draft]:
    """Liger's fused losses go with some options only.

    What happens: ValueError or NotImplementedError when the configuration or the trainer is built.

    Why: they compute the loss without writing the logits out (trainer/dpo_trainer.py@0.29.0, @1.10.0,
    trainer/grpo_trainer.py@0.20.0, trainer/kto_trainer.py@0.24.0, trainer/sft_trainer.py@1.4.0). Before 0.25 the
    option of DPO, GRPO and KTO is use_liger_loss.

    Example:
        # trl 1.0.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", use_liger_kernel=True, precompute_ref_log_probs=True)

    Use instead:
        # trl 1.0.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", precompute_ref_log_probs=True)
    """
    program = launch.session.launch.program
    name = KERNEL if program == SFT or launch.session.since("0.25.0") else OLD
    if not getattr(launch, name):
        return
    for one in conflicts(launch, _TABLES[program]):
        yield launch.finding(
            name,
            one.setting,
            message=f"{name} with {one.says}: TRL {launch.session.release} refuses that",
            help=f"leave {name} out, or {one.setting}",
            proposal=put(launch, name, False),
        )


@rule(
    "TR225",
    "mask-dropped-by-liger",
    severity=WARNING,
    stage=SILENT,
    programs=SFT,
    applies=">=0.18.0,<0.22.0",
    fix="unsafe",
)
def mask_dropped_by_liger(launch: SFTModel) -> Iterator[Draft]:
    """Loss on answers alone does not go with Liger's kernel in 0.18 to 0.21.

    What happens: the loss is taken on all tokens, without a word.

    Why: the column of the mask is dropped before the loss: completion_mask in 0.18.0 to 0.19.1, assistant_masks in
    0.19.0 to 0.21.0 (trainer/sft_trainer.py@0.19.0).

    Example:
        # trl 0.19.1, transformers 4.52.4
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", use_liger_kernel=True, assistant_only_loss=True)

    Use instead:
        # trl 0.19.1, transformers 4.52.4
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", assistant_only_loss=True)
    """
    if not launch.use_liger_kernel:
        return
    since = launch.session.since
    wrong = None
    if since("0.19.0") and launch.assistant_only_loss:
        wrong = "assistant_only_loss"
    elif not since("0.20.0") and launch.completion_only_loss:
        wrong = "completion_only_loss"
    if wrong is not None:
        yield launch.finding(
            wrong,
            KERNEL,
            message=f"{KERNEL} with {wrong}: TRL {launch.session.release} drops the mask and takes the loss on all "
            "tokens, without a word",
            help=f"leave {KERNEL} out, or use TRL 0.22 or later",
            proposal=put(launch, KERNEL, False),
        )
