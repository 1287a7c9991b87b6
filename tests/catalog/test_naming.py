"""One name for a setting over all releases."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.openrlhf.catalog import openrlhf

NAMES = [
    # program, flag, release, canonical names, fields of the typed model (None: the same)
    ("train_ppo_ray", "--async_train", "0.9.0", ["train.async_enable"], None),
    ("train_ppo_ray", "--train.async_enable", "0.11.2", ["train.async_enable"], None),
    ("train_ppo_ray", "--max_norm", "0.9.0", ["actor.max_norm", "critic.max_norm"], None),
    ("train_sft", "--max_norm", "0.9.0", ["max_norm"], None),
    ("train_sft", "--max_norm", "0.11.2", ["max_norm"], None),
    ("train_dpo", "--beta", "0.5.0", ["model.beta"], None),
    ("train_ppo_ray", "--torch_compile", "0.6.4", ["ds.deepcompile"], None),
    ("train_ppo_ray", "--universal_ckpt", "0.6.3", ["ds.use_universal_ckpt"], None),
    ("train_ppo_ray", "--ptx_coef", "0.6.0", ["ptx_coef"], None),
    ("train_ppo_ray", "--disable_trace_cache", "0.5.0", ["disable_trace_cache"], None),
    ("train_rm", "--train_split", "0.6.0", ["data.dataset_split"], None),
    ("train_sft", "--train_split", "0.6.0", ["train_split"], None),
    ("train_ppo_ray", "--prompt_split", "0.6.0", ["data.prompt_split"], None),
    ("train_ppo_ray", "--prompt_split", "0.9.0", ["data.prompt_split"], None),
    ("train_ppo_ray", "--flash_attn", "0.8.0", ["ds.attn_implementation"], ["flash_attn"]),
    ("train_ppo_ray", "--bf16", "0.8.0", ["ds.param_dtype"], ["bf16"]),
    ("lora_combiner", "--bf16", "0.8.0", ["ds.param_dtype"], ["bf16"]),
    ("train_ppo_ray", "--prompt_max_len", "0.9.0", ["data.max_len"], ["prompt_max_len"]),
    ("train_ppo_ray", "--generate_max_len", "0.9.0", ["rollout.max_new_tokens"], ["generate_max_len"]),
    ("train_ppo_ray", "--max_len", "0.9.7", ["data.max_len"], ["max_len"]),
    ("train_ppo_ray", "--max_len", "0.9.8", ["data.max_len"], None),
    ("train_sft", "--max_len", "0.9.7", ["data.max_len"], None),
    ("train_ppo_ray", "--use_kl_estimator_k3", "0.5.0", ["algo.kl.estimator"], ["use_kl_estimator_k3"]),
    (
        "train_ppo_ray",
        "--enable_vllm_is_correction",
        "0.9.0",
        ["algo.advantage.is_correction_level"],
        ["algo.advantage.is_correction_enable"],
    ),
    (
        "train_ppo_ray",
        "--vllm_is_correction_type",
        "0.9.5",
        ["algo.advantage.is_correction_mode", "algo.advantage.is_correction_gating"],
        ["algo.advantage.is_correction_type"],
    ),
    (
        "train_ppo_ray",
        "--vllm_is_truncated_threshold",
        "0.9.0",
        ["algo.advantage.is_correction_threshold"],
        ["vllm_is_truncated_threshold"],
    ),
    ("train_ppo_ray", "--vllm_is_truncated_threshold", "0.9.1", ["algo.advantage.is_correction_threshold"], None),
    ("train_ppo_ray", "--actor.muon.no_nesterov", "0.11.2", ["actor.muon.no_nesterov"], ["actor.muon.nesterov"]),
    # programs that are gone go by the names of the one they are most like
    ("train_kto", "--zero_stage", "0.9.0", ["ds.zero_stage"], None),
    ("train_kto", "--beta", "0.9.0", ["model.beta"], None),
    ("train_kto", "--desirable_loss_weight", "0.9.0", ["desirable_loss_weight"], None),
    ("train_kd", "--teacher_model", "0.9.0", ["teacher_model"], None),
    ("train_ppo", "--actor_learning_rate", "0.5.0", ["actor.adam.lr"], None),
    ("train_ppo", "--flash_attn", "0.5.0", ["ds.attn_implementation"], ["flash_attn"]),
    ("train_prm", "--bf16", "0.8.0", ["ds.param_dtype"], ["bf16"]),
    ("batch_inference", "--max_new_tokens", "0.9.0", ["max_new_tokens"], None),
    # a flag that the release does not have is taken as the nearest release means it, earlier ones first
    ("train_ppo_ray", "--async_train", "0.5.0", ["train.async_enable"], None),
    ("train_ppo_ray", "--zero_stage", "0.11.2", ["ds.zero_stage"], None),
    ("train_ppo_ray", "--bf16", "0.11.2", ["ds.param_dtype"], ["bf16"]),
    ("train_ppo_ray", "--no_such_flag", "0.11.2", [], []),
]


@pytest.mark.parametrize(("name", "flag", "release", "canonical", "fields"), NAMES)
def test_a_flag_is_known_by_its_newest_name(name, flag, release, canonical, fields):
    program = openrlhf().program(name)
    assert program.canonical(flag, release) == tuple(canonical)
    assert program.fields(flag, release) == tuple(canonical if fields is None else fields)


@pytest.mark.parametrize(
    ("name", "release", "field", "flag"),
    [
        ("train_ppo_ray", "0.9.0", "train.async_enable", "--async_train"),
        ("train_ppo_ray", "0.11.2", "train.async_enable", "--train.async_enable"),
        ("train_ppo_ray", "0.9.0", "actor.max_norm", "--max_norm"),
        ("train_ppo_ray", "0.9.0", "critic.max_norm", "--max_norm"),
        ("train_ppo_ray", "0.9.0", "data.max_len", None),
        ("train_ppo_ray", "0.9.0", "max_len", "--max_len"),
        ("train_ppo_ray", "0.9.9", "data.max_len", "--max_len"),
        ("train_ppo_ray", "0.8.9", "ds.attn_implementation", None),
        ("train_ppo_ray", "0.11.2", "actor.muon.nesterov", "--actor.muon.nesterov"),
        ("train_ppo_ray", "0.11.2", "actor.muon.no_nesterov", "--actor.muon.no_nesterov"),
        ("train_ppo_ray", "0.5.0", "train.async_enable", None),
        ("train_kto", "0.9.0", "ds.zero_stage", "--zero_stage"),
        ("train_kto", "0.11.2", "ds.zero_stage", None),
    ],
)
def test_a_field_is_set_by_one_flag(name, release, field, flag):
    assert openrlhf().program(name).spelling(field, release) == flag


def test_flags_that_speak_of_a_setting_are_found_also_where_none_sets_it():
    program = openrlhf().program("train_ppo_ray")
    assert program.flags_about("data.max_len", "0.9.0") == ("--max_len", "--prompt_max_len")
    assert program.flags_about("ds.attn_implementation", "0.8.0") == ("--flash_attn",)
    assert program.flags_about("data.max_len", "0.11.2") == ("--data.max_len",)


@pytest.mark.parametrize("name", openrlhf().programs)
def test_every_flag_of_every_release_has_names_of_its_own(name):
    program = openrlhf().program(name)
    assert any(map(program.exists, program.releases))
    for release in program.releases:
        flags = [option.flag for option in program.options(release).values() if option.action != "help"]
        assert flags or not program.exists(release), release
        named = {flag: program.fields(flag, release) for flag in flags}
        assert all(named.values()), release
        taken = [field for flag, fields in named.items() for field in fields if "no_nesterov" not in flag]
        assert len(taken) == len(set(taken)), release
        for flag in flags:
            if "no_nesterov" not in flag:
                assert all(program.spelling(field, release) == flag for field in program.fields(flag, release)), flag
            assert flag in program.flags_about(program.canonical(flag, release)[0], release)


@pytest.mark.parametrize("name", ["train_ppo_ray", "train_sft", "train_rm", "train_dpo", "serve_rm", "lora_combiner"])
def test_the_newest_spelling_is_the_canonical_name(name):
    program = openrlhf().program(name)
    flags = [one.flag for one in program.options(program.releases.newest).values() if one.action != "help"]
    assert flags
    for flag in flags:
        assert program.canonical(flag, program.releases.newest) == (flag.lstrip("-"),)
