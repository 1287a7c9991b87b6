"""Questions a check asks of the catalog."""

from __future__ import annotations

import pytest

from rlhflint.catalog import store
from rlhflint.catalog.changes import Condition
from rlhflint.catalog.store import FrameworkCatalog
from rlhflint.frameworks.openrlhf.catalog import openrlhf


def test_programs_come_and_go():
    catalog = openrlhf()
    assert catalog.newest == "0.11.2"
    assert "train_kto" in catalog.programs_at("0.9.5")
    assert "train_kto" not in catalog.programs_at("0.9.6")
    assert catalog.program("train_kto").last == "0.9.5"
    assert catalog.program("train_ppo").ended.instead
    assert catalog.program("train_sft").ended is None
    assert not catalog.program("serve_rm").exists("0.3.8")
    assert catalog.program("serve_rm").options("0.3.8") == {}
    with pytest.raises(KeyError):
        catalog.program("train_gsm")


def test_flags_of_other_programs_are_found():
    catalog = openrlhf()
    assert catalog.programs_with("--tokenizer_chat_template", "0.9.0") == ("train_dpo", "train_rm", "train_sft")
    assert catalog.programs_with("--actor.max_norm", "0.11.2") == ("train_ppo_ray",)
    assert catalog.programs_with("--actor.max_norm", "0.9.0") == ()


def test_one_program_is_read_without_the_others(monkeypatch):
    read = []
    monkeypatch.setattr(store, "read_json", lambda *parts, real=store.read_json: read.append(parts[-1]) or real(*parts))
    catalog = FrameworkCatalog("openrlhf")
    catalog.program("train_sft").options("0.11.2")
    catalog.program("train_sft").options("0.9.0")
    assert read == ["releases.json", "train_sft.json"]


def test_the_life_of_a_flag():
    program = openrlhf().program("train_ppo_ray")
    (only,) = program.history("--flash_attn")
    assert (only.since, only.until) == ("0.3.6.post1", "0.8.9.post1")
    assert program.releases_accepting("--partial_rollout")[0] == "0.9.7"
    assert program.history("--no_such") == ()
    assert program.releases_accepting("--no_such") == ()
    assert [interval.since for interval in program.history("--lambd")] == ["0.3.6.post1", "0.5.7", "0.6.0", "0.6.4"]


def test_defaults_are_those_of_the_release():
    program = openrlhf().program("train_ppo_ray")
    assert program.default("vllm.gpu_memory_utilization", "0.6.3") == 0.9
    assert program.default("vllm.gpu_memory_utilization", "0.11.2") == 0.95
    assert program.default("ckpt.max_mem", "0.11.2") == float("inf")
    assert program.default("vllm.num_engines", "0.11.2") is None
    assert "logger.wandb.run_name" not in program.defaults("0.11.2")
    assert "train.async_enable" not in program.defaults("0.5.0")
    assert openrlhf().program("serve_rm").default("data.max_len", "0.9.0") == 2048
    assert program.option("--advantage_estimator", "0.5.1").choices == ("gae", "reinforce")


def test_what_a_changed_default_does():
    program = openrlhf().program("train_ppo_ray")
    assert "95 %" in program.default_effect("--vllm_gpu_memory_utilization", "0.6.4")
    assert program.default_effect("--max_ckpt_mem", "0.9.9") == ""
    assert program.default_effect("--zero_stage", "0.6.4") is None


def test_dead_flags_and_broken_programs():
    catalog = openrlhf()
    assert catalog.program("train_ppo_ray").dead("--perf", "0.7.1") is not None
    assert catalog.program("train_ppo_ray").dead("--perf", "0.7.0") is None
    assert catalog.program("train_sft").dead("--muon.nesterov", "0.11.2").text
    assert [row.stage for row in catalog.program("train_kto").broken("0.6.0")] == ["startup"]
    (row,) = catalog.program("train_kto").broken("0.9.0")
    assert row.when == Condition("--zero_stage", most=2)
    assert (row.when.holds(2), row.when.holds(3), row.when.holds(None)) == (True, False, False)
    (task,) = catalog.program("batch_inference").broken("0.8.11")
    assert (task.when.holds("generate"), task.when.holds("rm")) == (True, False)
    assert catalog.program("train_sft").broken("0.9.0") == ()


def test_names_that_never_were_are_known_with_what_to_write():
    program = openrlhf().program("train_ppo_ray")
    grad_clip = program.invented("--algo.adam.grad_clip")
    assert grad_clip.fix == "safe"
    assert [one.flags for one in grad_clip.instead] == [("--max_norm",), ("--actor.max_norm", "--critic.max_norm")]
    assert openrlhf().program("train_sft").invented("--algo.adam.grad_clip").instead[0].flags == ("--max_norm",)
    mode = program.invented("--algo.is.mode")
    assert [one.value for one in mode.instead] == ["icepop", None, None, "icepop"]
    assert program.invented("--zero_stage") is None
    assert openrlhf().program("train_sft").invented("--algo.is.mode") is None


def test_what_a_release_asks_of_other_packages():
    newest = openrlhf().companions("0.11.2")
    assert newest.specifier("vllm") == "==0.29.0"
    assert newest.specifier("transformers") == "==5.15.0"
    assert newest.specifier("peft") == ""
    assert newest.specifier("trl") is None
    assert newest.python == ">=3.10"
    assert newest.extras["vllm_latest"] == {"vllm": ">=0.29.0"}
    assert openrlhf().companions("0.5.8").specifier("deepspeed") == "==0.16.3"
    assert "ring" not in openrlhf().companions("0.5.8").extras


def test_meanings_that_changed_under_the_same_name():
    program = openrlhf().program("train_ppo_ray")
    assert [meaning.release for meaning in program.meanings("--eval_steps")] == ["0.8.1"]
    assert program.meanings("--zero_stage") == ()
