"""Launches of TRL moved to another release: names in Python, YAML and commands, imports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import fix

OLD = {"requirements.txt": "trl==0.15.2\ntransformers==4.49.0\n"}
MOVE = ("--to", "trl=1.0.0")

TRAIN = """\
from trl import SFTConfig, SFTTrainer

args = SFTConfig(output_dir="out", max_seq_length=1024)  # max_seq_length
SFTTrainer("Qwen/Qwen2.5-0.5B", args=args, train_dataset=data).train()
"""


def test_a_renamed_argument(tmp_path: Path) -> None:
    ran = fix(tmp_path, {**OLD, "train.py": TRAIN}, *MOVE)
    assert ran.files["train.py"] == TRAIN.replace("max_seq_length=1024", "max_length=1024")
    assert "requirements.txt line 1 says trl 0.15.2: change it to 1.0.0 yourself" in ran.errors
    assert fix(tmp_path, {}, *MOVE).files == ran.files


def test_a_range_is_named_once_whatever_release_each_launch_was_written_for(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "trl>=0.12\n",
        "dpo.py": "from trl import DPOConfig\nargs = DPOConfig(output_dir='o', max_prompt_length=8)\n",
        "sft.py": "from trl import SFTConfig\nargs = SFTConfig(output_dir='o', max_seq_length=8)\n",
    }
    ran = fix(tmp_path, files, "--to", "trl=1.0.0")
    assert ran.errors.count("change it to 1.0.0 yourself") == 1
    assert "requirements.txt line 1 says trl >=0.12: change it" in ran.errors


def test_without_a_move_the_old_name_is_right(tmp_path: Path) -> None:
    assert fix(tmp_path, {**OLD, "train.py": TRAIN}).files["train.py"] == TRAIN


def test_an_import_that_moved(tmp_path: Path) -> None:
    text = "from trl import CPOConfig, CPOTrainer\n\nCPOTrainer(model, args=CPOConfig(output_dir='out')).train()\n"
    ran = fix(tmp_path, {**OLD, "cpo.py": text}, *MOVE)
    assert ran.files["cpo.py"] == text.replace("from trl import", "from trl.experimental.cpo import")


def test_keys_of_a_configuration_file(tmp_path: Path) -> None:
    files = {
        **OLD,
        "run.sh": "trl sft --config sft.yaml\n",
        "sft.yaml": "model_name_or_path: m # m\nmax_seq_length:   1024\n",
    }
    ran = fix(tmp_path, files, *MOVE)
    assert ran.files["sft.yaml"] == "model_name_or_path: m # m\nmax_length:   1024\n"
    assert ran.files["run.sh"] == files["run.sh"]


TODAY = ("--to", "trl=1.16.0", "--to", "transformers=5.23.0")


def moved(folder: Path, text: str, *arguments: str, trl: str = "0.15.2", name: str = "train.py") -> str:
    """The text of a file behind a move to today's releases."""
    files = {"requirements.txt": f"trl=={trl}\ntransformers==4.49.0\n", name: text}
    return fix(folder, files, *TODAY, *arguments).files[name]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("evaluation_strategy='steps'", "eval_strategy='steps'"),
        ("warmup_ratio=RATIO", "warmup_steps=RATIO"),
        ("adafactor=True", "optim='adafactor'"),
        ("adafactor=False, seed=1", "seed=1"),
        ("group_by_length=True", "train_sampling_strategy='group_by_length'"),
        ("split_batches=True", "accelerator_config={'split_batches': True}"),
        ("max_seq_length=512", "max_length=512"),
        ("overwrite_output_dir=False, seed=1", "seed=1"),
    ],
)
def test_options_of_sft(before: str, after: str, tmp_path: Path) -> None:
    text = "from trl import SFTConfig\n\nRATIO = 0.1\nargs = SFTConfig('out', {})\n"
    assert moved(tmp_path, text.format(before)) == text.format(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("rpo_alpha=0.5", "loss_type=['sigmoid', 'sft'], loss_weights=[1.0, 0.5]"),
        ("loss_type='ipo', rpo_alpha=0.5", "loss_type=['ipo', 'sft'], loss_weights=[1.0, 0.5]"),
        ("rpo_alpha=None, seed=1", "seed=1"),
        ("loss_type='aot_pair'", "loss_type='aot_unpaired'"),
        ("reference_free=False, beta=0.2", "beta=0.2"),
        ("label_pad_token_id=-100, beta=0.2", "beta=0.2"),
    ],
)
def test_options_of_dpo(before: str, after: str, tmp_path: Path) -> None:
    text = "from trl import DPOConfig\n\nargs = DPOConfig('out', {})\n"
    assert moved(tmp_path, text.format(before)) == text.format(after)


def test_the_rewritten_rloo(tmp_path: Path) -> None:
    before = (
        "from trl import RLOOConfig, RLOOTrainer\n\n"
        'args = RLOOConfig(output_dir="out", rloo_k=4, kl_coef=0.05, response_length=53, num_ppo_epochs=1)\n'
        "RLOOTrainer(config=args, processing_class=t, policy=p, reward_model=r, train_dataset=d).train()\n"
    )
    assert moved(tmp_path, before) == (
        "from trl import RLOOConfig, RLOOTrainer\n\n"
        'args = RLOOConfig(output_dir="out", num_generations=4, beta=0.05, max_completion_length=53, '
        "num_iterations=1)\n"
        "RLOOTrainer(args=args, processing_class=t, model=p, reward_funcs=r, train_dataset=d).train()\n"
    )


def test_options_that_went_from_the_trainer_to_its_configuration(tmp_path: Path) -> None:
    before = """\
from trl import SFTConfig, SFTTrainer

MOST = 2048
args = SFTConfig(
    output_dir="out",
    seed=1  # the seed
)
trainer = SFTTrainer(
    model="m",
    args=args,
    max_seq_length=MOST,  # the longest
    packing=True,
    dataset_text_field="text",
    tokenizer=tokenizer,
    train_dataset=data,
)
"""
    after = """\
from trl import SFTConfig, SFTTrainer

MOST = 2048
args = SFTConfig(
    output_dir="out",
    seed=1,  # the seed
    max_length=MOST,  # the longest
    packing=True,
    dataset_text_field="text"
)
trainer = SFTTrainer(
    model="m",
    args=args,
    processing_class=tokenizer,
    train_dataset=data,
)
"""
    assert moved(tmp_path, before, trl="0.11.4") == after


def test_a_value_that_is_not_known_where_the_configuration_is_made(tmp_path: Path) -> None:
    text = (
        "from trl import SFTConfig, SFTTrainer\n\nargs = SFTConfig(output_dir='o')\nlongest = measure()\n"
        "SFTTrainer('m', args=args, max_seq_length=longest, train_dataset=d)\n"
    )
    files = {"requirements.txt": "trl==0.11.4\n", "train.py": text}
    ran = fix(tmp_path, files, "--to", "trl=1.16.0")
    assert ran.files["train.py"] == text
    assert "the value of max_seq_length may be another one where the configuration is made" in ran.output
    assert "TR117" in ran.output


def test_an_argument_without_a_name_whose_place_changed(tmp_path: Path) -> None:
    text = "from trl import DPOConfig, DPOTrainer\n\nDPOTrainer(m, r, 0.2, args=DPOConfig('o'), train_dataset=d)\n"
    after = (
        "from trl import DPOConfig, DPOTrainer\n\nDPOTrainer(m, r, args=DPOConfig('o', beta=0.2), train_dataset=d)\n"
    )
    assert moved(tmp_path, text, trl="0.11.4") == after


def test_a_setting_that_is_lost_stays_and_is_named(tmp_path: Path) -> None:
    text = "from trl import DPOConfig\n\nargs = DPOConfig('o', generate_during_eval=True, max_prompt_length=9)\n"
    ran = fix(tmp_path, {**OLD, "train.py": text}, *TODAY)
    assert ran.files["train.py"] == text
    assert "no option generate_during_eval" in ran.output
    assert "no option max_prompt_length" in ran.output
    unsafe = fix(tmp_path, {}, *TODAY, "--unsafe")
    assert unsafe.files["train.py"] == "from trl import DPOConfig\n\nargs = DPOConfig('o')\n"
    assert "max_prompt_length is taken out, and what it did is lost" in unsafe.output


def test_a_deleted_class_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    text = "from trl import PPOConfig\n\nargs = PPOConfig(output_dir='o', kl_coef=0.1)\n"
    ran = fix(tmp_path, {**OLD, "train.py": text}, *TODAY)
    assert ran.files["train.py"] == text
    assert "error[TR605] TRL 1.16.0 has no PPOConfig any more" in ran.output
    assert ran.exit_code == 1


def test_a_notebook(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    lines = ["from trl import SFTConfig\n", "args = SFTConfig('out', max_seq_length=9, adafactor=True)"]
    content = {"cells": [{**cell, "source": lines}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    text = json.dumps(content, indent=1)
    after = text.replace("max_seq_length=9", "max_length=9").replace("adafactor=True", 'optim=\\"adafactor\\"')
    assert moved(tmp_path, text, name="sft.ipynb") == after


def test_a_command_and_its_file(tmp_path: Path) -> None:
    files = {
        **OLD,
        "run.sh": "trl grpo --config grpo.yaml --evaluation_strategy steps --bf16\n",
        "grpo.yaml": "model_name_or_path: m\ndataset_name: d\ntorch_dtype: bfloat16 # half\nadafactor: true\n",
    }
    ran = fix(tmp_path, files, *TODAY)
    assert ran.files["run.sh"] == "trl grpo --config grpo.yaml --eval_strategy steps --bf16 true\n"
    assert ran.files["grpo.yaml"] == (
        "model_name_or_path: m\ndataset_name: d\ndtype: bfloat16 # half\noptim: adafactor\n"
    )


def test_changed_defaults_are_listed_or_written_out(tmp_path: Path) -> None:
    text = "from trl import GRPOConfig\n\nargs = GRPOConfig(output_dir='out', learning_rate=1e-6)\n"
    ran = fix(tmp_path, {**OLD, "train.py": text}, *TODAY)
    assert ran.files["train.py"] == text
    assert "beta is not given; its default was 0.04 at TRL 0.15.2 and is 0.0 from 0.19.0 on" in ran.output
    assert "report_to is not given; its default was 'all' at transformers 4.49.0" in ran.output
    pinned = fix(tmp_path, {}, *TODAY, "--pin-defaults")
    assert "learning_rate=1e-6, " in pinned.files["train.py"]
    assert "beta=0.04" in pinned.files["train.py"]
    assert "report_to='all'" in pinned.files["train.py"]
    assert "TR604" not in pinned.output
    assert fix(tmp_path, {}, *TODAY, "--pin-defaults").files == pinned.files


def test_defaults_are_not_written_out_where_more_may_be_given(tmp_path: Path) -> None:
    text = "from trl import GRPOConfig\n\nargs = GRPOConfig(output_dir='out', **read())\n"
    assert moved(tmp_path, text, "--pin-defaults") == text


def test_defaults_are_written_into_the_file_of_a_command(tmp_path: Path) -> None:
    files = {**OLD, "run.sh": "trl dpo --config dpo.yaml\n", "dpo.yaml": "model_name_or_path: m\ndataset_name: d\n"}
    ran = fix(tmp_path, files, *TODAY, "--pin-defaults")
    assert ran.files["run.sh"] == files["run.sh"]
    assert ran.files["dpo.yaml"].startswith("model_name_or_path: m\ndataset_name: d\n")
    assert "truncation_mode: keep_end\n" in ran.files["dpo.yaml"]


def test_nothing_is_said_of_defaults_where_the_configuration_is_not_seen(tmp_path: Path) -> None:
    text = "from trl import GRPOTrainer\n\n\ndef main(args):\n    GRPOTrainer('m', args=args, train_dataset=d)\n"
    assert "TR604" not in fix(tmp_path, {**OLD, "train.py": text}, *TODAY).output


def test_an_import_in_a_file_without_a_launch(tmp_path: Path) -> None:
    text = "from trl import ORPOTrainer\n\n\nclass Own(ORPOTrainer):\n    pass\n"
    after = text.replace("from trl import", "from trl.experimental.orpo import")
    assert moved(tmp_path, text, name="own.py") == after


TRAINING_ARGUMENTS = """\
from transformers import TrainingArguments
from trl import SFTTrainer

args = TrainingArguments(
    output_dir="out",  # where to
    evaluation_strategy="steps",
)
trainer = SFTTrainer("m", args=args, max_seq_length=9, train_dataset=d, tokenizer=t)
"""


def test_training_arguments_become_the_configuration_of_the_trainer(tmp_path: Path) -> None:
    after = """\
from trl import SFTConfig, SFTTrainer

args = SFTConfig(
    output_dir="out",  # where to
    eval_strategy="steps",
    max_length=9,
)
trainer = SFTTrainer("m", args=args, train_dataset=d, processing_class=t)
"""
    assert moved(tmp_path, TRAINING_ARGUMENTS, trl="0.11.4") == after


def test_defaults_of_training_arguments_are_kept(tmp_path: Path) -> None:
    files = {"requirements.txt": "trl==0.12.2\ntransformers==4.46.3\n", "train.py": TRAINING_ARGUMENTS}
    old = files["train.py"].replace("max_seq_length=9", "packing=True")
    ran = fix(tmp_path, {**files, "train.py": old}, *TODAY, "--pin-defaults")
    after = ran.files["train.py"]
    assert "    packing=True,\n    learning_rate=5e-05,\n" in after
    assert "    gradient_checkpointing=False,\n" in after
    assert "per_device" not in after
    assert fix(tmp_path, {}, *TODAY, "--pin-defaults").files == ran.files


def test_training_arguments_that_need_not_change(tmp_path: Path) -> None:
    text = TRAINING_ARGUMENTS.replace("max_seq_length=9, ", "").replace("evaluation_", "eval_")
    assert moved(tmp_path, text, trl="0.11.4") == text.replace("tokenizer=", "processing_class=")


def test_some_names_of_an_import_between_brackets(tmp_path: Path) -> None:
    before = (
        "from trl import (\n    CPOConfig,  # one\n    ModelConfig,  # two\n    CPOTrainer,\n    ORPOTrainer as O\n)\n"
    )
    after = (
        "from trl import (\n    # one\n    ModelConfig  # two\n)\n"
        "from trl.experimental.cpo import CPOConfig, CPOTrainer\nfrom trl.experimental.orpo import ORPOTrainer as O\n"
    )
    assert moved(tmp_path, before, name="own.py") == after
    assert moved(tmp_path, "from trl import (ModelConfig, CPOConfig)\n", name="own.py") == (
        "from trl import (ModelConfig)\nfrom trl.experimental.cpo import CPOConfig\n"
    )


def test_a_class_that_is_reached_through_the_package(tmp_path: Path) -> None:
    before = "import trl as t\n\nargs = t.ORPOConfig(output_dir='o')\nt.ORPOTrainer('m', args=args, train_dataset=d)\n"
    after = "import trl as t\nimport trl.experimental.orpo\n" + before.partition("\n")[2].replace(
        "t.ORPO", "t.experimental.orpo.ORPO"
    )
    assert moved(tmp_path, before) == after
    files = {**OLD, "train.py": "import trl\n\nargs = trl.PPOConfig(output_dir='o')\n"}
    assert "error[TR605] TRL 1.16.0 has no PPOConfig any more" in fix(tmp_path, files, *TODAY).output


def test_what_is_told_stands_where_the_launch_is_now(tmp_path: Path) -> None:
    text = TRAINING_ARGUMENTS.replace("from trl", "\nfrom trl")
    ran = fix(tmp_path, {"requirements.txt": "trl==0.11.4\n", "train.py": text}, "--to", "trl=1.16.0")
    assert "train.py:3:8: advice[TR604] logging_steps is not given; its default is 500" in ran.output
    assert ran.files["train.py"].splitlines()[2] == "args = SFTConfig("


def test_a_configuration_from_elsewhere_under_its_old_name(tmp_path: Path) -> None:
    before = (
        "from trl import RLOOTrainer\n\n\ndef main(config):\n    RLOOTrainer(config=config, policy=p, reward_model=r)\n"
    )
    after = before.replace("config=config, policy=p, reward_model=r", "args=config, model=p, reward_funcs=r")
    assert moved(tmp_path, before) == after
    assert fix(tmp_path, {"requirements.txt": "trl==1.16.0\n", "train.py": before}).files["train.py"] == after


def test_calls_within_functions_of_classes(tmp_path: Path) -> None:
    before = """\
from trl import SFTConfig, SFTTrainer


class Training:
    def run(self, data):
        args = SFTConfig(
            output_dir="out",  # where
        )
        SFTTrainer("m", args=args, packing=True, train_dataset=data)
"""
    after = before.replace("  # where\n", "  # where\n            packing=True,\n").replace(
        ", packing=True, train", ", train"
    )
    assert moved(tmp_path, before, trl="0.11.4") == after


MOVED_AND_RENAMED = """\
from trl import CPOConfig, CPOTrainer

args = CPOConfig("out", max_prompt_length=None, evaluation_strategy="no")
CPOTrainer(model, args=args, tokenizer=tokenizer, train_dataset=data).train()
"""


@pytest.mark.parametrize(
    ("arguments", "configured"),
    [
        (("--select", "TR606"), ""),
        (("--select", "RL007"), ""),
        (("--ignore", "TR605"), ""),
        ((), 'ignore = ["TR"]\n'),
        ((), '[per-file-ignores]\n"*.py" = ["TR605"]\n'),
    ],
)
def test_what_is_selected_does_not_halve_a_move(arguments: tuple[str, ...], configured: str, tmp_path: Path) -> None:
    files = {"requirements.txt": "trl==0.11.4\n", "rlhflint.toml": configured, "cpo.py": MOVED_AND_RENAMED}
    ran = fix(tmp_path, files, "--to", "trl=1.0.0", "--to", "transformers=5.0.0", *arguments)
    assert "from trl.experimental.cpo import CPOConfig, CPOTrainer\n" in ran.files["cpo.py"]
    assert 'eval_strategy="no"' in ran.files["cpo.py"]
    assert "processing_class=tokenizer" in ran.files["cpo.py"]
    deleted = fix(tmp_path, {"ppo.py": "from trl import PPOConfig\n"}, *TODAY, *arguments)
    assert "TR605" not in deleted.output


def test_an_import_that_a_comment_lets_through_stays(tmp_path: Path) -> None:
    text = "from trl import CPOConfig  # rlhflint: ignore[TR605]\n\nargs = CPOConfig('out')\n"
    assert moved(tmp_path, text) == text


def test_classes_that_a_star_gave_are_imported_behind_it(tmp_path: Path) -> None:
    text = "from trl import *  # all\n\nargs = CPOConfig('out', evaluation_strategy='no')\nCPOTrainer('m', args=args)\n"
    ran = fix(tmp_path, {**OLD, "cpo.py": text}, *TODAY)
    assert ran.files["cpo.py"] == (
        "from trl import *  # all\nfrom trl.experimental.cpo import CPOConfig, CPOTrainer\n\n"
        "args = CPOConfig('out', eval_strategy='no')\nCPOTrainer('m', args=args)\n"
    )
    assert "TR605" not in ran.output
    assert fix(tmp_path, {}, *TODAY).files == ran.files
    guarded = f"try:\n    from trl import *\nexcept ImportError:\n    pass\n{text.partition('all')[2]}"
    after = fix(tmp_path, {"cpo.py": guarded}, *TODAY).files["cpo.py"]
    assert after == guarded.replace("evaluation_strategy", "eval_strategy")


def test_an_argument_that_is_none_on_one_way_only(tmp_path: Path) -> None:
    text = """\
from trl import OnlineDPOConfig, OnlineDPOTrainer

if online:
    judge = make()
else:
    judge = None
OnlineDPOTrainer("m", judge=judge, args=OnlineDPOConfig("out"), train_dataset=d)
"""
    ran = fix(tmp_path, {**OLD, "train.py": text}, *TODAY)
    assert "judge=judge" in ran.files["train.py"]
    assert "judge is another one on another way to it" in ran.output
    never = text.replace("make()", "None")
    assert "judge=judge" not in fix(tmp_path, {"train.py": never}, *TODAY).files["train.py"]


def cells(*sources: str) -> str:
    """A notebook with code cells."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    made = [{**cell, "source": source.splitlines(keepends=True)} for source in sources]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def test_a_value_that_a_cell_before_sets(tmp_path: Path) -> None:
    head = "!pip install trl\nfrom trl import SFTConfig, SFTTrainer\nlongest = measure()"
    config = 'args = SFTConfig(\n    output_dir="out",\n)'
    trainer = 'SFTTrainer(\n    "m",\n    args=args,\n    max_seq_length=longest,\n    train_dataset=d,\n)'
    after = cells(
        head,
        config.replace(",\n)", ",\n    max_length=longest,\n)"),
        trainer.replace("    max_seq_length=longest,\n", ""),
    )
    assert moved(tmp_path, cells(head, config, trainer), trl="0.11.4", name="a.ipynb") == after
    late = cells(head.rpartition("\n")[0], config, "longest = measure()", trainer)
    assert moved(tmp_path, late, trl="0.11.4", name="b.ipynb") == late
