"""Statements and expressions of Python, held against Python itself, and what hangs on something outside."""

from __future__ import annotations

import os
from typing import Any

import pytest

from readers.python.reading import calls, shown, values, ways

HEAD = (
    "import copy, functools, importlib, os, sys, types, argparse, dataclasses\n"
    "from trl import SFTConfig\n"
    "d = {'a': 1, 'b': 2}\nl = [3, 4]\n"
)
SURE = [
    "match 3:\n    case 1 | 2: SFTConfig(x=1)\n    case 3: SFTConfig(x=3)\n    case _: SFTConfig(x=0)",
    "match 'a':\n    case None: SFTConfig(x=1)\n    case 'b': SFTConfig(x=2)\nSFTConfig(x=9)",
    "match None:\n    case None: SFTConfig(x=1)\n    case _: SFTConfig(x=2)",
    "SFTConfig(x=1 < 2 < 3, y=1 < 3 < 2, z=d is not None, w='a' not in d, v=3 in l)",
    (
        "def f(): pass\nclass A: pass\na = A()\n"
        "SFTConfig(x=f is None, y=A != None, z=a is not None, w=l == None, v=d is None)"
    ),
    "if l and d and not []: SFTConfig(x=1)\nif {} or () or '': SFTConfig(x=2)",
    "x = l or 5\ny = [] or 6\nz = d and 7\nSFTConfig(x=x, y=y, z=z, w=0 or None or 'q', v=1 and 0)",
    "SFTConfig(x='a' in d, y='z' in d, z=5 in (5, 6), w='b' in 'abc', v=1 in {1, 2})",
    "if print: SFTConfig(x=1)\nif int and len: SFTConfig(x=2)",
    "class A:\n    n = 1\nif A and A(): SFTConfig(x=A.n)",
    "if (lambda: 0): SFTConfig(x=1)",
    "SFTConfig(x=abs(-2), y=min([5, 2]), z=int(3.9), w=float('1e-3'), v=bool('x'))",
    "SFTConfig(x=[*range(0, 10, 4)], y=list(range(5, 0, -2)), z=list(range(0)))",
    "SFTConfig(x=set([1, 2]), y=frozenset([1]), z={1, 2}, w=set())",
    "SFTConfig(**dict(d, c=3), z=4)",
    "SFTConfig(**dict([('a', 5), ('b', [1])]))",
    "SFTConfig(**{**d, 'a': 7}, c=[*l, 5], e=(*l,), f={*l})",
    "SFTConfig(x=getattr(types.SimpleNamespace(a=3), 'a'))",
    "n = types.SimpleNamespace(**d)\nn.b += 5\nSFTConfig(x=n.a, y=n.b)",
    "d['c'] = 3\ndel d['a']\nSFTConfig(**d)",
    "l[0] = 9\nl[-1] += 1\nSFTConfig(x=l, y=l[0], z=l[-1], w=l[1:])",
    "d |= {'c': 3}\nSFTConfig(**(d | {'a': 0}))",
    "SFTConfig(x=d['a'], y=[1, 2][1], z=(1, 2)[-1], w={'k': {'j': 5}}['k']['j'])",
    "e = {'o': {}}\ne['o']['p'] = 4\nSFTConfig(**e['o'])",
    "a, (b, *c) = 1, (2, 3, 4)\nSFTConfig(a=a, b=b, c=c)",
    "a = b = [1]\nb.append(2)\nSFTConfig(a=a)",
    "x, y = d.values()\nSFTConfig(x=x, y=y)",
    "for k, v in d.items():\n    SFTConfig(x=k, y=v)",
    "for i in range(2):\n    SFTConfig(x=i)\nelse:\n    SFTConfig(x='end')",
    "for i in l:\n    if i == 3: continue\n    SFTConfig(x=i)",
    "try:\n    import os\nfinally:\n    SFTConfig(x=1)",
    (
        "def f(a, b=2, *c, k=4, **o):\n    SFTConfig(a=a, b=b, c=c, k=k, **o)\nf(1)\nf(1, 3, 5, 6, k=7, z=8)\n"
        "f(*l, **{'q': 1})"
    ),
    (
        "def f(n): return n * 2\ndef g(): return\ndef h():\n    if True: return 1\n    return 2\n"
        "SFTConfig(x=f(3), y=g(), z=h())"
    ),
    "f = lambda a, b=1: a + b\nSFTConfig(x=f(1), y=f(1, b=5))",
    (
        "def outer():\n    n = 1\n    def inner():\n        nonlocal n\n        n += 1\n    inner()\n"
        "    return n\nSFTConfig(x=outer())"
    ),
    "n = 1\ndef f():\n    global n\n    n = 5\nf()\nSFTConfig(x=n)",
    "class A:\n    k = 1\nclass B(A):\n    j = A.k + 1\nSFTConfig(x=B.k, y=B().j)",
    "@dataclasses.dataclass\nclass A:\n    n: int\n    m: str = 'a'\na = A(2)\nSFTConfig(x=a.n, y=a.m)",
    "@property\ndef p(): pass\nSFTConfig(x=1)",
    "if __name__ == '__main__':\n    SFTConfig(x=__name__)",
    "SFTConfig(x=1 if l else 2, y=(n := 5), z=n, w=None, v=..., u=b'x', t=1j)",
    "x: int = 5\ny: int\nSFTConfig(x=x)",
    "assert True\nassert d, 'no'\nSFTConfig(x=1)",
    "del d\nSFTConfig(x=1)",
    "SFTConfig(x=1) if l else SFTConfig(x=2)",
    "g = functools.partial(SFTConfig, a=1)\nh = functools.partial(g, b=2)\nh(c=3)\nh(a=9)",
    "SFTConfig(**{'x': 1}, **{'y': 2})",
    "a = copy.copy(l)\na.append(1)\nb = copy.deepcopy(d)\nb['z'] = 1\nSFTConfig(x=l, y=a, z=d, w=b)",
    "d.pop('a')\nd.setdefault('q', 5)\nd.setdefault('b', 6)\nSFTConfig(**d)",
    "SFTConfig(x=os.path.join('a', 'b', 'c.txt'), y=os.path.join('x'), z=os.path.join('a', '..'))",
    "def f(**k): return SFTConfig(**k)\nf(**d, c=l)",
    "def f():\n    yield 1\nSFTConfig(x=1)",
    "SFTConfig(x=1, y=[None, True, 1.5])",
    "class A:\n    def __call__(self): return 1\nSFTConfig(x=1)",
    "import types as t\nn = t.SimpleNamespace()\nn.a = 1\nm = n\nm.a = 2\nSFTConfig(x=n.a)",
    "t = (1, 2)\nt += (3,)\nSFTConfig(x=t, y=t[0], z=len(t))",
    "SFTConfig(x={'a': [1, {'b': (2,)}]}, y=[[]], z=({},))",
    'SFTConfig(x=f"{1}-{d[\'a\']}", y="a" "b", z="AB".lower(), w=" a ".strip())',
    "SFTConfig(x=list(), y=tuple(), z=dict(), w=list((1, 2)), v=tuple([1]))",
    "class A:\n    pass\na = A()\na.n = 1\nSFTConfig(x=a.n)",
    (
        "class C:\n    def get(self, k): return k * 2\n    def twice(self): return self.get(3)\n"
        "SFTConfig(x=C().twice(), y=C().get('a'))"
    ),
    "SFTConfig(x='abc'[::-1], y=[1, 2, 3][::2], z=(1, 2, 3)[1:], w='abc'[5:])",
    "del d['a'], l[0]\nSFTConfig(**d)",
    "SFTConfig(x=f'{3:>4}|{2.5:.1f}|{\"a\"!r}|{1}')",
    "w = 6\nSFTConfig(x=f'{5:{w}d}', y=f'{{}}')",
    "[a, *b] = [1, 2, 3]\n(c, d2), e = (1, 2), 3\n*f, g = 'ab'\nSFTConfig(a=a, b=b, c=c, d2=d2, e=e)",
    "def f(*a, **k):\n    return SFTConfig(*a, **k)\nf(x=1, **d)",
    "def f(a, /, b, *, c): return [a, b, c]\nSFTConfig(x=f(1, 2, c=3), y=f(1, b=2, c=3))",
    "def f(a=[]):\n    a.append(1)\n    return a\nSFTConfig(x=f([0]))",
    "try:\n    v = 1\nexcept ValueError:\n    v = 2\nSFTConfig(x=1)",
    "while False:\n    SFTConfig(x=0)\nelse:\n    SFTConfig(x=1)",
    "for i in []:\n    SFTConfig(x=0)\nelse:\n    SFTConfig(x=1)",
    "for i in [1]:\n    for j in (2, 3):\n        SFTConfig(x=i, y=j)",
    "for (a, b), c in [((1, 2), 3)]:\n    SFTConfig(a=a, b=b, c=c)",
    "class A:\n    def __init__(self, **k):\n        self.k = k\nSFTConfig(**A(x=1).k)",
    "class A:\n    n = 1\n    m = n + 1\nA.n = 5\nSFTConfig(x=A.n, y=A.m)",
    (
        "def f(n):\n    if n == 1:\n        return 'one'\n    elif n == 2:\n        return 'two'\n"
        "    return 'many'\nSFTConfig(x=f(1), y=f(2), z=f(3))"
    ),
    (
        "@dataclasses.dataclass\nclass A:\n    n: int\n    m: int = 2\n    c: 'ClassVar[int]' = 3\n"
        "@dataclasses.dataclass\nclass B(A):\n    k: int = 5\nSFTConfig(x=B(1).n, y=B(1, 4, 6).k, z=B(1).m)"
    ),
    "x = 5\nx += 1\nx *= 2\nx -= 3\nx //= 2\nx **= 2\nx %= 7\nSFTConfig(x=x)",
    "d['n'] = {'m': [1]}\nd['n']['m'].append(2)\nd['n']['m'][0] = 9\nSFTConfig(**d)",
    "SFTConfig(x=max([1, 5]), y=min(2, 1), z=int(True), w=str(None), v=float('inf') > 1, u=bool(0))",
    "if (n := len(l)) > 1:\n    SFTConfig(x=n)",
    (
        "def make(**over):\n    base = dict(a=1, b=2)\n    base.update(over)\n"
        "    return SFTConfig(**base)\nmake(b=3, c=4)\nmake()"
    ),
    "import os.path as p\nfrom os import path\nSFTConfig(x=p.join('a', 'b'), y=path.join('c', 'd'))",
    "e = d\ne['a'] = 7\nf = dict(d)\nf['a'] = 8\nSFTConfig(x=d['a'], y=f['a'])",
    "a = {}\na.setdefault('k', []).append(1)\na.setdefault('k', []).append(2)\nSFTConfig(**a)",
    "SFTConfig(x=d.get('a') or 5, y=d.get('z') or 5, z=d.get('z', {}).get('y', 6))",
    "a = 1, 2\nb, c = c, b = a\nSFTConfig(b=b, c=c)",
    "def f():\n    raise ValueError\nif not l:\n    f()\nSFTConfig(x=1)",
    "if l:\n    pass\nelse:\n    raise SystemExit\nSFTConfig(x=1)",
    "x = y = z = 0\nx, y = y + 1, x + 2\nSFTConfig(x=x, y=y, z=z)",
    "def deco(f):\n    return f\n@deco\ndef g():\n    return 4\nSFTConfig(x=1)",
    "global_n = 3\nclass A:\n    def m(self):\n        return global_n\nSFTConfig(x=A().m())",
    "SFTConfig(x=(lambda *a, k=2: [*a, k])(1, 3), y=(lambda: 5)())",
    "SFTConfig(**{**{'a': 1}, **({'b': 2} if l else {})}, c=None if d else 3)",
    "SFTConfig(x=1 == 1.0, y='a' < 'b')",
    "SFTConfig(x=-2 ** 2, y=(1 if [] else 2), z=not not l, w=1 or 1 / 0, v=0 and 1 / 0)",
]


@pytest.mark.parametrize("text", SURE)
def test_every_call_gets_what_python_gives_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    seen: list[dict[str, Any]] = []
    source = f"{HEAD}{text}\n"
    names = {"SFTConfig": lambda **given: seen.append(given), "__name__": "__main__"}
    exec(compile(source.replace("from trl import SFTConfig\n", ""), "made-up", "exec"), names)
    assert seen
    found = calls(source)
    assert [{argument.name: shown(argument) for argument in one.arguments} for one in found] == seen
    assert not any(one.more for one in found)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # match
        (
            "match sys.argv[1]:\n    case 'a' | 'b': v = 1\n    case 'c': v = 2\n    case _: v = 3\nSFTConfig(x=v)",
            {
                "sys.argv[1] is 'a' or 'b'": {"x": 1},
                "sys.argv[1] is 'c'": {"x": 2},
                "sys.argv[1] is not 'a' or 'b', sys.argv[1] is not 'c'": {"x": 3},
            },
        ),
        (
            (
                "match sys.argv:\n    case [a, *r]: v = a\n    case {'k': 1, **r}: v = r\n"
                "    case other: v = 4\nSFTConfig(x=v)"
            ),
            {
                "sys.argv matches [a, *r]": {"x": "? a is what was matched"},
                "sys.argv does not match [a, *r], sys.argv matches {'k': 1, **r}": {"x": "? r is what was matched"},
                "sys.argv does not match [a, *r], sys.argv does not match {'k': 1, **r}": {"x": 4},
            },
        ),
        # if, with what it leaves behind
        (
            "v = 1\nif sys.argv: v = 2\nSFTConfig(x=v, y=[v], z={'k': v}, w=(v,))",
            {
                "sys.argv is true": {"x": 2, "y": [2], "z": {"k": 2}, "w": (2,)},
                "sys.argv is not true": {"x": 1, "y": [1], "z": {"k": 1}, "w": (1,)},
            },
        ),
        (
            "if sys.argv: d['c'] = 3\nelse: d.pop('a')\nSFTConfig(x='c' in d, y=d.get('a', 7), z=d.get('c'))",
            {"sys.argv is true": {"x": True, "y": 1, "z": 3}, "sys.argv is not true": {"x": False, "y": 7, "z": None}},
        ),
        (
            "if sys.argv: l.append(5)\nSFTConfig(x=l)",
            {"sys.argv is true": {"x": [3, 4, 5]}, "sys.argv is not true": {"x": [3, 4]}},
        ),
        (
            "a = l if sys.argv else d\na.clear()\nSFTConfig(x=l, y=d)",
            {
                "sys.argv is true": {"x": [], "y": {"a": 1, "b": 2}},
                "sys.argv is not true": {"x": [3, 4], "y": {}},
            },
        ),
        (
            "if sys.argv:\n    def f(): return 1\nelse:\n    def f(): return 2\nSFTConfig(x=f())",
            {"sys.argv is true": {"x": 1}, "sys.argv is not true": {"x": 2}},
        ),
        # whether a list holds anything
        ("a = [1] if sys.argv else []\nif a: SFTConfig(x=1)", {"sys.argv is true": {"x": 1}}),
        (
            "a = []\nif sys.argv: a.append(1)\nif a: SFTConfig(x=1)\nelse: SFTConfig(x=2)",
            {"sys.argv is true": {"x": 1}, "sys.argv is not true": {"x": 2}},
        ),
        (
            "a = []\nfor i in open('f'): a.append(i)\nSFTConfig(x=1 if a else 2)",
            {"a is true": {"x": 1}, "a is not true": {"x": 2}},
        ),
        ("d.update(input())\nSFTConfig(x=1 if d else 2)", {"": {"x": 1}}),
        # one answer settles another
        (
            (
                "a = sys.argv[1]\nif a == 'p': SFTConfig(x=1)\nelif a == 'q': SFTConfig(x=2)\n"
                "elif a in ('p', 'q'): SFTConfig(x=3)\nelse: SFTConfig(x=4)"
            ),
            {"a is 'p'": {"x": 1}, "a is 'q'": {"x": 2}, "a is not 'p', a is not 'q'": {"x": 4}},
        ),
        # try
        (
            (
                "try:\n    v = 1\n    x()\nexcept (A, B) as e:\n    v = 2\nexcept C:\n    v = 3\nelse:\n    v = 4\n"
                "finally:\n    w = 1\nSFTConfig(x=v, y=w)"
            ),
            {
                "v = 1 does not fail": {"x": 4, "y": 1},
                "v = 1 fails, it is (A, B)": {"x": 2, "y": 1},
                "v = 1 fails, it is not (A, B), it is C": {"x": 3, "y": 1},
            },
        ),
        # dictionaries that differ from way to way
        (
            "v = sys.argv\na = {'x': 1} if v else {'y': 2}\nSFTConfig(**a)",
            {"v is true": {"x": 1}, "v is not true": {"y": 2}},
        ),
        (
            "a = dict(x=1) if sys.argv else dict(x=2)\na['x'] = a['x'] + 1\nSFTConfig(**a)",
            {"sys.argv is true": {"x": 2}, "sys.argv is not true": {"x": 3}},
        ),
        (
            "a = [1] if sys.argv else [2]\nSFTConfig(x=a[0], z={'k': a})",
            {"sys.argv is true": {"x": 1, "z": {"k": [1]}}, "sys.argv is not true": {"x": 2, "z": {"k": [2]}}},
        ),
        (
            "if sys.argv: d['q'] = 1\nd.setdefault('q', 2)\nSFTConfig(**d)",
            {"sys.argv is true": {"a": 1, "b": 2, "q": 1}, "sys.argv is not true": {"a": 1, "b": 2, "q": 2}},
        ),
        (
            "if sys.argv: d['q'] = 1\ne = {'q': 5}\ne.update(d)\nSFTConfig(**e)",
            {"sys.argv is true": {"a": 1, "b": 2, "q": 1}, "sys.argv is not true": {"a": 1, "b": 2, "q": 5}},
        ),
        ("if sys.argv: d.update(q=1)\nd.pop('q', None)\nSFTConfig(**d)", {"": {"a": 1, "b": 2}}),
        # returns out of loops
        (
            "def f():\n    for i in l:\n        if input(): return i\n    return 0\nSFTConfig(x=f())",
            {"i is 3, input() is true": {"x": 3}, "i is 4, input() is true": {"x": 4}, "": {"x": 0}},
        ),
        # what a comparison says, the same however it is written
        ("a = sys.argv[1]\nif a != 'p': SFTConfig(x=1)", {"a is not 'p'": {"x": 1}}),
        ("a = sys.argv[1]\nif a is not None: SFTConfig(x=1)", {"a is not None": {"x": 1}}),
        ("a = sys.argv[1]\nif 'x' not in a: SFTConfig(x=1)", {"'x' not in a holds": {"x": 1}}),
        (
            "a = sys.argv[1]\nif 'x' in a: SFTConfig(x=1)\nelse: SFTConfig(x=2)",
            {"'x' in a holds": {"x": 1}, "'x' in a does not hold": {"x": 2}},
        ),
        ("a = sys.argv[1]\nif sys.path != a: SFTConfig(x=1)", {"sys.path != a holds": {"x": 1}}),
        ("a = sys.argv[1]\nif not a < 3: SFTConfig(x=1)", {"a < 3 does not hold": {"x": 1}}),
        (
            "a = sys.argv[1]\nif 1 < a < 3: SFTConfig(x=1)\nif 1 < 2 < a: SFTConfig(x=2)\nif a < 1 < 0: SFTConfig(x=3)",
            {"1 < a < 3 holds": {"x": 1}, "1 < 2 < a holds": {"x": 2}},
        ),
        (
            "n = os.environ.get('M', '4')\nif n == '4': SFTConfig(x=1)\nelse: SFTConfig(x=2)",
            {"n is '4'": {"x": 1}, "n is not '4'": {"x": 2}},
        ),
    ],
)
def test_what_hangs_on_something_outside_is_told_with_it(text: str, wanted: dict[str, dict[str, Any]]) -> None:
    assert ways(f"{HEAD}{text}\n") == wanted


def _unknown(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "?")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # what a loop of unknown length changes
        ("for i in open('f'): l.append(i)\nSFTConfig(x=l)", _unknown("x")),
        ("for i in open('f'): d['a'] = i\nSFTConfig(x=d['a'], y=d['b'])", {"x": "?", "y": 2}),
        ("for i in open('f'): d[i] = 1\nSFTConfig(x=d['a'])", _unknown("x")),
        ("for i in open('f'): del d['a']\nSFTConfig(x=d.get('a'), y=d['b'])", {"x": "?", "y": 2}),
        (
            "n = types.SimpleNamespace(a=1, b=2)\nfor i in open('f'): n.a = i\nSFTConfig(x=n.a, y=n.b)",
            {"x": "?", "y": 2},
        ),
        # what others may change
        ("import other\nother.f(l)\nSFTConfig(x=l)", _unknown("x")),
        ("l.append(*l)\nSFTConfig(x=l)", _unknown("x")),
        ("l.extend(input())\nSFTConfig(x=l)", _unknown("x")),
        ("l[input()] = 1\nSFTConfig(x=l)", _unknown("x")),
        ("l[7] = 1\nSFTConfig(x=l)", _unknown("x")),
        ("n = types.SimpleNamespace()\nif sys.argv: n.a = 1\nSFTConfig(x=n.a)", _unknown("x")),
        # what is not there
        ("SFTConfig(z=l[input()], w=d[input()])", _unknown("z", "w")),
        ("def f():\n    SFTConfig(x=l[7], y=d['q'])", _unknown("x", "y")),
        # objects, and what is too large
        ("class A: pass\nSFTConfig(x=A(), y=range(3), z=1 .real)", _unknown("x", "y", "z")),
        ("SFTConfig(x=list(range(2000)), y={i: i for i in range(2000)})", _unknown("x", "y")),
        # what Python refuses, or only a run knows
        (
            "SFTConfig(x=1 + 'a', y=1 / 0, z=[1] < 2, w='a' in 5, v=9 ** 9 ** 9)",
            _unknown("x", "y", "z", "w", "v"),
        ),
        (
            "SFTConfig(x=min(), y=int('x'), z=len(5), w=round(1, 2, 3), v=zip(5), u=enumerate(5))",
            _unknown("x", "y", "z", "w", "v", "u"),
        ),
        (
            "SFTConfig(x=range('a'), y=range(1, 2, 0), z=functools.partial(), w=copy.copy())",
            _unknown("x", "y", "z", "w"),
        ),
        (
            "a = sys.argv[1]\nSFTConfig(x=a == 'q', y=a in ('p', 'q'), z=a is None, w=a > 3, v='x' in a)",
            _unknown("x", "y", "z", "w", "v"),
        ),
        ("SFTConfig(x=importlib.import_module(input()), y=os.path.join('a', input()))", _unknown("x", "y")),
        ("a = dataclasses.replace(input(), y=3)\nb = dataclasses.replace()\nSFTConfig(x=a, y=b)", _unknown("x", "y")),
        ("n = os.environ['N']\nSFTConfig(x=int(n), y=len(n), z=[n])", _unknown("x", "y", "z")),
        # functions that are called in another way than they take
        ("def f(): return f()\nSFTConfig(x=f())", _unknown("x")),
        (
            "def f(a): return a\nSFTConfig(x=f(), y=f(1, 2), z=f(b=1), w=f(*input()), v=f(**input()))",
            _unknown("x", "y", "z", "w", "v"),
        ),
        ("class A:\n    def m(self): return 1\nSFTConfig(x=A().q(), y=A.m(), z=A().m(1))", _unknown("x", "y", "z")),
        # texts and numbers
        ("SFTConfig(x='abc'.encode(), y='a'.join(input()), z='a'.upper(1))", _unknown("x", "y", "z")),
        ("SFTConfig(x='a'.replace('a', 'b' * 9000), y='a' * 100000, z=10 ** 5000)", _unknown("x", "y", "z")),
        ("SFTConfig(x=(-1) ** 0.5, y=1 @ 2, z=-'a', w=not input())", _unknown("x", "y", "z", "w")),
        ("SFTConfig(x=l[::0], y=l['a'], z='abc'[input()], w=d[l])", _unknown("x", "y", "z", "w")),
        ("import trl\nSFTConfig(x=trl.__version__ + 'a', y=trl.X + 1, z=trl.__version__)", _unknown("x", "y", "z")),
        (
            (
                "from packaging.version import parse\nimport trl\nv = parse(trl.__version__)\n"
                "SFTConfig(x=v.major, y=v > 1, z=v, w=f(v))"
            ),
            _unknown("x", "y", "z", "w"),
        ),
        # what is deleted or unpacked
        ("del l[input()]\nSFTConfig(x=l)", _unknown("x")),
        ("a, b = input()\nc, *e = sys.argv\nSFTConfig(x=a, y=c, z=e)", _unknown("x", "y", "z")),
        ("from .own import *\nSFTConfig(x=name)", _unknown("x")),
        ("SFTConfig(x=getattr(l, input()), y=getattr(l), w=getattr(input(), 'x', 4))", _unknown("x", "y", "w")),
        ("big = [" + "0, " * 1200 + "]\nSFTConfig(x=big)", _unknown("x")),
    ],
)
def test_what_is_not_known_is_not_made_up(text: str, wanted: dict[str, Any]) -> None:
    found = values(f"{HEAD}{text}\n")
    assert {name: "?" if str(value).startswith("? ") else value for name, value in found.items()} == wanted


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("for i in open('f'): d['k'] = i\nSFTConfig(**d)", "it changes in a loop"),
        ("d.update(input())\nSFTConfig(**d)", "d.update(input()) is not known"),
        ("d.update(**input())\nSFTConfig(**d)", "**input() is not known"),
        ("d[input()] = 5\nSFTConfig(**d)", "the key input() is not known"),
        ("import other\nother.f(d)\nSFTConfig(**d)", "it is handed to other.f"),
        ("SFTConfig(**input())", "**input() is not known"),
        ("del d[input()]\nSFTConfig(**d)", "it is handed to del d[input()]"),
        ("SFTConfig(**{" + ", ".join(f"'k{n}': 1" for n in range(1200)) + "})", "it holds too many keys to follow"),
        ("SFTConfig(**dict(" + ", ".join(f"k{n}=1" for n in range(1200)) + "))", None),
        ("setattr(d, input(), 1)\nSFTConfig(**d)", None),
        ("if sys.argv: d['q'] = 1\nimport other\nother.f(d)\nSFTConfig(**d)", "it is handed to other.f"),
        ("SFTConfig(**dict([('a', 1), input()]))", None),
        ("SFTConfig(**dict([(input(), 1)]))", None),
    ],
)
def test_arguments_that_may_be_more_are_told(text: str, more: str | None) -> None:
    [found] = calls(f"{HEAD}{text}\n")
    assert found.more
    assert more is None or found.more == more


def test_a_default_from_the_environment_goes_through_what_is_worked_out_of_it() -> None:
    because = "the environment variable N may give another value"
    text = "n = int(os.environ.get('N', '4'))\nSFTConfig(x=n * 2, y=max(n, 3), z=str(n), w=-n, v=f'{n}')\n"
    assert values(HEAD + text) == {
        "x": f"8|{because}",
        "y": f"4|{because}",
        "z": f"'4'|{because}",
        "w": f"-4|{because}",
        "v": f"'4'|{because}",
    }


def test_an_attribute_of_unknown_name_makes_the_others_doubtful() -> None:
    text = "n = types.SimpleNamespace(a=1)\nsetattr(n, input(), 2)\nSFTConfig(x=n.a)\n"
    assert values(HEAD + text) == {"x": "1|setattr(n, input(), 2) sets an attribute whose name is not known"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("async def f():\n    await SFTConfig(x=1)", {"x": 1}),
        ("def f():\n    yield SFTConfig(x=1)", {"x": 1}),
        ("class A(SFTConfig):\n    n: int = 1\nA(x=1)", {"x": 1}),
        ("class A(SFTConfig, dict): pass\nclass B(A): pass\nB(x=1)", {"x": 1}),
    ],
)
def test_a_call_is_found_wherever_it_stands(text: str, wanted: dict[str, Any]) -> None:
    assert values(f"{HEAD}{text}\n") == wanted


@pytest.mark.parametrize(
    "text", ["import trl\nclass A(SFTConfig, trl.DPOConfig): pass\nA(x=1)", "class A(B): pass\nA(x=1)"]
)
def test_a_class_of_several_or_of_unknown_ones_is_none_of_them(text: str) -> None:
    assert calls(f"{HEAD}{text}\n") == []
