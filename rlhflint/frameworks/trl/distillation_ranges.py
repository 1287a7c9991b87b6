"""What the configurations of distillation refuse: values outside a range, and options that want each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlhflint.frameworks.trl.conflicts import Conflict
from rlhflint.frameworks.trl.programs import DISTILLATION, GKD, GOLD

IW_OPD, SDPO, SDFT = "trl:iw_opd", "trl:sdpo", "trl:sdft"
SERVER, ASYNCHRONOUS = "trl:server_distillation", "trl:async_distillation"

Holds = Callable[[Any], bool]
_OBJECTIVE, _MODE = "distillation_objective", "reverse_kl_top_1_mode"


def _share(name: str) -> Conflict:
    return Conflict(name, lambda one: not 0 <= getattr(one, name) <= 1, f"{name} outside 0 to 1")


def _below(
    name: str, least: float, since: str = "0.8.0", before: str = "", *, only: Holds = lambda _: True
) -> Conflict:
    def holds(one: Any) -> bool:
        value = getattr(one, name) if only(one) else None
        return value is not None and value < least

    return Conflict(name, holds, f"{name} below {least}", since, before)


def _not_positive(name: str, since: str = "0.8.0", before: str = "", *, only: Holds = lambda _: True) -> Conflict:
    def holds(one: Any) -> bool:
        value = getattr(one, name) if only(one) else None
        return value is not None and value <= 0

    return Conflict(name, holds, f"{name} not above 0", since, before)


def _among(name: str, *values: str, since: str = "0.8.0", before: str = "", only: Holds = lambda _: True) -> Conflict:
    says = f"{name} other than {' and '.join(values)}"
    return Conflict(name, lambda one: only(one) and getattr(one, name) not in values, says, since, before)


def _served(before: str = "", only: Holds = lambda one: one.use_teacher_server) -> tuple[Conflict, ...]:
    """What a teacher behind a server cannot give."""
    return (
        Conflict(
            "teacher_model_server_url",
            lambda one: only(one) and not (one.teacher_model_server_url or "").strip(),
            "no teacher_model_server_url for a teacher behind a server",
            before=before,
        ),
        Conflict(
            "loss_top_k",
            lambda one: only(one) and one.beta == 0 and one.loss_top_k < 1,
            "loss_top_k below 1 with beta 0 and a teacher behind a server",
            before=before,
        ),
        Conflict(
            "loss_top_k",
            lambda one: only(one) and one.beta > 0 and one.loss_top_k != 1,
            "loss_top_k other than 1 with beta above 0 and a teacher behind a server",
            before=before,
        ),
        Conflict(
            _MODE,
            lambda one: only(one) and one.reverse_kl_top_1_mode == "argmax",
            f"{_MODE} argmax with a teacher behind a server",
            before=before,
        ),
    )


def _uld(one: Any) -> bool:
    return bool(one.use_uld_loss)


def _hybrid(one: Any) -> bool:
    return bool(one.use_uld_loss and one.uld_use_hybrid_loss)


def _on_policy(one: Any) -> bool:
    return bool(one.distillation_objective == "iw_opd")


_SAMPLED = Conflict(
    "distillation_alpha",
    lambda one: one.distillation_mode == "sampled_token" and one.distillation_alpha != 1,
    'distillation_alpha other than 1 with distillation_mode "sampled_token"',
    "1.6.0",
)
_SELF = (
    _among("loss_type", "grpo", "bnpo", "dr_grpo", "dapo", since="1.0.0", before="1.6.0"),
    _among("importance_sampling_level", "token", "sequence", since="1.0.0", before="1.6.0"),
    _below("num_generations", 1, "1.0.0", "1.6.0"),
    Conflict(
        "distillation_alpha",
        lambda one: not 0 <= one.distillation_alpha <= 1,
        "distillation_alpha outside 0 to 1",
        "1.0.0",
        "1.6.0",
    ),
    _not_positive("distillation_topk", "1.0.0", "1.6.0"),
    _not_positive("distillation_is_clip", "1.0.0", "1.6.0"),
    _below("distillation_weight", 0, "1.0.0", "1.6.0"),
    _below("diagnostics_warning_interval", 0, "1.0.0", "1.6.0"),
    _below("diagnostics_flat_tolerance", 0, "1.0.0", "1.6.0"),
    _SAMPLED,
)
_SIZES = (_below("num_generations", 1, "1.0.0"), _below("generation_batch_size", 1, "1.0.0"))

RANGES: dict[str, tuple[Conflict, ...]] = {
    GKD: (_share("lmbda"), _share("beta")),
    GOLD: (
        _share("lmbda"),
        _share("beta"),
        *_SIZES,
        _below("uld_crossentropy_weight", 0, only=_uld),
        _below("uld_distillation_weight", 0, only=_uld),
        _not_positive("uld_student_temperature", only=_uld),
        _not_positive("uld_teacher_temperature", only=_uld),
        _among("uld_token_merge_strategy", "observed", "bayesian", since="1.8.0", only=_uld),
        Conflict(
            "uld_hybrid_matched_weight",
            lambda one: (
                _hybrid(one) and (one.uld_hybrid_matched_weight is None) != (one.uld_hybrid_unmatched_weight is None)
            ),
            "one of uld_hybrid_matched_weight and uld_hybrid_unmatched_weight alone",
        ),
        _below("uld_hybrid_matched_weight", 0, only=_hybrid),
        _below("uld_hybrid_unmatched_weight", 0, only=_hybrid),
    ),
    DISTILLATION: (
        _share("lmbda"),
        _share("beta"),
        *_SIZES,
        _among(_MODE, "sampled", "argmax", before="1.9.0"),
        *_served("1.9.0"),
        Conflict(
            "use_liger_kernel",
            lambda one: one.use_teacher_server and one.use_liger_kernel,
            "use_liger_kernel with a teacher behind a server",
            before="1.9.0",
        ),
    ),
    IW_OPD: (
        _share("lmbda"),
        _share("beta"),
        *_SIZES,
        _among(_OBJECTIVE, "jsd", "iw_opd"),
        _below("iw_opd_gamma", 0),
        _not_positive("iw_opd_epsilon"),
        _among(_MODE, "sampled", "argmax"),
        Conflict("lmbda", lambda one: _on_policy(one) and one.lmbda < 1, "lmbda below 1 with the objective iw_opd"),
        Conflict(
            _MODE,
            lambda one: _on_policy(one) and one.reverse_kl_top_1_mode != "sampled",
            f"another {_MODE} than sampled",
        ),
        Conflict(
            "vllm_sync_frequency",
            lambda one: _on_policy(one) and one.use_vllm and one.vllm_sync_frequency != 1,
            "vllm_sync_frequency other than 1 with the objective iw_opd",
        ),
        Conflict(
            "use_liger_kernel",
            lambda one: one.use_liger_kernel and (_on_policy(one) or one.use_teacher_server),
            "use_liger_kernel with the objective iw_opd or a teacher behind a server",
            before="1.14.0",
        ),
        *_served(),
    ),
    SERVER: (
        _among(_MODE, "sampled", "argmax"),
        *_served(only=lambda _: True),
        Conflict("use_liger_kernel", lambda one: one.use_liger_kernel, "use_liger_kernel", before="1.15.0"),
    ),
    ASYNCHRONOUS: (
        _share("beta"),
        Conflict("teacher_server_urls", lambda one: not one.teacher_server_urls, "no teacher_server_urls"),
    ),
    SDPO: (
        *_SELF,
        Conflict(
            "distillation_weight",
            lambda one: not 0 <= one.distillation_weight <= 1,
            "distillation_weight outside 0 to 1",
            "1.6.0",
        ),
        _among("teacher_regularization", "ema", "none", before="1.6.0"),
        _among("sdpo_policy_loss_mode", "distillation_only", "hybrid", before="1.6.0"),
        _not_positive("max_reprompt_len", before="1.6.0"),
    ),
    SDFT: (
        *_SELF,
        _below("num_loss_tokens_to_skip", 0, before="1.6.0"),
        Conflict(
            "teacher_prompt_template",
            lambda one: any(name not in one.teacher_prompt_template for name in ("{prompt}", "{privileged_context}")),
            "a teacher_prompt_template without {prompt} or {privileged_context}",
        ),
    ),
}
"""By program, what the configuration refuses when it is built."""
