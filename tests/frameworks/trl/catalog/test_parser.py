"""Fields as options of a command line, and what becomes of words and of values in YAML."""

from __future__ import annotations

import pytest

from rlhflint.conversion import NotAChoice, WrongType
from rlhflint.frameworks.trl.catalog.commands import (
    command_fields,
    command_options,
    parser_traits,
    script_at,
    subcommands,
)
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.parser import convert_words, convert_yaml
from rlhflint.frameworks.trl.catalog.unknown_names import unknown_name


def field(name, release="1.16.0", word="grpo"):
    return command_fields(subcommands(release)[word].classes, release, "5.24.0")[name]


def options(release, transformers, word="grpo"):
    return command_options(subcommands(release)[word].classes, release, transformers)


def test_hyphens_are_taken_from_transformers_446_on():
    assert "--learning-rate" in options("0.14.0", "4.46.1")
    assert "--learning-rate" not in options("0.14.0", "4.45.2")
    assert options("1.0.0", "5.0.0")["--learning-rate"].dest == "learning_rate"


def test_only_a_switch_that_is_on_can_be_switched_off():
    found = options("1.0.0", "5.0.0")
    assert found["--no_gradient_checkpointing"].switch
    assert found["--no-gradient-checkpointing"].dest == "gradient_checkpointing"
    assert "--no_bf16" not in found
    assert found["--gradient_checkpointing"].nargs == "?"
    assert found["--bf16"].nargs is None


def test_words_become_values():
    assert convert_words(field("num_generations"), ["4"], none_words=True) == 4
    assert convert_words(field("bf16"), ["no"], none_words=True) is False
    assert convert_words(field("gradient_checkpointing"), [], none_words=True) is True
    assert convert_words(field("reward_weights"), ["1.0", "0.5"], none_words=True) == [1.0, 0.5]
    assert convert_words(field("scale_rewards"), ["False"], none_words=True) == "False"


def test_words_that_the_parser_exits_on():
    for name, words in (("num_generations", ["1e5"]), ("bf16", ["maybe"]), ("learning_rate", ["fast"])):
        with pytest.raises(WrongType):
            convert_words(field(name), words, none_words=True)
    with pytest.raises(NotAChoice):
        convert_words(field("packing_strategy", word="sft"), ["ffd"], none_words=True)


def test_the_word_none_is_a_value_for_numbers_from_16_on():
    delta = field("delta")
    assert convert_words(delta, ["None"], none_words=True) is None
    with pytest.raises(WrongType):
        convert_words(delta, ["None"], none_words=False)
    assert convert_words(field("report_to"), ["none"], none_words=True) == "none"
    assert parser_traits("1.5.1", "5.0.0") == (True, False)
    assert parser_traits("1.6.0", "5.0.0") == (True, True)


def test_a_file_gives_text_to_the_converter_and_keeps_everything_else():
    assert convert_yaml(field("learning_rate"), "1e-6", none_words=True) == 1e-06
    assert convert_yaml(field("num_generations"), 12.5, none_words=True) == 12.5
    assert convert_yaml(field("reward_funcs"), "accuracy_reward", none_words=True) == "accuracy_reward"
    assert convert_yaml(field("packing_strategy", word="sft"), "ffd", none_words=True) == "ffd"
    with pytest.raises(WrongType):
        convert_yaml(field("learning_rate"), "fast", none_words=True)


def test_a_dictionary_on_a_command_line_by_release():
    arguments = field("model_init_kwargs", "1.16.0")
    assert convert_words(arguments, ['{"dtype": "bfloat16"}'], none_words=True) == '{"dtype": "bfloat16"}'
    assert arguments.json
    old = config_fields("trl:GRPOConfig", "0.16.1", "4.46.3")["model_init_kwargs"]
    with pytest.raises(WrongType):
        convert_words(old, ['{"dtype": "bfloat16"}'], none_words=False)


def test_subcommands_come_and_go():
    assert "chat" in subcommands("0.18.2")
    assert "chat" not in subcommands("0.19.0")
    assert "rloo" not in subcommands("0.21.0")
    assert subcommands("1.16.0")["kto"].classes[1] == "trl:KTOConfig"
    assert subcommands("0.28.0")["kto"].classes[1] == "experimental.kto:KTOConfig"
    assert script_at("trl.scripts.grpo", "1.0.0").arguments == {"fail_with_unknown_args": False}
    assert script_at("trl.scripts.rloo", "0.21.0") is None


@pytest.mark.parametrize(
    ("by", "release", "word", "key", "flag"),
    [
        ("own", "0.17.0", "", "ignored", "refused"),
        ("own", "0.19.0", "", "refused", "refused"),
        ("script", "1.16.0", "grpo", "ignored", "refused"),
        ("script", "0.19.1", "sft", "ignored", "ignored"),
        ("trl", "0.17.0", "grpo", "no-config", "refused"),
        ("trl", "0.24.0", "grpo", "ignored", "ignored"),
        ("trl", "0.24.0", "sft", "accelerate", "accelerate"),
        ("trl", "1.16.0", "grpo", "accelerate", "accelerate"),
        ("trl", "1.16.0", "vllm-serve", "vllm", "vllm"),
    ],
)
def test_what_becomes_of_a_name_that_nobody_takes(by, release, word, key, flag):
    found = unknown_name(by, release, word)
    assert (found.key, found.flag) == (key, flag)
