"""What a command starts: TRL's own scripts, scripts of the user's, and what the parser in them takes."""

from __future__ import annotations

import pytest

from rlhflint.check import Checker
from rlhflint.project.settings import Settings

PARSED = """from dataclasses import dataclass
from transformers import HfArgumentParser, TrainingArguments
from trl import ModelConfig, SFTConfig, SFTTrainer, TrlParser

{classes}
parser = {parser}
args, *rest = parser.parse_args_and_config()
SFTTrainer('m', args=args, train_dataset=load())
"""
MINE = "@dataclass\nclass Mine:\n    shards: int = 1\n\n"


@pytest.fixture
def checked(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)

    def check(command, **files):
        for name, text in {"run.sh": f"{command}\n", **{f"{one}.py": text for one, text in files.items()}}.items():
            (tmp_path / name).write_text(text)
        settings = Settings(framework_versions={"trl": "0.24.0", "transformers": "4.56.2"})
        (file,) = Checker(settings).check(["run.sh"]).files
        programs = [judged.launch.program for judged in file.launches]
        return programs, [finding.message for finding in file.findings]

    return check


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("trl sft --dataset_name d", ["trl:sft"]),
        ("python -m trl sft --dataset_name d", ["trl:sft"]),
        ("python -m trl.scripts.dpo --dataset_name d", ["trl:dpo"]),
        ("python trl/scripts/grpo.py --dataset_name d", ["trl:grpo"]),
        ("accelerate launch /opt/trl/trl/scripts/reward.py --dataset_name d", ["trl:reward"]),
        ("trl", []),
        ("trl env", []),
        ("trl no-such-word --x 1", []),
        ("python trl/scripts/no_such_script.py", []),
        ("python other/scripts/grpo.py", []),
        ("python gone.py", []),
        ("trl $WORD --x 1", []),
    ],
)
def test_which_program_it_is(checked, command, programs):
    assert checked(command)[0] == programs


@pytest.mark.parametrize(
    ("parser", "classes"),
    [
        ("TrlParser((SFTConfig, ModelConfig))", ""),
        ("HfArgumentParser(SFTConfig)", ""),
        ("TrlParser(dataclass_types=[Mine, SFTConfig])", MINE),
    ],
)
def test_the_parser_of_a_script_says_what_it_takes(checked, parser, classes):
    text = PARSED.format(parser=parser, classes=classes)
    programs, messages = checked("python train.py --output_dir o --no_such_option 1", train=text)
    assert programs == ["trl:sft"]
    assert len(messages) == 1
    assert "no_such_option" in messages[0]


def test_fields_of_the_users_own_classes_are_options(checked):
    text = PARSED.format(parser="TrlParser((Mine, SFTConfig))", classes=MINE)
    assert checked("python train.py --output_dir o --shards 2", train=text) == (["trl:sft"], [])


@pytest.mark.parametrize(
    ("parser", "classes"),
    [
        ("TrlParser(classes())", ""),
        ("TrlParser()", ""),
        ("TrlParser((SFTConfig, other()))", ""),
        ("TrlParser((SFTConfig, Theirs))", "from elsewhere import Theirs\n"),
        ("TrlParser((SFTConfig, Mine))", "@dataclass\nclass Mine(bases()):\n    shards: int = 1\n\n"),
        (
            "TrlParser((Mine,))",
            "from elsewhere import Base\n@dataclass\nclass Mine(Base, SFTConfig):\n    n: int = 1\n\n",
        ),
    ],
)
def test_a_parser_that_may_take_more_refuses_nothing(checked, parser, classes):
    text = PARSED.format(parser=parser, classes=classes)
    programs, messages = checked("python train.py --output_dir o --no_such_option 1", train=text)
    assert programs == ["trl:sft"]
    assert messages == []


def test_a_script_without_trainer_or_configuration_is_none_of_trls(checked):
    assert checked("python train.py --x 1", train="import trl\nprint(trl.__version__)\n")[0] == []


def test_a_script_without_a_parser_holds_its_configuration_itself(checked):
    text = "from trl import DPOConfig, DPOTrainer\nDPOTrainer('m', args=DPOConfig('o'), train_dataset=load())\n"
    assert checked("torchrun train.py", train=text)[0] == ["trl:dpo"]
