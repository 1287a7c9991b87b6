"""Words behind the trainer as Hydra reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.frameworks.verl.overrides import kind_of, read
from rlhflint.text import HOLE, Traced

KINDS = {
    "int": ["0", "-1", "+7", "1_000"],
    "float": ["1e-6", ".5", "5.", "-1.5E+3", "inf", "nan", "01"],
    "bool": ["true", "False", "TRUE"],
    "list": ["[1,2]", "[]"],
    "dict": ["{a: 1}"],
    "str": ["no", "off", "vllm", "a/b.parquet", "'1'", '"true"', "1.2.3", "", "1e", "_1"],
    "any": ["null", "NULL", "${x.y}", "a_${x}", "1,2", "choice(1,2)", HOLE],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in KINDS.items() for text in texts])
def test_a_value_is_of_the_kind_that_the_grammar_says(kind: str, text: str) -> None:
    assert kind_of(text) == kind


def words(*texts: str) -> list[Traced]:
    """Words of a command."""
    return [Traced.hole("$X is not known") if text == HOLE else Traced.of_file("a.sh", text) for text in texts]


@pytest.mark.parametrize(
    ("text", "prefix", "name", "value"),
    [
        ("a.b=1", "", "a.b", "1"),
        ("+a.b=c=d", "+", "a.b", "c=d"),
        ("++a=", "++", "a", ""),
        ("~a.b", "~", "a.b", None),
        ("~a.b=1", "~", "a.b", "1"),
        ("rollout@x.y=z", "", "rollout@x.y", "z"),
    ],
)
def test_an_override(text: str, prefix: str, name: str, value: str | None) -> None:
    (one,) = read(words(text)).overrides
    assert (one.prefix, one.setting) == (prefix, name)
    assert (one.value.text if one.value is not None else None) == value


@pytest.mark.parametrize("text", ["plain", "=1", "+=1", "1a=2", "a b=1", "+", "~", ""])
def test_a_word_that_is_no_override_is_left_out(text: str) -> None:
    assert read(words(text)).overrides == []


def test_options_of_hydra_with_their_values() -> None:
    read_words = read(words("--config-name", "x", "-cp=conf", "--cfg", "job", "-m", "a=1"))
    assert {name: word.text for name, word in read_words.configuration.items()} == {"name": "x", "path": "conf"}
    assert [one.setting for one in read_words.overrides] == ["a"]


def test_words_that_are_not_known_may_be_more_overrides() -> None:
    assert read(words("a=1", HOLE)).more == "$X is not known"
    assert read(words("a=1")).more == ""


@given(st.lists(st.text("ab.=+~@/-_,[]{}'1 ", max_size=8)))
def test_any_words_are_read(texts: list[str]) -> None:
    for one in read(words(*texts)).overrides:
        assert one.name.text == one.prefix + one.setting
        assert kind_of(one.value.text if one.value is not None else "") in KINDS
