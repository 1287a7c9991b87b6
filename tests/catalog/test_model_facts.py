"""What is known of a model by its name or by its files."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.catalog.files import read_json, schemas
from rlhflint.catalog.model_config import facts_in_config
from rlhflint.catalog.model_facts import model_facts
from rlhflint.catalog.model_names import parameters_in

TABLE = read_json("models.json")["models"]


def folder(**files):
    """Reads the files of a model in `models/it`, given by name with `_` for `.`."""
    texts = {f"models/it/{name}": text for name, text in files.items()}
    return texts.get


def test_an_id_of_the_table():
    facts = model_facts("Qwen/Qwen2.5-7B-Instruct")
    assert facts is not None
    assert facts.certain
    assert (facts.heads, facts.kv_heads, facts.hidden, facts.layers, facts.vocab) == (28, 4, 3584, 28, 152064)
    assert facts.chat_template is True


def test_one_model_under_two_names():
    assert model_facts("meta-llama/Llama-3.1-8B") == model_facts("meta-llama/Meta-Llama-3.1-8B")


def test_a_copy_of_a_model_is_likely_but_not_certain():
    facts = model_facts("/data/models/Qwen2.5-7B-Instruct")
    assert facts is not None
    assert not facts.certain
    assert facts.heads == 28
    assert facts.chat_template is None


def test_a_size_in_a_name_alone():
    facts = model_facts("out/our-model-34b/step_1000")
    assert facts is not None
    assert not facts.certain
    assert facts.params == 34_000_000_000
    assert facts.heads is None


@pytest.mark.parametrize("name", ["", "models/base", "x" * 5000, "/", "models/17B-16E"])
def test_nothing_is_known(name):
    assert model_facts(name) is None


def test_a_folder_is_described_by_its_own_file():
    shape = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 100}
    facts = model_facts("models/it", folder(**{"config.json": json.dumps(shape)}))
    assert facts is not None
    assert facts.certain
    assert (facts.heads, facts.kv_heads, facts.head_dim, facts.ffn) == (4, 4, 16, 256)
    assert facts.source == "models/it/config.json"
    assert facts.chat_template is None


def test_a_folder_named_like_a_model_of_the_hub_is_the_folder():
    shape = json.dumps({"hidden_size": 64, "num_attention_heads": 4})
    facts = model_facts("Qwen/Qwen2.5-7B", {"Qwen/Qwen2.5-7B/config.json": shape}.get)
    assert facts is not None
    assert facts.heads == 4


def test_an_adapter_stands_for_its_base():
    adapter = json.dumps({"base_model_name_or_path": "Qwen/Qwen2.5-7B"})
    facts = model_facts("models/it", folder(**{"adapter_config.json": adapter}))
    assert facts == model_facts("Qwen/Qwen2.5-7B")


@pytest.mark.parametrize(
    ("files", "template"),
    [
        ({"tokenizer_config.json": "{}"}, False),
        ({"tokenizer_config.json": '{"chat_template": "{{ messages }}"}'}, True),
        ({"tokenizer_config.json": "{}", "chat_template.jinja": ""}, True),
        ({"tokenizer_config.json": "not json"}, None),
        ({}, None),
    ],
)
def test_chat_templates_in_tokenizer_files(files, template):
    facts = model_facts("models/it", folder(**{"config.json": "{}"}, **files))
    assert facts is not None
    assert facts.chat_template is template


@pytest.mark.parametrize(
    "text", ["[" * 200_000, "{", "[]", "null", '{"hidden_size": "many"}', '{"hidden_size": 1e400}']
)
def test_a_broken_configuration_says_nothing(text):
    facts = model_facts("models/it", folder(**{"config.json": text}))
    assert facts is None or facts.hidden is None


def test_the_text_part_of_a_model_that_sees_images():
    config = {"model_type": "vlm", "text_config": {"hidden_size": 64, "num_attention_heads": 4}, "hidden_size": 999}
    facts = facts_in_config(config, "config.json")
    assert facts.hidden == 64


SHAPE = {
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "vocab_size": 100,
    "intermediate_size": 96,
}
ATTENTION = 2 * 64 * 16 * (4 + 4)


@pytest.mark.parametrize(
    ("more", "params", "moe"),
    [
        ({}, 100 * 64 + 2 * (ATTENTION + 3 * 64 * 96), False),
        ({"model_type": "gpt2"}, 100 * 64 + 2 * (ATTENTION + 2 * 64 * 96), False),
        ({"tie_word_embeddings": False}, 2 * 100 * 64 + 2 * (ATTENTION + 3 * 64 * 96), False),
        ({"num_key_value_heads": 2}, 100 * 64 + 2 * (2 * 64 * 16 * (4 + 2) + 3 * 64 * 96), False),
        ({"head_dim": 32}, 100 * 64 + 2 * (2 * ATTENTION + 3 * 64 * 96), False),
        ({"num_local_experts": 1}, 100 * 64 + 2 * (ATTENTION + 3 * 64 * 96), False),
        (
            {"num_local_experts": 8, "num_experts_per_tok": 2},
            100 * 64 + 2 * (ATTENTION + 3 * 64 * 8 * 96),
            True,
        ),
        (
            {"n_routed_experts": 4, "moe_intermediate_size": 10, "n_shared_experts": 1, "top_k": 2},
            100 * 64 + 2 * (ATTENTION + 3 * 64 * 50),
            True,
        ),
        ({"kv_lora_rank": 32}, None, False),
        ({"vocab_size": 0}, None, False),
        ({"vocab_size": True}, None, False),
        ({"hidden_size": 64.0}, None, False),
    ],
)
def test_a_size_is_the_sum_of_the_matrices(more, params, moe):
    facts = facts_in_config(SHAPE | more, "config.json")
    assert (facts.params, facts.moe) == (params, moe)


@pytest.mark.parametrize(
    ("more", "size"),
    [
        ({}, 2 * 2 * 4 * 16 * 2),
        ({"num_key_value_heads": 1}, 2 * 2 * 1 * 16 * 2),
        ({"kv_lora_rank": 32, "qk_rope_head_dim": 8}, 2 * (32 + 8) * 2),
        ({"kv_lora_rank": 32}, 2 * 32 * 2),
        ({"num_hidden_layers": None}, None),
    ],
)
def test_keys_and_values_of_a_token(more, size):
    assert facts_in_config(SHAPE | more, "config.json").kv_bytes_per_token == size


@pytest.mark.parametrize(
    ("config", "dtype"),
    [
        ({"torch_dtype": "bfloat16"}, "bfloat16"),
        ({"dtype": "torch.float32"}, "float32"),
        ({"dtype": "float16", "torch_dtype": "float32"}, "float16"),
        ({"dtype": 16}, None),
        ({}, None),
    ],
)
def test_the_type_of_the_weights(config, dtype):
    assert facts_in_config(config, "config.json").dtype == dtype


ODD = {
    "Qwen/Qwen3.5-27B": "most of its layers have linear attention",
    "OpenRLHF/Llama-3-8b-rm-mixture": "a reward model has no second matrix over the vocabulary",
    "OpenRLHF/Llama-3-8b-rm-700k": "a reward model has no second matrix over the vocabulary",
    "facebook/opt-125m": "embeddings of positions count in so small a model",
}
"""Models of which the size is not that of a plain transformer."""


@pytest.mark.parametrize(
    "name", [name for name, row in TABLE.items() if name not in ODD and not {"moe", "mla"} & row.keys()]
)
def test_sizes_worked_out_from_shapes_agree_with_the_table(name):
    row = TABLE[name]
    config = {
        "model_type": row["family"].replace("pythia", "gpt_neox").replace("-", "_"),
        "hidden_size": row["hidden"],
        "num_attention_heads": row["heads"],
        "num_key_value_heads": row["kv_heads"],
        "head_dim": row["head_dim"],
        "num_hidden_layers": row["layers"],
        "intermediate_size": row["ffn"],
        "vocab_size": row["vocab"],
        "tie_word_embeddings": row["tie_embeddings"],
    }
    facts = facts_in_config(config, "config.json")
    assert facts.params is not None
    assert abs(facts.params - row["params"]) <= 0.01 * row["params"]
    assert facts.kv_bytes_per_token == row["kv_bytes_per_token_bf16"]


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("Qwen/Qwen2.5-7B", 7e9),
        ("Qwen/Qwen2.5-0.5B", 0.5e9),
        ("EleutherAI/pythia-410m-deduped", 410e6),
        ("Qwen/Qwen3-30B-A3B", 30e9),
        ("out/qwen-1_5b", 1.5e9),
        ("Qwen/Qwen2.5-7B-Instruct-1M", 7e9),
        ("OpenRLHF/Llama-3-8b-rm-700k", 8e9),
        ("/ckpt/llama-7b/step_1000", 7e9),
    ],
)
def test_sizes_in_names(name, params):
    assert parameters_in(name) == pytest.approx(params)


def test_experts_share_their_attention():
    assert parameters_in("mistralai/Mixtral-8x7B-v0.1") == pytest.approx(46.7e9, rel=0.01)


@pytest.mark.parametrize("name", ["google/gemma-3n-E4B", "meta/Llama-4-Scout-17B-16E", "microsoft/phi-2", "v1.5"])
def test_names_that_do_not_say_a_size(name):
    assert parameters_in(name) is None


@given(st.text(max_size=300))
def test_any_name_is_answered(name):
    size = parameters_in(name)
    assert size is None or size > 0
    facts = model_facts(name)
    assert facts is None or facts.params is None or facts.params > 0


def test_the_table_has_one_model_a_line():
    lines = (schemas() / "models.json").read_text(encoding="utf-8").splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith('  "') and '"family"' in line]
    assert len(starts) == len(TABLE)
    assert all(second == first + 1 for first, second in pairwise(starts))


@pytest.mark.parametrize("name", TABLE)
def test_every_row_says_where_it_comes_from(name):
    assert TABLE[name]["source"]
    assert TABLE[name]["params_from"]
