"""Numbers that runs log: read in every form, and what they show."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.explain.metrics import Metric, series, shown_by
from rlhflint.explain.symptoms import signs, symptoms

NAMES = frozenset({"kl", "rewards/accuracies", "grad_norm"})


def found(text: str, framework: str = "") -> list[str]:
    return [sign.symptom.name for sign in signs(text, framework)]


@pytest.mark.parametrize(
    "line",
    [
        "Episode [1/1]: 12%|# | 3/25, kl=2.5, reward=0.41",
        "{'loss': 0.1, 'kl': 2.5, 'epoch': 0.1}",
        "{'loss': '0.1', 'kl': '2.5'}",
        '{"step": 10, "kl": 2.5}',
        '      "kl": 2.5,',
        "kl = 2.5",
    ],
)
def test_a_number_is_read_in_every_form(line: str) -> None:
    assert series(line, NAMES)["kl"].values == [2.5]
    assert found(line) == ["kl-runaway"]


def test_a_state_of_a_trainer_is_read() -> None:
    history = [{"step": step, "grad_norm": 0.5 if step < 30 else 40.0, "kl": 0.01} for step in range(40)]
    state = json.dumps({"best_metric": None, "log_history": history}, indent=2)
    (sign,) = signs(state)
    assert sign.symptom.name == "grad-norm-spike"
    assert sign.text == "grad_norm is 40 at the end (healthy: 0.1 to 1)"
    assert '"grad_norm": 40.0' in state.splitlines()[sign.line - 1]


def test_a_number_within_its_range_shows_nothing() -> None:
    assert found("kl=0.05, ppo_clip_ratio=0.2, actor_grad_norm=0.7, response_length=512") == []


def test_a_peak_is_not_the_end() -> None:
    lines = [f'{{"kl": {5.0 if step == 20 else 0.02}}}' for step in range(60)]
    assert found("\n".join(lines)) == []


def test_a_fall_of_the_entropy_shows() -> None:
    falling = "\n".join(f"{{'entropy': {2.0 / (1 + step / 4):.3f}}}" for step in range(40))
    steady = "\n".join(f"{{'entropy': {2.0 - step / 100:.3f}}}" for step in range(40))
    assert found(falling) == ["entropy-collapse"]
    assert found(steady) == []


def test_a_bar_that_repeats_a_number_does_not_make_it_stand_still() -> None:
    assert found("\r".join(["3/25, reward=0.41"] * 50)) == []
    assert found("\n".join(['{"reward": 0.41}'] * 50)) == ["reward-flat"]


@pytest.mark.parametrize("value", ["nan", "NaN", "inf", "-inf", "Infinity"])
def test_what_is_no_number_shows(value: str) -> None:
    assert "nan-later" in found(f'{{"grad_norm": {value}}}')


def test_numbers_of_the_other_framework_do_not_count() -> None:
    line = "{'objective/kl': 400.0}"
    assert found(line, "trl") == ["kl-runaway"]
    assert found(line, "openrlhf") == []


def test_names_of_other_things_are_not_taken() -> None:
    assert series("vllm_kl=3 my/kl=3 kls=3 skl: 3", NAMES) == {}


SHOWS = [
    (symptom.name, metric, name)
    for symptom in symptoms()
    for metric in symptom.metrics
    if any((metric.above, metric.below, metric.rises, metric.falls, metric.still, metric.broken))
    for name in metric.names
]


@pytest.mark.parametrize(("entry", "metric", "name"), SHOWS, ids=[f"{entry}-{name}" for entry, _, name in SHOWS])
def test_every_number_of_the_table_shows_its_symptom(entry: str, metric: Metric, name: str) -> None:
    """A log of our own in which it goes wrong in the way the table says."""
    first, last = 1.0, 1.0
    if metric.above is not None:
        first, last = metric.above / 4, metric.above * 2
    elif metric.falls is not None:
        last = first / metric.falls / 2
    elif metric.below is not None:
        last = metric.below / 2
    elif metric.rises is not None:
        last = first * metric.rises * 2
    values = ["1.0"] * 40 if metric.still else [f"{first + (last - first) * step / 39:.6f}" for step in range(40)]
    if metric.broken:
        values[20] = "nan"
    log = "\n".join(f"{{'step': {step}, '{name}': {value}}}" for step, value in enumerate(values))
    assert entry in found(log, metric.framework)
    healthy = "\n".join(f"{{'{name}': {first + step / 4000:.6f}}}" for step in range(40))
    assert metric.still or entry not in found(healthy, metric.framework)


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    logged = series(text, NAMES)
    for symptom in symptoms():
        for metric in symptom.metrics:
            shown_by(metric, logged)
