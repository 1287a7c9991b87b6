"""TRL's configurations, written in many ways: judged the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import chdir

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .test_metamorphic import findings

Pairs = Sequence[tuple[str, str]]
OPTIONS = (
    ("output_dir", "'out'"),
    ("beta", "0.04"),
    ("no_such_option", "1"),
    ("max_prompt_length", "512"),
    ("num_generations", "1"),
    ("per_device_train_batch_size", "3"),
    ("loss_type", "'grpoo'"),
    ("scale_rewards", "'batchh'"),
    ("learning_rate", "'1e-5'"),
    ("bf16", "True"),
    ("fp16", "True"),
    ("use_vllm", "True"),
    ("vllm_mode", "'colocated'"),
    ("epsilon_high", "0.1"),
    ("max_completion_length", "256"),
    ("steps_per_generation", "3"),
    ("gradient_accumulation_steps", "2"),
)
PAIRS = st.lists(st.sampled_from(OPTIONS), min_size=2, max_size=8, unique_by=lambda pair: pair[0])


@pytest.fixture(autouse=True, scope="module")
def _elsewhere(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A folder that says nothing about releases."""
    folder = tmp_path_factory.mktemp("trl")
    (folder / ".git").mkdir()
    with chdir(folder):
        yield


def _keywords(pairs: Pairs, between: str = ", ") -> str:
    return between.join(f"{name}={value}" for name, value in pairs)


def plain(pairs: Pairs) -> str:
    return f"from trl import GRPOConfig\nargs = GRPOConfig({_keywords(pairs)})\n"


PYTHON: dict[str, Callable[[Pairs], str]] = {
    "another order": lambda pairs: plain(list(reversed(pairs))),
    "a line each": lambda pairs: plain(pairs).replace(", ", ",  # no_such=1\n    "),
    "carriage returns": lambda pairs: plain(pairs).replace("\n", "\r\n"),
    "another name for the class": lambda pairs: (
        f"from trl import GRPOConfig as Config\nargs = Config({_keywords(pairs)})\n"
    ),
    "the module's name in front": lambda pairs: f"import trl\nargs = trl.GRPOConfig({_keywords(pairs)})\n",
    "values in variables": lambda pairs: (
        "from trl import GRPOConfig\n"
        + "".join(f"MY_{name.upper()} = {value}\n" for name, value in pairs)
        + f"args = GRPOConfig({_keywords([(name, 'MY_' + name.upper()) for name, _ in pairs])})\n"
    ),
    "a dictionary": lambda pairs: (
        "from trl import GRPOConfig\noptions = {"
        + ", ".join(f'"{name}": {value}' for name, value in pairs)
        + "}\nargs = GRPOConfig(**options)\n"
    ),
    "dict()": lambda pairs: f"from trl import GRPOConfig\nargs = GRPOConfig(**dict({_keywords(pairs)}))\n",
    "a function": lambda pairs: (
        f"from trl import GRPOConfig\n\n\ndef main():\n    args = GRPOConfig({_keywords(pairs)})\n\n\nmain()\n"
    ),
    "a branch": lambda pairs: f"from trl import GRPOConfig\nif True:\n    args = GRPOConfig({_keywords(pairs)})\n",
}


@pytest.mark.parametrize("spelling", PYTHON)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(pairs=PAIRS)
def test_however_a_configuration_is_written_in_python(spelling: str, pairs: Pairs) -> None:
    text = PYTHON[spelling](pairs)
    assert findings(text, "a.py")[0] == findings(plain(pairs), "a.py")[0], text


def test_what_is_written_is_judged_at_all() -> None:
    found = {code for code, _ in findings(plain(OPTIONS), "a.py")[0]}
    assert len(found) >= 5, found


def _yaml(pairs: Pairs) -> str:
    lines = "".join(f"{name}: {_scalar(value)}\n" for name, value in pairs)
    return "# rlhflint: program=trl:grpo\nmodel_name_or_path: org/model\ndataset_name: org/data\n" + lines


def _scalar(value: str) -> str:
    return {"True": "true"}.get(value, value)


YAML: dict[str, Callable[[Pairs], str]] = {
    "another order": lambda pairs: _yaml(list(reversed(pairs))),
    "comments": lambda pairs: _yaml(pairs).replace("\n", "  # no_such: 1\n").replace("grpo  # no_such: 1", "grpo"),
    "carriage returns": lambda pairs: _yaml(pairs).replace("\n", "\r\n"),
    "other quotes": lambda pairs: _yaml(pairs).replace("'", '"'),
    "keys in quotes": lambda pairs: _yaml([(f'"{name}"', value) for name, value in pairs]),
    "an empty line behind each": lambda pairs: _yaml(pairs).replace("\n", "\n\n"),
    "anchors": lambda pairs: _yaml([(name, f"&anchor_{name} {_scalar(value)}") for name, value in pairs]),
}


@pytest.mark.parametrize("spelling", YAML)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(pairs=PAIRS)
def test_however_a_configuration_is_written_in_yaml(spelling: str, pairs: Pairs) -> None:
    text = YAML[spelling](pairs)
    found, places = findings(text, "a.yaml")
    places = sorted(re.sub(r"(\w+):&anchor_\1", r"\1:", place) for place in places)
    assert (found, places) == findings(_yaml(pairs), "a.yaml"), text
