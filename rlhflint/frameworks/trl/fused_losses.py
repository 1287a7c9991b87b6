"""What Liger's fused losses cannot do, release by release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlhflint.frameworks.trl.conflicts import Conflict
from rlhflint.frameworks.trl.policy import adapted, facts_of, lora_targets, prompt_learning
from rlhflint.value import if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel

_FUSED = ("sigmoid", "apo_zero", "apo_down", "sppo_hard", "nca_pair")


def losses(launch: DPOModel) -> list[str]:
    """The losses of a launch of DPO, whether one or several are given."""
    return [launch.loss_type] if isinstance(launch.loss_type, str) else list(launch.loss_type)


def _other_loss(*fused: str) -> Any:
    return lambda launch: any(name not in fused for name in losses(launch))


def _head(launch: Any) -> bool:
    return adapted(launch) and not prompt_learning(launch) and "lm_head" in lora_targets(launch)


def _balanced(launch: Any) -> bool:
    """Whether a model known to be a mixture of experts is trained with the loss that balances them."""
    if not launch.router_aux_loss_coef:
        return False
    facts = if_known(lambda: facts_of(launch))
    return facts is not None and facts.certain and facts.moe


def _fused_twice(launch: Any) -> bool:
    options = launch.liger_kernel_config
    return isinstance(options, dict) and bool(options.get("fused_linear_cross_entropy"))


def _shared(since: str) -> tuple[Conflict, ...]:
    """What no loss that reads the weights of lm_head directly can do; `since` is the first release with such a loss."""
    return (
        Conflict("peft_config", _head, "an adapter on lm_head", since, "1.15.0"),
        Conflict("peft_config", prompt_learning, "prompt learning", since, "1.15.0"),
        _TWICE,
    )


_TWICE = Conflict(
    "liger_kernel_config",
    _fused_twice,
    "fused_linear_cross_entropy in liger_kernel_config",
    "1.15.0",
)
_EXPERTS = Conflict(
    "router_aux_loss_coef", _balanced, "the loss that balances experts (router_aux_loss_coef)", "1.8.0", "1.15.0"
)
_METRICS = ("compute_metrics", lambda one: one.compute_metrics is not None, "compute_metrics")


DPO_CONFLICTS = (
    Conflict("loss_type", lambda one: len(losses(one)) > 1, "several losses", "0.29.0", "1.14.0"),
    Conflict("loss_type", _other_loss("sigmoid"), "another loss than sigmoid", "0.19.0", "0.22.0"),
    Conflict("loss_type", _other_loss(*_FUSED), f"another loss than {', '.join(_FUSED)}", "0.22.0", "0.29.0"),
    Conflict(*_METRICS, "0.29.0", "1.15.0"),
    Conflict(
        "precompute_ref_log_probs",
        lambda one: one.precompute_ref_log_probs,
        "precompute_ref_log_probs",
        "0.29.0",
        "1.14.0",
    ),
    Conflict("peft_config", adapted, "an adapter", "0.29.0", "1.8.0"),
    Conflict(
        "f_divergence_type",
        lambda one: one.f_divergence_type not in (None, "reverse_kl"),
        "another f_divergence_type than reverse_kl",
        "1.10.0",
        "1.14.0",
    ),
    Conflict("use_weighting", lambda one: one.use_weighting, "use_weighting", "1.14.0", "1.15.0"),
    *_shared("1.8.0"),
    _EXPERTS,
)
GRPO_CONFLICTS = (
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
    *_shared("1.7.0"),
)
KTO_CONFLICTS = (
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
    Conflict(*_METRICS, "1.8.0", "1.15.0"),
    *_shared("1.8.0"),
    _EXPERTS,
)
SFT_CONFLICTS = (
    Conflict("loss_type", lambda one: one.loss_type == "chunked_nll", "the loss chunked_nll", "1.4.0", "1.15.0"),
    _TWICE,
)
