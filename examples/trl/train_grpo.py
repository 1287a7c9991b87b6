"""GRPO on one node. Two of its settings are not those of the TRL release in requirements.txt."""

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **kwargs):
    return [float(len(completion)) for completion in completions]


args = GRPOConfig(
    output_dir="out/grpo",
    use_vllm=True,
    num_generations=8,
    max_prompt_length=512,
    loss_type="grpoo",
    learning_rate=1e-6,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen2.5-0.5B-Instruct",
    args=args,
    reward_funcs=reward,
    train_dataset=load_dataset("trl-lib/tldr", split="train"),
)
trainer.train()
