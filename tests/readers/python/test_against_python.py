"""Programs are run for real, with a stand-in for the watched class: what was read has to be what happened."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from readers.python.reading import read
from readers.python.running import explains, run

NAMES = ("a", "b", "c", "kw", "base", "conf")


class Writer:
    """Writes a random program that cannot fail to be valid Python, though it may raise."""

    def __init__(self, choices: random.Random) -> None:
        self.choices = choices
        self.lines: list[str] = []
        self.defined: list[str] = []

    def program(self) -> str:
        self.lines += [
            "from trl import SFTConfig",
            "import trl as t",
            "from outside import coin, keep, Outside",
            "from types import SimpleNamespace",
            "from functools import partial",
            "a = 1",
            "b = 2",
        ]
        self.lines += [
            "def more(f):",
            "    return lambda *a, **k: f(*a, w=4, **k)",
            "def twice(f):",
            "    f()",
            "    return f",
        ]
        self.lines += ["c = 'x'", "kw = {}", "base = {'p': 1}", "conf = SFTConfig(z=0)"]
        self.block(0, self.choices.randint(3, 9), 3)
        return "\n".join(self.lines) + "\n"

    def block(self, indent: int, count: int, depth: int) -> None:
        for _ in range(count):
            self.statement(indent, depth)

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def scalar(self) -> str:
        pick = self.choices.choice
        return pick(
            [
                "1", "2", "0.5", "'x'", "'y'", "True", "None", pick("ab"), "c", f"{pick('ab')} + {pick('123')}",
                f"{pick('ab')} * 2", f"f'{{{pick('abc')}}}-run'", f"1 if {self.test()} else 2", f"({pick('ab')} or 7)",
                "base.get('p', 5)", "kw.get('q')", "len(base)", "int('4')", f"max({pick('ab')}, 3)", "-a",
                "(lambda v: v)(a)", "coin(9)", "[1, a]", "{'n': b}",
            ]
        )  # fmt: skip

    def test(self) -> str:
        pick = self.choices.choice
        return pick(
            [
                f"coin({self.choices.randint(0, 3)})", f"{pick('ab')} == {pick('12')}", f"{pick('ab')} in (1, 2)",
                "'p' in base",
                "c == 'x'", "not coin(1)", "coin(1) and a == 1", "coin(2) or b == 2", "kw", "True", "a is None",
            ]
        )  # fmt: skip

    def table(self) -> str:
        pick = self.choices.choice
        return pick(
            [
                "{'p': 2}", "dict(q=3)", "{**base, 'r': 4}", "base.copy()", "dict(base, s=b)", "kw | {'q': 1}", "kw",
                "base",
                "{**kw, **base}", f"{{'p': {self.scalar()}}}", "dict(zip(['u', 'v'], [1, 2]))",
            ]
        )  # fmt: skip

    def statement(self, indent: int, depth: int) -> None:
        pick = self.choices.choice
        kind = self.choices.randint(0, 27)
        if kind <= 3:
            self.write(indent, f"{pick('abc')} = {self.scalar()}")
        elif kind == 4:
            self.write(indent, f"{pick(['kw', 'base'])} = {self.table()}")
        elif kind == 5:
            self.write(indent, f"{pick(['kw', 'base'])}[{pick(['p', 'q', 'r'])!r}] = {self.scalar()}")
        elif kind == 6:
            self.write(
                indent,
                pick(["kw.update(base)", "base.update(q=8)", "base.pop('p', None)", "kw.setdefault('p', 6)", "a += 1"]),
            )
        elif kind in (7, 8):
            self.write(
                indent,
                f"conf = {pick(['SFTConfig', 't.SFTConfig'])}(x={self.scalar()}, **{pick(['kw', 'base', '{}'])})",
            )
        elif kind == 9:
            self.write(indent, f"conf.{pick(['x', 'w'])} = {self.scalar()}")
        elif kind == 10:
            self.write(indent, f"t.SFTTrainer(args=conf, n={self.scalar()})")
        elif kind == 11:
            self.write(indent, "keep(a)")
        elif depth and kind in (12, 13):
            self.write(indent, f"if {self.test()}:")
            self.block(indent + 1, self.choices.randint(1, 3), depth - 1)
            if self.choices.random() < 0.6:
                self.write(indent, pick(["else:", f"elif {self.test()}:"]))
                self.block(indent + 1, self.choices.randint(1, 2), depth - 1)
        elif depth and kind == 14:
            self.write(
                indent, f"for a in {pick(['(1, 2)', '[b]', 'range(3)', 'coin(5) and [1, 2] or [3]', '[1, 2, 3][:2]'])}:"
            )
            self.block(indent + 1, self.choices.randint(1, 3), depth - 1)
            if self.choices.random() < 0.3:
                self.write(indent + 1, f"if {self.test()}: {pick(['break', 'continue'])}")
                self.block(indent + 1, 1, 0)
        elif depth and kind == 15:
            self.write(indent, "try:")
            self.block(indent + 1, self.choices.randint(1, 2), depth - 1)
            if self.choices.random() < 0.5:
                self.write(indent + 1, f"if {self.test()}: raise ValueError")
                self.block(indent + 1, 1, 0)
            self.write(indent, "except Exception:")
            self.block(indent + 1, 1, depth - 1)
        elif depth and kind == 16:
            name = f"f{len(self.lines)}"
            self.write(indent, f"def {name}(v, w={self.scalar()}, **rest):")
            self.write(indent + 1, f"b = {pick(['v', 'w', '3'])}")
            self.block(indent + 1, self.choices.randint(0, 1), 0)
            if self.choices.random() < 0.5:
                self.write(indent + 1, f"if {self.test()}: return {self.scalar()}")
            self.write(
                indent + 1,
                pick(
                    [
                        "return SFTConfig(x=v, w=w, **rest)",
                        "return b",
                        "base['p'] = v",
                        "rest['y'] = 1; SFTConfig(**rest)",
                    ]
                ),
            )
            self.write(indent, f"{pick(['a', 'conf', '_'])} = {name}({self.scalar()}{pick(['', ', w=5', ', k=a'])})")
            if "conf" in self.lines[-1]:
                self.write(indent, "conf = conf if isinstance(conf, SFTConfig) else SFTConfig()")
        elif depth and kind == 17:
            self.write(indent, f"while coin({self.choices.randint(0, 3)}):")
            self.block(indent + 1, self.choices.randint(1, 2), depth - 1)
        elif depth and kind == 18:
            self.write(indent, f"match {pick(['c', 'a', 'coin(7)'])}:")
            self.write(indent + 1, f"case {pick(['1', repr('x'), '1 | 2'])}:")
            self.block(indent + 2, 1, 0)
            self.write(indent + 1, "case _:")
            self.block(indent + 2, 1, 0)
        elif depth and kind == 20:
            self.a_class(indent)
        elif kind == 21:
            self.write(indent, f"space = SimpleNamespace(p={self.scalar()}, **{pick(['{}', 'base'])})")
            self.write(
                indent, pick(["space.p = a", "space.q = 1", f"if {self.test()}: space.p = b", "setattr(space, 'q', c)"])
            )
            self.write(indent, "SFTConfig(x=space.p, y=getattr(space, 'q', 4))")
        elif kind == 22:
            self.write(indent, f"make = partial(SFTConfig, x={self.scalar()})")
            self.write(indent, f"conf = make({pick(['', '**kw', 'y=a', 'x=b'])})")
        elif kind == 24:
            self.write(
                indent, pick(["base.pop('p')", "del base['q']", "a = base['p']", "assert a != 2", "a = [1][b - 1]"])
            )
        elif depth and kind == 25:
            self.write(indent, f"for a in {pick(['(1, 2)', 'coin(5) and [1, 2] or [3]'])}:")
            self.block(indent + 1, 1, depth - 1)
            self.write(indent + 1, f"if {self.test()}: {pick(['break', 'continue'])}")
            self.write(indent + 1, pick(["break", "b = a", "SFTConfig(x=a)"]))
            self.write(indent, "else:")
            self.block(indent + 1, self.choices.randint(1, 2), depth - 1)
        elif depth and kind == 26:
            self.a_decorated_function(indent)
        elif kind == 27:
            self.write(indent, pick(["any((b := n) > 1 for n in (1, a))", "1 < a < (b := 5)", "coin(8) and (b := 4)"]))
        else:
            self.write(indent, f"SFTConfig(x={self.scalar()}, y={self.scalar()})")

    def a_decorated_function(self, indent: int) -> None:
        pick = self.choices.choice
        name = f"g{len(self.lines)}"
        self.write(indent, f"@{pick(['more', 'twice', 'keep'])}")
        self.write(indent, f"def {name}(x=1, **rest):")
        self.write(indent + 1, f"base['p'] = {self.scalar()}")
        self.write(indent + 1, pick(["return x", "return SFTConfig(x=x, **rest)"]))
        self.write(indent, f"{pick(['a', '_'])} = {name}({pick(['', '3', 'x=b'])})")
        self.write(indent, "a = a if isinstance(a, int) else 2")
        self.write(indent, "SFTConfig(a=a, **base)")

    def a_class(self, indent: int) -> None:
        pick = self.choices.choice
        name = f"K{len(self.lines)}"
        self.write(indent, f"class {name}{pick(['', '(object)', '(Outside)'])}:")
        self.write(indent + 1, f"lr = {self.scalar()}")
        self.write(indent + 1, "n = 5")
        if self.choices.random() < 0.7:
            self.write(indent + 1, "def __init__(self, n=3):")
            self.write(indent + 2, pick(["self.n = n", f"if {self.test()}: self.n = n", "self.lr = n", "pass"]))
        self.write(indent + 1, f"def go(self, k={self.scalar()}):")
        self.write(indent + 2, pick(["self.n = k", "pass", "base['p'] = k"]))
        self.write(indent + 2, "return SFTConfig(lr=self.lr, n=self.n, k=k)")
        self.write(indent, f"thing = {name}({pick(['', '7', 'n=a'])})")
        self.write(indent, pick(["thing.n = b", f"{name}.n = 9", "keep(thing)", f"if {self.test()}: thing.lr = 0"]))
        self.write(indent, f"conf = thing.go({pick(['', '1', 'k=b'])})")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**48))
def test_every_call_that_happens_is_on_some_way_that_was_read(seed: int) -> None:
    check(seed)


def check(seed: int) -> None:
    choices = random.Random(seed)
    text = Writer(choices).program()
    module = read(text)
    if any(problem.kind in ("not-followed", "too-many-ways") for problem in module.problems):
        return
    assert not module.problems
    for flips in range(4):
        falls = random.Random(flips)
        for line, actual, _ in run(text, lambda falls=falls: falls.random() < 0.5):
            assert any(explains(call, line, actual, text) for call in module.calls), (line, actual, text)
