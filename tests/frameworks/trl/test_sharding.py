"""Which stage of ZeRO is in force, wherever it is said, and whether FSDP divides the model."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.sharding import fully_sharded, under_zero3, zero_stage
from rlhflint.value import Undetermined
from tests.frameworks.trl.made import Folder

SCRIPT = "import trl\n\ntrl.GRPOTrainer('m', 'f', args=trl.GRPOConfig('out'{more}))\n"
DS = '{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    return Folder(tmp_path, monkeypatch)


def launched(folder, words, more="", **files):
    """A script of the user's that a command starts."""
    return folder.model(f"{words} train.py\n", train_py=SCRIPT.format(more=more), **files)


@pytest.mark.parametrize(
    ("words", "stage"),
    [
        ("python", 0),
        ("torchrun --nproc_per_node 8", 0),
        ("accelerate launch --multi_gpu", 0),
        ("accelerate launch --use_fsdp", 0),
        ("accelerate launch --use_deepspeed", 2),
        ("accelerate launch --use_deepspeed --zero_stage 3", 3),
        ("accelerate launch --use_deepspeed --deepspeed_config_file ds.json", 3),
        ("accelerate launch --config_file plain.yaml", 0),
        ("accelerate launch --config_file zero.yaml", 1),
        ("accelerate launch --config_file default.yaml", 2),
        ("accelerate launch --config_file file.yaml", 3),
        ("accelerate launch --config_file zero.yaml --zero_stage 2", 2),
        ("accelerate launch --config_file zero.yaml --multi_gpu", 0),
    ],
)
def test_what_starts_it_says_the_stage(folder, words, stage):
    model = launched(
        folder,
        words,
        ds_json=DS,
        plain_yaml="distributed_type: MULTI_GPU\nnum_processes: 8\n",
        zero_yaml="distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 1\n",
        default_yaml="distributed_type: DEEPSPEED\ndeepspeed_config: {}\n",
        file_yaml="distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: ds.json\n",
    )
    assert zero_stage(model) == stage
    assert under_zero3(model) is (stage == 3)


@pytest.mark.parametrize(
    ("words", "because"),
    [
        ("accelerate launch", "configuration of accelerate is not known"),
        ("accelerate launch --config_file gone.yaml", "configuration of accelerate is not known"),
        ("accelerate launch --use_deepspeed --deepspeed_config_file gone.json", "gone.json was not found"),
        ("accelerate launch --use_deepspeed --zero_stage $STAGE", "STAGE"),
        ("accelerate launch --use_deepspeed --zero_stage three", "--zero_stage is 'three'"),
        ("accelerate launch --use_deepspeed --deepspeed_config_file $FILE", "FILE"),
        ("accelerate launch --use_deepspeed --deepspeed_config_file text.json", "names no stage"),
        ("accelerate launch $MORE", "MORE"),
    ],
)
def test_a_stage_that_nothing_says_is_unknown(folder, words, because):
    model = launched(folder, words, text_json='{"zero_optimization": {"stage": "auto"}}')
    with pytest.raises(Undetermined, match=because.replace("$", "\\$")):
        zero_stage(model)
    assert not under_zero3(model)


def test_without_a_command_it_is_unknown(folder):
    with pytest.raises(Undetermined, match="no command says"):
        zero_stage(folder.model(SCRIPT.format(more=""), "train.py"))


def test_the_configuration_of_accelerate_is_not_known_behind_trls_own_command(folder):
    with pytest.raises(Undetermined, match="accelerate"):
        zero_stage(folder.model("trl sft --model_name_or_path m --dataset_name d --output_dir o\n"))


@pytest.mark.parametrize(
    ("more", "stage"),
    [
        (", deepspeed='ds.json'", 3),
        (", deepspeed={'zero_optimization': {'stage': 2}}", 2),
        (", deepspeed={'zero_optimization': {'stage': 1, 'offload': where()}}", 1),
        (", deepspeed={'bf16': {'enabled': True}}", 0),
    ],
)
def test_a_configuration_of_deepspeed_given_to_the_trainer_comes_first(folder, more, stage):
    assert zero_stage(launched(folder, "accelerate launch --multi_gpu", more, ds_json=DS)) == stage


@pytest.mark.parametrize(
    "more",
    [
        ", deepspeed={'zero_optimization': load()}",
        ", deepspeed=load()",
        ", deepspeed={'zero_optimization': {'stage': pick()}}",
        ", deepspeed={'zero_optimization': {'offload': pick()}}",
        ", deepspeed={'bf16': load()}",
        ", deepspeed={'zero_optimization': {'stage': True}}",
        ", deepspeed={'zero_optimization': 3}",
    ],
)
def test_a_configuration_made_while_it_runs_is_unknown(folder, more):
    with pytest.raises(Undetermined):
        zero_stage(launched(folder, "accelerate launch --multi_gpu", more))


@pytest.mark.parametrize(
    ("words", "more", "sharded"),
    [
        ("python", "", False),
        ("python", ", fsdp='full_shard'", True),
        ("accelerate launch --use_fsdp", "", True),
        ("accelerate launch --multi_gpu", "", False),
        ("accelerate launch --config_file fsdp.yaml", "", True),
        ("accelerate launch --config_file plain.yaml", "", False),
        ("accelerate launch --use_deepspeed", "", False),
        ("torchrun --nproc_per_node 2", "", False),
    ],
)
def test_fsdp_divides_the_model_where_it_is_asked_for(folder, words, more, sharded):
    files = {"fsdp_yaml": "distributed_type: FSDP\n", "plain_yaml": "distributed_type: MULTI_GPU\n"}
    assert fully_sharded(launched(folder, words, more, **files)) is sharded


def test_whether_fsdp_divides_it_is_unknown_without_a_configuration(folder):
    with pytest.raises(Undetermined, match="accelerate"):
        fully_sharded(launched(folder, "accelerate launch"))
