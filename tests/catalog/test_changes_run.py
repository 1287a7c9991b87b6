"""Every change of the overlay, put to upstream's own parsers on both sides of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rlhflint.catalog.changes import Kind, Step
from rlhflint.catalog.option import Option
from rlhflint.catalog.program import Program
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from tests.oracle.openrlhf import run
from tests.sample import sampled

CHANGED = sorted(
    {
        step.release
        for name in openrlhf().programs
        for steps in openrlhf().program(name).steps.values()
        for step in steps
    },
    key=openrlhf().releases.position,
)
SAMPLE = ("0.6.4", "0.8.10", "0.9.2", "0.9.3", "0.9.8", "0.10.2", "0.11.2")


def steps_at(program: Program, release: str, *kinds: Kind) -> Iterator[tuple[Step, str]]:
    """The steps of a program at a release, each with the last release that accepted its flag."""
    for flag, steps in program.steps.items():
        for step in steps:
            if step.release == release and step.kind in kinds:
                earlier = [
                    accepting
                    for accepting in program.releases_accepting(flag)
                    if program.releases.position(accepting) < program.releases.position(release)
                ]
                yield step, earlier[-1]


def releases_with(*kinds: Kind) -> list[str]:
    """The releases looked at that have steps of these kinds."""
    programs = [openrlhf().program(name) for name in openrlhf().programs]
    return [one for one in sampled(SAMPLE, CHANGED) if any(any(steps_at(each, one, *kinds)) for each in programs)]


def words_for(option: Option) -> list[str]:
    """Words that give an option a value other than its default."""
    if option.switch:
        return []
    one = {"int": "7", "float": "0.125"}.get(option.type, "text")
    if option.choices:
        one = str(next(choice for choice in reversed(option.choices) if choice != option.default))
    return [one] * (option.nargs if isinstance(option.nargs, int) else 1)


def required(program: Program, release: str) -> list[str]:
    """Words for the options that a program insists on."""
    options = {option.flag: option for option in program.options(release).values() if option.required}
    return [word for flag, option in options.items() for word in (flag, *words_for(option))]


@pytest.mark.parametrize("release", releases_with(Kind.RENAMED, Kind.SPLIT))
def test_renamed_and_split_flags_carry_their_values_over(released_wheel, release):
    carried = 0
    for name in openrlhf().programs_at(release):
        program = openrlhf().program(name)
        old_argv: dict[str, list[str]] = {}
        new_argv, pairs = required(program, release), []
        for step, last in steps_at(program, release, Kind.RENAMED, Kind.SPLIT):
            option = program.option(step.flag, last)
            words = words_for(option)
            old_argv.setdefault(last, required(program, last))
            old_argv[last] += [step.flag, *words]
            for flag in step.to:
                new_argv += [flag, *words]
                pairs.append((last, option.dest, program.option(flag, release).dest))
        new = run(released_wheel("openrlhf", release), name, new_argv)
        assert new.parses, (name, new.message)
        before = {}
        for last, argv in old_argv.items():
            before[last] = run(released_wheel("openrlhf", last), name, argv)
            assert before[last].parses, (name, before[last].message)
            assert not run(released_wheel("openrlhf", release), name, argv).parses, name
        for last, old_dest, new_dest in pairs:
            assert before[last].parsed[old_dest] == new.parsed[new_dest], (name, old_dest)
        carried += len(pairs)
    assert carried


GONE = (Kind.REMOVED, Kind.INVERTED, Kind.REPLACED)


@pytest.mark.parametrize("release", releases_with(*GONE))
def test_flags_that_went_are_refused_from_that_release_on(released_wheel, release):
    refused = 0
    for name in openrlhf().programs_at(release):
        program = openrlhf().program(name)
        for step, last in steps_at(program, release, *GONE):
            if program.accepts(step.flag, release):
                continue
            argv = [step.flag, *words_for(program.option(step.flag, last))]
            old = run(released_wheel("openrlhf", last), name, [*required(program, last), *argv])
            new = run(released_wheel("openrlhf", release), name, [*required(program, release), *argv])
            assert old.parses, (name, step.flag, old.message)
            assert not new.parses, (name, step.flag)
            assert "unrecognized arguments" in new.message
            refused += 1
    assert refused


def releases_replacing() -> list[str]:
    """The releases looked at in which several options took the place of others."""
    replaced = {one.release for name in openrlhf().programs for one in openrlhf().program(name).replacements}
    return [one for one in sampled(SAMPLE, CHANGED) if one in replaced]


@pytest.mark.parametrize("release", releases_replacing())
def test_values_of_replaced_options_are_taken_on_both_sides(released_wheel, release):
    before, asked = openrlhf().releases.before(release), 0
    for name in openrlhf().programs_at(release):
        program = openrlhf().program(name)
        for replacement in program.replacements:
            if replacement.release != release:
                continue
            for case in replacement.cases:
                lengths = {flag: 64 for flag in replacement.pairs if "max_len" in flag and flag not in case.unset}
                old = {**lengths, **dict.fromkeys(case.unset), **case.given}
                threshold = "--vllm_is_truncated_threshold"
                old |= {threshold: 2.0} if threshold in replacement.pairs else {}
                new = replacement.convert(old)
                assert accepts(released_wheel, program, before, old), (name, old)
                assert new is None or accepts(released_wheel, program, release, new), (name, new)
                assert (new is None) is bool(case.inexact)
                asked += 1
    assert asked


def accepts(released_wheel, program: Program, release: str, values: dict[str, object]) -> bool:
    """Whether upstream takes these values and then holds them."""
    argv = required(program, release)
    expected = {}
    for flag, value in values.items():
        option = program.option(flag, release)
        if option.switch:
            argv += [flag] if value else []
        elif value is not None:
            argv += [flag, *map(str, value if isinstance(value, list) else [value])]
        expected[option.dest] = value
    verdict = run(released_wheel("openrlhf", release), program.name, argv)
    return verdict.parses and {dest: verdict.parsed[dest] for dest in expected} == expected
