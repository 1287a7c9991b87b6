"""Words are read as argparse reads them."""

from __future__ import annotations

import argparse
import contextlib
import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlhflint.arguments import Mistake, Reading, read_arguments
from rlhflint.catalog.option import Option, options_by_spelling
from rlhflint.conversion import converter
from rlhflint.text import Traced

ROWS: dict[str, dict[str, Any]] = {
    "--train.batch_size": {"type": "int", "default": 128},
    "--train.micro_batch_size": {"type": "int", "default": 1},
    "--train.colocate_all": {"action": "store_true"},
    "--train.colocate_actor_ref": {"action": "store_true"},
    "--reward.clip_range": {"type": "float", "nargs": 2, "default": [-10, 10]},
    "--ds.lora.target_modules": {"nargs": "*", "default": "all-linear"},
    "--threshold": {"type": "float", "nargs": "+", "default": [0.5, 5.0]},
    "--estimator": {"choices": ["gae", "rloo"], "default": "gae"},
    "--path": {},
}
OPTIONS = options_by_spelling(ROWS)
WORDS = [
    *ROWS,
    *("--train.batch", "--train.colocate_a", "--train", "--estim", "--unknown", "--est=rloo", "--path=", "--path=x=y"),
    *("--train.batch_size=8", "--train.colocate_all=True", "--reward.clip_range=1", "--threshold=1", "--unknown=3"),
    *("8", "1e5", "-1", "-1.5", "-1e1", "-.5", "0.5", "rloo", "ppo", "True", "", "a b", "-a b", "-", "-x", "a=b", "--"),
]


def parser_of(rows: dict[str, dict[str, Any]]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    types = {"int": int, "float": float}
    for flag, row in rows.items():
        keywords = {key: types.get(str(value), value) if key == "type" else value for key, value in row.items()}
        parser.add_argument(flag, **keywords)
    return parser


def upstream(words: list[str]) -> dict[str, object] | None:
    """The values argparse gives, None where it refuses."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return vars(parser_of(ROWS).parse_args(words))
        except SystemExit:
            return None


def ours(words: list[str]) -> dict[str, object] | None:
    reading = read(words)
    if reading.troubles:
        return None
    values = {option.dest: option.default for option in OPTIONS.values() if option.flag != "--help"}
    for argument in reading.arguments:
        try:
            values[argument.option.dest] = converter(argument.option)([word.text for word in argument.values])
        except ValueError:
            return None
    return values


def read(words: list[str]) -> Reading:
    return read_arguments([Traced.made(word, None) for word in words], OPTIONS)


@settings(max_examples=3000, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=7))
def test_accepts_and_gives_the_values_that_argparse_does(words: list[str]) -> None:
    assert ours(words) == upstream(words)


@pytest.mark.parametrize(
    ("words", "mistake", "text"),
    [
        (["--train.bacth_size", "8"], Mistake.UNKNOWN, "--train.bacth_size"),
        (["--train.colocate_a"], Mistake.AMBIGUOUS, "--train.colocate_a"),
        (["--train.colocate_all", "True"], Mistake.STRAY_WORD, "True"),
        (["--train.colocate_all=True"], Mistake.SURPLUS_VALUE, "--train.colocate_allTrue"),
        (["--train.batch_size", "--path", "x"], Mistake.MISSING_VALUE, "--train.batch_size"),
        (["--reward.clip_range", "-1e1", "10"], Mistake.MISSING_VALUE, "--reward.clip_range"),
    ],
)
def test_says_how_a_word_is_wrong(words: list[str], mistake: Mistake, text: str) -> None:
    trouble = read(words).troubles[0]
    assert (trouble.mistake, trouble.word.text) == (mistake, text)


def test_goes_on_behind_a_mistake() -> None:
    reading = read(["--unknown", "3", "--train.batch_size", "8", "stray", "--estimator", "gae"])
    assert [argument.option.flag for argument in reading.arguments] == ["--train.batch_size", "--estimator"]
    assert [trouble.word.text for trouble in reading.troubles] == ["--unknown", "stray"]


def test_an_unknown_word_is_a_value_where_one_is_due() -> None:
    words = [Traced.made("--train.batch_size", None), Traced.hole("$BS is not set"), Traced.made("--path", None)]
    reading = read_arguments([*words, Traced.made("x", None)], OPTIONS)
    assert [len(argument.values) for argument in reading.arguments] == [1, 1]
    assert not reading.more


def test_an_unknown_word_elsewhere_may_be_further_options() -> None:
    words = [Traced.made("--path", None), Traced.made("x", None), Traced.hole("$EXTRA is not set", many=True)]
    reading = read_arguments(words, OPTIONS)
    assert reading.more == "$EXTRA is not set"
    assert not reading.troubles


def test_a_unique_beginning_is_told_from_the_whole_name() -> None:
    reading = read(["--train.batch", "8", "--path", "x"])
    assert [argument.abbreviated for argument in reading.arguments] == [True, False]


def test_help_is_an_option_of_every_program() -> None:
    assert isinstance(OPTIONS["-h"], Option)
    assert not read(["-h"]).troubles
