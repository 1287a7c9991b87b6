"""OpenRLHF's `batch_inference` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from rlhflint.model import ArgFloat, ArgInt, ArgStr, Group, OptInt, OptStr, ProgramModel, Switch


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: Switch = False
    """`--apply_chat_template` ..0.9.5"""
    dataset: OptStr = None
    """`--dataset` ..0.9.5"""
    dataset_probs: OptStr = None
    """`--dataset_probs` ..0.9.5"""
    dataset_split: OptStr = "train"
    """`--dataset_split` ..0.6.4"""
    disable_fast_tokenizer: Switch = False
    """`--disable_fast_tokenizer` ..0.9.5"""
    input_key: ArgStr = "input"
    """`--input_key` ..0.9.5"""
    input_template: OptStr = None
    """`--input_template` ..0.9.5"""
    max_len: ArgInt = 2048
    """`--max_len` ..0.9.5"""
    max_samples: ArgInt = 100000000
    """`--max_samples` ..0.9.5"""
    output_key: ArgStr = "output"
    """`--output_key` ..0.9.5"""


class Ds(Group):
    """Settings below `ds`."""

    attn_implementation: ArgStr = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.9.5"""
    param_dtype: ArgStr = "bf16"
    """`--param_dtype` 0.9.2..0.9.5"""
    zero_stage: ArgInt = 0
    """`--zero_stage` ..0.9.5"""


class Model(Group):
    """Settings below `model`."""

    model_name_or_path: OptStr = None
    """`--pretrain` ..0.9.5"""


class Train(Group):
    """Settings below `train`."""

    full_determinism_enable: Switch = False
    """`--full_determinism` 0.6.2..0.9.5"""
    seed: ArgInt = 1234
    """`--seed` ..0.9.5"""


class BatchInference(ProgramModel):
    """The settings of `batch_inference`."""

    program: ClassVar[str] = "openrlhf:batch_inference"

    data: Data = Field(default_factory=Data)
    ds: Ds = Field(default_factory=Ds)
    model: Model = Field(default_factory=Model)
    train: Train = Field(default_factory=Train)
    best_of_n: ArgInt = 1
    """`--best_of_n` ..0.9.5"""
    bf16: Switch = False
    """`--bf16` ..0.9.1.post1"""
    csft_prompt: ArgStr = "<rm_score>: 5.00"
    """`--csft_prompt` ..0.9.5"""
    enable_csft: Switch = False
    """`--enable_csft` ..0.9.5"""
    enable_prefix_caching: Switch = False
    """`--enable_prefix_caching` ..0.9.5"""
    eval_task: OptStr = None
    """`--eval_task` ..0.9.5"""
    flash_attn: Switch = False
    """`--flash_attn` ..0.8.9.post1"""
    greedy_sampling: Switch = False
    """`--greedy_sampling` ..0.9.5"""
    iter: OptInt = None
    """`--iter` ..0.9.5"""
    local_rank: ArgInt = -1
    """`--local_rank` ..0.9.5"""
    max_new_tokens: ArgInt = 1024
    """`--max_new_tokens` ..0.9.5"""
    max_num_seqs: ArgInt = 256
    """`--max_num_seqs` ..0.9.5"""
    micro_batch_size: ArgInt = 16
    """`--micro_batch_size` ..0.9.5"""
    normalize_reward: Switch = False
    """`--normalize_reward` ..0.9.5"""
    output_path: OptStr = None
    """`--output_path` ..0.9.5"""
    post_processor: OptStr = None
    """`--post_processor` ..0.9.5"""
    prompt_max_len: ArgInt = 1024
    """`--prompt_max_len` ..0.9.5"""
    repetition_penalty: ArgFloat = 1.0
    """`--repetition_penalty` ..0.9.5"""
    reward_template: OptStr = None
    """`--reward_template` ..0.9.5"""
    rollout_batch_size: ArgInt = 2048
    """`--rollout_batch_size` ..0.9.5"""
    temperature: ArgFloat = 1.0
    """`--temperature` ..0.9.5"""
    top_p: ArgFloat = 1.0
    """`--top_p` ..0.9.5"""
    tp_size: OptInt = None
    """`--tp_size` ..0.9.5"""
    use_ms: Switch = False
    """`--use_ms` 0.5.9.post1..0.9.5"""
    value_head_prefix: ArgStr = "value_head"
    """`--value_head_prefix` ..0.9.5"""
