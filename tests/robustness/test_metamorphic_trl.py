"""TRL's configurations, written in many ways: judged the same, at the places where things stand now."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.robustness.test_metamorphic import SPELLINGS, launch
from tests.robustness.weaving import Loom, same, told

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
QUIET = list(HealthCheck)


@pytest.fixture(autouse=True, scope="module")
def _elsewhere(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A folder that says nothing about releases."""
    folder = tmp_path_factory.mktemp("trl")
    (folder / ".git").mkdir()
    with chdir(folder):
        yield


IMPORT = "from trl import GRPOConfig\n"
KEYWORD = "{begin}{name}={value}{end}"
IN_VARIABLE = "{begin}{name}=V{number}{end}"
ENTRY = '"{begin}{name}": {value}{end}'
ITEM = "kw['{begin}{name}'] = {value}{end}"


@dataclass(frozen=True)
class Made:
    """The class of a configuration, and its options by name and value, all of them words of one loom.

    `marks` are written around the name and the value of each option where it is given, which is where it is told: what
    stands between them may be written in another way.
    """

    loom: Loom
    name: str
    pairs: tuple[tuple[str, str], ...]
    marks: tuple[tuple[str, str], ...]
    whole: tuple[str, str]
    """Marks around the name of the class."""

    def each(self, form: str = KEYWORD, between: str = ", ") -> str:
        """Every option in a form with `{name}`, `{value}` and `{number}`, `{begin}` and `{end}`."""
        written = [
            form.format(name=name, value=value, number=number, begin=first, end=last)
            for number, ((name, value), (first, last)) in enumerate(zip(self.pairs, self.marks, strict=True))
        ]
        return between.join(written)

    def call(self, form: str = KEYWORD, between: str = ", ") -> str:
        """The call with each of its options in a form."""
        first, last = self.whole
        return f"{first}{self.name}{last}({self.each(form, between)})"

    def named(self, name: str) -> str:
        """The call of the class by another name; what is about the whole configuration is told there."""
        first, last = self.whole
        return f"{first}{name}{last}({self.each()})"

    @property
    def plain(self) -> str:
        """A module with the configuration."""
        return f"{IMPORT}args = {self.call()}\n"

    def values(self, form: str = "V{number} = {value}\n") -> str:
        """The values alone, as lines of their own."""
        return "".join(form.format(number=number, value=value) for number, (_, value) in enumerate(self.pairs))


def made(pairs: Sequence[tuple[str, str]]) -> Made:
    """The configuration with some options."""
    loom = Loom()
    words = tuple((loom.word(name), loom.word(value)) for name, value in pairs)
    marks = [(mark[0], mark[1]) for mark in (loom.marked("") for _ in range(len(pairs) + 1))]
    return Made(loom, loom.word("GRPOConfig"), words, tuple(marks[1:]), marks[0])


def _local(one: Made, body: str) -> str:
    return f"{IMPORT}\n\ndef main(lr=1):\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "\n\nmain()\n"


PYTHON: dict[str, Callable[[Made], str]] = {
    "another order": lambda one: replace(one, pairs=one.pairs[::-1], marks=one.marks[::-1]).plain,
    "a line each": lambda one: f"{IMPORT}args = {one.call(between=',  # no_such=1' + chr(10) + '    ')}\n",
    "blanks": lambda one: f"{IMPORT}args = {one.call('{begin}{name} = {value}{end}', '  ,  ')}\n",
    "comments and texts": lambda one: f'"""GRPOConfig(no_such=1)"""\n# GRPOConfig(no_such=1)\n{one.plain}# end\n',
    "carriage returns": lambda one: one.plain.replace("\n", "\r\n"),
    "a byte order mark": lambda one: "\ufeff" + one.plain,
    "characters of other languages": lambda one: (
        f"# Größe: 猫😀\nname = 'é猫😀'; {one.plain.partition(chr(10))[0]}; args = {one.call()}\n"
    ),
    "another name for the class": lambda one: f"from trl import GRPOConfig as C\nX = C\nargs = {one.named('X')}\n",
    "the module's name in front": lambda one: f"import trl\nargs = trl.{one.call()}\n",
    "the module by another name": lambda one: f"import trl as t\nargs = t.{one.call()}\n",
    "imported by name": lambda one: f"import importlib\nt = importlib.import_module('trl')\nargs = t.{one.call()}\n",
    "values in variables": lambda one: f"{IMPORT}{one.values()}args = {one.call(IN_VARIABLE)}\n",
    "values unpacked": lambda one: (
        f"{IMPORT}[{one.each('V{number}')},] = [{one.values('{value}, ')}]\nargs = {one.call(IN_VARIABLE)}\n"
    ),
    "values in brackets": lambda one: f"{IMPORT}args = {one.call('{begin}{name}=({value}{end})')}\n",
    "values by a function": lambda one: (
        f"{IMPORT}def same(x): return x\nargs = {one.call('{begin}{name}=same({value}){end}')}\n"
    ),
    "values by a class": lambda one: (
        f"{IMPORT}class A:\n{one.values('    v{number} = {value}' + chr(10))}"
        f"args = {one.call('{begin}{name}=A.v{number}{end}')}\n"
    ),
    "values of a dictionary": lambda one: (
        f"{IMPORT}D = {{{one.values('{number}: {value}, ')}}}\nargs = {one.call('{begin}{name}=D[{number}]{end}')}\n"
    ),
    "a choice that is known": lambda one: (
        f"{IMPORT}args = {one.call('{begin}{name}={value} if 1 < 2 else None{end}')}\n"
    ),
    "a dictionary": lambda one: f"{IMPORT}kw = {{{one.each(ENTRY)}}}\nargs = {one.name}(**kw)\n",
    "a dictionary in the call": lambda one: f"{IMPORT}args = {one.name}(**{{{one.each(ENTRY)}}})\n",
    "a dictionary of dictionaries": lambda one: (
        f"{IMPORT}kw = {{'args': {{{one.each(ENTRY)}}}}}\nargs = {one.name}(**kw['args'])\n"
    ),
    "a dictionary spread in another": lambda one: (
        f"{IMPORT}kw = {{{one.each(ENTRY)}}}\nargs = {one.name}(**{{**kw}})\n"
    ),
    "dict()": lambda one: f"{IMPORT}args = {one.name}(**dict({one.each()}))\n",
    "items set one by one": lambda one: f"{IMPORT}kw = {{}}\n{one.each(ITEM, chr(10))}\nargs = {one.name}(**kw)\n",
    "update()": lambda one: f"{IMPORT}kw = {{}}\nkw.update({one.each()})\nargs = {one.name}(**kw)\n",
    "a dictionary copied": lambda one: f"{IMPORT}kw = {{{one.each(ENTRY)}}}\nargs = {one.name}(**kw.copy())\n",
    "partial()": lambda one: (
        f"{IMPORT}from functools import partial\nmake = partial(GRPOConfig, {one.each()})\n"
        f"args = {one.named('make').partition('(')[0]}()\n"
    ),
    "a function": lambda one: _local(one, f"args = {one.call()}"),
    "a function with values": lambda one: _local(one, f"{one.values()}args = {one.call(IN_VARIABLE)}"),
    "a function's keywords": lambda one: (
        f"{IMPORT}def make(**kw):\n    return {one.name}(**kw)\n\n\nargs = make({one.each()})\n"
    ),
    "a method": lambda one: f"{IMPORT}class A:\n    def go(self):\n        return {one.call()}\n\n\nA().go()\n",
    "a branch": lambda one: f"{IMPORT}if True:\n    args = {one.call()}\n",
    "main": lambda one: f"{IMPORT}if __name__ == '__main__':\n    args = {one.call()}\n",
    "a loop": lambda one: f"{IMPORT}for _ in (1,):\n    args = {one.call()}\n",
    "tried": lambda one: f"{IMPORT}try:\n    args = {one.call()}\nfinally:\n    print('done')\n",
    "with": lambda one: f"{IMPORT}with open('log') as log:\n    args = {one.call()}\n",
    "matched": lambda one: f"{IMPORT}match 1:\n    case 1:\n        args = {one.call()}\n",
    "a walrus": lambda one: f"{IMPORT}print(args := {one.call()})\n",
}


@pytest.mark.parametrize("spelling", PYTHON)
@settings(max_examples=8, deadline=None, suppress_health_check=QUIET)
@given(pairs=PAIRS)
def test_however_a_configuration_is_written_in_python(spelling: str, pairs: list[tuple[str, str]]) -> None:
    one = made(pairs)
    same(one.loom.woven(one.plain), one.loom.woven(PYTHON[spelling](one)), "a.py")


def _notebook(*cells: str, lines: bool = True, indent: int | None = 1) -> str:
    """A notebook of code cells; `lines`: their source is a list of lines."""
    written = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"cell{number}",
            "metadata": {},
            "outputs": [],
            "source": cell.splitlines(keepends=True) if lines else cell,
        }
        for number, cell in enumerate(cells)
    ]
    about = {"cell_type": "markdown", "id": "about", "metadata": {}, "source": ["# GRPOConfig(no_such=1)\\n", "text"]}
    content = {"cells": [about, *written], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, ensure_ascii=False, indent=indent) + "\n"


NOTEBOOK: dict[str, Callable[[Made], str]] = {
    "one cell": lambda one: _notebook(one.plain),
    "a cell's source as one text": lambda one: _notebook(one.plain, lines=False),
    "a notebook on one line": lambda one: _notebook(one.plain, indent=None),
    "a cell for each step": lambda one: _notebook(IMPORT, f"args = {one.call()}", "print(args)"),
    "values in another cell": lambda one: _notebook(IMPORT, one.values(), f"args = {one.call(IN_VARIABLE)}\n"),
    "a dictionary in another cell": lambda one: _notebook(IMPORT, f"kw = {{{one.each(ENTRY)}}}", f"{one.name}(**kw)"),
    "magics": lambda one: _notebook("!pip install other\n%env A=1", f"%%time\n{one.plain}", "%%bash\necho 1"),
    "a line each": lambda one: _notebook(f"{IMPORT}args = {one.call(between=',' + chr(10) + '    ')}\n"),
}


@pytest.mark.parametrize("spelling", NOTEBOOK)
@settings(max_examples=8, deadline=None, suppress_health_check=QUIET)
@given(pairs=PAIRS)
def test_however_a_configuration_is_written_in_a_notebook(spelling: str, pairs: list[tuple[str, str]]) -> None:
    one = made(pairs)
    same(one.loom.woven(one.plain), one.loom.woven(NOTEBOOK[spelling](one)), "a.py", other="a.ipynb")


# --- configurations in YAML -------------------------------------------------------------------------------------------

HEAD = "# rlhflint: program=trl:grpo\n"
PLACED = "{begin}{name}: {quote}{value}{quote}{end}"


@dataclass(frozen=True)
class Keys:
    """The keys of a file with their values, all of them words of one loom, and the quotes that a value takes."""

    loom: Loom
    rows: tuple[tuple[str, str, str, str, str], ...]
    """Name, value, its quote, and the marks around both."""

    def each(self, form: str = PLACED, quote: str = "'", number: str = "") -> list[str]:
        """Every key in a form; `quote` goes around a text, `number` around anything else."""
        return [
            form.format(name=name, value=value, quote=quote if text else number, begin=begin, end=end)
            for name, value, text, begin, end in self.rows
        ]

    @property
    def plain(self) -> str:
        """The file as it is most often written."""
        return HEAD + "".join(f"{row}\n" for row in self.each())


def keys(pairs: Sequence[tuple[str, str]]) -> Keys:
    """The file with some options, and a model and data."""
    loom = Loom()
    given = [("model_name_or_path", "'org/model'"), ("dataset_name", "'org/data'"), *pairs]
    rows = []
    for name, value in given:
        begin, end = loom.marked("")
        written = {"True": "true"}.get(value, value.strip("'"))
        rows.append((loom.word(name), loom.word(written), "'" if "'" in value else "", begin, end))
    return Keys(loom, tuple(rows))


def _block(one: Keys, *, form: str = PLACED, quote: str = "'", between: str = "\n") -> str:
    return HEAD + between.join(one.each(form, quote)) + "\n"


def _anchored(one: Keys) -> str:
    """Each value with an anchor of its own: no file may give one twice."""
    rows = one.each("{begin}{name}: &anchor {quote}{value}{quote}{end}")
    return HEAD + "".join(f"{row.replace('&anchor', f'&a{number}')}\n" for number, row in enumerate(rows))


YAML: dict[str, Callable[[Keys], str]] = {
    "another order": lambda one: replace(one, rows=one.rows[::-1]).plain,
    "comments": lambda one: _block(one, between="  # no_such: 1\n# no_such: 1\n"),
    "carriage returns": lambda one: one.plain.replace("\n", "\r\n"),
    "a byte order mark": lambda one: "\ufeff" + one.plain,
    "documents": lambda one: HEAD + "---\n" + one.plain.removeprefix(HEAD) + "...\n",
    "an empty line behind each": lambda one: _block(one, between="\n\n"),
    "blanks": lambda one: _block(one, form="{begin}{name} :   {quote}{value}{quote}{end}  "),
    "double quotes": lambda one: _block(one, quote='"'),
    "without quotes": lambda one: _block(one, quote=""),
    "keys in quotes": lambda one: _block(one, form='"{begin}{name}": {quote}{value}{quote}{end}'),
    "keys in single quotes": lambda one: _block(one, form="'{begin}{name}': {quote}{value}{quote}{end}"),
    "anchors": _anchored,
    "tags": lambda one: _block(one, form="{begin}{name}:\n  {quote}{value}{quote}{end}"),
    "in braces": lambda one: HEAD + "{" + ", ".join(one.each()) + "}\n",
    "in braces on lines": lambda one: HEAD + "{\n  " + ",\n  ".join(one.each()) + ",\n}\n",
    "as JSON": lambda one: (
        HEAD + "{" + ",".join(one.each('"{begin}{name}": {quote}{value}{quote}{end}', quote='"')) + "}\n"
    ),
    "characters of other languages": lambda one: (
        HEAD + "# é猫😀\n" + _block(one, between="  # é猫😀\n").removeprefix(HEAD)
    ),
}


@pytest.mark.parametrize("spelling", YAML)
@settings(max_examples=8, deadline=None, suppress_health_check=QUIET)
@given(pairs=PAIRS)
def test_however_a_configuration_is_written_in_yaml(spelling: str, pairs: list[tuple[str, str]]) -> None:
    one = keys(pairs)
    same(one.loom.woven(one.plain), one.loom.woven(YAML[spelling](one)), "a.yaml")


# --- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", SPELLINGS)
@settings(max_examples=5, deadline=None, suppress_health_check=QUIET)
@given(pairs=PAIRS)
def test_however_a_command_is_written(spelling: str, pairs: list[tuple[str, str]]) -> None:
    given_flags = [("model_name_or_path", "org/model"), ("dataset_name", "org/data"), *pairs]
    flags = tuple((f"--{name}", value.strip("'")) for name, value in given_flags)
    one = launch("trl grpo", flags)
    same(one.woven(one.plain), one.woven(SPELLINGS[spelling](one)), "a.sh")


def test_what_is_written_is_judged_at_all() -> None:
    for text, name in ((made(OPTIONS).plain, "a.py"), (keys(OPTIONS).plain, "a.yaml")):
        loom = made(OPTIONS).loom if name == "a.py" else keys(OPTIONS).loom
        found = told(loom.woven(text).text, name)
        assert len({code for code, *_ in found}) >= 4, found
        assert len({place for _, _, _, place, _ in found}) >= 5, found
