"""Estimates of memory against measurements that were published."""

from __future__ import annotations

import pytest

from rlhflint.catalog.model_facts import model_facts
from rlhflint.memory import GIB, Stage, Term, Zero, activations, gib, logits, worst


def training(name, shards, tokens, *, stage=3, offload=False):
    """GiB of a model that trains, on one GPU."""
    facts = model_facts(name)
    assert facts is not None
    assert facts.params is not None
    assert facts.vocab is not None
    zero = Zero(stage, shards, offload)
    sizes = (
        zero.weights(facts.params),
        zero.gradients(facts.params),
        zero.optimizer(facts.params),
        zero.buffers(facts.params),
        activations(facts, tokens, checkpointing=True),
        logits(tokens, facts.vocab, training=True),
    )
    return sum(sizes) / GIB


def test_26_thousand_tokens_on_eight_cards_of_96_gib_ran_and_twice_as_many_did_not():
    assert training("Qwen/Qwen2.5-7B", 8, 26_000) < 0.95 * 96
    assert training("Qwen/Qwen2.5-7B", 8, 52_000) > 96


def test_38_thousand_tokens_on_three_cards_of_80_gib_did_not_run():
    assert training("Qwen/Qwen2.5-7B", 3, 37_900) > 80


@pytest.mark.parametrize(("stage", "bytes_each"), [(0, 16), (1, 4 + 12 / 8), (2, 2 + 14 / 8), (3, 16 / 8)])
def test_bytes_for_each_parameter_by_stage(stage, bytes_each):
    zero, params = Zero(stage, 8), 1e9
    total = zero.weights(params) + zero.gradients(params) + zero.optimizer(params)
    assert total == pytest.approx(bytes_each * params)


def test_an_optimizer_on_the_cpu_takes_main_memory_instead():
    zero = Zero(3, 8, offload=True)
    assert zero.optimizer(8e9) == zero.gradients(8e9) == zero.step(8e9) == 0
    assert zero.main_memory(8e9) * 8 == pytest.approx(16 * 8e9)


def test_a_thirteen_billion_model_on_the_cpu_takes_208_gb():
    assert Zero(3, 1, offload=True).main_memory(13e9) == pytest.approx(208e9)


def test_checkpointing_keeps_less():
    facts = model_facts("Qwen/Qwen2.5-7B")
    assert facts is not None
    assert activations(facts, 4096, checkpointing=True) < activations(facts, 4096, checkpointing=False) / 5


def test_the_stage_that_takes_most_and_its_largest_terms():
    terms = (Term("a", 1), Term("b", 3), Term("c", 2))
    most = worst([Stage("small", terms[:1]), Stage("large", terms)])
    assert most is not None
    assert most.name == "large"
    assert [term.what for term in most.largest(2)] == ["b", "c"]
    assert worst([]) is None


def test_bytes_in_words():
    assert gib(1.5 * GIB) == "1.5 GiB"
    assert gib(102.4 * GIB) == "102 GiB"
