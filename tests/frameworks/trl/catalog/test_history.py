"""Names and defaults over the releases."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rlhflint.catalog.fields import Field, Missing
from rlhflint.frameworks.trl.catalog import changes, store
from rlhflint.frameworks.trl.catalog.defaults import defaults_changed, same_default
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.over_releases import canonical, history, spelling, taking
from rlhflint.frameworks.trl.catalog.programs import config_key, key_at, program_of, trainer_key
from rlhflint.frameworks.trl.catalog.store import releases, requirement, transformers_releases


def test_a_field_has_one_canonical_name_for_all_its_spellings():
    assert canonical("trl:SFTConfig", "max_seq_length") == "max_length"
    assert canonical("experimental.kto:KTOConfig", "use_liger_loss") == "use_liger_kernel"
    assert canonical("GRPOConfig", "evaluation_strategy") == "eval_strategy"
    assert canonical("SFTTrainer", "tokenizer") == "processing_class"
    assert canonical("SFTConfig", "packing") == "packing"


def test_two_options_side_by_side_are_not_one():
    """Before 0.25 the trainer's own option and the inherited one did different things."""
    assert canonical("DPOConfig", "use_liger_loss", "0.22.0") == "use_liger_loss"
    assert canonical("DPOConfig", "use_liger_loss", "0.25.0") == "use_liger_kernel"


def test_a_name_whose_value_changes_with_it_is_not_the_same_option():
    assert canonical("DPOConfig", "rpo_alpha") == "rpo_alpha"
    rename = next(one for one in changes.renames("DPOConfig") if one.old == "rpo_alpha")
    assert rename.kind == "value"
    assert "loss_weights" in rename.value


def test_the_spelling_of_a_release_is_found():
    assert spelling("SFTConfig", "max_length", "0.14.0", "4.46.3") == "max_seq_length"
    assert spelling("SFTConfig", "max_length", "0.16.0", "4.46.3") == "max_length"
    assert spelling("RLOOConfig", "num_generations", "0.21.0", "4.55.0") == "rloo_k"
    assert spelling("GRPOConfig", "vllm_mode", "0.17.0", "4.51.3") is None
    assert spelling("GRPOConfig", "eval_strategy", "0.14.0", "4.40.2") == "evaluation_strategy"


def test_history_runs_over_all_homes_of_a_class():
    rows = history("KTOConfig", "max_length")
    owners = [field.owner for _, field in rows]
    assert owners[0] == "trl:KTOConfig"
    assert "experimental.kto:KTOConfig" in owners
    assert owners[-1] == "trl:KTOConfig"
    assert rows[-1][0].until is None


def changed(name, old, new, **options):
    return {one.name: one for one in defaults_changed(name, old, new, **options)}


def test_a_default_that_changed_names_the_release_and_what_it_depends_on():
    found = changed("GRPOConfig", ("0.29.1", "4.57.6"), ("1.0.0", "4.57.6"))
    assert set(found) == {"vllm_mode"}
    mode = found["vllm_mode"]
    assert (mode.old, mode.new, mode.package, mode.release) == ("'server'", "'colocate'", "trl", "1.0.0")
    assert mode.when == {"use_vllm": True}


def test_a_change_of_transformers_is_told_from_one_of_trl():
    found = changed("SFTConfig", ("0.23.0", "4.53.3"), ("0.23.0", "4.54.0"))
    assert {(one.name, one.package, one.release) for one in found.values()} == {
        ("average_tokens_across_devices", "transformers", "4.54.0"),
    }


def test_a_default_that_went_and_came_back_is_no_change():
    assert "loss_type" not in changed("SFTConfig", ("1.5.0", "5.8.1"), ("1.16.0", "5.8.1"))
    found = changed("SFTConfig", ("1.5.0", "5.8.1"), ("1.14.0", "5.8.1"))
    assert found["loss_type"].new == "'nll' if use_liger_kernel else 'chunked_nll'"
    assert found["loss_type"].release == "1.7.0"


def test_a_renamed_option_is_followed_from_its_old_name():
    found = changed("SFTConfig", ("0.13.0", "4.46.3"), ("0.20.0", "4.46.3"))
    assert (found["max_length"].old, found["max_length"].new) == ("None", "1024")
    assert found["max_length"].release == "0.15.0"


def test_a_change_without_effect_is_given_on_request_only():
    pair = ("1.15.0", "5.23.0"), ("1.16.0", "5.23.0")
    assert changed("SFTConfig", *pair) == {}
    found = changed("SFTConfig", *pair, trivial=True)
    assert "Neuron" in found["pad_to_multiple_of"].because


def test_nothing_is_said_of_a_class_that_one_end_does_not_have():
    assert defaults_changed("GRPOConfig", ("0.12.0", "4.46.3"), ("1.0.0", "4.57.6")) == ()


def test_values_that_no_configuration_checks_are_those_of_the_release():
    before, since = (changes.accepted("GRPOConfig", "loss_type", release) for release in ("0.21.0", "0.22.0"))
    assert "dapo" not in before.values
    assert "dapo" in since.values
    assert since.stage == "first-step"
    assert (
        changes.accepted("GRPOConfig", "scale_rewards", "0.21.0") is None
        or changes.accepted("GRPOConfig", "scale_rewards", "0.21.0").bools
    )
    assert changes.accepted("DPOConfig", "loss_type", "0.19.1").lists is False
    assert changes.accepted("DPOConfig", "loss_type", "0.20.0").lists is True
    assert changes.accepted("DPOConfig", "f_divergence_type", "0.28.0") is None


def test_programs_follow_their_classes_to_new_homes():
    assert program_of("experimental.kto:KTOTrainer") == "trl:kto"
    assert program_of("trl:PPOv2Config") == "trl:ppo"
    assert program_of("trl:ModelConfig") is None
    assert [config_key("trl:kto", release) for release in ("0.25.1", "0.26.0", "1.8.0")] == [
        *("trl:KTOConfig", "experimental.kto:KTOConfig", "trl:KTOConfig"),
    ]
    assert config_key("trl:ppo", "1.13.0") is None
    assert trainer_key("trl:grpo", "1.0.0") == "trl:GRPOTrainer"


def test_what_a_release_asks_of_other_packages():
    assert requirement("transformers", "0.12.2") == "<4.47.0"
    assert requirement("python", "1.16.0") == ">=3.11"
    assert requirement("vllm", "0.14.0") is None
    assert requirement("vllm", "0.24.0") == "==0.10.2"


@pytest.mark.parametrize(
    "name", ["GRPOConfig", "PPOConfig", "RLOOConfig", "SDPOConfig", "OnlineDPOConfig", "SFTConfig"]
)
def test_the_releases_that_take_a_field_are_those_whose_class_has_it_after_all_bases_are_looked_through(name):
    newest = transformers_releases().newest
    having: dict[str, set[str]] = {}
    for release in releases():
        if key := key_at(name, release):
            for field in config_fields(key, release, newest):
                having.setdefault(field, set()).add(release)
    assert len(having) > 100
    assert {field: taking(name, field) for field in having} == having


def test_nothing_takes_a_field_that_no_class_has():
    assert taking("GRPOConfig", "nothing") == frozenset()


@pytest.mark.parametrize("name", ["SFTConfig", "GRPOConfig", "DPOConfig", "KTOConfig", "RLOOConfig", "RewardConfig"])
def test_a_default_that_changes_from_one_release_to_the_next_changed_in_that_one(name):
    order, transformers = store.releases(), "4.57.6"
    steps = 0
    for old, new in pairwise(order):
        for one in defaults_changed(name, (old, transformers), (new, transformers), trivial=True):
            steps += 1
            assert (one.package, one.release) == ("trl", new)
            assert one.old != one.new
            assert same_default(one.before, one.before)
            assert not same_default(one.before, one.after)
    assert steps


@pytest.mark.parametrize("name", ["SFTConfig", "DPOConfig"])
def test_of_several_changes_on_the_way_the_last_is_named(name):
    order, transformers = store.releases(), "4.57.6"
    oldest = next(release for release in order if key_at(name, release) is not None)
    found = defaults_changed(name, (oldest, transformers), (order.newest, transformers), trivial=True)
    assert found
    for one in found:
        before = order.before(one.release)
        assert before is not None
        step = defaults_changed(name, (before, transformers), (one.release, transformers), trivial=True)
        there = spelling(name, one.name, before, transformers) is not None
        assert one.name in {change.name for change in step} or not there


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"default": 1}, {"default": 1.0}, True),
        ({"default": 1}, {"default": True}, False),
        ({"default": None, "becomes": "False"}, {"default": False}, True),
        ({"default": None, "becomes": "not fp16"}, {"default": None, "becomes": "not fp16"}, True),
        ({"default": None, "becomes": "not fp16"}, {"default": None}, False),
        ({"default": Missing.COMPUTED, "expression": "f()"}, {"default": Missing.COMPUTED, "expression": "g()"}, False),
        ({"default": Missing.COMPUTED, "expression": "1"}, {"default": "1"}, False),
        ({"default": Missing.REQUIRED}, {"default": 3}, True),
    ],
)
def test_two_defaults_are_the_same_where_leaving_them_out_comes_to_the_same(one, other, same):
    left, right = (Field("x", "int", "trl:A", **more) for more in (one, other))
    assert same_default(left, right) is same_default(right, left) is same
