"""The memory that training takes on one GPU, by formula. See `rlhflint.memory` for the formulas.

Samples are taken to be as long as they may be. Without DeepSpeed weights, gradients and Adam's moments are all kept in
the type the model is loaded in: float32 takes 16 bytes for each parameter, bfloat16 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlhflint.catalog.model_facts import model_facts
from rlhflint.frameworks.trl.policy import adapted, facts_of, load_option, shipped
from rlhflint.frameworks.trl.programs import DPO, GRPO, KTO, REWARD, RLOO, SFT
from rlhflint.frameworks.trl.sharding import fully_sharded, zero_stage
from rlhflint.frameworks.trl.vllm import COLOCATE, mode
from rlhflint.memory import Engine, Stage, Term, Zero, activations, card_size, engine, logits
from rlhflint.records import dataclass
from rlhflint.value import Undetermined, if_known

if TYPE_CHECKING:
    from rlhflint.catalog.model_facts import ModelFacts
    from rlhflint.frameworks.trl.models.shared import TrainerModel
    from rlhflint.frameworks.trl.models.vllm_serve import VllmServeModel

ESTIMATED = (SFT, DPO, KTO, REWARD, GRPO, RLOO)
"""Programs whose memory is estimated."""
BATCH, CHECKPOINTING = "per_device_train_batch_size", "gradient_checkpointing"
_LORA_SHARE = 0.01
"""What an adapter adds to a model's parameters, about."""
_FOUR_BIT, _EIGHT_BIT = 0.56, 1.06
"""Bytes of a parameter that is loaded in 4 and in 8 bits, with its scales."""
_PAIRS = (DPO, REWARD)
"""Trainers that run chosen and rejected answers as one batch."""


@dataclass(frozen=True, slots=True)
class _Weights:
    """How the model is kept: bytes of a parameter, and which setting says so."""

    size: float
    setting: str
    quantised: bool = False


def card(launch: TrainerModel) -> float:
    """Bytes of one GPU. Raises `Undetermined` where they are not known."""
    return card_size(launch.session.machines)


def facts(launch: TrainerModel) -> ModelFacts:
    """What is known of the trained model. Raises `Undetermined` where its size is not."""
    known = if_known(lambda: facts_of(launch))
    if known is None or known.params is None:
        raise Undetermined("model", "its size is not known")
    return known


def training(launch: TrainerModel, *, checkpointing: bool) -> Stage:
    """What one GPU holds in the backward pass. Raises `Undetermined` where something is missing for an estimate."""
    known = facts(launch)
    params = float(known.params or 0)
    processes = launch.session.world.total.need("the number of processes")
    stage = zero_stage(launch)
    if processes > 1 and fully_sharded(launch):
        raise Undetermined("fsdp", "what FSDP takes is not estimated")
    weights = _weights(launch)
    adapter = adapted(launch)
    trained = params * _LORA_SHARE if adapter else params
    terms = list(_states(launch, weights, params, trained, Zero(stage, processes)))
    tokens = launch.per_device_train_batch_size * length(launch) * (2 if launch.session.launch.program in _PAIRS else 1)
    lever = BATCH if checkpointing else CHECKPOINTING
    terms.append(Term("activations", activations(known, tokens, checkpointing=checkpointing), lever))
    if known.vocab and _writes_logits(launch):
        terms.append(Term("logits", logits(tokens, known.vocab, training=True), BATCH))
    if not adapter and _keeps_reference(launch):
        shards = processes if stage == 3 else 1
        terms.append(Term("the reference model", weights.size * params / shards, _reference_setting(launch)))
    if mode_of(launch) == COLOCATE:
        share = float(getattr(launch, "vllm_gpu_memory_utilization") or 0)  # noqa: B009
        terms.append(Term("vLLM", share * card(launch), "vllm_gpu_memory_utilization"))
    return Stage("training", tuple(terms))


def colocated_engine(launch: TrainerModel) -> Engine | None:
    """What vLLM takes on the GPU of each process; None where it does not run there."""
    if mode_of(launch) != COLOCATE:
        return None
    options: Any = launch
    share = float(options.vllm_gpu_memory_utilization or 0)
    return engine(facts(launch), share, card(launch), getattr(options, "vllm_tensor_parallel_size", None) or 1)


def served_engine(launch: VllmServeModel) -> Engine | None:
    """What a server takes on each of its GPUs; None where its model is not known."""
    known = model_facts(launch.model, launch.session.file) if launch.model else None
    if known is None or known.params is None:
        return None
    return engine(known, launch.gpu_memory_utilization, card_size(launch.session.machines), launch.tensor_parallel_size)


def length(launch: TrainerModel) -> int:
    """Tokens of the longest sample, of a generated one its answer alone. Raises `Undetermined` where nothing says."""
    options: Any = launch
    generating = launch.session.launch.program in (GRPO, RLOO)
    found = options.max_completion_length if generating else options.max_length
    if found is None:
        raise Undetermined("max_length", "samples are as long as they are")
    return int(found)


def mode_of(launch: TrainerModel) -> str | None:
    """Where vLLM runs; None for a trainer that has none."""
    return mode(launch) if launch.session.launch.program in (GRPO, RLOO) else None


def _states(launch: TrainerModel, weights: _Weights, params: float, trained: float, zero: Zero) -> tuple[Term, ...]:
    if zero.stage >= 1:
        kept = zero.weights(params) if not weights.quantised else weights.size * params
        return (
            Term("weights", kept, weights.setting),
            Term("gradients", zero.gradients(trained), BATCH),
            Term("optimizer states", zero.optimizer(trained), "optim"),
        )
    each = 4.0 if trained < params else weights.size
    plain = not launch.given("optim") or (launch.optim or "").startswith(("adamw_torch", "adamw_hf"))
    moments = 2 * each * trained if plain else 0.0
    return (
        Term("weights", weights.size * params, weights.setting),
        Term("gradients", each * trained, "use_peft" if shipped(launch) else "peft_config"),
        Term("optimizer states", moments, "optim"),
    )


def _weights(launch: TrainerModel) -> _Weights:
    if shipped(launch):
        if launch.load_in_4bit:
            return _Weights(_FOUR_BIT, "load_in_4bit", quantised=True)
        if launch.load_in_8bit:
            return _Weights(_EIGHT_BIT, "load_in_8bit", quantised=True)
    elif load_option(launch, "quantization_config") is not None:
        raise Undetermined("quantization_config", "how many bits a weight has is not known")
    kind = load_option(launch, "dtype")
    setting = "dtype" if shipped(launch) else "model_init_kwargs"
    if kind in ("bfloat16", "float16", "bf16", "fp16"):
        return _Weights(2, setting)
    if kind in ("float32", "fp32") or (kind is None and _float32_by_default(launch)):
        return _Weights(4, setting)
    raise Undetermined("dtype", "in which type the model is loaded is not known")


def _float32_by_default(launch: TrainerModel) -> bool:
    """Whether a model that is loaded without a type is in float32."""
    by_name = shipped(launch) or isinstance(launch.model, str)
    return by_name and launch.session.since("0.27.0")


def _writes_logits(launch: TrainerModel) -> bool:
    """Whether the loss needs the logits of all tokens at once."""
    program, since = launch.session.launch.program, launch.session.since
    if launch.use_liger_kernel or program == REWARD:
        return False
    if program == SFT:
        options: Any = launch
        return not since("1.15.0") and not (since("1.4.0") and options.loss_type == "chunked_nll")
    return not since("1.14.0")


def _keeps_reference(launch: TrainerModel) -> bool:
    options: Any = launch
    program = launch.session.launch.program
    if program in (DPO, KTO):
        return not options.precompute_ref_log_probs
    return program in (GRPO, RLOO) and options.beta != 0


def _reference_setting(launch: TrainerModel) -> str:
    return "beta" if launch.session.launch.program in (GRPO, RLOO) else "precompute_ref_log_probs"
