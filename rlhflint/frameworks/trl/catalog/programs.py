"""Which program a class of TRL belongs to, and under which key a class lives at a release."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog import store

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.tree import Tree

PROGRAMS: dict[str, tuple[str, ...]] = {
    "trl:sft": ("SFT",),
    "trl:dpo": ("DPO",),
    "trl:grpo": ("GRPO",),
    "trl:rloo": ("RLOO",),
    "trl:kto": ("KTO",),
    "trl:reward": ("Reward",),
    "trl:ppo": ("PPO", "PPOv2"),
    "trl:online_dpo": ("OnlineDPO",),
    "trl:orpo": ("ORPO",),
    "trl:cpo": ("CPO",),
    "trl:bco": ("BCO",),
    "trl:gkd": ("GKD",),
    "trl:prm": ("PRM",),
    "trl:nash_md": ("NashMD",),
    "trl:xpo": ("XPO",),
    "trl:distillation": ("Distillation",),
    "trl:gold": ("GOLD",),
    "trl:minillm": ("MiniLLM",),
    "trl:a2po": ("A2PO",),
    "trl:alignprop": ("AlignProp",),
    "trl:async_distillation": ("AsyncDistillation",),
    "trl:async_grpo": ("AsyncGRPO",),
    "trl:ddpo": ("DDPO",),
    "trl:dppo": ("DPPO",),
    "trl:gfpo": ("GFPO",),
    "trl:gmpo": ("GMPO",),
    "trl:grpo_with_replay_buffer": ("GRPOWithReplayBuffer",),
    "trl:iterative_sft": ("IterativeSFT",),
    "trl:iw_opd": ("IWOPD",),
    "trl:papo": ("PAPO",),
    "trl:sdft": ("SDFT",),
    "trl:sdpo": ("SDPO",),
    "trl:server_distillation": ("ServerDistillation",),
    "trl:ssd": ("SSD",),
    "trl:tpo": ("TPO",),
}
"""Program → beginnings of the names of its configuration class and trainer (`SFTConfig`, `SFTTrainer`)."""

_BY_STEM = {stem: program for program, stems in PROGRAMS.items() for stem in stems}
_VARIANTS = {"experimental.bema_for_ref_model:DPOTrainer", "experimental.gspo_token:GRPOTrainer"}
"""Trainers that are derived from the one of the same name and are another class."""


def program_of(name: str) -> str | None:
    """The program of a class, by its key or name: `trl:grpo` for `GRPOConfig` and `trl:GRPOTrainer`.

    None for a class that belongs to none or to several, such as ModelConfig.
    """
    if name.startswith("scripts.vllm_serve:"):
        return "trl:vllm_serve"
    match = re.fullmatch(r"(?:[\w.]+:)?(\w+?)(?:Config|Trainer|ScriptArguments)", name)
    return _BY_STEM.get(match[1]) if match else None


def program_of_subcommand(word: str) -> str:
    """The program that `trl WORD` starts: `trl:vllm_serve` for `vllm-serve`."""
    return f"trl:{word.replace('-', '_')}"


def lineage(key: str) -> str:
    """What a class keeps when it moves: its name; the whole key for scripts' classes and variants of a trainer.

    `trl:KTOConfig` and `experimental.kto:KTOConfig` are one class in two homes. A bare name is its own lineage.
    """
    package, _, name = key.rpartition(":")
    if package == "transformers" or key in _VARIANTS or (package.startswith("scripts.") and package != "scripts.utils"):
        return key
    return name


@cache
def keys_of(name: str) -> tuple[str, ...]:
    """The keys of all homes of a lineage that is known to the catalog."""
    if ":" in name:
        return (name,)
    tables = [store.config_keys(name), store.trainer_keys(name)]
    return tuple(key for keys in tables for key in keys if lineage(key) == name)


def key_at(name: str, trl: str | Tree) -> str | None:
    """The key under which a class (by name or by any of its keys) really is at a release; None where it is nowhere."""
    if not isinstance(trl, str):
        wanted = lineage(name)
        for key, source in [*trl.configs.items(), *trl.trainers.items()]:
            if lineage(key) == wanted and not trl.shim(source):
                return key
        return None
    for key in keys_of(lineage(name)):
        rows = (store.config_table(key) or store.trainer_table(key)).get("class", ())
        state = store.releases().row_at(rows, trl)
        if state is not None and "shim" not in state:
            return key
    return None


def config_key(program: str, trl: str | Tree) -> str | None:
    """The key of a program's configuration class at a release; None where it has none."""
    if program == "trl:vllm_serve":
        return "scripts.vllm_serve:ScriptArguments"
    for stem in PROGRAMS.get(program, ()):
        if (key := key_at(f"{stem}Config", trl)) is not None:
            return key
    return None


def trainer_key(program: str, trl: str | Tree) -> str | None:
    """The key of a program's trainer at a release; None where it has none."""
    for stem in PROGRAMS.get(program, ()):
        if (key := key_at(f"{stem}Trainer", trl)) is not None:
            return key
    return None
