"""The typed models are what the catalog gives, and hold every release."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.frameworks.openrlhf.models import model_of
from rlhflint.model import build
from tools.generate_models import FOLDER, files


def test_the_committed_models_are_what_the_catalog_gives():
    wanted = files()
    assert set(FOLDER.glob("*.py")) == set(wanted)
    for path, text in wanted.items():
        assert path.read_text("utf-8") == text, path.name


@pytest.mark.parametrize("name", openrlhf().programs)
def test_the_defaults_of_every_release_fit_into_the_model(name):
    program = openrlhf().program(name)
    assert any(map(program.exists, program.releases))
    for release in program.releases:
        if program.exists(release):
            _, refused = build(model_of(name), {}, program.defaults(release))
            assert refused == (), release


@pytest.mark.parametrize("name", openrlhf().programs)
def test_every_setting_of_every_release_has_a_place_in_the_model(name):
    program = openrlhf().program(name)
    model = model_of(name)()
    assert model.program == f"openrlhf:{name}"
    for flag in program.flags:
        for interval in program.history(flag):
            for field in program.fields(flag, interval.since):
                node: object = model
                for part in field.split("."):
                    node = getattr(node, part)


def test_a_model_holds_the_values_of_its_release():
    program = openrlhf().program("train_ppo_ray")
    model, _ = build(model_of("train_ppo_ray"), {}, program.defaults("0.8.9"))
    assert model.vllm.gpu_memory_utilization == 0.95
    assert model.prompt_max_len == 1024
    assert model.train.async_queue_size == 1
    assert model.algo.advantage.is_correction_threshold == [0.5, 5.0]
