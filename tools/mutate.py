"""Mutation testing: are there lines that could be wrong without a test that fails?

    python tools/mutate.py rlhflint/fixing/edits.py --tests tests/fixing [--sample 40] [--seed 1]

Changes one thing of a module at a time (a comparison, an operator, a constant, `not`, `and`/`or`, a returned value, a
statement left out), in a copy of the repository, and runs the tests. A change after which all pass is a survivor: it is
printed, to be looked at. Prints `KILLED of TRIED` at the end. Nothing is written in the repository itself.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300
"""For one run of the tests; a change that makes them take longer counts as seen."""
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    """One change: the line it is in, what it does, and the module with it."""

    line: int
    what: str
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """Every change of a module, in the order of its lines."""
    tree = ast.parse(text)
    for index, node in enumerate(ast.walk(tree)):
        for number, (what, _) in enumerate(_changes(node)):
            changed = copy.deepcopy(tree)
            twin = next(one for at, one in enumerate(ast.walk(changed)) if at == index)
            _changes(twin)[number][1]()
            yield Mutant(getattr(node, "lineno", 0), what, ast.unparse(ast.fix_missing_locations(changed)))


def _changes(node: ast.AST) -> list[tuple[str, Callable[[], None]]]:
    """What can be changed at a node: in words, and what makes the change."""
    found: list[tuple[str, Callable[[], None]]] = []
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                other = _COMPARISONS[type(operator)]
                found.append((f"{type(operator).__name__} → {other.__name__}", _put(node.ops, at, other())))
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS and not isinstance(node.left, ast.JoinedStr):
            other_operator = _OPERATORS[type(operator)]
            name = f"{type(operator).__name__} → {other_operator.__name__}"
            found.append((name, lambda: setattr(node, "op", other_operator())))
        case ast.BoolOp(op=operator):
            flipped = ast.Or() if isinstance(operator, ast.And) else ast.And()
            found.append((f"and ↔ or in {ast.unparse(node)[:60]}", lambda: setattr(node, "op", flipped)))
        case ast.UnaryOp(op=ast.Not()):
            found.append((f"without not: {ast.unparse(node)[:60]}", lambda: setattr(node, "op", ast.UAdd())))
        case ast.Constant(value=bool(value)):
            found.append((f"{value} → {not value}", lambda: setattr(node, "value", not value)))
        case ast.Constant(value=int(value)) if value < 100:  # a larger one is a bound, and any near it will do
            found.append((f"{value} → {value + 1}", lambda: setattr(node, "value", value + 1)))
        case ast.If() | ast.IfExp():
            always = ast.BoolOp(ast.Or(), [node.test, ast.Constant(True)])
            found.append((f"always: if {ast.unparse(node.test)[:60]}", lambda: setattr(node, "test", always)))
        case ast.FunctionDef() | ast.For() | ast.While() | ast.With():
            found += _without_statements(node.body)
    if isinstance(node, ast.If):
        found += _without_statements(node.body)
    return found


def _put(target: list[ast.cmpop], at: int, other: ast.cmpop) -> Callable[[], None]:
    return lambda: target.__setitem__(at, other)


def _without_statements(body: list[ast.stmt]) -> list[tuple[str, Callable[[], None]]]:
    """Each assignment, call, `continue` and `break` of a block left out."""
    kinds = (ast.AugAssign, ast.Expr, ast.Continue, ast.Break)
    return [
        (f"without: {ast.unparse(one)[:60]}", _without(body, at))
        for at, one in enumerate(body)
        if isinstance(one, kinds) and not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]


def _without(body: list[ast.stmt], at: int) -> Callable[[], None]:
    return lambda: body.__setitem__(at, ast.Pass())


def survives(folder: Path, module: str, mutant: Mutant, tests: Sequence[str]) -> bool:
    """Whether all tests pass with a change."""
    path = folder / module
    before = path.read_text(encoding="utf-8")
    path.write_text(mutant.text, encoding="utf-8")
    try:
        return passes(folder, tests)
    finally:
        path.write_text(before, encoding="utf-8")


def passes(folder: Path, tests: Sequence[str]) -> bool:
    """Whether all tests pass in a copy of the repository."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    """The exit status: 1 if a change survived, 2 if the tests do not pass without one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="+", help="modules to change, by path")
    parser.add_argument("--tests", nargs="+", required=True, help="what is given to pytest")
    parser.add_argument("--sample", type=int, default=40, help="changes of all modules that are tried")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = [(name, one) for name in options.modules for one in mutants((ROOT / name).read_text(encoding="utf-8"))]
    chosen = random.Random(options.seed).sample(found, min(options.sample, len(found)))
    killed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "copy")
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "dist", "__pycache__"))
        if not passes(folder, options.tests):
            print("the tests do not pass as it is", file=sys.stderr)
            return 2
        for module, mutant in sorted(chosen, key=lambda one: (one[0], one[1].line)):
            if survives(folder, module, mutant, options.tests):
                print(f"survived: {module}:{mutant.line}: {mutant.what}", flush=True)
            else:
                killed += 1
    print(f"{killed} of {len(chosen)} changes were seen by a test, of {len(found)} possible ones")
    return int(killed < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
