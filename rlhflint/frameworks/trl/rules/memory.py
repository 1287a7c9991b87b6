"""Memory of a GPU, estimated by formula where the model and the card are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl import memory
from rlhflint.frameworks.trl.proposals import put
from rlhflint.memory import FULL, gib
from rlhflint.rule import ADVICE, FIRST_STEP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.shared import TrainerModel


@rule("TR502", "training-memory-estimate", severity=ADVICE, stage=FIRST_STEP, programs=memory.ESTIMATED)
def training_memory_estimate(launch: TrainerModel) -> Iterator[Draft]:
    """What training takes on a GPU has to fit into its memory.

    What happens: CUDA runs out of memory, at the latest at the first batch of samples as long as they may be.

    Why: by formula, with the model's shape from its `config.json` or the table of models. A model in float32, which is
    how names are loaded from 0.27 on, takes 16 bytes for each parameter to train, one in bfloat16 8; DPO and Reward run
    chosen and rejected answers as one batch (trainer/utils.py@0.27.0, trainer/dpo_trainer.py@1.9.0). Where it takes
    less, nothing is said: that is no promise.

    Example:
        # trl 1.9.0
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 1
        gpu-memory = 80
        --- run.sh
        CUDA_VISIBLE_DEVICES=0 python sft.py
        --- sft.py
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", max_length=2048, per_device_train_batch_size=2)
        trainer = SFTTrainer("Qwen/Qwen2.5-7B", args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 1
        gpu-memory = 80
        --- run.sh
        CUDA_VISIBLE_DEVICES=0 python sft.py
        --- sft.py
        from peft import LoraConfig
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(
            output_dir="out", max_length=2048, per_device_train_batch_size=2, model_init_kwargs={"dtype": "bfloat16"}
        )
        trainer = SFTTrainer("Qwen/Qwen2.5-7B", args, train_dataset=None, peft_config=LoraConfig(r=16))
    """
    size = memory.card(launch)
    stage = memory.training(launch, checkpointing=bool(launch.gradient_checkpointing))
    if stage.total <= FULL * size:
        return
    largest = stage.largest()
    levers = tuple(dict.fromkeys(term.setting for term in largest if term.setting))
    yield launch.finding(
        *levers,
        message=f"training takes about {gib(stage.total)} of a GPU of {gib(size)} with samples of "
        f"{memory.length(launch)} tokens, and likely does not fit: "
        + ", ".join(f"{term.what} {gib(term.size)}" for term in largest),
        help=f"what moves the largest parts: {', '.join(launch.session.spelling(name) for name in levers)}",
    )


@rule(
    "TR504",
    "gradient-checkpointing-disabled",
    severity=ADVICE,
    stage=FIRST_STEP,
    programs=memory.ESTIMATED,
    fix="unsafe",
)
def gradient_checkpointing_disabled(launch: TrainerModel) -> Iterator[Draft]:
    """Gradient checkpointing is what makes long samples fit.

    What happens: CUDA runs out of memory in the first backward pass.

    Why: without it every layer keeps what its backward pass needs. It is on by default from 0.22 on
    (trainer/sft_config.py@0.22.0). Said only where the estimate fits with it and does not without.

    Example:
        # trl 1.9.0
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 1
        gpu-memory = 80
        --- run.sh
        CUDA_VISIBLE_DEVICES=0 python sft.py
        --- sft.py
        from peft import LoraConfig
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(
            output_dir="out",
            max_length=12288,
            per_device_train_batch_size=1,
            gradient_checkpointing=False,
            loss_type="chunked_nll",
            model_init_kwargs={"dtype": "bfloat16"},
        )
        trainer = SFTTrainer("Qwen/Qwen2.5-7B", args, train_dataset=None, peft_config=LoraConfig(r=16))

    Use instead:
        # trl 1.9.0
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 1
        gpu-memory = 80
        --- run.sh
        CUDA_VISIBLE_DEVICES=0 python sft.py
        --- sft.py
        from peft import LoraConfig
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(
            output_dir="out",
            max_length=12288,
            per_device_train_batch_size=1,
            loss_type="chunked_nll",
            model_init_kwargs={"dtype": "bfloat16"},
        )
        trainer = SFTTrainer("Qwen/Qwen2.5-7B", args, train_dataset=None, peft_config=LoraConfig(r=16))
    """
    if launch.gradient_checkpointing:
        return
    size = memory.card(launch)
    without, with_it = (memory.training(launch, checkpointing=on) for on in (False, True))
    if without.total <= FULL * size or with_it.total > FULL * size:
        return
    yield launch.finding(
        memory.CHECKPOINTING,
        message=f"without gradient_checkpointing, training takes about {gib(without.total)} of a GPU of {gib(size)} "
        f"and likely does not fit; with it {gib(with_it.total)}",
        help="set gradient_checkpointing=True: it costs a second forward pass",
        proposal=put(launch, memory.CHECKPOINTING, True),
    )
