"""The catalog is what upstream's own parsers hold, option by option."""

from __future__ import annotations

import argparse

import pytest

from rlhflint.catalog.option import Option, read_options
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.value import Unknown
from tests.oracle.openrlhf import entries, live_parser
from tests.sample import sampled

SAMPLE = ("0.4.6", "0.5.9.post1", "0.6.3", "0.7.4", "0.8.9", "0.9.5", "0.10.1.post2", "0.10.2", "0.11.2")


@pytest.mark.parametrize("release", sampled(SAMPLE, openrlhf().releases))
def test_every_option_of_every_program_is_as_the_live_parser_has_it(released_wheel, release):
    wheel = released_wheel("openrlhf", release)
    assert entries(wheel) == openrlhf().programs_at(release)
    for name in entries(wheel):
        program = openrlhf().program(name)
        parser = live_parser(wheel, name)
        broken = any(row.stage == "parse" and row.when is None for row in program.broken(release))
        assert (parser is None) is broken, name
        if parser is None:
            continue
        live = {action.option_strings[-1]: action for action in parser._actions if action.dest != "help"}
        held = {option.flag: option for option in program.options(release).values() if option.action != "help"}
        assert set(held) == set(live), name
        for flag, action in live.items():
            assert described(held[flag]) == seen(parser, action, held[flag]), (name, flag)
        assert parser.allow_abbrev


def described(option: Option) -> dict[str, object]:
    """What the catalog says of an option."""
    return {
        "spellings": {option.flag, *option.aliases},
        "dest": option.dest,
        "type": option.type,
        "default": option.default,
        "choices": option.choices,
        "nargs": option.nargs,
        "switch": option.switch,
        "required": option.required,
    }


def seen(parser: argparse.ArgumentParser, action: argparse.Action, option: Option) -> dict[str, object]:
    """The same of a live one. A default that is worked out at the start is taken as the catalog has it."""
    switch = isinstance(action, (argparse._StoreTrueAction, argparse._StoreFalseAction))
    default = parser._get_value(action, action.default) if isinstance(action.default, str) else action.default
    default = list(default) if isinstance(default, tuple) else default
    return {
        "spellings": set(action.option_strings),
        "dest": action.dest,
        "type": "bool" if switch else action.type.__name__ if action.type else "str",
        "default": option.default if isinstance(option.default, Unknown) else default,
        "choices": tuple(action.choices) if action.choices is not None else None,
        "nargs": None if switch else action.nargs,
        "switch": switch,
        "required": action.required,
    }


def test_a_default_is_unknown_only_where_upstream_works_it_out(released_wheel):
    unknown = {
        (name, flag)
        for name in openrlhf().programs
        for flag in openrlhf().program(name).flags
        for interval in openrlhf().program(name).history(flag)
        if isinstance(read_options(flag, interval.state)[0].default, Unknown)
    }
    assert {flag for _, flag in unknown} == {"--wandb_run_name", "--logger.wandb.run_name", "--tp_size"}


def test_a_flag_registered_after_parsing_is_not_accepted():
    program = openrlhf().program("train_kto")
    assert not program.accepts("--use_ms", "0.6.0")
    assert "--use_ms" not in program.options("0.6.0")
    assert program.accepts("--use_ms", "0.7.0")
    assert "0.6.0" not in program.releases_accepting("--use_ms")
