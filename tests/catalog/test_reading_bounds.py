"""Reading a program ends on any input, within bounds, and never runs anything of it."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlhflint.catalog.source import values
from rlhflint.catalog.source.argparse_source import read_program

PATH = "openrlhf/cli/x.py"
HEAD = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--a')\n"
TAIL = "\np.parse_args()\n"


def open_reason(source: str) -> str:
    found = read_program(PATH, {PATH: source}.get)
    assert found is not None
    return found.open


@pytest.mark.parametrize(
    "hostile",
    [
        "x = [0]\n" + "x = [x, x]\n" * 60 + "p.add_argument(str(x))",
        "x = 'a'\n" + "x = x + x\n" * 60 + "p.add_argument(x)",
        "x = 'a'\n" + "x = x.replace('a', x)\n" * 60 + "p.add_argument(x)",
        "x = 10\n" + "x = x * x\n" * 60 + "p.add_argument(str(x))",
        "x = 7 ** 10 ** 10\np.add_argument(x)",
        "x = '%1000000000d' % 3\np.add_argument(x)",
        "x = '{:1000000000}'.format(3)\np.add_argument(x)",
        "x = f'{3:1000000000}'\np.add_argument(x)",
        "x = 'a' * 10 ** 12\np.add_argument(x)",
        "x = []\nx.append(x)\np.add_argument(*x)\nif x == [x]:\n    pass",
        "for i in range(10 ** 9):\n    p.add_argument(f'--{i}')",
        "for i in range(900):\n    for j in range(900):\n        p.add_argument(f'--{i}.{j}')",
        "def f():\n    return f()\nf()",
        "def f(n):\n    f(n)\n    f(n)\nf(p)",
        "f = lambda g: g(g)\nf(f)",
        "x = " + "-" * 3000 + "1",
        "x = " + "(" * 150 + ")" * 150,
        "x = " + "+".join(["1"] * 4000),
        "x = '" + "a" * 300_000 + "'",
        "while True:\n    p.add_argument(input())",
        "import x.py",
        "from . import *\nfrom .. import *\nfrom ....... import *",
    ],
    ids=range(22),
)
def test_hostile_programs_come_to_an_end(hostile):
    open_reason(HEAD + hostile + TAIL)


def test_more_than_can_be_followed_is_said():
    assert "too much" in open_reason(HEAD + "for i in range(900):\n    for j in range(900):\n        str(j)" + TAIL)
    assert "too long" in open_reason(HEAD + "#" * 2_100_000 + TAIL)
    assert "deeply" in open_reason(HEAD + "def f(q):\n    f(q)\nf(p)" + TAIL)


def test_nothing_of_the_program_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = HEAD + "open('made', 'w').write('x')\nexec(\"open('made', 'w')\")\n__import__('os').mkdir('made')" + TAIL
    open_reason(source)
    assert list(tmp_path.iterdir()) == []


def test_modules_that_import_each_other_come_to_an_end():
    tree = {
        PATH: "from openrlhf.a import build\nbuild().parse_args()\n",
        "openrlhf/a.py": "from openrlhf.b import build\n",
        "openrlhf/b.py": "from openrlhf.a import build\n# argparse\n",
    }
    found = read_program(PATH, tree.get)
    assert found is not None
    assert found.open


STATEMENTS = st.lists(
    st.sampled_from(
        [
            "p.add_argument('--b', type=int)",
            "for n in ('c', 'd'):\n    p.add_argument('--' + n)",
            "def g(q, n='e'):\n    q.add_argument(f'--{n}')",
            "g(p)",
            "x = {'type': int, **{}}",
            "p.add_argument('--f', **x)",
            "if cond:\n    p.add_argument('--h')\nelse:\n    x = 3",
            "names = [n for n in 'ij' if n]",
            "for n in names:\n    p.add_argument('--' + n, choices=[n, *names])",
            "p.set_defaults(b=2)",
            "try:\n    import q\nexcept Exception:\n    raise\nfinally:\n    pass",
            "with open('x') as f:\n    p.add_argument('--k')",
            "class C:\n    v = 1\n    def m(self):\n        return p",
            "C().m().add_argument('--l')",
            "del x",
            "match 3:\n    case 3:\n        p.add_argument('--m')",
            "import sys as p",
            "p = p.add_argument_group('z')",
        ]
    ),
    max_size=12,
)


@given(STATEMENTS)
@settings(max_examples=200, deadline=None)
def test_any_program_is_read_without_an_exception_and_the_same_every_time(statements):
    source = HEAD + "\n".join(statements) + TAIL
    ast.parse(source)
    first, second = (read_program(PATH, {PATH: source}.get) for _ in range(2))
    assert first == second


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists))
@settings(deadline=None)
def test_literals_are_read_as_python_reads_them(literal):
    source = f"import argparse\np = argparse.ArgumentParser()\np.add_argument('--a', const={literal!r}){TAIL}"
    found = read_program(PATH, {PATH: source}.get)
    assert found is not None
    assert found.options["--a"].get("const") == literal


def test_the_weight_of_a_value_has_a_bound():
    value: list[object] = [0]
    for _ in range(60):
        value = [value, value]
    assert values.weight(value) <= values.LONGEST + 1
    assert not values.known(value)
