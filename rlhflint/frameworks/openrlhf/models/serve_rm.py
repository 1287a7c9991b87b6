"""OpenRLHF's `serve_rm` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import Group, ProgramModel


class Data(Group):
    """Settings below `data`."""

    disable_fast_tokenizer: bool = False
    """`--disable_fast_tokenizer` 0.4.0.post2..0.10.1.post2; `--data.disable_fast_tokenizer` 0.10.2.."""
    max_len: int = 2048
    """`--max_len` 0.4.0.post2..0.10.1.post2; `--data.max_len` 0.10.2.."""


class Ds(Group):
    """Settings below `ds`."""

    attn_implementation: str = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.10.1.post2; `--ds.attn_implementation` 0.10.2.."""
    experts_implementation: str | None = None
    """`--ds.experts_implementation` 0.10.2.."""
    load_in_4bit: bool = False
    """`--load_in_4bit` 0.4.0.post2..0.10.1.post2; `--ds.load_in_4bit` 0.10.2.."""
    packing_samples: bool = False
    """`--packing_samples` 0.8.3..0.10.1.post2; `--ds.packing_samples` 0.10.2.."""
    param_dtype: str = "bf16"
    """`--param_dtype` 0.9.2..0.10.1.post2; `--ds.param_dtype` 0.10.2.."""
    value_head_prefix: str = "score"
    """`--value_head_prefix` 0.4.0.post2..0.10.1.post2; `--ds.value_head_prefix` 0.10.2.."""


class Reward(Group):
    """Settings below `reward`."""

    model_name_or_path: str | None = None
    """`--reward_pretrain` 0.4.0.post2..0.10.1.post2; `--reward.model_name_or_path` 0.10.2.."""
    normalize_enable: bool = False
    """`--normalize_reward` 0.4.0.post2..0.10.1.post2; `--reward.normalize_enable` 0.10.2.."""


class ServeRM(ProgramModel):
    """The settings of `serve_rm`."""

    program: ClassVar[str] = "openrlhf:serve_rm"

    data: Data
    ds: Ds
    reward: Reward
    batch_size: int | None = None
    """`--batch_size` 0.4.0.post2.."""
    bf16: bool = False
    """`--bf16` 0.4.0.post2..0.9.1.post1"""
    flash_attn: bool = False
    """`--flash_attn` 0.4.0.post2..0.8.9.post1"""
    host: str = "0.0.0.0"
    """`--host` 0.4.0.post2.."""
    port: int = 5000
    """`--port` 0.4.0.post2.."""
    use_ms: bool = False
    """`--use_ms` 0.5.9.post1.."""
