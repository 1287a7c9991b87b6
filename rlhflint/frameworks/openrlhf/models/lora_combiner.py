"""OpenRLHF's `lora_combiner` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import Group, ProgramModel


class Ds(Group):
    """Settings below `ds`."""

    param_dtype: str = "bf16"
    """`--param_dtype` 0.9.2..0.10.1.post2; `--ds.param_dtype` 0.10.2.."""


class LoraCombiner(ProgramModel):
    """The settings of `lora_combiner`."""

    program: ClassVar[str] = "openrlhf:lora_combiner"

    ds: Ds
    bf16: bool = False
    """`--bf16` 0.5.6..0.9.1.post1"""
    is_rm: bool = False
    """`--is_rm` 0.5.6.."""
    lora_path: str | None = None
    """`--lora_path` 0.5.6.."""
    model_path: str | None = None
    """`--model_path` 0.5.6.."""
    output_path: str | None = None
    """`--output_path` 0.5.6.."""
