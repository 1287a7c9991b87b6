"""Which tokens the tokenizer of a model has, by its files or by its family."""

from __future__ import annotations

import json

import pytest

from rlhflint.frameworks.trl.vocabulary import has_token, without_unknown_token


def reads(**files):
    texts = {f"m/{name}.json": one if isinstance(one, str) else json.dumps(one) for name, one in files.items()}
    return texts.get


@pytest.mark.parametrize(
    ("content", "token", "expected"),
    [
        ({"added_tokens": [{"content": "<end>"}], "model": {"vocab": {}}}, "<end>", True),
        ({"added_tokens": [{"content": "<end>"}], "model": {"vocab": {"a": 0}}}, "a", True),
        ({"added_tokens": [{"content": "<end>"}], "model": {"vocab": {"a": 0}}}, "b", False),
        ({"model": {"vocab": [["a", -1.5], ["b", -2]]}}, "b", True),
        ({"model": {"vocab": [["a", -1.5], 3, []]}}, "b", False),
        ({"model": {"vocab": "elsewhere"}}, "a", None),
        ({"model": [], "added_tokens": {"a": 1}}, "a", None),
        ({}, "a", None),
    ],
)
def test_the_file_of_a_tokenizer(content, token, expected):
    assert has_token("m", token, reads(tokenizer=content)) is expected


@pytest.mark.parametrize(
    ("name", "token", "expected"),
    [
        ("Qwen/Qwen2.5-0.5B", "<|im_end|>", True),
        ("meta-llama/Llama-3.1-8B", "<|im_end|>", False),
        ("meta-llama/Llama-3.1-8B", "<|eot_id|>", True),
        ("meta-llama/Llama-3.1-8B", "<a token of ours>", None),
        ("nobody/has-heard-of-it", "<|im_end|>", None),
    ],
)
def test_families_of_which_the_ends_are_known(name, token, expected):
    assert has_token(name, token, reads()) is expected


@pytest.mark.parametrize("text", ["no json", "[1]"])
def test_a_file_that_says_nothing_leaves_it_to_the_name(text):
    assert has_token("m", "<|im_end|>", reads(tokenizer=text)) is None


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"tokenizer_class": "PreTrainedTokenizerFast"}, True),
        ({"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": None}, True),
        ({"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "<unk>"}, False),
        ({"tokenizer_class": "LlamaTokenizer"}, False),
    ],
)
def test_a_tokenizer_without_a_token_for_what_it_does_not_know(options, expected):
    assert without_unknown_token("m", reads(tokenizer_config=options)) is expected


def test_by_name_that_is_known_of_llama_3():
    assert without_unknown_token("meta-llama/Llama-3.1-8B", reads())
    assert not without_unknown_token("nobody/has-heard-of-it", reads())
