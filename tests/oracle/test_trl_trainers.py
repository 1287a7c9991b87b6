"""Combinations that the trainer judges: what it refuses is an error, what it trains a step with is none.

Each case is run by TRL itself on a model of two layers, without a GPU. Those that need vLLM, flash attention, Liger's
kernels or DeepSpeed end before their check there, and are left out.
"""

from __future__ import annotations

import json

import pytest

from tests.oracle.trl import ask
from tests.oracle.trl_environments import ENVIRONMENTS, environment_of
from tests.oracle.trl_linted import lint

RELEASES = [release for environment in ENVIRONMENTS for release in environment.releases]
GROUPS = {"num_generations": 2, "max_completion_length": 4}
"""A group small enough for a step on a CPU."""
LORA = {"r": 4, "target_modules": ["q_proj"]}
CASES = {
    "sft": ("SFT", "sft", {}, {}),
    "sft-packing-without-length": ("SFT", "sft", {"packing": True, "max_length": None}, {}),
    "sft-packing": ("SFT", "sft", {"packing": True, "max_length": 64}, {}),
    "sft-packing-strategy": ("SFT", "sft", {"packing": True, "packing_strategy": "bdf", "max_length": 64}, {}),
    "sft-padding-free-with-length": ("SFT", "sft", {"padding_free": True, "max_length": 64}, {}),
    "sft-padding-free": ("SFT", "sft", {"padding_free": True, "max_length": None}, {}),
    "sft-loss": ("SFT", "sft", {"loss_type": "nil"}, {}),
    "sft-dft": ("SFT", "sft", {"loss_type": "dft"}, {}),
    "sft-completions": ("SFT", "pc", {"completion_only_loss": True}, {}),
    "sft-lm-head": ("SFT", "sft", {}, {"peft": {"r": 4, "target_modules": ["q_proj", "lm_head"]}}),
    "sft-lora": ("SFT", "sft", {}, {"peft": LORA}),
    "sft-router": ("SFT", "sft", {"router_aux_loss_coef": 0.01}, {}),
    "sft-tokenizer": ("SFT", "sft", {}, {"tokenizer": True}),
    "dpo": ("DPO", "dpo", {}, {}),
    "dpo-loss": ("DPO", "dpo", {"loss_type": "sigmoidal"}, {}),
    "dpo-ipo": ("DPO", "dpo", {"loss_type": "ipo"}, {}),
    "dpo-exo": ("DPO", "dpo", {"loss_type": "exo_pair"}, {}),
    "dpo-exo-smoothed": ("DPO", "dpo", {"loss_type": "exo_pair", "label_smoothing": 0.1}, {}),
    "dpo-weighting-aot": ("DPO", "dpo", {"loss_type": "aot", "use_weighting": True}, {}),
    "dpo-weighting": ("DPO", "dpo", {"use_weighting": True}, {}),
    "dpo-divergence": ("DPO", "dpo", {"f_divergence_type": "js_divergence", "loss_type": "apo_zero"}, {}),
    "dpo-divergence-sigmoid": ("DPO", "dpo", {"f_divergence_type": "js_divergence"}, {}),
    "dpo-sync": ("DPO", "dpo", {"sync_ref_model": True}, {}),
    "dpo-sync-peft": ("DPO", "dpo", {"sync_ref_model": True}, {"peft": LORA}),
    "dpo-sync-precompute": ("DPO", "dpo", {"sync_ref_model": True, "precompute_ref_log_probs": True}, {}),
    "dpo-precompute": ("DPO", "dpo", {"precompute_ref_log_probs": True}, {}),
    "dpo-lora": ("DPO", "dpo", {}, {"peft": LORA}),
    "dpo-tokenizer": ("DPO", "dpo", {}, {"tokenizer": True}),
    "grpo": ("GRPO", "grpo", GROUPS, {"rewards": 1}),
    "grpo-weights": ("GRPO", "grpo", {**GROUPS, "reward_weights": [1.0]}, {"rewards": 2}),
    "grpo-two-weights": ("GRPO", "grpo", {**GROUPS, "reward_weights": [1.0, 0.5]}, {"rewards": 2}),
    "grpo-loss": ("GRPO", "grpo", {**GROUPS, "loss_type": "grop"}, {"rewards": 1}),
    "grpo-level": ("GRPO", "grpo", {**GROUPS, "importance_sampling_level": "seq"}, {"rewards": 1}),
    "grpo-scale": ("GRPO", "grpo", {**GROUPS, "scale_rewards": "True"}, {"rewards": 1}),
    "grpo-sync": ("GRPO", "grpo", {**GROUPS, "sync_ref_model": True}, {"rewards": 1}),
    "grpo-sync-kl": ("GRPO", "grpo", {**GROUPS, "sync_ref_model": True, "beta": 0.1}, {"rewards": 1}),
    "grpo-sync-peft": ("GRPO", "grpo", {**GROUPS, "sync_ref_model": True, "beta": 0.1}, {"rewards": 1, "peft": LORA}),
    "grpo-group-of-three": ("GRPO", "grpo", {**GROUPS, "num_generations": 3}, {"rewards": 1}),
    "grpo-group-of-one": ("GRPO", "grpo", {**GROUPS, "num_generations": 1}, {"rewards": 1}),
    "grpo-sapo": ("GRPO", "grpo", {**GROUPS, "loss_type": "sapo", "sapo_temperature_neg": None}, {"rewards": 1}),
    "kto": ("KTO", "kto", {}, {}),
    "kto-batch-of-one": ("KTO", "kto", {"per_device_train_batch_size": 1}, {}),
    "kto-order": ("KTO", "kto", {"train_sampling_strategy": "random"}, {}),
    "kto-precompute": ("KTO", "kto", {"precompute_ref_log_probs": True}, {}),
    "kto-lora": ("KTO", "kto", {}, {"peft": LORA}),
}
"""Trainer, data, options, and what the trainer is given besides."""
SCRIPT = """
from peft import LoraConfig
from transformers import AutoModelForCausalLM
from trl import {name}Config, {name}Trainer


def reward(completions, **kwargs):
    return [1.0] * len(completions)


model = AutoModelForCausalLM.from_pretrained("tiny/model")
args = {name}Config(output_dir="out", use_cpu=True, bf16=False, max_steps=1, {options})
trainer = {name}Trainer(model=model, args=args, train_dataset=None, {more})
"""
MODEL = {"model_type": "qwen2", "hidden_size": 16, "num_hidden_layers": 2, "vocab_size": 98}
"""What is known of the model; TRL is given one of the same kind."""


def script(name, options, extra):
    given = {"per_device_train_batch_size": 2, "gradient_checkpointing": False, **options}
    more = ["tokenizer=object()" if extra.get("tokenizer") else "processing_class=None"]
    if "rewards" in extra:
        more.append(f"reward_funcs=[{', '.join(['reward'] * extra['rewards'])}]")
    if "peft" in extra:
        more.append(f"peft_config=LoraConfig({', '.join(f'{key}={value!r}' for key, value in extra['peft'].items())})")
    words = ", ".join(f"{key}={value!r}" for key, value in given.items())
    return SCRIPT.format(name=name, options=words, more=", ".join(more))


@pytest.mark.parametrize("release", RELEASES)
def test_trainers(released_wheel, release, tmp_path):
    environment = environment_of(release)
    if not environment.python.exists():
        pytest.skip("no environment: python -m tests.oracle.trl_environments")
    asked, files = [], []
    for name, data, options, extra in CASES.values():
        case = {"trainer": f"trl.{name}Trainer", "config": f"trl.{name}Config", "kwargs": options, "data": data}
        asked.append({**case, **extra})
        run = "accelerate launch --num_processes 1 train.py\n"
        files.append(
            {"train.py": script(name, options, extra), "run.sh": run, "tiny/model/config.json": json.dumps(MODEL)}
        )
    versions = {"trl": release, "transformers": environment.transformers}
    answers = ask(environment.python, released_wheel("trl", release), asked)
    wrong = []
    for case, answer, one in zip(CASES, answers, lint(files, versions, tmp_path, late=True), strict=True):
        if answer.get("stage") == "config" and "unexpected keyword" in answer.get("message", ""):
            continue  # the option is of another release
        if not answer["ok"] and answer["type"] in ("ImportError", "ModuleNotFoundError", "RuntimeError"):
            continue  # the environment lacks something
        if answer["ok"] is bool(one.errors):
            said = answer.get("message") or [finding.message for finding in one.errors]
            wrong.append((case, answer.get("stage"), one.codes(), said))
    print(f"{release}: {len(asked)} trainers, {sum(not answer['ok'] for answer in answers)} refused or broken off")
    assert not wrong, "\n".join(map(str, wrong))
