"""The table of symptoms: each is found in what shows it, and says nothing that does not exist."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.explain.symptoms import LONGEST_LINE, MOST_LINES, Symptom, signs, symptoms
from rlhflint.frameworks.openrlhf.models import model_of as openrlhf_model
from rlhflint.frameworks.trl.catalog.programs import PROGRAMS
from rlhflint.frameworks.trl.models import model_of as trl_model
from rlhflint.model import leaves
from rlhflint.rules import load_all

EXAMPLES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))
LINES = [(name, line) for name, lines in EXAMPLES.items() for line in lines]
QUIET = """\
2026-01-05 10:00:01 INFO Started a local Ray instance. View the dashboard at 127.0.0.1:8265
(PolicyModelActor pid=311) Loading checkpoint shards: 100%
INFO 01-05 vllm: # GPU blocks: 28121, # CPU blocks: 2340
Episode [1/1]: 12%|# | 3/25, kl=0.0021, reward=0.41, response_length=512, actor_lr=5e-7
{'loss': 1.2345, 'grad_norm': 0.8, 'learning_rate': 2e-05, 'epoch': 0.1}
Saving model to ./ckpt
worker-3:311:402 [2] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.3<0>
INFO 01-05 Initializing a V1 LLM engine with config: model='m', enable_sleep_mode=True, enforce_eager=False
Capturing CUDA graph shapes: 100%|##########| 35/35
Namespace(train=Namespace(partial_rollout_enable=False, async_enable=False), data=Namespace(max_samples=8))
Reading recipes/grpo/config.yaml
UserWarning: this is only a warning. If you think it is a mistake, please file an issue.
timing/broadcast=1.2, vllm_kl=0.0004, ppo_clip_ratio=0.12, frac_reward_zero_std=0.3
"""


@pytest.mark.parametrize(("name", "line"), LINES, ids=[f"{name}-{line[:30]}" for name, line in LINES])
def test_a_symptom_is_found_in_what_shows_it(name: str, line: str) -> None:
    assert name in [sign.symptom.name for sign in signs(line)]


@pytest.mark.parametrize("symptom", symptoms(), ids=lambda one: one.name)
def test_every_entry_has_examples_and_is_found_by_name(symptom: Symptom) -> None:
    assert EXAMPLES[symptom.name]
    assert [sign.symptom for sign in signs(symptom.name)] == [symptom]
    assert symptom.causes
    assert all(cause.endswith(".") for cause in symptom.causes)


@pytest.mark.parametrize("symptom", symptoms(), ids=lambda one: one.name)
def test_every_entry_says_what_to_do_and_where_it_holds(symptom: Symptom) -> None:
    assert symptom.remedies
    for text in (*symptom.causes, *symptom.remedies, *(truth.statement for truth in symptom.truths)):
        assert text.endswith(".")
        assert text.isprintable()
    for truth in symptom.truths:
        assert truth.package in ("openrlhf", "trl")
        assert isinstance(truth.holds("1.0"), bool)
    assert all(metric.framework in ("", "openrlhf", "trl") for metric in symptom.metrics)


def test_what_holds_depends_on_the_release() -> None:
    (one,) = (symptom for symptom in symptoms() if symptom.name == "nccl-timeout")
    assert [truth.statement for truth in one.truths if truth.holds("0.5.4")] == ["The limit is 30 minutes."]
    assert [truth.statement for truth in one.truths if truth.holds("0.11.2")] == ["The limit is 60 minutes."]


def test_examples_are_of_entries_that_exist() -> None:
    assert set(EXAMPLES) == {symptom.name for symptom in symptoms()}


def test_rules_and_settings_exist() -> None:
    codes = {rule.code for rule in load_all()}
    known = {"openrlhf": {name for one in ("train_ppo_ray", "train_sft") for name, _ in leaves(openrlhf_model(one))}}
    known["trl"] = {name for program in PROGRAMS for name in _of(program)}
    assert len(symptoms()) > 20
    for symptom in symptoms():
        assert set(symptom.rules) <= codes, symptom.name
        for family, names in symptom.settings.items():
            assert set(names) <= known[family], symptom.name


def _of(program: str) -> list[str]:
    try:
        return [name for name, _ in leaves(trl_model(program))]
    except KeyError:
        return []


def test_a_healthy_log_shows_nothing() -> None:
    assert [(sign.symptom.name, sign.text) for sign in signs(QUIET)] == []


def test_the_first_line_that_shows_it_is_told() -> None:
    (sign,) = signs(f"{QUIET}RuntimeError: CUDA error: invalid device ordinal\nagain: invalid device ordinal\n")
    assert (sign.line, sign.text) == (QUIET.count("\n") + 1, "RuntimeError: CUDA error: invalid device ordinal")


def test_colours_of_a_terminal_do_not_hide_a_message() -> None:
    assert signs("\x1b[36m(pid=1)\x1b[0m invalid \x1b[31mdevice\x1b[0m ordinal")[0].symptom.name == "invalid-device"


def test_the_special_stands_in_front_of_the_general() -> None:
    found = [sign.symptom.name for sign in signs("OOM when saving\nCUDA out of memory")]
    assert found == ["save-oom", "train-oom"]


def test_of_a_very_long_log_the_end_counts() -> None:
    filler = "\n".join(
        f"word{'x' * (number % 7)}{chr(97 + number % 26)}{'y' * (number // 26)}"[:300] for number in range(400)
    )
    numbers = "\n".join(f"step {number} of {number * 2}" for number in range(3 * MOST_LINES))
    assert signs(f"{numbers}\n{filler}\ninvalid device ordinal")[0].line == 3 * MOST_LINES + 401


def test_only_the_beginning_of_a_line_counts() -> None:
    assert signs(f"{'x' * LONGEST_LINE} invalid device ordinal") == ()


@given(st.text())
def test_any_text_is_answered(text: str) -> None:
    for sign in signs(text):
        assert sign.line >= 1
