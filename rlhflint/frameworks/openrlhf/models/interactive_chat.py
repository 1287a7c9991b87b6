"""OpenRLHF's `interactive_chat` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from rlhflint.model import ArgFloat, ArgInt, ArgStr, Group, OptStr, ProgramModel, Switch


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: Switch = False
    """`--apply_chat_template` ..0.9.5"""
    disable_fast_tokenizer: Switch = False
    """`--disable_fast_tokenizer` ..0.9.5"""
    input_template: ArgStr = "User: {}\nAssistant: "
    """`--input_template` ..0.9.5"""
    max_len: ArgInt = 4096
    """`--max_len` ..0.9.5"""


class Ds(Group):
    """Settings below `ds`."""

    attn_implementation: ArgStr = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.9.5"""
    load_in_4bit: Switch = False
    """`--load_in_4bit` ..0.9.5"""
    param_dtype: ArgStr = "bf16"
    """`--param_dtype` 0.9.2..0.9.5"""


class Model(Group):
    """Settings below `model`."""

    model_name_or_path: OptStr = None
    """`--pretrain` ..0.9.5"""


class InteractiveChat(ProgramModel):
    """The settings of `interactive_chat`."""

    program: ClassVar[str] = "openrlhf:interactive_chat"

    data: Data = Field(default_factory=Data)
    ds: Ds = Field(default_factory=Ds)
    model: Model = Field(default_factory=Model)
    bf16: Switch = False
    """`--bf16` ..0.9.1.post1"""
    csft_prompt: ArgStr = "<rm_score>: 5.00"
    """`--csft_prompt` ..0.9.5"""
    enable_csft: Switch = False
    """`--enable_csft` ..0.9.5"""
    flash_attn: Switch = False
    """`--flash_attn` ..0.8.9.post1"""
    greedy_sampling: Switch = False
    """`--greedy_sampling` ..0.9.5"""
    repetition_penalty: ArgFloat = 1.2
    """`--repetition_penalty` ..0.9.5"""
    ta_prompt: OptStr = None
    """`--ta_prompt` ..0.9.5"""
    temperature: ArgFloat = 0.2
    """`--temperature` ..0.9.5"""
    top_p: ArgFloat = 0.9
    """`--top_p` ..0.9.5"""
    use_ms: Switch = False
    """`--use_ms` 0.5.9.post1..0.9.5"""
