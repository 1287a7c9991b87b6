"""Functions and methods of Python's library, held against Python itself, and what they leave unknown."""

from __future__ import annotations

import os
from typing import Any

import pytest

from readers.python.reading import call, calls, shown
from rlhflint.call import Named
from rlhflint.value import Known, OneOf

HEAD = (
    "import copy, functools, importlib, os, types, argparse, dataclasses\n"
    "from trl import SFTConfig\n"
    "d = {'a': 1, 'b': 2}\nl = [3, 4]\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "SFTConfig(x=d.get('a'), y=d.get('z'), z=d.get('z', 5))",
        "SFTConfig(x=d.pop('a'), y=d.pop('z', 7), **d)",
        "SFTConfig(x=d.setdefault('a', 9), y=d.setdefault('z', 8), **d)",
        "d.update(a=5, c=6)\nSFTConfig(**d)",
        "d.update({'a': 5}, c=6)\nSFTConfig(**d)",
        "d.update([('a', 5), ['c', 6]])\nSFTConfig(**d)",
        "e = d.copy()\ne['a'] = 9\nSFTConfig(x=e['a'], **d)",
        "d.clear()\nSFTConfig(x=1, **d)",
        "SFTConfig(x=[*d.keys()], y=[*d.values()])",
        "SFTConfig(x=dict(zip(d.keys(), d.values())))",
        "l.append(5)\nSFTConfig(x=l)",
        "l.extend([5, 6])\nSFTConfig(x=l)",
        "m = l.copy()\nm.append(1)\nSFTConfig(x=l, y=m)",
        "l.clear()\nSFTConfig(x=l)",
        "SFTConfig(x=os.path.join('a', 'b'), y=os.path.join('a', '/b'))",
        "e = copy.deepcopy(d)\ne['a'] = 9\nSFTConfig(x=e['a'], y=d['a'], z=copy.copy(4))",
        "make = functools.partial(SFTConfig, x=1)\nmake(y=2)",
        "n = types.SimpleNamespace(a=1, **{'b': 2})\nSFTConfig(x=n.a, y=n.b)",
        "n = argparse.Namespace(a=1)\nn.a = 3\nSFTConfig(x=n.a)",
        "n = types.SimpleNamespace(a=1)\nsetattr(n, 'a', 4)\nSFTConfig(x=n.a, y=getattr(n, 'a'))",
        (
            "@dataclasses.dataclass\nclass A:\n    n: int = 1\n    m: int = 2\n"
            "    k: int = dataclasses.field(default=3)\n"
            "a = dataclasses.replace(A(), m=5)\nSFTConfig(x=a.n, y=a.m, z=a.k)"
        ),
        (
            "@dataclasses.dataclass\nclass A:\n    n: list = dataclasses.field(default_factory=lambda: [1])\n"
            "SFTConfig(x=A().n)"
        ),
        "SFTConfig(x=list(range(2, 9, 3)), y=list(range(3)), z=tuple([1, 2]))",
        "SFTConfig(x=[*enumerate(['a', 'b'], start=1)][1][0])",
        "SFTConfig(x=dict([('a', 1)], b=2)['b'])",
        "SFTConfig(x=max(l), y=min(1, 2), z=len(l), w=round(2.6), v=abs(-3))",
        "os.environ['RLHFLINT_X'] = '7'\nSFTConfig(x=os.environ.get('RLHFLINT_X'), y=os.getenv('RLHFLINT_X', '1'))",
        (
            "os.environ.update({'RLHFLINT_X': '5'}, RLHFLINT_Y='6')\n"
            "SFTConfig(x=os.environ['RLHFLINT_X'], y=os.environ['RLHFLINT_Y'])"
        ),
    ],
)
def test_what_is_read_is_what_happens(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    seen: list[dict[str, Any]] = []
    source = f"{HEAD}{text}\n"
    names = {"SFTConfig": lambda **given: seen.append(given), "__name__": __name__}
    exec(compile(source.replace("from trl import SFTConfig\n", ""), "made-up", "exec"), names)
    found = call(source)
    assert found.more == ""
    assert [{argument.name: shown(argument) for argument in found.arguments}] == seen


@pytest.mark.parametrize(
    "value",
    [
        "d.get(key)",
        "d.pop(key)",
        "d.setdefault(key, 1)",
        "{**d, **load()}.get('a')",
        "os.path.join('a', where())",
        "os.environ.get(key)",
        "os.environ.get('RLHFLINT_X')",
        "types.SimpleNamespace(**load()).a",
        "list(range(1000))[1]",
        "list(range(n))[0]",
        "[*zip(load())][0]",
        "[*enumerate(load())][0]",
        "getattr(d, key)",
        "len(load())",
        "max(load(), 1)",
        "importlib.metadata.version(key)",
        "dict(load())['a']",
        "dict(*load())['a']",
        "dict([load()])['a']",
        "int('eight')",
    ],
)
def test_what_only_a_run_knows_is_unknown(value: str) -> None:
    (argument,) = call(f"{HEAD}SFTConfig(x={value})\n").arguments
    assert not isinstance(argument.value, Known)
    assert argument.named is None


def test_a_default_of_the_environment_is_one_value_that_it_may_have() -> None:
    text = f"{HEAD}os.environ.setdefault('RLHFLINT_X', '3')\nSFTConfig(x=os.environ.get('RLHFLINT_Y', '2'), y=load())\n"
    assert call(text).arguments[0].value == OneOf("2", "the environment variable RLHFLINT_Y may give another value")
    set_here = call(f"{HEAD}os.environ.setdefault('RLHFLINT_X', '3')\nSFTConfig(x=os.environ['RLHFLINT_X'])\n")
    assert set_here.arguments[0].value == OneOf("3", "the environment variable RLHFLINT_X may give another value")


def test_a_list_that_takes_what_is_not_known_is_not_complete() -> None:
    (argument,) = call(f"{HEAD}l.extend(load())\nSFTConfig(x=l)\n").arguments
    assert not isinstance(argument.value, Known)
    assert not argument.complete


def test_a_configuration_that_is_replaced_keeps_what_is_not_named_again() -> None:
    found = calls(f"{HEAD}c = SFTConfig(x=1, y=2)\nc.z = 3\ne = dataclasses.replace(c, y=5)\n")
    assert {argument.name: shown(argument) for argument in found[-1].arguments} == {"x": 1, "y": 5, "z": 3}


def test_attributes_of_unknown_names_make_the_others_doubtful() -> None:
    text = "n = types.SimpleNamespace(a=1)\nsetattr(n, key, 4)\nSFTConfig(x=n.b)\n"
    assert not isinstance(call(f"{HEAD}{text}").arguments[0].value, Known)


def test_a_module_imported_by_its_name_is_that_module() -> None:
    found = call(f"{HEAD}importlib.import_module('trl').SFTConfig(x=1, y=__import__('torch').float32)\n")
    assert shown(found.arguments[0]) == 1
    assert found.arguments[1].named == Named("torch.float32")
