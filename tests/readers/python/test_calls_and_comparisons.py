"""Calls of the script's own functions and classes, and what it compares: what is read is what Python does."""

from __future__ import annotations

from typing import Any

import pytest

from readers.python.reading import calls, given
from rlhflint.value import Known

HEAD = "import dataclasses, functools\nfrom trl import SFTConfig\n"


def happens(text: str) -> list[dict[str, Any]]:
    """The arguments that the configurations get when the script is run."""
    seen: list[dict[str, Any]] = []
    names = {"SFTConfig": lambda **given: seen.append(given), "__name__": __name__}
    exec(compile(text.replace("from trl import SFTConfig\n", ""), "made-up", "exec"), names)
    return seen


@pytest.mark.parametrize(
    "text",
    [
        "def f(a, b=2, *more, c=3, **kw): SFTConfig(a=a, b=b, m=more, c=c, **kw)\nf(1, 5, 6, 7, d=4)",
        "def f(a, /, b): SFTConfig(a=a, b=b)\nf(*[1], **{'b': 2})",
        "def f(**kw): return dict(kw, x=1)\nSFTConfig(**f(y=2))",
        "f = lambda a, b=3: a * b\nSFTConfig(x=f(2), y=f(2, b=4))",
        "def f(a): return a\ng = functools.partial(f, 4)\nSFTConfig(x=g())",
        "def f(a, b): SFTConfig(a=a, b=b)\ng = functools.partial(f, b=1)\ng(2, b=3)",
        ("class A:\n    def __init__(self, n):\n        self.n = n\n    def m(self, k): return self.n + k\na = A(3)\n"
        "SFTConfig(x=a.n, y=a.m(2))"),
        "@dataclasses.dataclass\nclass A:\n    n: int\n    m: int = 2\na = A(1)\nSFTConfig(x=a.n, y=a.m)",
        "@dataclasses.dataclass\nclass A:\n    n: int\n    m: int = 2\na = A(*[1], **{'m': 5})\nSFTConfig(x=a.m)",
        "class A:\n    n = 1\nclass B(A):\n    m = 2\nSFTConfig(x=B.n, y=B().m)",
        "class A:\n    @staticmethod\n    def f(x): return x + 1\nSFTConfig(x=A.f(1))",
        "def f():\n    global n\n    n = 5\nn = 1\nf()\nSFTConfig(x=n)",
        "def f():\n    n = 1\n    def g():\n        nonlocal n\n        n = 2\n    g()\n    return n\nSFTConfig(x=f())",
        "def f(n):\n    if n > 3:\n        return 'big'\n    return 'small'\nSFTConfig(x=f(4), y=f(2))",
        "SFTConfig(x='a-b'.split('-'), y='A'.lower(), z='-'.join(['a', 'b']), w='{}'.format(3))",
        "SFTConfig(x='ab'.replace('a', 'c'), y=' a '.strip(), z='ab'.startswith('a'))",
        "n = 3\nif 1 < n <= 3 and n != 2: SFTConfig(x=1)\nelse: SFTConfig(x=2)",
        "n = 'a'\nif n in ('a', 'b') and n not in {'c': 1}: SFTConfig(x=1)",
        "n = None\nif n is None: SFTConfig(x=1)\nif n is not None: SFTConfig(x=2)",
        "d = {}\nif not d: SFTConfig(x=1)\nl = [1]\nif l and len(l) == 1: SFTConfig(x=2)",
        "n = 2\nmatch n:\n    case 1: SFTConfig(x=1)\n    case 2 | 3: SFTConfig(x=2)\n    case _: SFTConfig(x=3)",
        "SFTConfig(x=1 if 2 > 1 else 0, y=0 or 5, z=None and 3, w=not 1)",
        "a, (b, *c) = 1, (2, 3, 4)\nSFTConfig(a=a, b=b, c=c)",
        "a = b = 3\na -= 1\nb *= 2\nSFTConfig(a=a, b=b, c=-a, d=+b, e=~a)",
        "x = [1, 2, 3]\nSFTConfig(a=x[0], b=x[-1], c=x[1:], d=x[::2], e='abc'[1])",
        "x = [1, 2, 3]\nx[0] = 5\nSFTConfig(a=x)",
        "d = {'a': 1, 'b': 2}\ndel d['a']\nd |= {'c': 3}\nSFTConfig(**d)",
        "SFTConfig(**{'a': 1} | {'b': 2})",
        "SFTConfig(x=[*range(2), 5], y=(*'ab',), z={**{'a': 1}, 'b': 2})",
        "if (n := 4) > 3: SFTConfig(x=n)",
        "i = 0\nwhile i < 2:\n    i += 1\nSFTConfig(x=1)",
        "with open('/dev/null') as f: SFTConfig(x=1)",
        "assert 1 < 2\nSFTConfig(x=f'{1 + 1}-{\"a\":>3}-{3.14159:.2f}')",
        "SFTConfig(x=8 // 3, y=-8 % 3, z=2 ** 3, v=1 << 3, w=6 & 3 | 8 ^ 1, u=7 / 2)",
    ],
)  # fmt: skip
def test_what_is_known_is_what_happens(text: str) -> None:
    wanted = happens(f"{HEAD}{text}\n")
    assert wanted
    found = calls(f"{HEAD}{text}\n")
    assert len(found) >= len(wanted)
    for one in found:
        known = {argument.name for argument in one.arguments if isinstance(argument.value, Known)}
        shown = {name: value for name, value in given(one).items() if name in known}
        assert any(shown == {name: other.get(name, "none") for name in shown} for other in wanted), (shown, wanted)


@pytest.mark.parametrize(
    "text",
    [
        "def f(a): SFTConfig(x=1)\nf()",
        "def f(a): SFTConfig(x=1)\nf(1, 2)",
        "def f(a): SFTConfig(x=1)\nf(1, a=2)",
        "def f(a): SFTConfig(x=1)\nf(1, b=2)",
    ],
)
def test_a_call_that_does_not_fit_leaves_the_function_unread_or_unknown(text: str) -> None:
    with pytest.raises(TypeError):
        happens(f"{HEAD}{text}\n")
    assert len(calls(f"{HEAD}{text}\n")) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "def f(a): return a\nSFTConfig(x=f(*load()))",
        "def f(**kw): return kw\nSFTConfig(x=f(**load()).get('a'))",
        "@dataclasses.dataclass\nclass A:\n    n: int\nSFTConfig(x=A(**load()).n)",
        "def f(): raise ValueError\nSFTConfig(x=load() or f())",
        "class A(load()):\n    pass\nSFTConfig(x=A().n)",
        "SFTConfig(x=load() > 3)",
        "l = [1, 2]\ndel l[0]\nSFTConfig(x=l)",
        "l = [1, 2]\ndel l[:1]\nSFTConfig(x=l[0])",
        "d = {'a': 1}\ndel d[load()]\nSFTConfig(x=d.get('a'))",
        "class A:\n    n = 1\na = A()\na.n = 2\ndel a.n\nSFTConfig(x=a.n)",
        "n = load()\nn.append(3)\nSFTConfig(x=n)",
        "SFTConfig(x=[i for i in load()])",
        "SFTConfig(x='a'.join(load()))",
        "SFTConfig(x=[1, 2][load()])",
        "SFTConfig(x={'a': 1}[load()])",
        "SFTConfig(x=1 / 0)",
        "SFTConfig(x=2 ** 1000000)",
        "SFTConfig(x='a' * 10 ** 9)",
    ],
)
def test_what_only_a_run_knows_is_unknown(text: str) -> None:
    (found,) = calls(f"{HEAD}{text}\n")
    assert not isinstance(found.arguments[0].value, Known)
