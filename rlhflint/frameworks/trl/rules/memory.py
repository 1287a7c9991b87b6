"""Memory of a GPU, estimated by formula where the model and the card are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl import memory
from rlhflint.frameworks.trl.policy import adapted, shipped
from rlhflint.frameworks.trl.programs import GRPO, PPO, RLOO
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.sharding import zero_stage
from rlhflint.frameworks.trl.vllm import mode
from rlhflint.memory import FULL, gib
from rlhflint.rule import ADVICE, FIRST_STEP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.ppo import PPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel
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


@rule("TR505", "peft-zero3-sync-peak", severity=ADVICE, stage=FIRST_STEP, programs=(GRPO, RLOO), applies=">=0.17.0")
def peft_zero3_sync_peak(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """With an adapter under ZeRO-3 the whole model has room on every GPU while weights go to vLLM.

    What happens: CUDA runs out of memory at the first synchronisation.

    Why: the adapter is merged, for which all parameters are gathered at once (trainer/grpo_trainer.py@0.17.0).

    Example:
        # trl 1.9.0
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- run.sh
        accelerate launch --use_deepspeed --zero_stage 3 --num_processes 8 grpo.py
        --- grpo.py
        from peft import LoraConfig
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server")
        trainer = GRPOTrainer(
            "Qwen/Qwen2.5-72B-Instruct", reward_funcs=len, args=args, train_dataset=None, peft_config=LoraConfig()
        )

    Use instead:
        # trl 1.9.0
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- run.sh
        accelerate launch --use_deepspeed --zero_stage 3 --num_processes 8 grpo.py
        --- grpo.py
        from peft import LoraConfig
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server")
        trainer = GRPOTrainer(
            "Qwen/Qwen2.5-7B-Instruct", reward_funcs=len, args=args, train_dataset=None, peft_config=LoraConfig()
        )
    """
    if mode(launch) is None or not adapted(launch):
        return
    size = memory.card(launch)
    if zero_stage(launch) != 3:
        return
    weights = 2.0 * (memory.facts(launch).params or 0)
    if weights > FULL * size:
        yield launch.finding(
            "use_vllm",
            "use_peft" if shipped(launch) else "peft_config",
            message=f"an adapter under ZeRO-3 gathers the whole model on every GPU at each synchronisation with vLLM: "
            f"{gib(weights)} on a GPU of {gib(size)}",
            help="train without an adapter, which gathers one parameter at a time, or use a smaller model",
        )


@rule("TR506", "generation-logits", severity=ADVICE, stage=FIRST_STEP, programs=PPO, applies=">=0.12.0,<1.13.0")
def generation_logits(launch: PPOModel) -> Iterator[Draft]:
    """PPO keeps the logits of all answers of a batch while it generates.

    What happens: CUDA runs out of memory while answers are generated.

    Why: logits of per_device_train_batch_size × gradient_accumulation_steps answers are stacked in float32, before
    their log-probabilities are taken (trainer/ppo_trainer.py@0.12.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- ppo.py
        from trl import PPOConfig, PPOTrainer

        args = PPOConfig(
            output_dir="out", per_device_train_batch_size=16, gradient_accumulation_steps=16, response_length=1024
        )
        trainer = PPOTrainer(args, model="Qwen/Qwen2.5-1.5B-Instruct", ref_model=None, train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 80
        --- ppo.py
        from trl import PPOConfig, PPOTrainer

        args = PPOConfig(
            output_dir="out", per_device_train_batch_size=4, gradient_accumulation_steps=4, response_length=256
        )
        trainer = PPOTrainer(args, model="Qwen/Qwen2.5-1.5B-Instruct", ref_model=None, train_dataset=None)
    """
    size = memory.card(launch)
    known = memory.facts(launch)
    if not known.vocab:
        return
    samples = launch.per_device_train_batch_size * launch.gradient_accumulation_steps
    taken = 4.0 * samples * launch.response_length * known.vocab
    if taken > FULL * size:
        yield launch.finding(
            memory.BATCH,
            "gradient_accumulation_steps",
            "response_length",
            message=f"the logits of {samples} answers of {launch.response_length} tokens take {gib(taken)} of a GPU of "
            f"{gib(size)} while they are generated",
            help="lower gradient_accumulation_steps or response_length",
        )
