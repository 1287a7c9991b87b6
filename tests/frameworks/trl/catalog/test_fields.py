"""What a configuration class takes at a pair of releases."""

from __future__ import annotations

import pytest

from rlhflint.catalog.fields import Missing
from rlhflint.catalog.source.module_source import read_module
from rlhflint.frameworks.trl.catalog.commands import subcommands
from rlhflint.frameworks.trl.catalog.lookup import config_fields, trainer_parameters
from rlhflint.frameworks.trl.catalog.tree import Tree


def test_the_accepted_set_is_a_function_of_both_releases():
    for transformers, taken in (("4.50.3", True), ("4.51.0", False)):
        assert ("evaluation_strategy" in config_fields("trl:GRPOConfig", "0.17.0", transformers)) is taken
    for release, taken in (("0.19.1", True), ("0.20.0", False)):
        assert ("max_seq_length" in config_fields("trl:SFTConfig", release, "4.53.3")) is taken


def test_a_class_overrides_the_defaults_of_its_bases():
    fields = config_fields("trl:GRPOConfig", "1.16.0", "5.24.0")
    assert fields.complete
    assert (fields["learning_rate"].default, fields["learning_rate"].owner) == (1e-06, "trl:GRPOConfig")
    assert (fields["logging_steps"].default, fields["logging_steps"].owner) == (10, "trl:_BaseConfig")
    assert (fields["max_steps"].default, fields["max_steps"].owner) == (-1, "transformers:TrainingArguments")


def test_what_is_put_in_place_of_an_unset_option_is_known():
    assert config_fields("trl:DPOConfig", "0.19.0", "4.52.4")["bf16"].becomes == "not fp16"
    assert config_fields("trl:DPOConfig", "0.18.2", "4.52.4")["bf16"].becomes == ""


def test_values_that_are_turned_into_an_enumeration_are_listed():
    fields = config_fields("trl:SFTConfig", "1.0.0", "4.57.6")
    assert fields["eval_strategy"].accepts == ("no", "steps", "epoch")
    assert "best" in fields["save_strategy"].accepts
    assert "best" not in config_fields("trl:SFTConfig", "0.14.0", "4.46.3")["save_strategy"].accepts
    assert "forward_kl" not in config_fields("trl:DPOConfig", "0.26.0", "4.57.6")["f_divergence_type"].accepts


def test_a_default_that_is_no_literal_stays_unknown():
    optim = config_fields("trl:SFTConfig", "1.0.0", "5.0.0")["optim"]
    assert optim.default is Missing.COMPUTED
    assert optim.expression == "default_optim"


def test_a_class_that_a_release_does_not_have_is_an_error():
    with pytest.raises(KeyError):
        config_fields("trl:GRPOConfig", "0.12.0", "4.46.3")


def test_a_shim_takes_what_its_target_takes():
    assert set(config_fields("trl:KTOConfig", "0.27.0", "4.57.6")) == set(
        config_fields("experimental.kto:KTOConfig", "0.27.0", "4.57.6")
    )


OWN = """
from dataclasses import dataclass, field
from trl import GRPOConfig as Base
import trl
import company.configs

@dataclass
class Recipe(Base):
    reward_server: str = "localhost"
    loss_type: str = "dr_grpo"
    hidden: int = field(init=False, default=3)

class Loose(Base):
    note: str = ""

@dataclass
class Deeper(Recipe):
    layers: list[int] = field(default_factory=list)

@dataclass
class Foreign(company.configs.Base):
    mine: int = 1

@dataclass
class Circle(Circle):
    round: bool = True
"""


def own_fields(name, release="1.0.0"):
    module = read_module(OWN, "recipe", package=False)
    classes = {source.path: source for source in module.classes.values()}
    return config_fields(f"recipe.{name}", release, "4.57.6", classes)


def test_a_subclass_of_the_user_adds_fields_and_keeps_the_others():
    fields = own_fields("Recipe")
    assert fields.complete
    assert fields["reward_server"].default == "localhost"
    assert fields["loss_type"].default == "dr_grpo"
    assert "num_generations" in fields
    assert "hidden" not in fields
    assert "layers" in own_fields("Deeper")
    assert "reward_server" in own_fields("Deeper")


def test_a_subclass_that_is_no_dataclass_adds_nothing():
    assert "note" not in own_fields("Loose")
    assert "num_generations" in own_fields("Loose")


def test_a_base_that_cannot_be_read_leaves_the_class_open():
    fields = own_fields("Foreign")
    assert fields.unseen == ("company.configs.Base",)
    assert not fields.complete
    assert "mine" in fields


def test_a_class_that_is_its_own_base_is_read_once():
    assert "round" in own_fields("Circle")


def test_a_vendored_package_is_read_like_a_released_one(released_wheel):
    from tools.schemas.wheel_texts import texts

    tree = Tree.read(texts(released_wheel("trl", "1.16.0"), "trl/"))
    for key in (
        "trl:GRPOConfig",
        "trl:ModelConfig",
        "experimental.gold:GOLDConfig",
        "scripts.vllm_serve:ScriptArguments",
    ):
        vendored, released = (config_fields(key, source, "5.24.0") for source in (tree, "1.16.0"))
        assert {name: vendored[name] for name in vendored} == {name: released[name] for name in released}
    assert dict(trainer_parameters("trl:DPOTrainer", tree)) == dict(trainer_parameters("trl:DPOTrainer", "1.16.0"))
    assert subcommands(tree) == subcommands("1.16.0")
