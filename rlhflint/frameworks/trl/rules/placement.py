"""Which GPUs training and generation take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.machines import gpus_per_machine
from rlhflint.frameworks.trl.policy import load_option, shipped
from rlhflint.frameworks.trl.programs import (
    DISTILLATION,
    DPO,
    GRPO,
    KTO,
    REWARD,
    RLOO,
    SFT,
)
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.vllm import DEVICE, mode
from rlhflint.rule import ADVICE, ERROR, FIRST_STEP, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.shared import TrainerModel

_REFUSING = (SFT, DPO, GRPO, RLOO, KTO, DISTILLATION)


@rule(
    "TR402",
    "no-gpu-left-for-vllm",
    severity=ERROR,
    stage=STARTUP,
    programs=GRPO,
    applies=">=0.14.0,<0.16.0",
)
def no_gpu_left_for_vllm(launch: GRPOModel) -> Iterator[Draft]:
    """vLLM in 0.14 and 0.15 needs a GPU beside those of training.

    What happens: ValueError "The requested device for vllm … is not available" when the trainer is built. On a machine
    with one GPU they share it.

    Why: vllm_device "auto" is the GPU behind the last training process (trainer/grpo_trainer.py@0.15.0).

    Example:
        # trl 0.15.2, transformers 4.49.0
        --- run.sh
        CUDA_VISIBLE_DEVICES=0,1,2,3 accelerate launch --num_processes 4 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 0.15.2, transformers 4.49.0
        --- run.sh
        CUDA_VISIBLE_DEVICES=0,1,2,3 accelerate launch --num_processes 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != DEVICE or launch.vllm_device not in (None, "auto"):
        return
    gpus = gpus_per_machine(launch.session).need("GPUs of a machine")
    count = launch.session.world.per_node.need("processes")
    if gpus == 1:
        yield launch.finding(
            "use_vllm",
            message=f"with one GPU vLLM shares it with training at TRL {launch.session.release}",
            help="lower vllm_gpu_memory_utilization, which is 0.9 by default",
            severity=ADVICE,
        )
    elif count >= gpus:
        yield launch.finding(
            "use_vllm",
            message=f"{count} processes take all {gpus} GPUs: vLLM needs cuda:{count}, which is not there",
            help=f"start {gpus - 1} processes",
        )


@rule(
    "TR403",
    "one-process-many-gpus",
    severity=ERROR,
    stage=STARTUP,
    programs=(*_REFUSING, REWARD),
)
def one_process_many_gpus(launch: TrainerModel) -> Iterator[Draft]:
    """Several GPUs are used by as many processes, which a launcher starts.

    What happens: with several GPUs visible to one process, ValueError when the trainer is built (1.15 and later, Reward
    1.16); before, the model is copied to all GPUs in every step, which is slow. A model given by its name is spread
    over them from 0.26 on, which works one GPU after the other.

    Why: transformers wraps the model in DataParallel then (trainer/sft_trainer.py@1.15.0, trainer/utils.py@0.26.0).

    Example:
        # trl 1.15.0
        --- run.sh
        CUDA_VISIBLE_DEVICES=0,1,2,3 python sft.py
        --- sft.py
        from transformers import AutoModelForCausalLM
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForCausalLM.from_pretrained("m")
        trainer = SFTTrainer(model, SFTConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 1.15.0
        --- run.sh
        CUDA_VISIBLE_DEVICES=0,1,2,3 accelerate launch --num_processes 4 sft.py
        --- sft.py
        from transformers import AutoModelForCausalLM
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForCausalLM.from_pretrained("m")
        trainer = SFTTrainer(model, SFTConfig(output_dir="out"), train_dataset=None)
    """
    world = launch.session.world
    if details_of(launch).by == "trl" or world.launcher != "python" or world.total.number != 1:
        return
    gpus = gpus_per_machine(launch.session).need("GPUs of a machine")
    if gpus <= 1:
        return
    named = shipped(launch) or isinstance(launch.model, str)
    placed = None if shipped(launch) else load_option(launch, "device_map")
    if placed is not None:
        return
    spread = named and launch.session.since("0.26.0")
    refused = launch.session.since("1.16.0" if launch.session.launch.program == REWARD else "1.15.0") and not spread
    release = launch.session.release
    does = (
        f"TRL {release} refuses that"
        if refused
        else f"TRL {release} spreads the model over them, which work one after the other"
        if spread
        else f"TRL {release} copies the model to all of them in every step"
    )
    yield launch.finding(
        "model",
        at=launch.session.launch.start.span if launch.session.launch.start is not None else None,
        message=f"one process sees {gpus} GPUs: {does}",
        help=f"start it with accelerate launch --num_processes {gpus}, or make one GPU visible",
        severity=ERROR if refused else ADVICE,
        stage=STARTUP if refused else FIRST_STEP,
    )
