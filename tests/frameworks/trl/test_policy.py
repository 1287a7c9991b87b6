"""The model that a launch trains: its name, what it is loaded with, and the adapter on it."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.policy import (
    adapted,
    known_adapted,
    load_option,
    lora_targets,
    model_name,
    name_of,
    prompt_learning,
    shipped,
)
from rlhflint.value import Undetermined
from tests.frameworks.trl.made import Folder

HEAD = (
    "import torch\nfrom peft import LoraConfig, PrefixTuningConfig, get_peft_model\n"
    "from transformers import AutoModelForCausalLM, BitsAndBytesConfig\n"
    "from trl import SFTConfig, SFTTrainer\n"
)
LOAD = "AutoModelForCausalLM.from_pretrained('org/m'{more})"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    return Folder(tmp_path, monkeypatch)


def trained(folder, model, more="", config=""):
    text = f"{HEAD}model = {model}\nSFTTrainer(model, args=SFTConfig('out'{config}), train_dataset=load(){more})\n"
    return folder.model(text, "train.py")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("'org/m'", "org/m"),
        (LOAD.format(more=""), "org/m"),
        ("AutoModelForCausalLM.from_pretrained(pretrained_model_name_or_path='org/m')", "org/m"),
        (f"get_peft_model({LOAD.format(more='')}, LoraConfig())", "org/m"),
        ("AutoModelForCausalLM.from_pretrained(path())", None),
        ("build()", None),
    ],
)
def test_the_name_is_that_of_the_call_that_loads_it(folder, model, name):
    assert model_name(trained(folder, model)) == name


def test_what_is_no_call_has_no_name():
    assert name_of(None) is None
    assert name_of(3) is None


@pytest.mark.parametrize(
    ("model", "more", "expected"),
    [
        ("'m'", "", False),
        ("'m'", ", peft_config=LoraConfig()", True),
        (LOAD.format(more=""), "", False),
        (f"get_peft_model({LOAD.format(more='')}, LoraConfig())", "", True),
    ],
)
def test_whether_an_adapter_is_trained(folder, model, more, expected):
    launch = trained(folder, model, more)
    assert adapted(launch) is expected
    assert known_adapted(launch) is (expected and not more)


def test_a_model_that_something_else_builds_may_carry_one(folder):
    launch = trained(folder, "build()")
    assert not known_adapted(launch)
    with pytest.raises(Undetermined):
        adapted(launch)


@pytest.mark.parametrize(
    ("model", "config", "expected"),
    [
        (LOAD.format(more=", torch_dtype=torch.bfloat16"), "", "bfloat16"),
        (LOAD.format(more=", dtype='float16'"), "", "float16"),
        (LOAD.format(more=""), "", None),
        ("'m'", "", None),
        ("'m'", ", model_init_kwargs={'dtype': 'float32'}", "float32"),
        ("'m'", ", model_init_kwargs={'torch_dtype': torch.bfloat16}", "bfloat16"),
        ("'m'", ", model_init_kwargs={'revision': 'main', 'torch_dtype': torch.bfloat16, 'x': f()}", "bfloat16"),
        ("'m'", ", model_init_kwargs={'revision': f()}", None),
        ("'m'", ", model_init_kwargs=dict(dtype=torch.float16)", "float16"),
    ],
)
def test_the_type_it_is_loaded_with(folder, model, config, expected):
    assert load_option(trained(folder, model, config=config), "dtype") == expected


@pytest.mark.parametrize(
    ("model", "config"),
    [
        (LOAD.format(more=", torch_dtype=chosen()"), ""),
        (LOAD.format(more=", **options"), ""),
        ("build()", ""),
        ("'m'", ", model_init_kwargs=load()"),
        ("'m'", ", model_init_kwargs={**load()}"),
    ],
)
def test_a_type_that_is_made_while_it_runs_is_unknown(folder, model, config):
    with pytest.raises(Undetermined):
        load_option(trained(folder, model, config=config), "dtype")


def test_an_object_it_is_loaded_with_is_there(folder):
    model = LOAD.format(more=", quantization_config=BitsAndBytesConfig(load_in_4bit=True)")
    assert load_option(trained(folder, model), "quantization_config") is not None


@pytest.mark.parametrize(
    ("adapter", "targets"),
    [
        ("LoraConfig(target_modules=['q_proj', 'v_proj'])", ("q_proj", "v_proj")),
        ("LoraConfig(target_modules='all-linear')", ("all-linear",)),
        ("LoraConfig(target_modules=None)", ()),
        ("LoraConfig(r=8)", ()),
        ("LoraConfig(target_modules={'q_proj': 1})", ()),
    ],
)
def test_the_modules_an_adapter_is_put_on(folder, adapter, targets):
    assert lora_targets(trained(folder, "'m'", f", peft_config={adapter}")) == targets


@pytest.mark.parametrize("adapter", ["LoraConfig(target_modules=f())", "LoraConfig(**options)", "build()"])
def test_modules_that_only_a_run_knows(folder, adapter):
    with pytest.raises(Undetermined):
        lora_targets(trained(folder, "'m'", f", peft_config={adapter}"))


@pytest.mark.parametrize(
    ("adapter", "prompt"), [("PrefixTuningConfig(num_virtual_tokens=4)", True), ("LoraConfig()", False)]
)
def test_a_learned_prompt_is_told_from_changed_weights(folder, adapter, prompt):
    assert prompt_learning(trained(folder, "'m'", f", peft_config={adapter}")) is prompt


def test_a_script_of_trls_own_says_it_with_its_options(folder):
    words = "--model_name_or_path org/m --dataset_name d --output_dir o"
    launch = folder.model(f"trl sft {words} --use_peft --lora_target_modules q_proj k_proj --dtype bfloat16\n")
    assert shipped(launch)
    assert (model_name(launch), adapted(launch), load_option(launch, "dtype")) == ("org/m", True, "bfloat16")
    assert lora_targets(launch) == ("q_proj", "k_proj")
    assert not prompt_learning(launch)


def test_the_adapter_of_a_model_that_was_wrapped_before(folder):
    model = f"get_peft_model({LOAD.format(more='')}, LoraConfig(target_modules=['k_proj']))"
    assert lora_targets(trained(folder, model)) == ("k_proj",)
    prompted = f"get_peft_model({LOAD.format(more='')}, PrefixTuningConfig(num_virtual_tokens=4))"
    assert prompt_learning(trained(folder, prompted))


def test_a_type_that_is_made_by_a_call_is_there_and_no_word(folder):
    found = load_option(
        trained(folder, "'m'", config=", model_init_kwargs={'dtype': pick(), 'revision': 'main'}"), "dtype"
    )
    assert not isinstance(found, str)
    assert found is not None
