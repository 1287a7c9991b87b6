"""Options as the data files hold them."""

from __future__ import annotations

import argparse

from hypothesis import given
from hypothesis import strategies as st

from rlhflint.catalog.option import Option, options_by_spelling, read_options
from rlhflint.value import Unknown


def one(row: dict) -> Option:
    (option,) = read_options("--a-b", row)
    return option


def test_missing_keys_have_argparses_meaning():
    assert one({}) == Option("--a-b", "a_b", "str", None, None, None, "store")
    assert one({"action": "store_true"}).default is False
    assert one({"action": "store_false"}).default is True
    assert one({"action": "store_true", "default": None}).default is None


def test_text_defaults_are_converted_as_words_would_be():
    assert one({"type": "int", "default": "2048"}).default == 2048
    assert one({"type": "float", "default": "1e-5"}).default == 1e-5
    assert one({"type": "float", "default": 1}).default == 1
    assert one({"default": "1.0"}).default == "1.0"


def test_infinity_is_a_number_and_other_expressions_are_not_known():
    assert one({"type": "float", "default": {"expr": "inf"}}).default == float("inf")
    assert isinstance(one({"default": {"expr": "datetime.now()"}}).default, Unknown)


def test_an_option_of_which_only_the_name_is_known_takes_anything():
    for row in ({"open": True}, {"nargs": {"expr": "COUNT"}}, {"action": {"expr": "Own"}}, {"nargs": "..."}):
        assert (one(row).loose, one(row).nargs, one(row).choices) == (True, "*", None)


def test_choices_do_not_count_where_the_words_are_converted_by_a_function():
    option = one({"type": {"expr": "str.lower"}, "choices": ["a", "b"]})
    assert (option.loose, option.choices) == (True, None)


def test_a_pair_of_switches_is_two_options_of_one_destination():
    found = options_by_spelling({"--x": {"action": "BooleanOptionalAction", "default": True, "aliases": ["--no-x"]}})
    assert (found["--x"].action, found["--no-x"].action) == ("store_true", "store_false")
    assert found["--x"].dest == found["--no-x"].dest == "x"
    assert found["--x"].default is found["--no-x"].default is True


def test_every_spelling_is_a_key_and_help_is_there():
    found = options_by_spelling({"--num": {"aliases": ["-n"]}, "--late": {"after_parse": True}})
    assert set(found) == {"--num", "-n", "--help", "-h"}
    assert found["-n"] is found["--num"]


@given(st.text(st.characters(categories=["L", "N", "P"]), min_size=1).filter(lambda text: text.strip("-")))
def test_the_destination_is_argparses_own(name):
    flag = "--" + name.strip("-")
    action = argparse.ArgumentParser(add_help=False).add_argument(flag)
    (option,) = read_options(flag, {})
    assert option.dest == action.dest
