"""Moves of TRL launches that change what an option holds: dtypes, members of enumerations, keys of dictionaries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import Ran, fix

TODAY = ("--to", "trl=1.16.0", "--to", "transformers=5.23.0")


def move(folder: Path, files: dict[str, str], *to: str, trl: str = "0.15.2", transformers: str = "4.49.0") -> Ran:
    stated = {"requirements.txt": f"trl=={trl}\ntransformers=={transformers}\n"}
    return fix(folder, {**stated, **files}, *(to or TODAY))


def sft(given: str, head: str = "from trl import SFTConfig, SFTTrainer\n") -> str:
    return f"{head}\nargs = SFTConfig('o', {given})\nSFTTrainer('m', args=args, train_dataset=d).train()\n"


# The dtype


def test_classes_beside_the_configuration(tmp_path: Path) -> None:
    head = (
        "from trl import ModelConfig, ScriptArguments, SFTConfig, SFTTrainer\n\n"
        "model = ModelConfig('m', torch_dtype='bfloat16')  # torch_dtype\n"
        "script = ScriptArguments(dataset_name='d', gradient_checkpointing_use_reentrant=True)\n"
    )
    ran = move(tmp_path, {"train.py": sft("seed=1", head)})
    assert ran.files["train.py"] == sft("seed=1", head).replace("torch_dtype='", "dtype='")
    assert "ScriptArguments has no option gradient_checkpointing_use_reentrant" in ran.output


@pytest.mark.parametrize(
    ("trl", "transformers", "renamed"),
    [("1.16.0", "5.23.0", True), ("0.23.1", "4.56.2", True), ("0.23.1", "4.55.4", False), ("0.22.2", "4.56.2", False)],
)
def test_the_releases_from_which_on_a_model_is_loaded_with_dtype(
    trl: str, transformers: str, renamed: bool, tmp_path: Path
) -> None:
    text = sft("model_init_kwargs={'torch_dtype': 'auto', 'use_cache': False}")
    ran = move(tmp_path, {"train.py": text}, "--to", f"trl={trl}", "--to", f"transformers={transformers}")
    assert ran.files["train.py"] == (text.replace("torch_dtype", "dtype") if renamed else text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("model_init_kwargs=dict(torch_dtype=torch.bfloat16)", "model_init_kwargs=dict(dtype=torch.bfloat16)"),
        ("model_init_kwargs={'torch_dtype': X, 'dtype': X}", "model_init_kwargs={'torch_dtype': X, 'dtype': X}"),
        ("model_init_kwargs=None", "model_init_kwargs=None"),
        ("model_init_kwargs=KEYS", "model_init_kwargs=KEYS"),
    ],
)
def test_the_ways_to_write_what_a_model_is_loaded_with(before: str, after: str, tmp_path: Path) -> None:
    assert move(tmp_path, {"train.py": sft(before)}).files["train.py"] == sft(after)


def test_a_dictionary_that_stands_elsewhere(tmp_path: Path) -> None:
    head = "from trl import SFTConfig, SFTTrainer\n\nKEYS = {'torch_dtype': 'bfloat16'}  # torch_dtype\n"
    ran = move(tmp_path, {"train.py": sft("model_init_kwargs=KEYS", head)})
    assert ran.files["train.py"] == sft("model_init_kwargs=KEYS", head.replace("{'torch_", "{'"))


def test_commands_and_files(tmp_path: Path) -> None:
    files = {
        "sft.yaml": "model_name_or_path: m\ndataset_name: d\noutput_dir: o\n"
        "gradient_checkpointing_use_reentrant: true\n"
        "model_init_kwargs:\n  torch_dtype: bfloat16 # half\n",
        "a.sh": "trl sft --config sft.yaml --torch_dtype bfloat16\n",
        "b.sh": "trl dpo --model_name_or_path m --dataset_name d --output_dir o "
        """--model_init_kwargs '{"torch_dtype": "bfloat16"}'\n""",
    }
    ran = move(tmp_path, files)
    assert ran.files["sft.yaml"] == files["sft.yaml"].replace("  torch_dtype", "  dtype").replace(
        "gradient_checkpointing_use_reentrant: true", "gradient_checkpointing_kwargs: {use_reentrant: true}"
    )
    assert ran.files["a.sh"] == files["a.sh"].replace("--torch_", "--")
    assert ran.files["b.sh"] == files["b.sh"].replace('"torch_', '"')


def test_what_is_left_to_trl_when_a_model_is_loaded(tmp_path: Path) -> None:
    devices, dtype = 'gets device_map "auto" unless one is set', "unless dtype is given"
    told = move(tmp_path, {"train.py": sft("model_init_kwargs={'torch_dtype': 'auto'}")}).output
    assert devices in told
    assert devices not in move(tmp_path, {"train.py": sft("model_init_kwargs={'device_map': None}")}).output
    assert devices in move(tmp_path, {"train.py": sft("seed=1")}).output
    assert devices not in move(tmp_path, {"train.py": sft("seed=1").replace("'m'", "model")}).output
    assert dtype not in told  # transformers before 5 loads in float32 as well
    newer = {"trl": "0.26.2", "transformers": "5.0.0"}
    assert dtype in move(tmp_path, {"train.py": sft("seed=1")}, **newer).output
    assert dtype not in move(tmp_path, {"train.py": sft("model_init_kwargs={'dtype': 'auto'}")}, **newer).output


def test_float32_was_the_default_of_the_shipped_scripts_as_well(tmp_path: Path) -> None:
    files = {"run.sh": "trl sft --model_name_or_path m --dataset_name d --output_dir o\n"}
    ran = move(tmp_path, files, *TODAY, "--pin-defaults")
    assert "--bf16 false" in ran.files["run.sh"]
    assert "dtype" not in ran.files["run.sh"]
    assert "dtype is not given; its default" not in ran.output


# Members of enumerations


@pytest.mark.parametrize(
    ("imported", "value"),
    [
        ("from trl import FDivergenceType", "FDivergenceType.JS_DIVERGENCE"),
        ("from trl.trainer.dpo_config import FDivergenceType", "FDivergenceType.JS_DIVERGENCE.value"),
        ("from trl.trainer.dpo_config import FDivergenceType as F", "F('js_divergence')"),
        ("import trl", "trl.FDivergenceType.JS_DIVERGENCE"),
    ],
)
def test_a_divergence_as_a_member(imported: str, value: str, tmp_path: Path) -> None:
    text = f"{imported}\nfrom trl import DPOConfig\n\nargs = DPOConfig('o', f_divergence_type={value})\n"
    after = move(tmp_path, {"train.py": text}).files["train.py"]
    assert "DPOConfig('o', f_divergence_type='js_divergence')\n" in after or (
        "DPOConfig('o', f_divergence_type=\"js_divergence\")\n" in after
    )
    same = move(tmp_path, {"train.py": text}, "--to", "trl=0.27.2")
    assert same.files["train.py"] == text


def test_the_import_of_the_divergences_goes_with_the_last_use(tmp_path: Path) -> None:
    head = "from trl import DPOConfig, FDivergenceType\n\n"
    text = f"{head}args = DPOConfig('o', f_divergence_type=FDivergenceType.REVERSE_KL)\n"
    ran = move(tmp_path, {"train.py": text})
    assert ran.files["train.py"].startswith("from trl import DPOConfig\n\n")
    assert "TR605" not in ran.output
    ran = move(tmp_path, {"train.py": f"{text}print(FDivergenceType)\n"})
    assert ran.files["train.py"].startswith(head)
    assert "TRL 1.16.0 has no FDivergenceType any more" in ran.output


def test_the_import_of_the_divergences_goes_from_a_notebook_too(tmp_path: Path) -> None:
    cells = [
        ["!pip install trl\n", "from trl import DPOConfig, FDivergenceType"],
        ["args = DPOConfig('o', f_divergence_type=FDivergenceType.REVERSE_KL)"],
    ]
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    text = json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    after = move(tmp_path, {"train.ipynb": text}).files["train.ipynb"]
    assert after == text.replace(", FDivergenceType", "").replace("FDivergenceType.REVERSE_KL", "'reverse_kl'") or (
        after == text.replace(", FDivergenceType", "").replace("FDivergenceType.REVERSE_KL", '\\"reverse_kl\\"')
    )


def test_a_member_that_is_no_divergence_or_somebody_elses_stays(tmp_path: Path) -> None:
    for head, value in (
        ("from trl import DPOConfig, FDivergenceType\n", "FDivergenceType.NONE"),
        ("from trl import DPOConfig\nfrom mine import FDivergenceType\n", "FDivergenceType.JS_DIVERGENCE"),
    ):
        text = f"{head}\nargs = DPOConfig('o', f_divergence_type={value})\n"
        assert f"f_divergence_type={value}" in move(tmp_path, {"train.py": text}).files["train.py"]


def test_members_of_transformers(tmp_path: Path) -> None:
    head = (
        "from transformers import IntervalStrategy\nfrom transformers.trainer_utils import EvaluationStrategy\n"
        "from transformers.training_args import OptimizerNames\nfrom trl import SFTConfig, SFTTrainer\n"
    )
    before = "evaluation_strategy=EvaluationStrategy.STEPS, save_strategy=IntervalStrategy.NO, optim=OptimizerNames.{}"
    ran = move(tmp_path, {"train.py": sft(before.format("ADAMW_HF"), head)})
    after = before.replace("evaluation_", "eval_").replace("EvaluationStrategy.STEPS", "'steps'")
    assert sft(after.format("ADAMW_HF"), head).partition("args")[2] in ran.files["train.py"].replace('"', "'")
    assert "OptimizerNames of transformers 5.23.0 has no ADAMW_HF: it went with 4.50.0" in ran.output
    ran = move(tmp_path, {"train.py": sft(before.format("SGD"), head)})
    assert "OptimizerNames" not in ran.output
