"""Generated settings of TRL's configurations: names that a release has or has not, values that it takes or refuses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from rlhflint.catalog.annotations import parts_of
from rlhflint.catalog.fields import Field
from rlhflint.frameworks.trl.catalog import store
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.programs import key_at

SWITCH = [True, False]
OFTEN: dict[str, list[Any]] = {
    "per_device_train_batch_size": [8, 1, 2, 3, 4, 6],
    "per_device_eval_batch_size": [8, 1, 3],
    "gradient_accumulation_steps": [1, 2, 3, 4],
    "num_generations": [8, 1, 2, 3, 4, 6],
    "num_generations_eval": [None, 1, 2, 4],
    "steps_per_generation": [None, 1, 2, 4],
    "generation_batch_size": [None, 8, 12, 16, 24],
    "eval_strategy": ["no", "steps", "epoch", "sometimes"],
    "evaluation_strategy": ["no", "steps"],
    "do_eval": SWITCH,
    "eval_steps": [None, 10, 0.5, 2.5],
    "logging_steps": [10, 0, 0.5, 1.5],
    "save_strategy": ["steps", "no", "epoch", "best", "never"],
    "save_steps": [500, 30, 7],
    "load_best_model_at_end": [False, True],
    "metric_for_best_model": [None, "loss"],
    "lr_scheduler_type": ["linear", "cosine", "cosin", "reduce_lr_on_plateau"],
    "optim": ["adamw_torch", "adamw", "adamw_torch_fused"],
    "hub_strategy": ["every_save", "always"],
    "warmup_ratio": [0.0, 0.1, 1.5, -0.1],
    "warmup_steps": [0, 10],
    "dataloader_prefetch_factor": [None, 2],
    "dataloader_num_workers": [0, 2],
    "auto_find_batch_size": [False, True],
    "log_completions": SWITCH,
    "log_completions_hub_repo": [None, "org/answers"],
    "vllm_importance_sampling_clip_min": [None, 0.5, 2.0],
    "vllm_importance_sampling_clip_max": [3.0, 1.0, None],
    "vllm_importance_sampling_mode": ["sequence_mask", "token_truncate", "sequence_truncate"],
    "delta": [None, 2.0],
    "use_liger_kernel": [False, True],
    "use_liger_loss": [False, True],
    "loss_type": ["sigmoid", "ipo", ["sigmoid", "sft"], "grpo", "dapo", "nll", "kto"],
    "loss_weights": [None, [1.0], [1.0, 0.5]],
    "load_in_8bit": [False, True],
    "load_in_4bit": [False, True],
    "lora_target_modules": [None, ["all-linear"], ["q_proj", "v_proj"]],
    "beta": [0.1, 0.0, 1.0, 2.0, -0.5],
    "lmbda": [0.5, 0.0, 1.0, 1.5],
    "max_length": [1024, 256, None],
    "max_new_tokens": [64, 512],
    "max_completion_length": [256, 2048],
    "num_mini_batches": [1, 2, 3],
    "bf16": [False, None],
    "gradient_checkpointing": SWITCH,
    "gradient_checkpointing_kwargs": [None, {"use_reentrant": False}],
    "scale_rewards": [True, False, "group", "none"],
    "learning_rate": [1e-6, 2e-5],
    "remove_unused_columns": SWITCH,
    "packing": SWITCH,
    "padding_free": [False, True],
    "use_uld_loss": SWITCH,
    "uld_student_temperature": [1.0, 0.0],
    "uld_crossentropy_weight": [0.0, -1.0],
    "num_remains_in_group": [None, 2, 8],
    "distillation_alpha": [1.0, 0.5],
    "distillation_mode": ["sampled_token", "topk_logits"],
    "train_sampling_strategy": ["random", "sequential", "group_by_length"],
    "rloo_k": [2, 4],
    "kl_coef": [0.05],
    "cliprange": [0.2],
    "total_episodes": [None, 100],
    "num_ppo_epochs": [4],
    "exp_name": ["run"],
    "max_seq_length": [512, None],
}
"""Option → values worth trying; the first ones are likelier to be taken."""
_MACHINE_WORDS = (
    "bf16_full_eval fp16 fp16_full_eval tf32 use_cpu no_cuda use_mps_device local_rank deepspeed fsdp "
    "fsdp_config ddp_backend accelerator_config parallelism_config torch_compile torch_compile_backend "
    "torch_compile_mode torchdynamo half_precision_backend tpu_num_cores jit_mode_eval use_ipex "
    "fsdp_min_num_params fsdp_transformer_layer_cls_to_wrap ray_scope tp_size dispatch_batches "
    "split_batches fp16_backend optim_args sharded_ddp debug log_level log_level_replica report_to "
    "liger_kernel_config push_to_hub output_dir ddp_timeout trackio_space_id neftune_noise_alpha "
    "include_num_input_tokens_seen average_tokens_across_devices logging_dir run_name chat_template_path "
    "adafactor hub_model_id push_to_hub_model_id push_to_hub_organization push_to_hub_token hub_token "
    "tpu_metrics_debug "
    "xpu_backend mp_parameters fp16_opt_level enable_jit_checkpoint torch_empty_cache_steps "
)
HARDWARE = frozenset(_MACHINE_WORDS.split())
"""Options that depend on the machine, or on files and services."""


@dataclass(frozen=True)
class Kind:
    """A configuration class at one release, with its options."""

    path: str
    key: str
    fields: Any
    others: tuple[str, ...]
    """Names that the class has at other releases, and slips of the pen."""


@cache
def kind_of(path: str, key: str, release: str, transformers: str) -> Kind:
    """The class by its import path."""
    fields = config_fields(key, release, transformers)
    elsewhere = {
        name
        for other in store.releases()
        if (found := key_at(key.rpartition(":")[2], other)) is not None
        for name in config_fields(found, other, transformers)
    }
    others = sorted(elsewhere - set(fields))
    slips = ["num_generation", "learning_rates", "max_lenght", "betas"]
    return Kind(path, key, fields, (*others, *slips))


def settings(kind: Kind, random: Random) -> dict[str, Any]:
    """Some settings of a class, by its options' own names."""
    names = [name for name in OFTEN if name in kind.fields and name not in HARDWARE]
    chosen = random.sample(names, k=min(len(names), random.randint(1, 7)))
    others = [name for name in kind.fields if name not in HARDWARE and name not in OFTEN]
    chosen += random.sample(others, k=min(len(others), random.randint(0, 4)))
    if kind.others and random.random() < 0.12:
        chosen.append(random.choice(kind.others))
    picked: dict[str, Any] = {}
    for name in dict.fromkeys(chosen):
        pool = values_of(kind.fields.get(name), name)
        if pool:
            picked[name] = pool[0] if random.random() < 0.4 else random.choice(pool)
    return picked


def values_of(field: Field | None, name: str) -> list[Any]:
    """Values worth trying for an option."""
    if name in OFTEN:
        return OFTEN[name]
    if field is None:
        return [1]
    if field.choices:
        return list(field.choices)
    parts = [part for part in parts_of(field.type) if part != "None"]
    none = [None] if "None" in parts_of(field.type) else []
    if parts == ["bool"]:
        return [True, False, *none]
    if parts == ["int"]:
        return [2, 1, 16, *none]
    if parts in (["float"], ["float", "int"], ["int", "float"]):
        return [0.5, 1.0, 2.0, *none]
    if parts == ["str"]:
        return ["text", *none]
    return none


def as_python(kind: Kind, given: dict[str, Any]) -> str:
    """A script that builds the configuration."""
    module, _, name = kind.path.rpartition(".")
    words = ", ".join(f"{key}={value!r}" for key, value in given.items())
    return f"from {module} import {name}\n\nargs = {name}({words})\n"


def as_yaml(given: dict[str, Any]) -> str:
    """A YAML file with the settings, values as JSON."""
    return "".join(f"{name}: {json.dumps(value)}\n" for name, value in given.items())


def as_words(given: dict[str, Any], random: Random) -> list[str]:
    """Words of a command line with the settings."""
    words: list[str] = []
    for name, value in given.items():
        flag = f"--{name}" if random.random() < 0.8 else f"--{name.replace('_', '-')}"
        if value is True and random.random() < 0.5:
            words.append(flag)
        elif isinstance(value, list):
            words += [flag, *map(str, value)]
        elif isinstance(value, dict):
            words += [flag, json.dumps(value)]
        elif random.random() < 0.2:
            words.append(f"{flag}={value}")
        else:
            words += [flag, str(value)]
    return words
