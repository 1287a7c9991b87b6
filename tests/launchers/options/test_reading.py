"""A launcher's options, compared with the parsers that launchers are built on."""

import argparse
import getopt

import click
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from launchers.written import texts, words
from rlhflint.command import Command
from rlhflint.launchers import start_of
from rlhflint.launchers.options.reading import read_options
from rlhflint.launchers.options.table import Style, launcher_table, written_table
from rlhflint.text import Span, Traced

TORCHRUN = launcher_table("torchrun")
VALUES = st.sampled_from(["1", "-1", "a", "x.py", "pkg.mod", "", "a=b", "localhost:0,1", "-n"])


def spellings(table):
    return sorted(table.options)


def argument_words(table):
    """Words as people give them: options in full or cut short, joined or not, values, other words."""
    name = st.sampled_from(spellings(table))
    cut = st.builds(lambda text, keep: text[: max(3, len(text) - keep)], name, st.integers(0, 6))
    word = st.one_of(name, cut, VALUES, st.builds("{}={}".format, st.one_of(name, cut), VALUES), st.just("--"))
    return st.lists(word, max_size=8)


def made(items):
    return [Traced.made(item, None) for item in items]


class _Refused(Exception):
    pass


def argparse_of(table):
    class Parser(argparse.ArgumentParser):
        def error(self, message):
            raise _Refused(message)

    parser = Parser(add_help=False, allow_abbrev=table.abbreviations)
    byname = {}
    for spelling, option in table.options.items():
        byname.setdefault(option, []).append(spelling)
    for option, names in byname.items():
        parser.add_argument(*names, dest=option.name, action="append" if option.values else "store_true", default=None)
    parser.add_argument("target")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    return parser


@pytest.mark.parametrize("launcher", ["deepspeed", "torchrun", "accelerate launch"])
@settings(deadline=None)
@given(data=st.data())
def test_what_argparse_accepts_is_read_as_argparse_reads_it(launcher, data):
    table = launcher_table(launcher.replace(" ", "_"))
    items = data.draw(argument_words(table))
    try:
        parsed = vars(argparse_of(table).parse_args(items))
    except _Refused:
        assume(False)
    found = start_of(Command(tuple(made([*launcher.split(), *items])), Span("run.sh", 0, 0)))
    ours = {}
    for option in found.wrappers[0].options:
        if option.value is None:
            ours[option.name] = True
        else:
            ours.setdefault(option.name, []).append(option.value.text)
    assert (found.target.text, texts(found.arguments)) == (parsed.pop("target"), parsed.pop("rest"))
    assert ours == {name: value for name, value in parsed.items() if value is not None}


GETOPT = written_table("tool", "-a|--alpha= -b|--beta -c|--alphabet= -d|--delta")


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "-a",
                "-b",
                "-c1",
                "-bd",
                "-dba",
                "1",
                "--alpha",
                "--al",
                "--alpha=2",
                "--alphabet=3",
                "--be",
                "--delta",
                "--",
                "x",
                "-1",
            ]
        ),
        max_size=7,
    )
)
def test_what_getopt_accepts_is_read_as_getopt_reads_it(items):
    try:
        options, rest = getopt.getopt(items, "a:bc:d", ["alpha=", "beta", "alphabet=", "delta"])
    except getopt.GetoptError:
        assume(False)
    reading = read_options(made(items), GETOPT)
    short = {"alpha": "a", "beta": "b", "alphabet": "c", "delta": "d"}
    ours = [(short[option.name], option.value.text if option.value is not None else "") for option in reading.options]
    assert ours == [(short.get(name.lstrip("-"), name.lstrip("-")), value) for name, value in options]
    assert items[reading.stop :] == rest


SUBMIT = launcher_table("ray_job_submit")


def submission(words):
    """What click makes of the words of `ray job submit`: options and entrypoint."""
    seen = {}

    @click.command()
    @click.argument("entrypoint", nargs=-1, required=True, type=click.UNPROCESSED)
    @click.option("--address", multiple=True)
    @click.option("--working-dir", multiple=True)
    @click.option("--headers", multiple=True)
    @click.option("--no-wait", is_flag=True)
    @click.option("-v", "--verbose", count=True)
    def submit(**values):
        seen.update(values)

    submit.main(words, standalone_mode=False)
    return seen


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "--address",
                "--address=x",
                "--no-wait",
                "-v",
                "-vv",
                "--working-dir",
                ".",
                "--",
                "python",
                "t.py",
                "--headers",
                "-x",
            ]
        ),
        max_size=7,
    )
)
def test_what_click_accepts_is_read_as_click_reads_it(items):
    try:
        seen = submission(items)
    except click.ClickException:
        assume(False)
    reading = read_options(made(items), SUBMIT, interspersed=True)
    assert (*texts(reading.passed), *items[reading.stop :]) == seen["entrypoint"]
    for name in ("address", "working_dir", "headers"):
        assert tuple(option.value.text for option in reading.options if option.name == name) == seen[name]
    names = [option.name for option in reading.options]
    assert (names.count("verbose"), "no_wait" in names) == (seen["verbose"], seen["no_wait"])


def test_options_with_one_dash_and_two_words():
    table = written_table("mpirun", "-np|--np= -mca|--mca== -v", Style.SINGLE_DASH)
    reading = read_options(words("-np 4 --mca a b -v --np=2 prog -np 1"), table)
    assert [(option.name, option.value and option.value.text) for option in reading.options] == [
        ("np", "4"), ("mca", "a b"), ("v", None), ("np", "2"),
    ]  # fmt: skip
    assert reading.stop == 7


def test_a_value_that_may_be_left_out_is_only_taken_joined():
    table = written_table("tool", "-e|--exclusive=? -n=")
    reading = read_options(words("--exclusive user -n 1"), table)
    assert (texts(o.flag for o in reading.options), reading.stop) == (["--exclusive"], 1)
    assert read_options(words("--exclusive=user -n 1"), table).options[0].value.text == "user"


def test_unknown_words_in_front_of_nothing_are_no_options():
    reading = read_options(words("$A $B"), TORCHRUN, starts_here=lambda word, _: word.text.endswith(".py"))
    assert (reading.stop, reading.more) == (0, "")


def test_a_switch_with_a_value_that_the_table_lacks_is_told_by_what_follows():
    def check(word, _):
        return word.text.endswith(".py")

    assert read_options(words("--new t.py"), TORCHRUN, starts_here=check).stop == 1
    assert read_options(words("--new 5 t.py"), TORCHRUN, starts_here=check).stop == 2
    assert read_options(words("--new=5 t.py"), TORCHRUN, starts_here=check).doubt == ""
