"""Trainers of old releases that took options themselves, with and without a configuration beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import Ran, fix

TODAY = ("--to", "trl=1.16.0", "--to", "transformers=5.23.0")
OLD = "trl==0.11.4\ntransformers==4.44.2\n"


def move(folder: Path, text: str, *arguments: str) -> Ran:
    return fix(folder, {"requirements.txt": OLD, "train.py": text}, *TODAY, *arguments)


BARE = """\
from trl import SFTTrainer

trainer = SFTTrainer(
    "facebook/opt-350m",
    train_dataset=data,  # rows
    dataset_text_field="body",
    max_seq_length=LONGEST,
    tokenizer=tokenizer,
)
"""


def test_a_trainer_without_a_configuration_gets_the_one_that_it_made_itself(tmp_path: Path) -> None:
    ran = move(tmp_path, BARE)
    assert ran.files["train.py"] == (
        """\
from trl import SFTConfig, SFTTrainer

trainer = SFTTrainer(
    "facebook/opt-350m",
    train_dataset=data,  # rows
    processing_class=tokenizer,
    args=SFTConfig(output_dir="tmp_trainer", dataset_text_field="body", max_length=LONGEST),
)
"""
    )
    assert ran.output.count("TR604] gradient_checkpointing") == 1
    assert "TR117" not in ran.output
    assert move(tmp_path, ran.files["train.py"]).files == ran.files


def test_the_old_defaults_are_written_into_it(tmp_path: Path) -> None:
    ran = move(tmp_path, BARE, "--pin-defaults")
    (line,) = [line for line in ran.files["train.py"].splitlines() if "args=" in line]
    assert 'output_dir="tmp_trainer"' in line
    assert "learning_rate=5e-05" in line
    assert "gradient_checkpointing=False" in line
    assert 'report_to="all"' in line
    assert "max_length=LONGEST" in line
    assert "gradient_checkpointing" not in ran.output


MADE = 'SFTConfig(output_dir="tmp_trainer", packing=True)'


@pytest.mark.parametrize(
    ("head", "before", "after"),
    [
        ("import trl as t", "t.SFTTrainer('m', packing=True)", f"t.SFTTrainer('m', args=t.{MADE})"),
        (
            "from trl import SFTConfig, SFTTrainer",
            "SFTTrainer('m', args=None, packing=True)",
            f"SFTTrainer('m', args={MADE})",
        ),
    ],
)
def test_the_ways_to_give_none(head: str, before: str, after: str, tmp_path: Path) -> None:
    assert move(tmp_path, f"{head}\n\n{before}\n").files["train.py"] == f"{head}\n\n{after}\n"


def test_the_configuration_comes_from_where_the_trainer_comes_from(tmp_path: Path) -> None:
    text = "from trl.trainer import SFTTrainer\n\nSFTTrainer('m', train_dataset=d, packing=True)\n"
    after = move(tmp_path, text).files["train.py"]
    assert after.startswith("from trl.trainer import SFTConfig, SFTTrainer\n")
    assert "args=SFTConfig(output_dir=" in after


@pytest.mark.parametrize(
    "text",
    [
        "from trl import SFTTrainer\n\nSFTTrainer('m', None, train_dataset=d, packing=True)\n",
        "from trl import SFTTrainer\n\nSFTTrainer('m', args=args, train_dataset=d, packing=True)\n",
        "from trl import SFTTrainer\n\nSFTTrainer('m', train_dataset=d, packing=True, **more)\n",
        "from trl import SFTTrainer\n\nclass Own(SFTTrainer): ...\n\nOwn('m', train_dataset=d, packing=True)\n",
        "from trl import DPOTrainer\n\nDPOTrainer(m, r, train_dataset=d, beta=0.2)\n",
    ],
)
def test_none_is_made_where_that_is_not_certain(text: str, tmp_path: Path) -> None:
    assert move(tmp_path, text).files["train.py"] == text


def test_one_without_options_needs_none(tmp_path: Path) -> None:
    text = "from trl import SFTTrainer\n\nSFTTrainer('m', train_dataset=d)\n"
    assert move(tmp_path, text).files["train.py"] == text
    pinned = move(tmp_path, text, "--pin-defaults").files["train.py"]
    assert "args=SFTConfig(" in pinned
    assert "learning_rate=5e-05" in pinned


DPO = """\
from transformers import TrainingArguments
from trl import DPOTrainer

dpo = DPOTrainer(
    model,
    reference,
    args=TrainingArguments("out", per_device_train_batch_size=2),
    beta=0.1,
    train_dataset=data,
    tokenizer=tokenizer,
    max_length=1024,
    max_prompt_length=512,
    label_pad_token_id=-100,
)
"""


def test_what_neither_trainer_nor_configuration_takes_is_named_or_taken_out(tmp_path: Path) -> None:
    after = """\
from trl import DPOConfig, DPOTrainer

dpo = DPOTrainer(
    model,
    reference,
    args=DPOConfig("out", per_device_train_batch_size=2, beta=0.1, max_length=1024),
    train_dataset=data,
    processing_class=tokenizer,
{})
"""
    ran = move(tmp_path, DPO)
    assert ran.files["train.py"] == after.format("    max_prompt_length=512,\n")
    assert "TR117] DPOTrainer of TRL 1.16.0 takes no max_prompt_length" in ran.output
    ran = move(tmp_path, DPO, "--unsafe")
    assert ran.files["train.py"] == after.format("")
    assert "max_prompt_length is taken out, and what it did is lost" in ran.output


def test_a_changed_default_is_told_once(tmp_path: Path) -> None:
    told = move(tmp_path, DPO).output
    for name in ("bf16", "gradient_checkpointing", "truncation_mode", "logging_steps", "learning_rate"):
        assert told.count(f"TR604] {name} is not given") == 1, name
    assert "was written" not in told


def of_one(made: str, trained: str) -> str:
    names = sorted({made.partition("(")[0], trained.partition("(")[0]})
    return f"from trl import {', '.join(names)}\n\nargs = {made}\n{trained}\n"


@pytest.mark.parametrize(
    ("made", "trained", "configured", "after"),
    [
        (
            "SFTConfig('o')",
            "SFTTrainer('m', args=args, train_dataset=d, model_init_kwargs=None, infinite=None)",
            "SFTConfig('o')",
            "SFTTrainer('m', args=args, train_dataset=d)",
        ),
        (
            "SFTConfig('o')",
            "SFTTrainer('m', args=args, train_dataset=d, eval_packing=True, dataset_num_proc=2)",
            "SFTConfig('o', eval_packing=True, dataset_num_proc=2)",
            "SFTTrainer('m', args=args, train_dataset=d)",
        ),
        (
            "KTOConfig('o')",
            "KTOTrainer(m, r, args, d, e, tok)",
            "KTOConfig('o')",
            "KTOTrainer(m, r, args, train_dataset=d, eval_dataset=e, processing_class=tok)",
        ),
        (
            "DPOConfig('o')",
            "DPOTrainer(m, r, None, None, None, args, train_dataset=d)",
            "DPOConfig('o')",
            "DPOTrainer(m, r, args=args, train_dataset=d)",
        ),
        (
            "DPOConfig('o')",
            "DPOTrainer(m, r, 0.2, 0.0, 'ipo', args, train_dataset=d)",
            "DPOConfig('o', beta=0.2, label_smoothing=0.0, loss_type='ipo')",
            "DPOTrainer(m, r, args=args, train_dataset=d)",
        ),
        (
            "SFTConfig('o')",
            "SFTTrainer('m', args, None, d, None, tok, None, None, None, (1, 2), ((p)), None, 'text')",
            "SFTConfig('o', dataset_text_field='text')",
            (
                "SFTTrainer('m', args, None, d, None, tok, compute_metrics=None, callbacks=None, optimizers=(1, 2), "
                "preprocess_logits_for_metrics=((p)), peft_config=None)"
            ),
        ),
        (
            "SFTConfig('o')",
            "SFTTrainer('m',\n    args,\n    None, d, None, tok,\n    None,  # what\n    f(1),\n)",
            "SFTConfig('o')",
            "SFTTrainer('m',\n    args,\n    None, d, None, tok,\n    # what\n    compute_metrics=f(1),\n)",
        ),
    ],
)
def test_arguments_by_name_and_by_place(made: str, trained: str, configured: str, after: str, tmp_path: Path) -> None:
    ran = move(tmp_path, of_one(made, trained))
    assert ran.files["train.py"] == of_one(configured, after)
    assert "is given by its place" not in ran.output


@pytest.mark.parametrize(
    ("made", "trained", "told"),
    [
        (
            "DPOConfig('o')",
            "DPOTrainer(m, r, 0.2, 0.0, 'ipo', args, None, -100)",
            "label_pad_token_id is given by its place, and at TRL 1.16.0 there compute_metrics stands; not done",
        ),
        (
            "SFTConfig('o')",
            "SFTTrainer('m', args, None, d, e, tok, init, compute)",
            "model_init is given by its place, and at TRL 1.16.0 there compute_loss_func stands; not done",
        ),
    ],
)
def test_an_argument_whose_place_another_one_has_is_told_where_it_goes_nowhere(
    made: str, trained: str, told: str, tmp_path: Path
) -> None:
    ran = move(tmp_path, of_one(made, trained))
    assert ran.files["train.py"] == of_one(made, trained)
    assert ran.output.count("is given by its place") == 1
    assert told in ran.output


@pytest.mark.parametrize(
    ("before", "moved", "rest"),
    [
        ("0.2, args=DPOConfig('o', {}'no')", "args=DPOConfig('o', {}'no', beta=0.2)", "train_dataset=d"),
        (
            "0.2, 0.1, 'hinge', DPOConfig('o', {}'no')",
            "args=DPOConfig('o', {}'no', beta=0.2, label_smoothing=0.1, loss_type='hinge')",
            "callbacks=[]",
        ),
    ],
)
def test_a_configuration_made_in_its_place_behind_arguments_that_move_there(
    before: str, moved: str, rest: str, tmp_path: Path
) -> None:
    """Until they have moved, something else stands at their places at the release moved to."""
    text = "from trl import DPOConfig, DPOTrainer\n\nDPOTrainer(m, r, {}, {}, {}=t)\n"
    ran = move(tmp_path, text.format(before.format("evaluation_strategy="), rest, "tokenizer"))
    assert ran.files["train.py"] == text.format(moved.format("eval_strategy="), rest, "processing_class")
    assert "RL007" not in ran.output
