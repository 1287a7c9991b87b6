"""Every option of TRL and transformers that was renamed, removed or moved: written anew at the end, or named.

Each row: the class, an argument as it was written at a release that has it, the release of TRL (and of transformers
where it is theirs), and what is left of it at the newest one; None where it stays and is named, "" where it goes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.fixing.fixer import Fixer, Outcome
from rlhflint.fixing.migration import Mover
from rlhflint.frameworks.trl.catalog.changes import renames
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.transformers_beside import newest_transformers
from rlhflint.migration import Targets
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import FileKind
from rlhflint.project.settings import Settings

NEWEST = (releases().newest, newest_transformers(releases().newest))
NAMED = None

OPTIONS: list[tuple[str, str, str, str, str | None]] = [
    ("SFTConfig", "max_seq_length=7", "0.9.3", "", "max_length=7"),
    ("SFTConfig", "max_seq_length=7", "0.19.1", "", "max_length=7"),
    ("SFTConfig", "use_liger=True", "0.17.0", "", "use_liger_kernel=True"),
    ("SFTConfig", "dataset_batch_size=7", "0.14.0", "", ""),
    ("SFTConfig", "num_of_sequences=7", "0.14.0", "", NAMED),
    ("SFTConfig", "chars_per_token=2.5", "0.14.0", "", NAMED),
    ("SFTConfig", "neftune_noise_alpha=5", "0.11.4", "", "neftune_noise_alpha=5"),
    ("SFTConfig", "packing_strategy='ffd'", "0.19.1", "", "packing_strategy='bfd'"),
    ("SFTConfig", "packing_strategy='bfd-requeue'", "0.29.1", "", "packing_strategy='bfd_split'"),
    ("SFTConfig", "loss_type='chunked_nll'", "1.13.0", "", "loss_type='nll'"),
    ("DPOConfig", "max_target_length=7", "0.13.0", "", NAMED),
    ("DPOConfig", "is_encoder_decoder=True", "0.14.0", "", ""),
    ("DPOConfig", "use_num_logits_to_keep=True", "0.16.1", "", ""),
    ("DPOConfig", "padding_value=7", "0.25.1", "", NAMED),
    ("DPOConfig", "use_liger_loss=True", "0.27.2", "", "use_liger_kernel=True"),
    ("DPOConfig", "label_pad_token_id=-100", "0.28.0", "", ""),
    ("DPOConfig", "label_pad_token_id=7", "0.28.0", "", ""),
    ("DPOConfig", "max_prompt_length=7", "0.28.0", "", NAMED),
    ("DPOConfig", "max_completion_length=7", "0.28.0", "", NAMED),
    ("DPOConfig", "generate_during_eval=True", "0.28.0", "", NAMED),
    ("DPOConfig", "ref_model_init_kwargs={'a': 1}", "0.28.0", "", NAMED),
    ("DPOConfig", "model_adapter_name='x'", "0.28.0", "", ""),
    ("DPOConfig", "ref_adapter_name='x'", "0.28.0", "", ""),
    ("DPOConfig", "reference_free=True", "0.28.0", "", NAMED),
    ("DPOConfig", "force_use_ref_model=True", "0.28.0", "", ""),
    ("DPOConfig", "rpo_alpha=0.5", "0.28.0", "", "loss_type=['sigmoid', 'sft'], loss_weights=[1.0, 0.5]"),
    ("DPOConfig", "tools=['x']", "0.28.0", "", NAMED),
    ("DPOConfig", "use_logits_to_keep=True", "0.28.0", "", ""),
    ("DPOConfig", "base_model_attribute_name='x'", "0.28.0", "", ""),
    ("DPOConfig", "loss_type='aot_pair'", "0.27.2", "", "loss_type='aot_unpaired'"),
    ("DPOConfig", "loss_type='kto_pair'", "0.9.4", "", NAMED),
    ("GRPOConfig", "vllm_device='cuda:7'", "0.17.0", "", NAMED),
    ("GRPOConfig", "vllm_dtype='auto'", "0.17.0", "", NAMED),
    ("GRPOConfig", "vllm_max_model_len=7", "0.17.0", "", "vllm_max_model_length=7"),
    ("GRPOConfig", "vllm_enable_prefix_caching=True", "0.17.0", "", NAMED),
    ("GRPOConfig", "wandb_log_unique_prompts=True", "0.26.2", "", "log_unique_prompts=True"),
    ("GRPOConfig", "max_prompt_length=7", "0.27.2", "", NAMED),
    ("GRPOConfig", "vllm_guided_decoding_regex='x'", "0.27.2", "", "vllm_structured_outputs_regex='x'"),
    ("GRPOConfig", "use_liger_loss=True", "0.27.2", "", "use_liger_kernel=True"),
    ("GRPOConfig", "use_transformers_paged=True", "1.1.0", "", "use_transformers_continuous_batching=True"),
    ("GRPOConfig", "vllm_importance_sampling_cap=2.0", "1.5.1", "", "vllm_importance_sampling_clip_max=2.0"),
    ("GRPOConfig", "scale_rewards=False", "0.21.0", "", "scale_rewards=False"),  # mapped still
    ("RLOOConfig", "rloo_k=4", "0.21.0", "", "num_generations=4"),
    ("RLOOConfig", "cliprange=0.1", "0.21.0", "", "epsilon=0.1"),
    ("RLOOConfig", "kl_coef=0.1", "0.21.0", "", "beta=0.1"),
    ("RLOOConfig", "exp_name='x'", "0.21.0", "", "run_name='x'"),
    ("RLOOConfig", "normalize_reward=True", "0.21.0", "", "normalize_advantages=True"),
    ("RLOOConfig", "normalize_advantage=True", "0.21.0", "", "normalize_advantages=True"),
    ("RLOOConfig", "num_ppo_epochs=2", "0.21.0", "", "num_iterations=2"),
    ("RLOOConfig", "num_mini_batches=2", "0.21.0", "", "steps_per_generation=2"),
    ("RLOOConfig", "total_episodes=64", "0.21.0", "", NAMED),
    ("RLOOConfig", "total_episodes=64", "0.24.0", "", "max_steps=64"),
    ("RLOOConfig", "response_length=64", "0.21.0", "", "max_completion_length=64"),
    ("RLOOConfig", "token_level_kl=True", "0.21.0", "", ""),
    ("RLOOConfig", "local_rollout_forward_batch_size=7", "0.21.0", "", ""),
    ("RLOOConfig", "num_sample_generations=7", "0.21.0", "", ""),
    ("RLOOConfig", "stop_token='eos'", "0.21.0", "", ""),
    ("RLOOConfig", "stop_token_id=7", "0.21.0", "", ""),
    ("RLOOConfig", "missing_eos_penalty=1.0", "0.21.0", "", NAMED),
    ("RLOOConfig", "dataset_num_proc=7", "0.21.0", "", ""),
    ("RLOOConfig", "reward_model_path='x'", "0.21.0", "", NAMED),
    ("RLOOConfig", "whiten_rewards=True", "0.21.0", "", NAMED),
    ("RLOOConfig", "sft_model_path='x'", "0.9.6", "", NAMED),
    ("RLOOConfig", "sanity_check=True", "0.9.6", "", ""),
    ("RLOOConfig", "max_prompt_length=7", "0.28.0", "", NAMED),
    ("KTOConfig", "max_prompt_length=7", "0.26.2", "", NAMED),
    ("KTOConfig", "max_completion_length=7", "0.26.2", "", NAMED),
    ("KTOConfig", "truncation_mode='keep_end'", "0.26.2", "", ""),
    ("KTOConfig", "is_encoder_decoder=True", "0.26.2", "", ""),
    ("KTOConfig", "label_pad_token_id=7", "0.27.2", "", ""),
    ("KTOConfig", "padding_value=7", "0.27.2", "", ""),
    ("KTOConfig", "ref_model_init_kwargs={'a': 1}", "0.27.2", "", NAMED),
    ("KTOConfig", "use_liger_loss=True", "0.27.2", "", "use_liger_kernel=True"),
    ("KTOConfig", "base_model_attribute_name='x'", "0.27.2", "", ""),
    ("KTOConfig", "generate_during_eval=True", "1.1.0", "", NAMED),
    ("KTOConfig", "prompt_sample_size=7", "0.9.6", "", NAMED),
    ("KTOConfig", "min_density_ratio=0.1", "0.9.6", "", NAMED),
    ("KTOConfig", "max_density_ratio=0.9", "0.9.6", "", NAMED),
    ("OnlineDPOConfig", "dataset_num_proc=7", "0.24.0", "", ""),
    ("OnlineDPOConfig", "gpu_memory_utilization=0.5", "0.24.0", "", "vllm_gpu_memory_utilization=0.5"),
    ("OnlineDPOConfig", "judge='x'", "0.28.0", "", NAMED),
    ("OnlineDPOConfig", "use_transformers_paged=True", "0.28.0", "", ""),
    ("OnlineDPOConfig", "vllm_guided_decoding_regex='x'", "0.26.2", "", "vllm_structured_outputs_regex='x'"),
    ("ORPOConfig", "max_prompt_length=7", "0.27.2", "", NAMED),
    ("CPOConfig", "label_pad_token_id=7", "0.27.2", "", ""),
    ("CPOConfig", "padding_value=7", "0.27.2", "", ""),
    ("CPOConfig", "truncation_mode='keep_end'", "0.28.0", "", ""),
    ("CPOConfig", "max_target_length=7", "0.10.1", "", "max_completion_length=7"),
    ("GKDConfig", "max_seq_length=7", "0.19.1", "", "max_length=7"),
    ("SFTConfig", "evaluation_strategy='steps'", "0.9.3", "4.40.2", "eval_strategy='steps'"),
    ("SFTConfig", "evaluation_strategy='steps'", "0.15.2", "4.50.3", "eval_strategy='steps'"),
    ("SFTConfig", "dispatch_batches=True", "0.15.2", "4.50.3", "accelerator_config={'dispatch_batches': True}"),
    ("SFTConfig", "split_batches=True", "0.15.2", "4.50.3", "accelerator_config={'split_batches': True}"),
    ("SFTConfig", "use_ipex=True", "0.19.1", "4.56.2", ""),
    ("SFTConfig", "tp_size=2", "0.15.2", "4.51.3", NAMED),
    ("SFTConfig", "no_cuda=True", "0.24.0", "4.57.6", "use_cpu=True"),
    ("SFTConfig", "use_mps_device=True", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "per_gpu_train_batch_size=2", "0.24.0", "4.57.6", "per_device_train_batch_size=2"),
    ("SFTConfig", "per_gpu_eval_batch_size=2", "0.24.0", "4.57.6", "per_device_eval_batch_size=2"),
    ("SFTConfig", "adafactor=True", "0.24.0", "4.57.6", "optim='adafactor'"),
    ("SFTConfig", "fp16_backend='auto'", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "half_precision_backend='apex'", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "fp16_opt_level='O2'", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "fsdp_min_num_params=2", "0.24.0", "4.57.6", "fsdp_config={'min_num_params': 2}"),
    (
        "SFTConfig",
        "fsdp_transformer_layer_cls_to_wrap='X'",
        "0.24.0",
        "4.57.6",
        "fsdp_config={'transformer_layer_cls_to_wrap': 'X'}",
    ),
    ("SFTConfig", "include_inputs_for_metrics=True", "0.24.0", "4.57.6", "include_for_metrics=['inputs']"),
    ("SFTConfig", "include_tokens_per_second=True", "0.24.0", "4.57.6", "include_num_input_tokens_seen=True"),
    ("SFTConfig", "jit_mode_eval=True", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "mp_parameters='x'", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "overwrite_output_dir=True", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "past_index=1", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "push_to_hub_token='x'", "0.24.0", "4.57.6", "hub_token='x'"),
    ("SFTConfig", "push_to_hub_model_id='x'", "0.24.0", "4.57.6", "hub_model_id='x'"),
    ("SFTConfig", "push_to_hub_organization='x'", "0.24.0", "4.57.6", NAMED),
    ("SFTConfig", "ray_scope='x'", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "save_safetensors=False", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "torchdynamo='x'", "0.24.0", "4.57.6", "torch_compile_backend='x'"),
    ("SFTConfig", "tpu_num_cores=1", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "tpu_metrics_debug=True", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "use_legacy_prediction_loop=True", "0.24.0", "4.57.6", ""),
    ("SFTConfig", "group_by_length=True", "1.0.0", "5.1.0", "train_sampling_strategy='group_by_length'"),
    ("SFTConfig", "warmup_ratio=0.1", "1.5.0", "5.14.1", "warmup_steps=0.1"),
    ("SFTConfig", "logging_dir='x'", "1.5.0", "5.14.1", NAMED),
]
DEAD = ("num_of_sequences", "chars_per_token")  # at a release that does not look at them either


@pytest.fixture(autouse=True, scope="module")
def _elsewhere() -> Iterator[None]:
    """A folder that says nothing about releases."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        (Path(folder) / ".git").mkdir()
        yield


def moved(name: str, kind: FileKind, text: str, since: tuple[str, str], to: tuple[str, str] = NEWEST) -> Outcome:
    packages = ("trl", "transformers")
    mover = Mover(Targets(dict(zip(packages, to, strict=True))))
    checker = Checker(Settings(framework_versions=dict(zip(packages, since, strict=True))))
    return Fixer(checker, False, mover).fix_text(Candidate(name, kind), text)


def told(outcome: Outcome, name: str) -> bool:
    """Whether an option is named by what is said of the launch, and not only as one that is not given."""
    findings = [one for one in outcome.result.findings if f"{name} is not given" not in one.message]
    return any(name in one.message or name in one.settings for one in findings)


@pytest.mark.parametrize(("owner", "before", "trl", "transformers", "after"), OPTIONS)
def test_an_argument(owner: str, before: str, trl: str, transformers: str, after: str | None) -> None:
    since = (trl, transformers or newest_transformers(trl))
    text = f"from trl import {owner}\n\nargs = {owner}('o', seed=1, {before})  # '''''''''\n"
    outcome = moved("train.py", FileKind.PYTHON, text, since)
    line = outcome.text.splitlines()[-1].removeprefix(f"args = {owner}('o', seed=1").partition(")  #")[0]
    name = before.partition("=")[0]
    assert line.removeprefix(", ") == (before if after is NAMED else after)
    if after is NAMED or (after == "" and not _did_nothing(owner, name, before, trl)):
        assert told(outcome, name)


def _did_nothing(owner: str, name: str, before: str, trl: str) -> bool:
    """Whether the option had its default, or was not looked at: then it goes without a word."""
    key = key_at(owner, trl)
    field = config_fields(key, trl, newest_transformers(trl)).get(name) if key is not None else None
    return field is not None and before == f"{name}={field.default!r}"


@pytest.mark.parametrize(("owner", "before", "trl", "transformers", "after"), OPTIONS)
def test_a_key_and_a_flag(owner: str, before: str, trl: str, transformers: str, after: str | None) -> None:
    word = owner.removesuffix("Config").lower()
    since = (trl, transformers or newest_transformers(trl))
    name, _, value = before.partition("=")
    if word not in ("sft", "dpo", "grpo", "kto", "reward", "rloo") or releases().position(trl) < releases().position(
        {"grpo": "0.16.0", "rloo": "0.22.0", "reward": "0.22.0"}.get(word, "0.13.0")
    ):
        pytest.skip("no `trl` command of that release trains so")
    if "{" in value or "[" in value:
        pytest.skip("written otherwise in a command")
    shown = value.strip("'")
    text = f"trl {word} --model_name_or_path m --dataset_name d --output_dir o --{name} {shown}\n"
    outcome = moved("run.sh", FileKind.SHELL, text, since)
    head = f"trl {word} --model_name_or_path m --dataset_name d --output_dir o"
    left = outcome.text.removeprefix(head).strip()
    if after is NAMED:
        assert left == f"--{name} {shown}"
        assert told(outcome, name)
    elif after == "":
        assert left == ""
    else:
        assert left.startswith(f"--{after.partition('=')[0]}") or told(outcome, name)


def test_every_rename_that_is_known_has_a_row() -> None:
    given = {(owner, before.partition("=")[0]) for owner, before, *_ in OPTIONS}
    names = {name for _, name in given}
    owners = {owner for owner, _ in given}
    for owner in owners:
        for one in renames(owner):
            assert (owner, one.old) in given or one.old in names, (owner, one.old)
    inherited = [one.old for one in renames("transformers:TrainingArguments")]
    assert inherited
    assert set(inherited) <= names


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("model = ModelConfig(torch_dtype='auto')", "model = ModelConfig(dtype='auto')"),
        (
            "SFTTrainer('m', args=SFTConfig('o'), train_dataset=d, tokenizer=t)",
            "SFTTrainer('m', args=SFTConfig('o'), train_dataset=d, processing_class=t)",
        ),
    ],
)
def test_what_stands_beside_the_configuration(text: str, after: str) -> None:
    head = "from trl import ModelConfig, SFTConfig, SFTTrainer\n\nargs = SFTConfig('o')\n"
    outcome = moved("train.py", FileKind.PYTHON, f"{head}{text}\n", ("0.11.4", "4.44.2"))
    assert outcome.text == f"{head}{after}\n"


@pytest.mark.parametrize(("owner", "before", "trl", "transformers", "after"), OPTIONS)
def test_one_step_and_two(owner: str, before: str, trl: str, transformers: str, after: str | None) -> None:
    since = (trl, transformers or newest_transformers(trl))
    text = f"from trl import {owner}\n\nargs = {owner}('o', seed=1, {before})\n"
    at_once = moved("train.py", FileKind.PYTHON, text, since)
    order = releases()
    for between in ("0.16.1", "0.22.2", "0.28.0", "1.0.0"):
        if order.position(between) <= order.position(trl):
            continue
        middle = (between, newest_transformers(between))
        first = moved("train.py", FileKind.PYTHON, text, since, middle)
        second = moved("train.py", FileKind.PYTHON, first.text, middle)
        if after is NAMED:
            assert told(first, _given(text)) or told(second, _given(first.text))
        elif not told(first, _given(text)):
            assert second.text == at_once.text, between


def _given(text: str) -> str:
    """The name of the argument that matters."""
    return text.splitlines()[-1].partition("seed=1, ")[2].partition("=")[0]
