"""Any command line put to upstream's own parser and to rlhflint: both refuse it, or both read the same values.

`RLHFLINT_ALL_RELEASES=1` asks every release; `RLHFLINT_LAUNCHES` is how many launches each entry point is asked.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shlex

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlhflint.catalog.accepted import accepted_at
from rlhflint.check import Checker
from rlhflint.finding import Severity, Stage
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.given import Given
from rlhflint.project.settings import Settings
from tests.oracle.openrlhf import live_parser
from tests.sample import sampled

CATALOG = openrlhf()
RELEASES = sampled(
    (
        *("0.5.0", "0.5.7", "0.6.0", "0.6.4", "0.7.0.post1", "0.7.5", "0.8.0"),
        *("0.8.9.post1", "0.9.0", "0.9.8", "0.10.1.post2", "0.11.2"),
    ),
    list(CATALOG.releases),
)
LAUNCHES = int(os.environ.get("RLHFLINT_LAUNCHES", "12"))
BROKEN = "OR114"
"""The rule on programs that do not work: some fail while they build their parser."""
VALUES = ("8", "1e5", "-1", "-1e-6", "0.5", "True", "gae", "eager", "a b", "", "'", "{}", "x=y")


@st.composite
def words_for(draw: st.DrawFn, spellings: tuple[str, ...]) -> list[str]:
    """Flags as they are, shortened or misspelt, with values that may fit, in any number."""
    words: list[str] = []
    for _ in range(draw(st.integers(0, 5))):
        flag = draw(st.sampled_from(spellings))
        match draw(st.integers(0, 9)):
            case 0:
                flag = flag[: draw(st.integers(3, max(len(flag), 3)))]
            case 1:
                flag += "x"
        values = draw(st.lists(st.sampled_from(VALUES), max_size=2))
        if values and draw(st.integers(0, 3)) == 0:
            words.append(f"{flag}={values.pop(0)}")
        else:
            words.append(flag)
        words += values
    return words


def upstream(parser: argparse.ArgumentParser, words: list[str]) -> dict[str, object] | None:
    """The values that the parser gives, by destination; None where it refuses."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return vars(parser.parse_args(words))
        except SystemExit:
            return None


def named(release: str) -> tuple[str, ...]:
    return tuple(program for program in CATALOG.programs if CATALOG.program(program).options(release))


@pytest.mark.parametrize(
    ("release", "program"), [(release, program) for release in RELEASES for program in named(release)]
)
def test_parser_and_linter_agree(release, program, released_wheel):
    parser = live_parser(released_wheel("openrlhf", release), program)
    options = accepted_at(CATALOG.program(program), release).options
    required = [word for option in options.values() if option.required for word in (option.flag, "8")]
    checker = Checker(Settings(framework_versions={"openrlhf": release}))
    if parser is None:
        result = checker.check_text(f"python3 -m openrlhf.cli.{program} {shlex.join(required)}\n", "train.sh")
        assert [one.code for one in result.findings if one.severity is Severity.ERROR] == [BROKEN]
        return

    @settings(
        max_examples=LAUNCHES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(words_for(tuple(flag for flag in options if flag not in ("-h", "--help"))))
    def agree(words: list[str]) -> None:
        words = [*required, *words]
        expected = upstream(parser, words)
        result = checker.check_text(f"python3 -m openrlhf.cli.{program} {shlex.join(words)}\n", "train.sh")
        refusals = [
            one.code
            for one in result.findings
            if one.severity is Severity.ERROR and one.stage is Stage.PARSE and one.code.startswith("OR1")
        ]
        assert bool(refusals) == (expected is None), (words, refusals)
        if expected is not None:
            [judged] = result.launches
            for argument in judged.launch.details.reading.arguments:
                for name in accepted_at(CATALOG.program(program), release).fields(argument.option.flag):
                    given_value = judged.launch.values[name]
                    assert isinstance(given_value, Given)
                    assert given_value.convert(given_value.raw) == expected[argument.option.dest]

    agree()
