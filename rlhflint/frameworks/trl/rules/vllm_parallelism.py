"""How many processes make an engine of vLLM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.batches import divisors
from rlhflint.frameworks.trl.policy import facts_of_name, model_name
from rlhflint.frameworks.trl.programs import GENERATING, GRPO, ONLINE_DPO, RLOO, VLLM_SERVE
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.vllm import COLOCATE, mode
from rlhflint.rule import ADVICE, ERROR, FIRST_STEP, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.online_dpo import OnlineDPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel
    from rlhflint.frameworks.trl.models.vllm_serve import VllmServeModel

TP = "vllm_tensor_parallel_size"


@rule(
    "TR306",
    "colocate-tp-does-not-divide",
    severity=ERROR,
    stage=STARTUP,
    programs=(GRPO, RLOO, ONLINE_DPO),
    applies=">=0.18.0",
)
def colocate_tp_does_not_divide(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> Iterator[Draft]:
    """Engines in the training processes take whole groups of them.

    What happens: ValueError "vllm_tensor_parallel_size … must divide world size … evenly" when the trainer is built.

    Why: each engine is made of vllm_tensor_parallel_size processes (trainer/grpo_trainer.py@0.18.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 6 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=4)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 8 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=4)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != COLOCATE:
        return
    size = launch.vllm_tensor_parallel_size
    if size <= 1:
        return
    count = launch.session.world.total.need("the number of processes")
    if count % size:
        works = ", ".join(map(str, (1, *divisors(count))))
        yield launch.finding(
            TP,
            message=f"{TP} {size} does not divide the {count} processes: TRL {launch.session.release} refuses that",
            help=f"{works} divide {count}",
        )


@rule(
    "TR404",
    "tp-group-spans-nodes",
    severity=ADVICE,
    stage=FIRST_STEP,
    programs=(GRPO, RLOO, ONLINE_DPO),
    applies=">=0.18.0",
)
def tp_group_spans_nodes(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> Iterator[Draft]:
    """The processes of one engine are on one machine.

    What happens: every token goes over the network between machines: generation is slow, or fails.

    Why: engines take processes in their order, vllm_tensor_parallel_size at a time (trainer/grpo_trainer.py@0.18.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 12 --num_machines 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=4)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 16 --num_machines 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=4)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != COLOCATE:
        return
    size, world = launch.vllm_tensor_parallel_size, launch.session.world
    if size <= 1 or world.nodes.need("the number of machines") <= 1:
        return
    each, count = world.per_node.need("processes of a machine"), world.total.need("the number of processes")
    if count % size == 0 and each % size:
        yield launch.finding(
            TP,
            message=f"{TP} {size} does not divide the {each} processes of a machine: one engine spans two machines",
            help=f"use a divisor of {each}",
        )


@rule("TR407", "engine-per-process", severity=ADVICE, stage=STARTUP, programs=GENERATING, applies=">=0.18.0")
def engine_per_process(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """On several machines a server of vLLM starts faster than an engine in every process.

    What happens: every GPU loads and warms up an engine of its own, which takes minutes on shared storage.

    Why: colocate mode, the default from 1.0 on, makes one engine for vllm_tensor_parallel_size processes
    (trainer/grpo_trainer.py@0.18.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 16 --num_machines 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate")
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 16 --num_machines 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server")
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != COLOCATE or launch.vllm_tensor_parallel_size != 1:
        return
    world = launch.session.world
    machines = world.nodes.need("the number of machines")
    if machines > 1:
        count = world.total.number
        yield launch.finding(
            "vllm_mode",
            TP,
            message=f"{count or 'all'} processes on {machines} machines start an engine of vLLM each",
            help='vllm_mode="server" shares one; a larger vllm_tensor_parallel_size makes fewer',
        )


@rule(
    "TR409",
    "vllm-tp-does-not-divide-heads",
    severity=ERROR,
    stage=STARTUP,
    programs=(GRPO, RLOO, ONLINE_DPO, VLLM_SERVE),
    applies=">=0.16.0",
    fix="unsafe",
)
def vllm_tp_does_not_divide_heads(launch: GRPOModel | RLOOModel | OnlineDPOModel | VllmServeModel) -> Iterator[Draft]:
    """vLLM divides the attention heads of a model evenly.

    What happens: the engine refuses to start ("Total number of attention heads … must be divisible by tensor parallel
    size").

    Why: vLLM verifies it when it reads the model's configuration. The heads are known from a `config.json` in the
    project or from the table of models.

    Example:
        # trl 1.0.0
        --- serve.sh
        trl vllm-serve --model Qwen/Qwen2.5-7B-Instruct --tensor_parallel_size 8

    Use instead:
        # trl 1.0.0
        --- serve.sh
        trl vllm-serve --model Qwen/Qwen2.5-7B-Instruct --tensor_parallel_size 4
    """
    if launch.session.launch.program == VLLM_SERVE:
        setting = "tensor_parallel_size"
        name: str | None = getattr(launch, "model", None)
        if name is None:
            return  # its parser refuses the command
    else:
        if mode(launch) != COLOCATE:
            return
        setting = TP
        name = None
    size = getattr(launch, setting)
    if size <= 1:
        return
    name = name or model_name(launch)  # type: ignore[arg-type]
    known = facts_of_name(launch, name)
    if known.heads is not None and known.certain and known.heads % size:
        works = [one for one in divisors(known.heads) if one < size]
        yield launch.finding(
            setting,
            message=f"{setting} {size} does not divide the {known.heads} attention heads of {name}: vLLM refuses it",
            help=f"divisors of {known.heads} work: {', '.join(map(str, works)) or '1'}",
            proposal=put(launch, setting, works[-1]) if works else None,
        )
