"""What a dotted path leads to, by release."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.catalog.imports import (
    ClassRef,
    Deleted,
    Module,
    Moved,
    NotYet,
    Other,
    Shim,
    Unknown,
    class_at,
)
from rlhflint.frameworks.trl.catalog.tree import Tree


@pytest.mark.parametrize(
    ("path", "release", "found"),
    [
        ("trl.GRPOConfig", "0.14.0", ClassRef("trl:GRPOConfig", "trl.GRPOConfig")),
        ("trl.trainer.sft_config.SFTConfig", "1.0.0", ClassRef("trl:SFTConfig", "trl.trainer.sft_config.SFTConfig")),
        ("trl.GRPOConfig", "0.12.0", NotYet("0.14.0")),
        ("trl.PPOConfig", "0.29.0", Moved("trl.experimental.ppo.PPOConfig", "0.28.0")),
        ("trl.experimental.ppo", "1.12.0", Module("trl.experimental.ppo")),
        ("trl.DistillationConfig", "1.9.2", NotYet("1.10.0", "trl.experimental.distillation.DistillationConfig")),
        ("trl.Trainer", "1.0.0", Unknown(closed=True)),
        ("transformers.Trainer", "1.0.0", Unknown()),
        ("trl.trainer.nowhere.Thing", "1.0.0", Unknown()),
    ],
)
def test_classes_that_are_there_that_moved_and_that_come_later(path, release, found):
    assert class_at(path, release) == found


def test_a_class_that_only_warns_names_its_new_home():
    shim = class_at("trl.KTOTrainer", "0.27.2")
    assert isinstance(shim, Shim)
    assert shim.target == ClassRef("experimental.kto:KTOTrainer", "trl.experimental.kto.KTOTrainer")
    assert shim.warning == "FutureWarning"
    back = class_at("trl.experimental.kto.KTOTrainer", "1.8.0")
    assert isinstance(back, Shim)
    assert back.target.path == "trl.KTOTrainer"
    assert class_at("trl.KTOTrainer", "1.8.0") == ClassRef("trl:KTOTrainer", "trl.KTOTrainer")


def test_a_class_that_is_nowhere_any_more_says_since_when_and_what_to_use():
    gone = class_at("trl.PPOTrainer", "1.13.0")
    assert isinstance(gone, Deleted)
    assert (gone.last, gone.last_anywhere) == ("0.28.0", "1.12.0")
    assert "GRPOTrainer" in gone.advice
    collator = class_at("trl.DataCollatorForCompletionOnlyLM", "0.20.0")
    assert isinstance(collator, Deleted)
    assert "completion_only_loss" in collator.advice


def test_a_name_that_the_table_of_a_package_lists_without_a_definition_cannot_be_imported():
    assert isinstance(class_at("trl.PPOv2Config", "0.12.2"), ClassRef)
    assert isinstance(class_at("trl.PPOv2Config", "0.13.0"), Deleted)


def test_functions_are_told_from_classes_and_have_a_life_too():
    assert class_at("trl.get_kbit_device_map", "1.7.1") == Other(
        "trl.get_kbit_device_map", "trl.trainer.utils.get_kbit_device_map"
    )
    assert isinstance(class_at("trl.get_kbit_device_map", "1.8.0"), Deleted)


def test_a_package_read_from_source_resolves_its_own_imports():
    tree = Tree.read(
        {
            "trl/__init__.py": "from .trainer import MineConfig\nfrom transformers import Trainer\n",
            "trl/trainer/__init__.py": "from .mine_config import *\n",
            "trl/trainer/mine_config.py": (
                "from dataclasses import dataclass\nfrom transformers import TrainingArguments\n"
                "@dataclass\nclass MineConfig(TrainingArguments):\n    sharpness: float = 0.5\n"
            ),
        }
    )
    assert class_at("trl.MineConfig", tree) == ClassRef("trl:MineConfig", "trl.MineConfig")
    assert class_at("trl.trainer", tree) == Module("trl.trainer")
    assert class_at("trl.GRPOConfig", tree) == Unknown()
