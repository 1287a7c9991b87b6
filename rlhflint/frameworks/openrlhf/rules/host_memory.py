"""Main memory of a machine: sleeping engines, optimizers on the CPU, saving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import main_memory
from rlhflint.frameworks.openrlhf.programs import PPO, TRAINING
from rlhflint.memory import gib
from rlhflint.rule import ADVICE, FIRST_STEP, LATE, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living


@rule("OR503", "sleep-host-memory", severity=ADVICE, stage=FIRST_STEP, programs=PPO, applies=">=0.5.8")
def sleep_host_memory(launch: TrainPPORay) -> Iterator[Draft]:
    """Sleeping engines keep their weights in main memory.

    What happens: the machine runs out of memory when the engines go to sleep, and processes are killed without a
    message of their own.

    Why: the engines sleep at level 1, which moves their weights to pinned main memory (trainer/ray/vllm_engine.py
    @0.11.2): 2 bytes × parameters ÷ tensor parallel size for each of an engine's GPUs, beside an optimizer on the CPU.

    Example:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        memory-per-node = 256
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path Qwen/Qwen2.5-32B --reward.remote_url rm.py \\
           --algo.advantage.estimator reinforce --train.colocate_all --vllm.num_engines 8 --vllm.enable_sleep

    Use instead:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        memory-per-node = 256
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path Qwen/Qwen2.5-32B --reward.remote_url rm.py \\
           --algo.advantage.estimator reinforce --train.colocate_all --vllm.num_engines 2 \\
           --vllm.tensor_parallel_size 4 --vllm.enable_sleep
    """
    if not main_memory.sleeps(launch):
        return
    ram = main_memory.of_machine(launch)
    if ram is None:
        return
    left = ram - main_memory.offloaded(launch)
    needed = main_memory.asleep(launch)
    if needed <= left:
        return
    spelt = launch.session.spelling
    yield launch.finding(
        "vllm.enable_sleep",
        "vllm.num_engines",
        "vllm.tensor_parallel_size",
        message=(
            f"sleeping engines keep {gib(needed)} of weights in the main memory of a machine, of which "
            f"{gib(max(left, 0))} are {'left by the optimizer' if launch.ds.adam_offload else 'there'}"
        ),
        help=f"fewer, larger engines keep fewer copies: raise {spelt('vllm.tensor_parallel_size')}",
    )


@rule("OR506", "adam-offload-host-memory", severity=ADVICE, stage=STARTUP, programs=TRAINING)
def adam_offload_host_memory(launch: Living) -> Iterator[Draft]:
    """An optimizer on the CPU has to fit into main memory.

    What happens: the machine runs out of memory while the optimizer is made, and processes are killed.

    Why: DeepSpeed's CPU Adam keeps 16 bytes for each trained parameter of a process's share: moments, weights and
    gradients in 32 bits (utils/deepspeed/deepspeed_utils.py@0.11.2 sets the offload up).

    Example:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        memory-per-node = 256
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-32B \\
           --data.dataset data/chat.jsonl --ds.zero_stage 3 --ds.adam_offload

    Use instead:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        memory-per-node = 1024
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-32B \\
           --data.dataset data/chat.jsonl --ds.zero_stage 3 --ds.adam_offload
    """
    if not launch.ds.adam_offload:
        return
    ram = main_memory.of_machine(launch)
    if ram is None:
        return
    needed = main_memory.offloaded(launch)
    if needed <= ram:
        return
    yield launch.finding(
        "ds.adam_offload",
        message=(
            f"{launch.session.spelling('ds.adam_offload')} keeps about {gib(needed)} in the main memory of a machine "
            f"that has {gib(ram)}"
        ),
        help="divide the model among more machines, or leave the optimizer on the GPUs",
    )


@rule("OR509", "save-host-memory", severity=ADVICE, stage=LATE, programs=TRAINING)
def save_host_memory(launch: Living) -> Iterator[Draft]:
    """Below ZeRO-3 every process copies the whole model to main memory when it is saved.

    What happens: the machine runs out of memory when the model is saved, at the end of the run.

    Why: the state is cloned on every process before the first one writes it (save_model in
    utils/deepspeed/deepspeed.py@0.11.2): 2 bytes for each parameter and process of a machine. With ZeRO-3 the first
    process alone gathers it, part by part.

    Example:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        memory-per-node = 256
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-32B \\
           --data.dataset data/chat.jsonl --ds.zero_stage 2

    Use instead:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        memory-per-node = 256
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-32B \\
           --data.dataset data/chat.jsonl --ds.zero_stage 3
    """
    if not main_memory.copies_when_saving(launch):
        return
    ram = main_memory.of_machine(launch)
    if ram is None:
        return
    left = ram - main_memory.offloaded(launch)
    needed, local = main_memory.saved(launch), main_memory.processes(launch)[1]
    if needed <= left:
        return
    yield launch.finding(
        "ds.zero_stage",
        message=(
            f"with {launch.session.spelling('ds.zero_stage')} {launch.ds.zero_stage}, saving copies {gib(needed)} to "
            f"the main memory of a machine, {local} times the model, and {gib(max(left, 0))} are there"
        ),
        help=f"write {launch.session.spelling('ds.zero_stage')} 3, where the first process alone gathers it",
    )


@rule("OR512", "ema-extra-model", severity=ADVICE, stage=STARTUP, programs=PPO, on=False)
def ema_extra_model(launch: TrainPPORay) -> Iterator[Draft]:
    """`train.enable_ema` keeps a second copy of the actor, and saves that one.

    What happens: one more model in main memory, and the model in `ckpt.output_dir` is the average, not the actor.

    Why: the average is built as a model of its own, on the CPU, without adapters or fused kernels
    (trainer/ray/ppo_actor.py@0.11.2).

    Example:
        --train.enable_ema

    Use instead:
        --train.colocate_actor_ref
    """
    if launch.train.enable_ema:
        spelt = launch.session.spelling
        yield launch.finding(
            "train.enable_ema",
            message=(
                f"{spelt('train.enable_ema')} keeps one more model in main memory, and what is saved is the average of "
                "the actor's weights"
            ),
            help=f"leave {spelt('train.enable_ema')} out to save the actor as it is",
        )
