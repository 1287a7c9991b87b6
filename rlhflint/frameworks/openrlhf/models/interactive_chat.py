"""OpenRLHF's `interactive_chat` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import Group, ProgramModel


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: bool = False
    """`--apply_chat_template` ..0.9.5"""
    disable_fast_tokenizer: bool = False
    """`--disable_fast_tokenizer` ..0.9.5"""
    input_template: str = "User: {}\nAssistant: "
    """`--input_template` ..0.9.5"""
    max_len: int = 4096
    """`--max_len` ..0.9.5"""


class Ds(Group):
    """Settings below `ds`."""

    attn_implementation: str = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.9.5"""
    load_in_4bit: bool = False
    """`--load_in_4bit` ..0.9.5"""
    param_dtype: str = "bf16"
    """`--param_dtype` 0.9.2..0.9.5"""


class Model(Group):
    """Settings below `model`."""

    model_name_or_path: str | None = None
    """`--pretrain` ..0.9.5"""


class InteractiveChat(ProgramModel):
    """The settings of `interactive_chat`."""

    program: ClassVar[str] = "openrlhf:interactive_chat"

    data: Data
    ds: Ds
    model: Model
    bf16: bool = False
    """`--bf16` ..0.9.1.post1"""
    csft_prompt: str = "<rm_score>: 5.00"
    """`--csft_prompt` ..0.9.5"""
    enable_csft: bool = False
    """`--enable_csft` ..0.9.5"""
    flash_attn: bool = False
    """`--flash_attn` ..0.8.9.post1"""
    greedy_sampling: bool = False
    """`--greedy_sampling` ..0.9.5"""
    repetition_penalty: float = 1.2
    """`--repetition_penalty` ..0.9.5"""
    ta_prompt: str | None = None
    """`--ta_prompt` ..0.9.5"""
    temperature: float = 0.2
    """`--temperature` ..0.9.5"""
    top_p: float = 0.9
    """`--top_p` ..0.9.5"""
    use_ms: bool = False
    """`--use_ms` 0.5.9.post1..0.9.5"""
