"""What settings come to that a launch does not give."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.programs import config_key
from rlhflint.frameworks.trl.models import model_of
from rlhflint.frameworks.trl.session import Details
from rlhflint.frameworks.trl.unset import is_nothing, unset_values
from rlhflint.given import Given
from rlhflint.launch import Launch
from rlhflint.text import Span
from rlhflint.value import Known, Unknown


def unset(program, release, transformers="4.56.2", more="", **given):
    config = config_key(program, release)
    details = Details("python", release, transformers, config, fields=config_fields(config, release, transformers))
    values = {name: Known(value) for name, value in given.items()}
    launch = Launch(program, "train.py", Span("train.py", 0, 1), values=values, more=more)
    return unset_values(launch, details, model_of(program))


@pytest.mark.parametrize(("given", "bf16"), [({}, True), ({"fp16": True}, False), ({"fp16": False}, True)])
def test_bf16_follows_fp16_where_it_is_not_given(given, bf16):
    _, instead = unset("trl:sft", "0.24.0", **given)
    assert instead["bf16"] == Known(bf16)


def test_what_follows_from_an_unknown_setting_is_unknown():
    config = config_key("trl:sft", "0.24.0")
    details = Details("python", "0.24.0", "4.56.2", config, fields=config_fields(config, "0.24.0", "4.56.2"))
    launch = Launch("trl:sft", "train.py", Span("train.py", 0, 1), values={"fp16": Unknown("$FP16 is not set")})
    _, instead = unset_values(launch, details, model_of("trl:sft"))
    assert instead["bf16"] == Unknown("$FP16 is not set")


def test_an_older_name_beside_its_successor_does_not_change_the_default():
    defaults, _ = unset("trl:sft", "0.24.0")
    assert defaults["per_device_train_batch_size"] == 8
    assert defaults["eval_strategy"] == "no"


def test_none_is_as_if_it_were_not_given_where_upstream_fills_it_in():
    _, instead = unset("trl:sft", "0.24.0", bf16=None)
    assert instead["bf16"] == Known(True)
    _, instead = unset("trl:sft", "0.24.0", fp16=None)
    assert instead["bf16"] == Known(True)
    assert is_nothing(Given(None, str))
    assert not is_nothing(Given("None", str))
    assert not is_nothing(Unknown("$FP16 is not set"))


def test_an_option_that_the_release_does_not_have_is_off():
    _, instead = unset("trl:dpo", "0.18.0")
    assert instead["loss_weights"] == Known(None)
    _, instead = unset("trl:sft", "0.18.0")
    assert instead["assistant_only_loss"] == Known(False)


def test_an_option_without_a_value_that_means_off_is_unknown_before_it_comes():
    _, instead = unset("trl:grpo", "0.17.0")
    assert isinstance(instead["vllm_mode"], Unknown)


def test_options_of_the_model_are_unknown_for_a_configuration_in_python():
    _, instead = unset("trl:sft", "1.9.0")
    assert isinstance(instead["use_peft"], Unknown)


def test_what_the_trainer_is_given_is_unknown_where_only_the_configuration_is_seen():
    _, instead = unset("trl:dpo", "1.9.0")
    assert isinstance(instead["ref_model"], Unknown)
    assert isinstance(instead["peft_config"], Unknown)


def test_nothing_is_worked_out_where_it_may_be_given_out_of_sight():
    _, instead = unset("trl:sft", "0.24.0", more="$@ is not known")
    assert "bf16" not in instead


def test_a_class_that_the_release_does_not_have_leaves_all_unknown():
    launch = Launch("trl:grpo", "train.py", Span("train.py", 0, 1))
    defaults, instead = unset_values(launch, Details("python", "0.12.0", "4.46.3"), model_of("trl:grpo"))
    assert defaults == {}
    assert isinstance(instead["num_generations"], Unknown)
