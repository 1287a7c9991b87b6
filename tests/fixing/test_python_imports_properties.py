"""Imports made up at random, some of whose names move: each is bound as before, and all else stays."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from rlhflint.fixing.edits import applied
from rlhflint.fixing.structure.imports import importing
from rlhflint.proposal import Reimport
from rlhflint.readers.python import read_cells
from rlhflint.source import Source
from rlhflint.text import Traced

from .calls import comments

PATH = "train.py"
NAMES = ["Alpha", "Beta", "Config", "Delta", "make"]
HOMES = ["trl.x", "trl.y", "trl.x.z"]
BLANKS = ["", " ", "\n    ", "  # {}\n    ", "\n    # {}\n    ", "\n\n"]
OTHERS = [
    "import os\n",
    "from trl.x import Other\n",
    "from trl.y import (\n    One,  # ä\n    Two,\n)\n",
    "x = 1\n",
    "\n",
    "# {}\n",
]
AROUND = [
    "{}\nx = 1\n",
    "import os; {}; x = 1\n",
    "def f():\n    y = 1\n    {}\n    return y\n",
    "if x: {}\n",
    "x = 1\n{}",
]


@st.composite
def statement(draw: st.DrawFn) -> str:
    """An import of some names from the package."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
    items = [f"{name} as _{name}" if draw(st.integers(0, 3)) == 0 else name for name in names]
    if not draw(st.booleans()):
        between = draw(st.sampled_from([", ", ",", " , ", ", \\\n    "]))
        return f"from trl import {between.join(items)}"
    parts = ["from trl import (", blank(draw)]
    for number, item in enumerate(items):
        parts += [item, blank(draw)]
        if number < len(items) - 1 or draw(st.booleans()):
            parts += [",", blank(draw)]
    return "".join([*parts, ")"])


def blank(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(BLANKS)).replace("{}", f"c{draw(st.integers(0, 99))}")


@st.composite
def texts(draw: st.DrawFn) -> str:
    before, behind = (draw(st.lists(st.sampled_from(OTHERS), max_size=2)) for _ in range(2))
    middle = draw(st.sampled_from(AROUND)).replace("{}", draw(statement()))
    end = "" if middle.endswith("\n") or not behind else "\n"
    text = "".join([*before, middle, end, *behind])
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def bound(text: str) -> set[tuple[str, str]]:
    """What imports bind: the dotted path, and the name."""
    return {
        (f"{node.module}.{alias.name}", alias.asname or alias.name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def rest(text: str) -> list[str]:
    """The statements that are no imports, and what they say."""
    module = ast.parse(text)
    for node in ast.walk(module):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.If)):
            node.body = [one for one in node.body if not isinstance(one, ast.ImportFrom)]  # type: ignore[misc]
    return ast.dump(module).splitlines()


def imports(text: str) -> list[str]:
    """The import statements as they are written."""
    nodes = ast.walk(ast.parse(text))
    return [ast.unparse(node) for node in nodes if isinstance(node, ast.ImportFrom)]


@given(
    texts(), st.lists(st.sampled_from(HOMES), min_size=len(NAMES), max_size=len(NAMES)), st.sets(st.sampled_from(NAMES))
)
def test_names_that_move(text: str, homes: list[str], moving: set[str]) -> None:
    where = dict(zip(NAMES, homes, strict=True))
    module = read_cells(PATH, [Traced.of_file(PATH, text)], watch=lambda name: name.startswith("trl"))
    changes = [
        Reimport(one, f"{where[name]}.{name}")
        for one in module.imports
        if one.module == "trl" and (name := one.path.rpartition(".")[2]) in moving
    ]
    after = applied(text, importing(changes, Source(PATH, text)))
    moved = {(f"trl.{name}", f"{where[name]}.{name}") for name in moving}
    assert bound(after) == {(dict(moved).get(path, path), name) for path, name in bound(text)}
    assert rest(after) == rest(text)
    assert comments(after) == comments(text)
    assert after.count("\r\n") == after.count("\n") or "\r" not in text
    assert len(imports(after)) == len(set(imports(after))) or len(imports(text)) > len(set(imports(text)))
    assert (after == text) == (not changes)
