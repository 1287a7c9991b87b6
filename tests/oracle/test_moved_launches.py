"""Launches of older releases moved to the newest one: accepted there, with the values they had.

The campaign over upstream's own examples is `python -m tools.same_launch`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rlhflint.frameworks.openrlhf.catalog import openrlhf

from .same_launch import compared

PPO = """
python3 -m openrlhf.cli.train_ppo_ray --pretrain models/sft --reward_pretrain models/rm --prompt_data data/a.jsonl \\
    --actor_num_nodes 1 --actor_num_gpus_per_node 4 --critic_num_nodes 1 --critic_num_gpus_per_node 4 \\
    --ref_num_nodes 1 --ref_num_gpus_per_node 4 --reward_num_nodes 1 --reward_num_gpus_per_node 4 \\
    --colocate_actor_ref --colocate_critic_reward --ref_reward_offload --vllm_num_engines 4 \\
    --train_batch_size 128 --rollout_batch_size 1024 --zero_stage 3 --actor_learning_rate 5e-7 --max_norm 0.5 \\
    --l2 0.01 --adam_betas 0.9 0.98 --lr_warmup_ratio 0.05 --use_wandb key \\
"""
SFT = """
deepspeed --module openrlhf.cli.train_sft --pretrain models/base --dataset data/chat.jsonl --input_key question \\
    --output_key answer --max_len 2048 --train_batch_size 64 --micro_train_batch_size 4 --learning_rate 1e-5 \\
    --lr_scheduler cosine_with_min_lr --l2 0.01 --zero_stage 2 --gradient_checkpointing \\
"""
DPO = """
deepspeed --module openrlhf.cli.train_dpo --pretrain models/sft --dataset data/pairs.jsonl --chosen_key chosen \\
    --rejected_key rejected --max_len 1024 --train_batch_size 64 --beta 0.1 --learning_rate 5e-7 --ref_offload \\
"""


@pytest.mark.parametrize(
    ("release", "script"),
    [
        ("0.5.9.post1", PPO + "    --prompt_max_len 1024 --generate_max_len 3072 --bf16 --flash_attn --perf\n"),
        ("0.5.9.post1", SFT + "    --bf16 --packing_samples\n"),
        ("0.6.0", PPO + "    --prompt_max_len 512 --use_kl_estimator_k3 --bf16 --actor_init_on_gpu\n"),
        ("0.7.4", DPO + "    --bf16 --flash_attn --dataset_probs 1.0\n"),
        ("0.8.9", PPO + "    --enable_vllm_is_correction --vllm_is_truncated_threshold 2 --bf16 --flash_attn\n"),
        ("0.9.2", PPO + "    --enable_vllm_is_correction --use_icepop --ptx_coef 0.05\n"),
        ("0.9.3", PPO + "    --enable_vllm_is_correction --vllm_is_correction_type mis\n"),
        ("0.9.10", PPO + "    --max_len 4096 --max_new_tokens 1024 --entropy_loss_coef 0\n"),
        ("0.10.1.post2", SFT + "    --train_split train --multiturn --apply_chat_template\n"),
    ],
    ids=lambda value: value if "openrlhf" not in value else value.split("cli.")[1].split()[0],
)
def test_a_moved_launch_is_the_same(release: str, script: str, released_wheel: Callable[[str, str], Path]) -> None:
    (launch,) = compared(script, release, openrlhf().newest, released_wheel)
    assert launch.accepted, launch.refusal
    assert not launch.different
    assert launch.after != launch.before


def test_a_launch_moved_step_by_step(released_wheel: Callable[[str, str], Path]) -> None:
    script = PPO + "    --enable_vllm_is_correction --vllm_is_truncated_threshold 2 --bf16\n"
    for release in ("0.9.0", "0.9.2", "0.9.4", "0.9.8", "0.10.2", "0.11.1"):
        (launch,) = compared(script, "0.8.9", release, released_wheel)
        assert launch.accepted, (release, launch.refusal, launch.after)
        assert not launch.different
