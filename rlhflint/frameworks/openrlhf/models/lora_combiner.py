"""OpenRLHF's `lora_combiner` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from rlhflint.model import ArgStr, Group, OptStr, ProgramModel, Switch


class Ds(Group):
    """Settings below `ds`."""

    param_dtype: ArgStr = "bf16"
    """`--param_dtype` 0.9.2..0.10.1.post2; `--ds.param_dtype` 0.10.2.."""


class LoraCombiner(ProgramModel):
    """The settings of `lora_combiner`."""

    program: ClassVar[str] = "openrlhf:lora_combiner"

    ds: Ds = Field(default_factory=Ds)
    bf16: Switch = False
    """`--bf16` 0.5.6..0.9.1.post1"""
    is_rm: Switch = False
    """`--is_rm` 0.5.6.."""
    lora_path: OptStr = None
    """`--lora_path` 0.5.6.."""
    model_path: OptStr = None
    """`--model_path` 0.5.6.."""
    output_path: OptStr = None
    """`--output_path` 0.5.6.."""
