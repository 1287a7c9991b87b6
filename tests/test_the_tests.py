"""What every test of the project keeps to, so that none passes because there is nothing to look at."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_WRAPPERS = {"enumerate", "list", "product", "range", "reversed", "set", "sorted", "tuple", "zip"}
_VIEWS = {"items", "keys", "splitlines", "split", "values"}


def assertions(body: list[ast.stmt], loops: tuple[ast.expr, ...] = ()) -> Iterator[tuple[ast.expr, ...]]:
    """For each assertion of a block, what the loops around it go over."""
    for one in body:
        if isinstance(one, ast.Assert) or (
            isinstance(one, ast.With) and "pytest.raises" in ast.unparse(one.items[0].context_expr)
        ):
            yield loops
        for name in ("body", "orelse", "finalbody"):
            inner = (*loops, one.iter) if isinstance(one, ast.For) else loops
            yield from assertions(getattr(one, name, []), inner)


def written_out(node: ast.expr | None, names: set[str]) -> bool:
    """Whether a collection stands in the test itself and has something in it."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(keys=parts):
            return bool(parts)
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Name(id=name), args=[*given]) if name in _WRAPPERS:
            return all(written_out(one, names) for one in given)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _VIEWS:
            return written_out(value, names)
        case ast.BinOp(left=left, right=right):
            return written_out(left, names) or written_out(right, names)
        case _:
            return False


def assigned(body: list[ast.stmt], names: set[str]) -> set[str]:
    """The names a block gives to collections that are written out."""
    found = set(names)
    for one in body:
        if isinstance(one, ast.Assign | ast.AnnAssign) and written_out(one.value, found):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def may_pass_for_nothing(module: ast.Module) -> Iterator[str]:
    """The tests all of whose assertions are in a loop over something worked out, made-up inputs aside."""
    names = assigned(module.body, set())
    for node in module.body:
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        if any(ast.unparse(one).startswith("given(") for one in node.decorator_list):
            continue
        known = assigned(node.body, names)
        around = list(assertions(node.body))
        if around and all(any(not written_out(one, known) for one in loops) for loops in around):
            yield node.name


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), ids=lambda path: path.stem)
def test_a_loop_over_nothing_makes_no_test_pass(path: Path) -> None:
    assert list(may_pass_for_nothing(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("for one in load():\n  assert one", ["test_x"]),
        ("with a:\n  for one in ONES:\n    for other in load(one):\n      assert other", ["test_x"]),
        ("ones = []\n for one in ones:\n  assert one", ["test_x"]),
        ("for one in ONES:\n  assert one", []),
        ("ones = load()\n assert ones\n for one in ones:\n  assert one", []),
        ("for one in (1, 2):\n  with pytest.raises(ValueError):\n    load(one)", []),
    ],
)
def test_loops_that_may_be_over_nothing_are_found(body: str, found: list[str]) -> None:
    assert list(may_pass_for_nothing(ast.parse(f"ONES = [1]\ndef test_x():\n {body}"))) == found


def test_a_parameter_without_values_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text(
        "import pytest\n@pytest.mark.parametrize('one', [])\ndef test_x(one): pass\n"
    )
    words = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [*words, "-p", "no:cacheprovider", "test_nothing.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stdout
    assert "Empty parameter set" in done.stdout
