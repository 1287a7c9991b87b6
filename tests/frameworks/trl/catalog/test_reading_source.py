"""Configuration classes read from text alone."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import keyword

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlhflint.catalog.annotations import parts_of, spell_type
from rlhflint.catalog.fields import linearise
from rlhflint.catalog.source.module_source import read_module
from rlhflint.frameworks.trl.catalog.imports import class_at
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.tree import Tree


def read(text, name="configs"):
    return read_module(text, name, package=False)


CLASS = """
import dataclasses
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Optional

class Kind(Enum):
    FIRST = "first"
    SECOND = "second"

@dataclass
class MineConfig:
    plain: int = 1
    none: Optional[str] = None
    late: list[str] = field(default_factory=list)
    made: dict = field(default_factory=lambda: {"a": 1})
    needed: str
    computed: float = 2 * PI
    chosen: str = field(default="a", metadata={"choices": ["a", "b"], "help": "Deprecated, use plain."})
    hidden: int = field(init=False, default=0)
    shared: ClassVar[int] = 3
    kind: str = "first"
    rate: "float | None" = None
    off: Optional[bool] = None
    _VALID_DICT_FIELDS = ["made"]

    def __post_init__(self):
        self.kind = Kind(self.kind)
        self.off = not self.plain if self.off is None else self.off
        if self.rate is None:
            self.rate = self.computed
        if self.none is None and self.plain:
            self.none = "never certain"
"""


def test_every_way_to_write_a_field():
    source = read(CLASS).classes["MineConfig"]
    assert source.is_dataclass
    assert "shared" not in source.fields
    assert source.fields["plain"] == {"type": "int", "default": 1}
    assert source.fields["none"] == {"type": "str | None", "default": None}
    assert source.fields["late"]["default"] == []
    assert source.fields["made"]["default"] == {"a": 1}
    assert source.fields["needed"] == {"type": "str", "required": True}
    assert source.fields["computed"] == {"type": "float", "expr": "2 * PI"}
    assert source.fields["chosen"]["choices"] == ["a", "b"]
    assert source.fields["chosen"]["deprecated"] is True
    assert source.fields["hidden"]["init"] is False
    assert source.fields["rate"]["type"] == "float | None"
    assert source.json_fields == ("made",)
    assert source.enums == {"kind": "Kind"}
    assert source.replaced == {"off": "not plain", "rate": "computed"}
    assert read(CLASS).classes["Kind"].values == ("first", "second")


def test_constructors_are_read_with_positions():
    text = "class T:\n    def __init__(self, model, args=None, /, *rest, reward, extra=1, **kwargs): ...\n"
    assert read(text).classes["T"].parameters == {
        "model": {"position": 0, "required": True},
        "args": {"position": 1},
        "*rest": {},
        "reward": {"required": True},
        "extra": {},
        "**kwargs": {},
    }


def test_imports_are_followed_to_where_they_lead():
    text = "import trl as t\nfrom trl import GRPOConfig as G\n"
    text += "class A(G): ...\nclass B(t.SFTConfig): ...\nclass C(A): ...\n"
    classes = read(text).classes
    assert classes["A"].bases == ("trl.GRPOConfig",)
    assert classes["B"].bases == ("trl.SFTConfig",)
    assert classes["C"].bases == ("configs.A",)


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("Optional[int]", "int | None"),
        ("Union[None, int]", "int | None"),
        ("None | str | list[str]", "None | str | list[str]"),
        ("Optional[Union[str, list[str]]]", "str | list[str] | None"),
        ("typing.List[Optional[str]]", "list[str | None]"),
        ("'int | str'", "int | str"),
        ("Literal['a', 'b | c']", "Literal['a', 'b | c']"),
        ("Annotated[Optional[int], 'a note']", "int | None"),
    ],
)
def test_annotations_have_one_spelling(written, spelled):
    assert spell_type(ast.parse(written, mode="eval").body) == spelled


def test_parts_of_a_union_are_told_from_those_inside_brackets():
    assert parts_of("dict[str, int | None] | list[tuple[int, int]] | None") == (
        *("dict[str, int | None]", "list[tuple[int, int]]", "None"),
    )


names = st.text("abcdef", min_size=1, max_size=3).filter(lambda name: not keyword.iskeyword(name))
values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(names, values), max_size=6), st.lists(st.tuples(names, values), max_size=6))
def test_two_classes_merge_as_dataclasses_merge_them(base, derived):
    body = ["from dataclasses import dataclass"]
    for name, parent, fields in (("BaseConfig", "", base), ("MineConfig", "(BaseConfig)", derived)):
        body += ["@dataclass", f"class {name}{parent}:", "    pass"]
        body += [f"    {field}: object = {value!r}" for field, value in fields]
    text = "\n".join(body)
    scope: dict[str, object] = {}
    exec(text, scope)
    module = read(text)
    own = {source.path: source for source in module.classes.values()}
    ours = config_fields("configs.MineConfig", "1.0.0", "5.0.0", own)
    theirs = {field.name: field.default for field in dataclasses.fields(scope["MineConfig"])}
    assert {name: one.default for name, one in ours.items()} == theirs
    assert list(ours) == list(theirs)


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(st.sampled_from("ABCDE"), st.lists(st.sampled_from("ABCDEobject"), max_size=3, unique=True)))
def test_any_bases_give_an_order_that_ends(bases):
    order = linearise("A", lambda name: tuple(bases.get(name, ())))
    assert order[0] == "A"
    assert len(order) == len(set(order))


HOSTILE = {
    "brackets": "x = " + "(" * 100_000,
    "a long line": "x = '" + "a" * 3_000_000 + "'\n@dataclass\nclass MineConfig:\n    a: int = 1\n",
    "a deep annotation": "class MineConfig:\n    a: " + "list[" * 90 + "int" + "]" * 90 + " = None\n",
    "a wide union": "class MineConfig:\n    a: " + " | ".join(["int"] * 3_000) + " = None\n",
    "a string in strings": "class MineConfig:\n    a: '" + "(" * 5_000 + "' = None\n",
    "a NUL": "x = 1\0",
    "a surrogate": "x = '\ud800'",
    "operators": "x = " + "-" * 20_000 + "1",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_makes_reading_fail_in_another_way_than_said(text):
    with contextlib.suppress(SyntaxError, ValueError):
        read(text)


def test_a_package_of_circles_is_read_to_an_end():
    tree = Tree.read(
        {
            "trl/__init__.py": "from .a import Thing\nfrom .b import *\n",
            "trl/a.py": "from .b import Thing\n",
            "trl/b.py": "from .a import Thing\nfrom . import *\n",
            "trl/broken.py": "def (",
        }
    )
    assert tree.unreadable == ("trl/broken.py",)
    class_at("trl.Thing", tree)
    assert tree.configs == {}
