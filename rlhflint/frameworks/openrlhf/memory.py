"""The memory of an OpenRLHF launch, stage by stage, on the GPU that takes most.

Samples are taken to be as long as they may be: `data.max_len` tokens. See `rlhflint.memory` for the formulas;
who is on a GPU when is by train() in cli/train_ppo_ray.py and ppo_train in trainer/ppo_trainer.py@0.11.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint import memory
from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.model_paths import facts, model_of, trained
from rlhflint.frameworks.openrlhf.training import attention, is_ppo, is_rm, is_sft
from rlhflint.memory import FULL, GIB, Engine, Stage, Term, Zero, activations, card_size, logits, scores, worst
from rlhflint.records import dataclass
from rlhflint.value import if_known

if TYPE_CHECKING:
    from rlhflint.catalog.model_facts import ModelFacts
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living

_LORA_SHARE = 0.01
"""What an adapter adds to a model's parameters, about."""
_ASLEEP = 1.5 * GIB
"""What a sleeping engine keeps: context and graphs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What of a launch decides over its memory, apart from who shares a GPU: can be varied to see what it changes."""

    tokens: int
    """Tokens of the largest micro batch on one GPU."""
    length: int
    """Tokens of the longest sample."""
    checkpointing: bool
    lever: str
    """The setting that makes micro batches smaller."""


def card(launch: Living) -> float:
    """Bytes of one GPU. Raises `Undetermined` where neither its memory nor a type of one size is known."""
    return card_size(launch.session.machines)


def longest(launch: Living) -> int:
    """Tokens of the longest sample there can be."""
    return launch.data.max_len


def plan(launch: Living, ring: int | None = None) -> Plan:
    """The plan of a launch as it stands, with another ring size if one is given."""
    length = longest(launch)
    ring = max(ring or launch.ds.ring_attn_size, 1)
    if is_ppo(launch):
        checkpointing = launch.actor.gradient_checkpointing_enable
        if launch.train.dynamic_batch_enable:
            tokens = max(launch.train.max_tokens_per_gpu, -(-length // ring))
            return Plan(tokens, length, checkpointing, "train.max_tokens_per_gpu")
    else:
        checkpointing = launch.model.gradient_checkpointing_enable
    samples = launch.train.micro_batch_size * (1 if is_ppo(launch) or is_sft(launch) else 2)
    return Plan(-(-samples * length // ring), length, checkpointing, "train.micro_batch_size")


def stages(launch: Living, plan: Plan) -> Iterator[Stage]:
    """The stages of a launch. Raises `Undetermined` where the trained model or its processes are not known."""
    if is_ppo(launch):
        yield from _ppo(launch, plan)
        return
    known = facts(launch, trained(launch), certain=False)
    gpus = launch.session.world.total.need("processes")
    terms = _training(launch, known, gpus, plan, head=not is_rm(launch))
    if not (is_sft(launch) or is_rm(launch)) and not launch.ref.offload:
        terms += (Term("the reference", _frozen(launch, known, gpus), "ref.offload"),)
    yield Stage("training", terms)


def fits(launch: Living, plan: Plan) -> bool:
    """Whether no stage is estimated to take more of a card than there is."""
    most = worst(stages(launch, plan))
    return most is None or most.total <= FULL * card(launch)


def checkpointing_setting(launch: Living) -> str:
    """The setting that turns gradient checkpointing on."""
    group = "actor" if is_ppo(launch) else "model"
    return f"{group}.gradient_checkpointing_enable"


def zero_of(launch: Living, gpus: int) -> Zero:
    """How a model of a launch is divided among its processes."""
    tensor = launch.ds.tensor_parallel_size if launch.session.since("0.7.4") else 1
    return Zero(launch.ds.zero_stage, gpus // max(tensor, 1), launch.ds.adam_offload)


def trainable(launch: Living, known: ModelFacts) -> float:
    """Parameters that are trained: all, or those of an adapter."""
    params = known.params or 0
    return params * _LORA_SHARE if launch.ds.lora.rank > 0 else float(params)


def _training(launch: Living, known: ModelFacts, gpus: int, plan: Plan, *, head: bool) -> tuple[Term, ...]:
    """What a model takes while it trains; `head`: it works out logits over the vocabulary."""
    zero, params, trained_ = zero_of(launch, gpus), float(known.params or 0), trainable(launch, known)
    entropy = is_ppo(launch) and launch.actor.entropy_coef is not None
    backward = [
        Term(
            "activations",
            activations(known, plan.tokens, checkpointing=plan.checkpointing),
            plan.lever if plan.checkpointing else checkpointing_setting(launch),
        ),
        Term("buffers", zero.buffers(params), "ds.zero_stage"),
    ]
    if head and known.vocab:
        backward.append(Term("logits", logits(plan.tokens, known.vocab, training=True, entropy=entropy), plan.lever))
    if attention(launch) == "eager" and not launch.ds.packing_samples:
        backward.append(Term("attention scores", scores(known, plan.tokens / plan.length, plan.length), plan.lever))
    step = Term("the optimizer step", zero.step(trained_), "ds.zero_stage")
    moment = backward if sum(term.size for term in backward) >= step.size else [step]
    return (
        Term("weights", zero.weights(params), "ds.zero_stage"),
        Term("gradients", zero.gradients(trained_), "ds.zero_stage"),
        Term("optimizer states", zero.optimizer(trained_), "ds.adam_offload"),
        *moment,
    )


def _frozen(launch: Living, known: ModelFacts, gpus: int) -> float:
    """Bytes of a model that only computes: whole on each GPU below ZeRO-3."""
    return Zero(3 if launch.ds.zero_stage == 3 else 0, gpus).weights(float(known.params or 0))


def _ppo(launch: TrainPPORay, plan: Plan) -> Iterator[Stage]:
    actor = roles.role(launch, "actor").gpus
    known = facts(launch, model_of(launch, "actor"), certain=False)
    hybrid = roles.shares_with_engines(launch)
    shares = launch.train.colocate_all or launch.train.colocate_actor_ref
    beside = list(_residents(launch, actor)) if shares else []
    asleep = hybrid and launch.vllm.enable_sleep
    engine = _ASLEEP if asleep else launch.vllm.gpu_memory_utilization * card(launch)
    shared = [Term("vLLM", engine, "vllm.gpu_memory_utilization")] if hybrid else []
    yield Stage("the actor's training", (*_training(launch, known, actor, plan, head=True), *beside, *shared))
    if hybrid:
        zero, params, moved = zero_of(launch, actor), float(known.params or 0), trainable(launch, known)
        own = [Term("the actor's weights", zero.weights(params), "ds.zero_stage")]
        if not launch.ds.enable_sleep:
            own.append(Term("the actor's gradients and optimizer", zero.optimizer(moved), "ds.enable_sleep"))
        share = launch.vllm.gpu_memory_utilization * card(launch)
        yield Stage("generation", (*own, *beside, Term("vLLM", share, "vllm.gpu_memory_utilization")))


def engine(launch: TrainPPORay) -> Engine | None:
    """What vLLM takes on a GPU while it generates; None where there are no engines."""
    if not launch.vllm.num_engines:
        return None
    known = facts(launch, model_of(launch, "actor"), certain=False)
    share = launch.vllm.gpu_memory_utilization
    return memory.engine(known, share, card(launch), launch.vllm.tensor_parallel_size)


def _residents(launch: TrainPPORay, gpus: int) -> Iterator[Term]:
    """The other models on the actor's GPUs, as far as they are known."""
    if roles.has_reference(launch) and not launch.ref.offload:
        known = facts(launch, model_of(launch, "actor"), certain=False)
        yield Term("the reference", _frozen(launch, known, gpus), "ref.offload")
    if not launch.train.colocate_all:
        return
    paired = launch.train.colocate_critic_reward and roles.has_critic(launch)
    if roles.has_critic(launch) and not paired:
        critic = if_known(lambda: facts(launch, model_of(launch, "critic"), certain=False))
        if critic is not None:
            zero, params = zero_of(launch, gpus), float(critic.params or 0)
            states = 0.0 if launch.ds.enable_sleep else zero.gradients(params) + zero.optimizer(params)
            yield Term("the critic", zero.weights(params) + states, "ds.enable_sleep")
    if roles.reward_groups(launch) and not paired and not launch.reward.offload:
        reward = if_known(lambda: facts(launch, model_of(launch, "reward"), certain=False))
        if reward is not None:
            yield Term("the reward model", _frozen(launch, reward, gpus), "reward.offload")
