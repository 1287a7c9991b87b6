"""The typed models are what the catalog gives, and hold what it says."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.over_releases import canonical
from rlhflint.frameworks.trl.catalog.programs import PROGRAMS, config_key, key_at
from rlhflint.frameworks.trl.models import model_of
from rlhflint.given import Given
from rlhflint.model import build
from rlhflint.value import Known, Undetermined, Unknown
from tools import generate_trl_models


def test_the_committed_modules_are_those_the_generator_writes():
    pytest.importorskip("ruff", reason="the generator formats what it writes")
    written = {path.stem: path.read_text("utf-8") for path in generate_trl_models.FOLDER.glob("*.py")}
    del written["__init__"]
    assert generate_trl_models.modules() == written


@pytest.mark.parametrize("program", [*PROGRAMS, "trl:vllm_serve"])
def test_a_model_without_settings_can_be_built(program):
    model, refused = build(model_of(program), {}, {})
    assert refused == ()
    assert model.program == program


@pytest.mark.parametrize("program", ["trl:sft", "trl:dpo", "trl:grpo", "trl:rloo", "trl:kto", "trl:reward"])
def test_every_option_of_every_release_is_a_field_by_its_canonical_name(program):
    fields = set(model_of(program).model_fields)
    for release in ("0.14.0", "0.19.1", "0.24.0", "0.29.1", "1.16.0"):
        keys = [config_key(program, release), key_at("ModelConfig", release)]
        assert keys[1]
        for key in filter(None, keys):
            for transformers in ("4.46.3", "5.24.0"):
                names = list(config_fields(key, release, transformers))
                assert names, (key, release)
                for name in names:
                    assert canonical(key, name, release) in fields, (key, name, release)


def test_values_keep_the_type_that_upstream_would_see():
    values = {
        "scale_rewards": Known(False),
        "loss_type": Known("dr_grpo"),
        "num_generations": Given("8", int),
        "reward_funcs": Known(["a.b"]),
        "beta": Unknown("$BETA is not known"),
    }
    model, refused = build(model_of("trl:grpo"), values, {"temperature": 0.9})
    assert refused == ()
    assert (model.scale_rewards, model.loss_type, model.num_generations) == (False, "dr_grpo", 8)
    assert model.temperature == 0.9
    with pytest.raises(Undetermined, match="BETA"):
        _ = model.beta


def test_a_value_of_another_kind_is_reported_and_the_others_stand():
    model, refused = build(model_of("trl:dpo"), {"beta": Known("a lot"), "loss_type": Known(["sigmoid", "sft"])}, {})
    assert [one.canonical for one in refused] == ["beta"]
    assert model.loss_type == ["sigmoid", "sft"]
    with pytest.raises(Undetermined):
        _ = model.beta


def test_a_program_without_a_model_is_an_error():
    for name in ("trl:nothing", "openrlhf:train_sft", "trl:shared", "trl:../sft"):
        with pytest.raises(KeyError):
            model_of(name)
