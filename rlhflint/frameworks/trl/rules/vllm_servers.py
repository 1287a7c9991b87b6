"""Servers of vLLM beside training, and on several GPUs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.model_facts import model_facts
from rlhflint.frameworks.trl.machines import is_local, servers, training_gpus
from rlhflint.frameworks.trl.programs import (
    GENERATING,
    GRPO,
    ONLINE_DPO,
    RLOO,
    VLLM_SERVE,
)
from rlhflint.frameworks.trl.vllm import COLOCATE, SERVER, mode
from rlhflint.rule import ADVICE, ERROR, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.online_dpo import OnlineDPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel
    from rlhflint.frameworks.trl.models.vllm_serve import VllmServeModel

MODE = "vllm_mode"


@rule(
    "TR401",
    "server-shares-gpus",
    severity=ERROR,
    stage=STARTUP,
    programs=(GRPO, RLOO, ONLINE_DPO),
    applies=">=0.16.0",
)
def server_shares_gpus(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> Iterator[Draft]:
    """vLLM's server has GPUs that training does not use.

    What happens: NCCL refuses the connection through which weights are sent ("Duplicate GPU detected"), or both run
    out of memory.

    Why: a group of NCCL has each GPU once; the server's and the trainer's processes are in one
    (extras/vllm_client.py@0.16.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        CUDA_VISIBLE_DEVICES=0,1 trl vllm-serve --model m --tensor_parallel_size 2 &
        CUDA_VISIBLE_DEVICES=1,2,3 accelerate launch --num_processes 3 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server", num_generations=6)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        CUDA_VISIBLE_DEVICES=0 trl vllm-serve --model m &
        CUDA_VISIBLE_DEVICES=1,2,3 accelerate launch --num_processes 3 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server", num_generations=6)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != SERVER:
        return
    beside = list(servers(launch.session))
    if not beside or launch.vllm_server_base_url is not None or not is_local(launch.vllm_server_host):
        return
    mine = training_gpus(launch.session)
    for server in beside:
        theirs = server.gpus()
        shared = [gpu for gpu in mine if gpu in theirs]
        if shared:
            yield launch.finding(
                MODE,
                "use_vllm",
                at=launch.session.launch.start.span if launch.session.launch.start is not None else None,
                message=f"training takes the GPUs {', '.join(mine)} and vLLM's server {', '.join(theirs)}: they share "
                f"{', '.join(shared)}, which NCCL refuses",
                help="give each its own CUDA_VISIBLE_DEVICES",
            )
            return
    machines = launch.session.world.nodes.number
    cluster = launch.session.site.cluster
    known = cluster.gpus_per_node if cluster is not None else None
    total = len(mine) + sum(len(server.gpus()) for server in beside)
    if machines == 1 and known is not None and total > known:
        yield launch.finding(
            MODE,
            message=f"training takes {len(mine)} GPUs and vLLM's server {total - len(mine)}: there are {known}",
            help="start fewer processes, or a smaller server",
        )


@rule("TR405", "server-data-parallel", severity=WARNING, stage=STARTUP, programs=VLLM_SERVE, applies=">=0.17.0,<1.11.0")
def server_data_parallel(launch: VllmServeModel) -> Iterator[Draft]:
    """Several servers of a dense model do not share their GPU.

    What happens: "Duplicate GPU detected" when the trainer connects; newer vLLM refuses to start.

    Why: data parallelism of vLLM is for models of experts; with tensor_parallel_size 1 the workers of a dense model end
    on one GPU (scripts/vllm_serve.py@0.18.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        --- serve.sh
        trl vllm-serve --model Qwen/Qwen2.5-7B-Instruct --data_parallel_size 4

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        --- serve.sh
        trl vllm-serve --model Qwen/Qwen2.5-7B-Instruct --tensor_parallel_size 4
    """
    if launch.data_parallel_size <= 1 or launch.tensor_parallel_size != 1 or launch.model is None:
        return
    known = model_facts(launch.model, launch.session.file)
    if known is None or not known.certain:
        raise Undetermined("model", "whether it has experts is not known")
    if not known.moe:
        yield launch.finding(
            "data_parallel_size",
            "tensor_parallel_size",
            message=f"data_parallel_size {launch.data_parallel_size} with tensor_parallel_size 1 for {launch.model}, "
            "which has no experts: its workers end on one GPU",
            help="use tensor_parallel_size",
        )


@rule("TR406", "server-tp-over-nodes", severity=ERROR, stage=STARTUP, programs=VLLM_SERVE, applies=">=0.18.0,<1.11.0")
def server_tp_over_nodes(launch: VllmServeModel) -> Iterator[Draft]:
    """A server that spans machines needs Ray.

    What happens: vLLM refuses to start: there are not enough GPUs on the machine.

    Why: without a backend of its own choice vLLM starts its workers on one machine; the option for Ray is
    there from 1.1 on (scripts/vllm_serve.py@0.18.0, @1.1.0).

    Example:
        # trl 1.1.0, cluster 2x8
        --- serve.sh
        trl vllm-serve --model org/large --tensor_parallel_size 16

    Use instead:
        # trl 1.1.0, cluster 2x8
        --- serve.sh
        trl vllm-serve --model org/large --tensor_parallel_size 16 --distributed_executor_backend ray
    """
    if launch.tensor_parallel_size <= 1 or launch.distributed_executor_backend == "ray":
        return
    gpus = launch.session.machines.gpus_per_node.need("GPUs of a machine")
    if launch.tensor_parallel_size > gpus:
        yield launch.finding(
            "tensor_parallel_size",
            "distributed_executor_backend",
            message=f"tensor_parallel_size {launch.tensor_parallel_size} on machines with {gpus} GPUs",
            help="add --distributed_executor_backend ray, or lower tensor_parallel_size"
            if launch.session.since("1.1.0")
            else "lower tensor_parallel_size; the option for Ray comes with 1.1",
        )


@rule(
    "TR408",
    "visible-devices-in-colocate",
    severity=ADVICE,
    stage=STARTUP,
    programs=GENERATING,
    applies=">=0.18.0",
)
def visible_devices_in_colocate(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """A server of vLLM beside training in colocate mode is not used.

    What happens: its GPUs stand idle; every training process makes an engine on its own GPU.

    Why: in colocate mode, the default from 1.0 on, no server is contacted (trainer/grpo_config.py@1.0.0).

    Example:
        # trl 1.9.0
        --- run.sh
        CUDA_VISIBLE_DEVICES=0 trl vllm-serve --model m &
        CUDA_VISIBLE_DEVICES=1,2 accelerate launch --num_processes 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- run.sh
        CUDA_VISIBLE_DEVICES=0 trl vllm-serve --model m &
        CUDA_VISIBLE_DEVICES=1,2 accelerate launch --num_processes 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server")
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != COLOCATE:
        return
    for server in servers(launch.session):
        theirs = server.visible
        if theirs is None:
            continue
        mine = training_gpus(launch.session)
        if set(mine).isdisjoint(server.gpus()):
            yield launch.finding(
                MODE,
                "use_vllm",
                message=f"the script starts a server of vLLM on the GPUs {theirs}, and training makes engines of its "
                f"own: vllm_mode is {COLOCATE!r} at TRL {launch.session.release}"
                + ("" if launch.given(MODE) else " unless it is given"),
                help='set vllm_mode="server", or do without the server',
            )
            return
