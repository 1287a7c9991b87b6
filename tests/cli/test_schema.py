"""`rlhflint schema`: what an editor says of a configuration file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.cli.conftest import Run

SFT = """\
model_name_or_path: acme/seven
dataset_name: acme/chat
output_dir: runs/sft
learning_rate: 2e-4
per_device_train_batch_size: 4
bf16: true
gradient_checkpointing: true
packing: true
packing_strategy: bfd
use_peft: true
lora_r: 16
lora_target_modules: [q_proj, v_proj]
report_to: none
eval_strategy: "no"
model_init_kwargs:
  attn_implementation: flash_attention_2
env:
  WANDB_PROJECT: demo
num_processes: 4
accelerate_config: zero3
"""
PPO = """\
actor.model_name_or_path: acme/seven
train.colocate_all: true
vllm.num_engines: 4
actor.adam.lr: 5.0e-7
actor.adam.betas: [0.9, 0.95]
algo.advantage.estimator: group_norm
reward.remote_url: http://rewards:5000
"""


def schema(run: Run, *arguments: str) -> dict[str, Any]:
    result = run("schema", *arguments)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def wrong(found: dict[str, Any], text: str) -> list[str]:
    """What is said of a YAML text, by the key it is said of."""
    errors = Draft202012Validator(found).iter_errors(yaml.safe_load(text))
    return sorted(str(error.path[0]) if error.path else error.message for error in errors)


def test_a_recipe_of_trl_is_taken(run: Run) -> None:
    assert wrong(schema(run, "trl:sft"), SFT) == []


def test_options_of_openrlhf_are_taken(run: Run) -> None:
    assert wrong(schema(run, "openrlhf:train_ppo_ray"), PPO) == []


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("learning_rate: fast", "learning_rate"),
        ("learning_rate: [1e-4]", "learning_rate"),
        ("lora_r: sixteen", "lora_r"),
        ("bf16: maybe", "bf16"),
        ("packing: bfd_split", "packing"),
        ("lora_target_modules: {q: 1}", "lora_target_modules"),
        ("eval_strategy: sometimes", "eval_strategy"),
        ("eval_strategy: no", "eval_strategy"),
        ("output_dir: 7", "output_dir"),
        ("max_sequence_length: 10", "Additional properties are not allowed ('max_sequence_length' was unexpected)"),
        ("learning-rate: 1.0", "Additional properties are not allowed ('learning-rate' was unexpected)"),
    ],
)
def test_a_value_that_trl_would_not_take_is_marked(run: Run, line: str, key: str) -> None:
    assert wrong(schema(run, "trl:sft"), line) == [key]


@pytest.mark.parametrize(
    "line",
    [
        "learning_rate: 1e-6",
        "learning_rate: '0.5'",
        "lora_r: '16'",
        "bf16: 'True'",
        "learning_rate: 3",
        "fp16: false",
        "optim: adamw_torch",
        "max_length: null",
    ],
)
def test_a_value_that_is_converted_is_not_marked(run: Run, line: str) -> None:
    assert wrong(schema(run, "trl:sft"), line) == []


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("vllm.num_engines: many", "vllm.num_engines"),
        ("algo.advantage.estimator: best", "algo.advantage.estimator"),
        ("actor.adam.betas: [0.9]", "actor.adam.betas"),
        ("train.colocate_all: 'yes'", "train.colocate_all"),
        ("vllm_num_engines: 4", "Additional properties are not allowed ('vllm_num_engines' was unexpected)"),
    ],
)
def test_a_value_that_openrlhf_would_not_take_is_marked(run: Run, line: str, key: str) -> None:
    assert wrong(schema(run, "openrlhf:train_ppo_ray"), line) == [key]


def test_the_release_decides(run: Run) -> None:
    old = schema(run, "trl:sft", "--framework-version", "trl=0.12.0")
    assert "of TRL 0.12.0" in old["title"]
    assert wrong(old, "max_seq_length: 512") == []
    assert "max_seq_length" not in schema(run, "trl:sft")["properties"]
    flat = schema(run, "openrlhf:train_ppo_ray", "--framework-version", "openrlhf=0.9.3")
    assert wrong(flat, "vllm_num_engines: 4") == []
    assert flat["properties"]["micro_train_batch_size"]["default"] == 4


def test_a_specifier_means_its_newest_release(run: Run) -> None:
    assert (
        "OpenRLHF 0.9.10" in schema(run, "openrlhf:train_sft", "--framework-version", "openrlhf=>=0.9,<0.10")["title"]
    )


def test_what_is_deprecated_or_read_by_nothing_is_marked(run: Run) -> None:
    properties = schema(run, "openrlhf:train_ppo_ray", "--framework-version", "openrlhf=0.9.3")["properties"]
    assert properties["actor_init_on_gpu"]["deprecated"] is True
    assert "deprecated" not in properties["actor_learning_rate"]
    older = schema(run, "trl:sft", "--framework-version", "trl=0.18.0")["properties"]
    assert older["max_seq_length"]["deprecated"] is True
    assert "`max_length`" in older["max_seq_length"]["description"]


def test_descriptions_say_since_when_and_what_it_was_called(run: Run) -> None:
    properties = schema(run, "openrlhf:train_ppo_ray")["properties"]
    text = properties["train.async_enable"]["description"]
    assert "since 0.10.2" in text
    assert "`--async_train`" in text
    assert "TRL since 0.18.0" in schema(run, "trl:grpo")["properties"]["vllm_mode"]["description"]


RELEASES = [
    ("openrlhf:train_ppo_ray", "openrlhf=0.3.6.post1"),
    ("openrlhf:train_ppo_ray", "openrlhf=0.11.2"),
    ("openrlhf:train_kto", "openrlhf=0.8.0"),
    ("openrlhf:serve_rm", "openrlhf=0.11.2"),
    *(
        (f"trl:{name}", f"trl={release}")
        for name in ("sft", "dpo", "grpo")
        for release in ("0.14.0", "0.22.0", "1.16.0")
    ),
    ("trl:ppo", "trl=0.12.0"),
    ("trl:vllm_serve", "trl=1.0.0"),
]


@pytest.mark.parametrize(("program", "version"), RELEASES)
def test_every_schema_is_one_and_takes_the_defaults_it_names(run: Run, program: str, version: str) -> None:
    found = schema(run, program, "--framework-version", version)
    Draft202012Validator.check_schema(found)
    assert found["properties"]
    defaults = {name: one["default"] for name, one in found["properties"].items() if "default" in one}
    assert defaults
    assert [error.path[0] for error in Draft202012Validator(found).iter_errors(defaults)] == []
    assert all(one["description"].endswith(".") for one in found["properties"].values())


def test_without_a_program_all_are_listed(run: Run) -> None:
    lines = run("schema").output.split()
    assert "trl:grpo" in lines
    assert "openrlhf:train_ppo_ray" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("trl:grop",), "did you mean 'trl:grpo'"),
        (("grpo",), "did you mean 'trl:grpo'"),
        (("verl:ppo",), "is no program"),
        (("trl:ppo",), "TRL 1.16.0 has no configuration class for trl:ppo"),
        (("openrlhf:train_kto",), "its last release is 0.9.5"),
        (("trl:sft", "--framework-version", "trl=99"), "99 is not known"),
        (("trl:sft", "--framework-version", "trl=>5"), "no release of trl that is known"),
        (("trl:sft", "--framework-version", "vllm=0.9"), "vllm does not decide"),
        (("trl:sft", "--framework-version", "trl"), "is not NAME=VERSION"),
    ],
)
def test_what_does_not_exist_is_wrong_usage(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run("schema", *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_the_release_of_the_project_counts_unless_another_is_given(run: Run, project: Path) -> None:
    (project / "requirements.txt").write_text("openrlhf==0.8.0\n")
    result = run("schema", "openrlhf:train_ppo_ray")
    assert "openrlhf 0.8.0 from requirements.txt line 1" in result.stderr
    assert "async_train" in result.stdout
    assert "train.async_enable" not in json.loads(result.stdout)["properties"]
    other = run("schema", "openrlhf:train_ppo_ray", "--framework-version", "openrlhf=0.11.2")
    assert "train.async_enable" in json.loads(other.stdout)["properties"]
    assert other.stderr == ""


def test_a_release_that_is_not_known_is_told(run: Run, project: Path) -> None:
    (project / "requirements.txt").write_text("trl==99.0\n")
    result = run("schema", "trl:sft")
    assert "the newest is taken" in result.stderr
    assert json.loads(result.stdout)


def test_the_configuration_states_a_release(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text('[versions]\ntrl = "0.24.0"\n')
    assert "trl 0.24.0 from rlhflint.toml" in run("schema", "trl:sft").stderr
