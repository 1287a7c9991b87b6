"""OpenRLHF's `batch_inference` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import Group, ProgramModel


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: bool = False
    """`--apply_chat_template` ..0.9.5"""
    dataset: str | None = None
    """`--dataset` ..0.9.5"""
    dataset_probs: str | None = None
    """`--dataset_probs` ..0.9.5"""
    dataset_split: str | None = "train"
    """`--dataset_split` ..0.6.4"""
    disable_fast_tokenizer: bool = False
    """`--disable_fast_tokenizer` ..0.9.5"""
    input_key: str = "input"
    """`--input_key` ..0.9.5"""
    input_template: str | None = None
    """`--input_template` ..0.9.5"""
    max_len: int = 2048
    """`--max_len` ..0.9.5"""
    max_samples: int = 100000000
    """`--max_samples` ..0.9.5"""
    output_key: str = "output"
    """`--output_key` ..0.9.5"""


class Ds(Group):
    """Settings below `ds`."""

    attn_implementation: str = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.9.5"""
    param_dtype: str = "bf16"
    """`--param_dtype` 0.9.2..0.9.5"""
    zero_stage: int = 0
    """`--zero_stage` ..0.9.5"""


class Model(Group):
    """Settings below `model`."""

    model_name_or_path: str | None = None
    """`--pretrain` ..0.9.5"""


class Train(Group):
    """Settings below `train`."""

    full_determinism_enable: bool = False
    """`--full_determinism` 0.6.2..0.9.5"""
    seed: int = 1234
    """`--seed` ..0.9.5"""


class BatchInference(ProgramModel):
    """The settings of `batch_inference`."""

    program: ClassVar[str] = "openrlhf:batch_inference"

    data: Data
    ds: Ds
    model: Model
    train: Train
    best_of_n: int = 1
    """`--best_of_n` ..0.9.5"""
    bf16: bool = False
    """`--bf16` ..0.9.1.post1"""
    csft_prompt: str = "<rm_score>: 5.00"
    """`--csft_prompt` ..0.9.5"""
    enable_csft: bool = False
    """`--enable_csft` ..0.9.5"""
    enable_prefix_caching: bool = False
    """`--enable_prefix_caching` ..0.9.5"""
    eval_task: str | None = None
    """`--eval_task` ..0.9.5"""
    flash_attn: bool = False
    """`--flash_attn` ..0.8.9.post1"""
    greedy_sampling: bool = False
    """`--greedy_sampling` ..0.9.5"""
    iter: int | None = None
    """`--iter` ..0.9.5"""
    local_rank: int = -1
    """`--local_rank` ..0.9.5"""
    max_new_tokens: int = 1024
    """`--max_new_tokens` ..0.9.5"""
    max_num_seqs: int = 256
    """`--max_num_seqs` ..0.9.5"""
    micro_batch_size: int = 16
    """`--micro_batch_size` ..0.9.5"""
    normalize_reward: bool = False
    """`--normalize_reward` ..0.9.5"""
    output_path: str | None = None
    """`--output_path` ..0.9.5"""
    post_processor: str | None = None
    """`--post_processor` ..0.9.5"""
    prompt_max_len: int = 1024
    """`--prompt_max_len` ..0.9.5"""
    repetition_penalty: float = 1.0
    """`--repetition_penalty` ..0.9.5"""
    reward_template: str | None = None
    """`--reward_template` ..0.9.5"""
    rollout_batch_size: int = 2048
    """`--rollout_batch_size` ..0.9.5"""
    temperature: float = 1.0
    """`--temperature` ..0.9.5"""
    top_p: float = 1.0
    """`--top_p` ..0.9.5"""
    tp_size: int | None = None
    """`--tp_size` ..0.9.5"""
    use_ms: bool = False
    """`--use_ms` 0.5.9.post1..0.9.5"""
    value_head_prefix: str = "value_head"
    """`--value_head_prefix` ..0.9.5"""
