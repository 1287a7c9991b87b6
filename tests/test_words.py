"""Words of a command as settings and as values."""

from __future__ import annotations

import pytest

from rlhflint.catalog.option import Option
from rlhflint.given import Given
from rlhflint.text import Span, Traced
from rlhflint.value import Known, OneOf, Unknown
from rlhflint.words import held_value, setting_of, value_for, value_of_words

PLACE = Span("a.sh", 0, 1)


def word(text: str) -> Traced:
    return Traced.made(text, PLACE)


def unknown(because: str, default: str | None = None) -> Traced:
    return Traced.hole(because, PLACE, default=default)


def test_no_words_one_word_and_several() -> None:
    assert value_of_words(()) == Known(True)
    assert value_of_words((), nothing=[]) == Known([])
    assert value_of_words((word("a"),)) == Known("a")
    assert value_of_words((word("a"), word("b"))) == Known(["a", "b"])


def test_one_word_may_have_a_default_and_several_have_their_reasons() -> None:
    assert value_of_words((unknown("why", "8"),)) == OneOf("8", "why")
    assert value_of_words((word("a"), unknown("why"), unknown("why"), unknown("other"))) == Unknown("why; other")


def test_a_setting_spans_the_words_of_its_value() -> None:
    text = Traced.of_file("a.sh", "--sizes 16 32 ", 10)
    made = setting_of(text[:7], (text[8:10], text[11:13]), ("data.sizes",), PLACE)
    assert (made.name, made.value, made.canonical) == ("--sizes", Known(["16", "32"]), ("data.sizes",))
    assert (made.name_span, made.value_span) == (Span("a.sh", 10, 17), Span("a.sh", 18, 23))


def test_a_name_that_stands_nowhere_is_at_the_place_of_the_launch() -> None:
    assert setting_of(Traced.made("--x", None), (), (), PLACE, joined=True).name_span == PLACE


@pytest.mark.parametrize(
    ("option", "words", "held"),
    [
        (Option("--n", "n", "int"), ("8",), 8),
        (Option("--n", "n", "int", nargs="+"), ("8", "9"), [8, 9]),
        (Option("--s", "s", action="store_true"), (), True),
    ],
)
def test_words_are_converted_as_the_option_says(option: Option, words: tuple[str, ...], held: object) -> None:
    value = value_for(option, [word(one) for one in words])
    assert isinstance(value, Given)
    assert held_value(value) == held


def test_a_value_that_is_missing_loose_unknown_or_refused_is_not_known() -> None:
    number = Option("--n", "n", "int")
    assert value_for(number, ()) == Unknown("its value is missing")
    assert value_for(number, (unknown("why", "8"),)) == OneOf("8", "why")
    assert isinstance(value_for(Option("--n", "n", loose=True), (word("8"),)), Unknown)
    assert held_value(value_for(number, (word("x"),))) == Unknown("its value is not valid")
