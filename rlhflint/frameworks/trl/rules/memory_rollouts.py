"""Memory of a GPU while answers are sampled and weights are handed to vLLM, by formula."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl import memory
from rlhflint.frameworks.trl.policy import adapted, shipped
from rlhflint.frameworks.trl.programs import GRPO, PPO, RLOO
from rlhflint.frameworks.trl.sharding import zero_stage
from rlhflint.frameworks.trl.vllm import mode
from rlhflint.memory import FULL, gib
from rlhflint.rule import ADVICE, FIRST_STEP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.ppo import PPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel


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
