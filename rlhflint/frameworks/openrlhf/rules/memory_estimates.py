"""Memory of a GPU, estimated by formula where the model and the card are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, memory, roles
from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
from rlhflint.frameworks.openrlhf.programs import PPO, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.memory import FULL, gib, worst
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ADVICE, FIRST_STEP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.training import Living

_LONG = 16_384
"""Tokens of a sample from which on rings are worth thinking of."""


@rule("OR504", "estimated-memory", severity=ADVICE, stage=FIRST_STEP, programs=TRAINING)
def estimated_memory(launch: Living) -> Iterator[Draft]:
    """What a launch takes on a GPU has to fit into its memory.

    What happens: CUDA runs out of memory, at the latest at the first sample that is as long as `data.max_len` allows.

    Why: by formula, with the model's shape from its `config.json` or the table of models: 16 bytes for each parameter
    divided by ZeRO stage, activations, and about 10 bytes for each token and word of the vocabulary while training
    (models/actor.py@0.11.2 works logits out in 32 bits). What tools report is higher, so that more than 95 % likely
    does not fit. Where it takes less, nothing is said: that is no promise.

    Example:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-7B \\
           --data.dataset data/chat.jsonl --data.max_len 32768 --train.batch_size 64 --train.micro_batch_size 8 \\
           --ds.zero_stage 3 --model.gradient_checkpointing_enable

    Use instead:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-7B \\
           --data.dataset data/chat.jsonl --data.max_len 4096 --train.batch_size 64 --train.micro_batch_size 1 \\
           --ds.zero_stage 3 --model.gradient_checkpointing_enable
    """
    size = memory.card(launch)
    most = worst(memory.stages(launch, memory.plan(launch)))
    if most is None or most.total <= FULL * size:
        return
    largest = most.largest()
    spelt = launch.session.spelling
    levers = dict.fromkeys(term.setting for term in largest if term.setting)
    yield launch.finding(
        *levers,
        message=(
            f"{most.name} takes about {gib(most.total)} of a GPU of {gib(size)} with samples of "
            f"{memory.longest(launch)} tokens, and likely does not fit: "
            + ", ".join(f"{term.what} {gib(term.size)}" for term in largest)
        ),
        help="what moves the largest parts: " + ", ".join(spelt(name) for name in levers),
    )


@rule("OR505", "no-gradient-checkpointing", severity=ADVICE, stage=FIRST_STEP, programs=TRAINING, fix="unsafe")
def no_gradient_checkpointing(launch: Living) -> Iterator[Draft]:
    """Gradient checkpointing is what makes long samples fit.

    What happens: CUDA runs out of memory in the first backward pass.

    Why: without it every layer keeps what its backward pass needs; with it, only its inputs. It is off by default
    (cli/train_ppo_ray.py@0.11.2). Said only where the estimate fits with it and does not without.

    Example:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-7B \\
           --data.dataset data/chat.jsonl --data.max_len 16384 --train.batch_size 64 --train.micro_batch_size 1 \\
           --ds.zero_stage 3

    Use instead:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-7B \\
           --data.dataset data/chat.jsonl --data.max_len 16384 --train.batch_size 64 --train.micro_batch_size 1 \\
           --ds.zero_stage 3 --model.gradient_checkpointing_enable
    """
    setting = memory.checkpointing_setting(launch)
    now = memory.plan(launch)
    if now.checkpointing:
        return
    size = memory.card(launch)
    better = replace(now, checkpointing=True)
    without, with_it = worst(memory.stages(launch, now)), worst(memory.stages(launch, better))
    if without is None or with_it is None or without.total <= FULL * size or with_it.total > FULL * size:
        return
    name = launch.session.spelling(setting)
    yield launch.finding(
        setting,
        message=(
            f"without {name}, {without.name} takes about {gib(without.total)} of a GPU of {gib(size)} and likely does "
            f"not fit; with it {gib(with_it.total)}"
        ),
        help=f"add {name}: it costs a second forward pass",
        proposal=Proposal(f"Add {name}", UNSAFE, put(launch, setting, True)),
    )


@rule("OR507", "token-cap-below-longest", severity=ADVICE, stage=FIRST_STEP, programs=PPO, applies=">=0.8.6")
def token_cap_below_longest(launch: TrainPPORay) -> Iterator[Draft]:
    """`train.max_tokens_per_gpu` does not bound a single sample.

    What happens: a sample longer than the cap makes a micro batch of its own; memory has to suffice for
    `data.max_len` tokens, not for the cap.

    Why: micro batches are filled up to the cap × ring × tensor parallel, and a sample is never split
    (utils/seqlen_balancing.py@0.11.2).

    Example:
        --train.dynamic_batch_enable --train.max_tokens_per_gpu 8192 --data.max_len 32768

    Use instead:
        --train.dynamic_batch_enable --train.max_tokens_per_gpu 32768 --data.max_len 32768
    """
    if not launch.train.dynamic_batch_enable:
        return
    cap = launch.train.max_tokens_per_gpu * roles.duplicates(launch)
    longest = memory.longest(launch)
    if longest <= cap:
        return
    spelt, size = launch.session.spelling, roles.duplicates(launch)
    length = "data.max_len" if launch.session.since("0.9.8") else "generate_max_len"
    times = f" × {size} for ring and tensor parallel" if size > 1 else ""
    yield launch.finding(
        "train.max_tokens_per_gpu",
        length,
        message=(
            f"{spelt('train.max_tokens_per_gpu')} {launch.train.max_tokens_per_gpu}{times} does not bound a sample: "
            f"one of {longest} tokens makes a micro batch of its own"
        ),
        help=f"count on micro batches of {longest} tokens when you judge memory",
    )


@rule("OR511", "long-context-without-ring", severity=ADVICE, stage=FIRST_STEP, programs=TRAINING, fix="unsafe")
def long_context_without_ring(launch: Living) -> Iterator[Draft]:
    """Samples that are too long for one GPU can be divided over a ring of several.

    What happens: CUDA runs out of memory at the first long sample.

    Why: ring attention divides each sample over `ds.ring_attn_size` GPUs, and with it activations and logits. It
    needs packed samples and the package ring-flash-attn. Said only where the estimate fits with a ring and does not
    without.

    Example:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-7B \\
           --data.dataset data/long.jsonl --data.max_len 65536 --train.batch_size 16 --train.micro_batch_size 1 \\
           --ds.zero_stage 3 --ds.packing_samples --model.gradient_checkpointing_enable

    Use instead:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-7B \\
           --data.dataset data/long.jsonl --data.max_len 65536 --train.batch_size 16 --train.micro_batch_size 1 \\
           --ds.zero_stage 3 --ds.packing_samples --model.gradient_checkpointing_enable --ds.ring_attn_size 4
    """
    if launch.ds.ring_attn_size > 1 or memory.longest(launch) <= _LONG or not _has_ring(launch):
        return
    if memory.fits(launch, memory.plan(launch)):
        return
    ring = next((one for one in _rings(launch) if memory.fits(launch, memory.plan(launch, one))), None)
    if ring is None:
        return
    spelt = launch.session.spelling
    name = f"{spelt('ds.ring_attn_size')} {ring}"
    packing = () if launch.ds.packing_samples else put(launch, "ds.packing_samples", True)
    changes = (*put(launch, "ds.ring_attn_size", ring), *packing)
    yield launch.finding(
        "data.max_len",
        "ds.ring_attn_size",
        message=(
            f"samples of {memory.longest(launch)} tokens likely do not fit on one GPU, and would over a ring of {ring}"
        ),
        help=f"write {name}, with {spelt('ds.packing_samples')} and the package ring-flash-attn",
        proposal=Proposal(f"Add {name}", UNSAFE, changes),
    )


def _has_ring(launch: Living) -> bool:
    """Whether the program of the release in force can divide samples over a ring."""
    return "ds.ring_attn_size" in launch.session.defaults


def _rings(launch: Living) -> tuple[int, ...]:
    """Sizes that divide every group, smallest first."""
    common = 0
    for crew in batches.crews(launch):
        common = gcd(common, crew.gpus)
    return tuple(one for one in batches.divisors(common) if 1 < one <= 64)
