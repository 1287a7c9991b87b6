"""Mutation testing: are there lines that could be wrong without a test that fails?

    python tools/mutate.py rlhflint/fixing/edits.py --tests tests/fixing [--sample 40] [--seed 1]
    python tools/mutate.py rlhflint/fixing/*.py --tests tests --coverage .coverage
    python tools/mutate.py rlhflint/frameworks/openrlhf/rules/kl.py --tests tests/rules -k "OR241 or OR242"

Changes one thing of a module at a time (a comparison, an operator, a constant, `not`, `and`/`or`, a returned value, a
statement left out), in a copy of the repository, and runs the tests. A change after which all pass is a survivor: it is
printed, to be looked at. Prints how many of the changes of each module were seen. Nothing is written in the repository
itself.

With the data of `pytest --cov --cov-context=test`, of the tests only those are run that come by the changed line.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300
"""For one run of the tests; a change that makes them take longer counts as seen, and is told. As long again for each
module where nothing is changed."""
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
    """One change: the number of its node and of the change there, its line and that of its statement, what it does."""

    node: int
    number: int
    line: int
    statement: int
    what: str
    called: bool
    """Whether it is in a function, whose lines are run when it is called, not when the module is loaded."""


def mutants(text: str) -> Iterator[Mutant]:
    """Every change of a module, in the order of its lines."""
    tree = ast.parse(text)
    lines, inside = _places(tree)
    for index, node in enumerate(ast.walk(tree)):
        called = id(node) in inside or isinstance(node, ast.FunctionDef)
        for number, change in enumerate(_changes(node)):
            yield Mutant(index, number, change.line, lines[id(node)], change.what, called)


def _places(tree: ast.Module) -> tuple[dict[int, int], set[int]]:
    """The line of the statement that each node is in, and the nodes that are in a function."""
    lines, inside = {id(tree): 0}, set()
    for node in ast.walk(tree):
        body = node.body if isinstance(node, ast.FunctionDef | ast.Lambda) else []
        called = {id(one) for one in (body if isinstance(body, list) else [body])}
        for child in ast.iter_child_nodes(node):
            lines[id(child)] = child.lineno if isinstance(child, ast.stmt) else lines[id(node)]
            if id(node) in inside or id(child) in called:
                inside.add(id(child))
    return lines, inside


def changed(text: str, mutant: Mutant | None) -> str:
    """A module with a change; without one, as it is written by the same printer."""
    tree = ast.parse(text)
    if mutant is not None:
        node = next(one for at, one in enumerate(ast.walk(tree)) if at == mutant.node)
        _changes(node)[mutant.number].make()
    return ast.unparse(ast.fix_missing_locations(tree))


@dataclass(frozen=True)
class _Change:
    line: int
    what: str
    make: Callable[[], None]


def _changes(node: ast.AST) -> list[_Change]:
    """What can be changed at a node."""
    found: list[tuple[str, Callable[[], None]]] = []
    statements: list[_Change] = []
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
            statements += _without_statements(node.body)
    if isinstance(node, ast.If):
        statements += _without_statements(node.body)
    line: int = getattr(node, "lineno", 0)
    return [*(_Change(line, what, make) for what, make in found), *statements]


def _put(target: list[ast.cmpop], at: int, other: ast.cmpop) -> Callable[[], None]:
    return lambda: target.__setitem__(at, other)


def _without_statements(body: list[ast.stmt]) -> list[_Change]:
    """Each assignment, call, `continue` and `break` of a block left out."""
    kinds = (ast.AugAssign, ast.Expr, ast.Continue, ast.Break)
    return [
        _Change(one.lineno, f"without: {ast.unparse(one)[:60]}", _without(body, at))
        for at, one in enumerate(body)
        if isinstance(one, kinds) and not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]


def _without(body: list[ast.stmt], at: int) -> Callable[[], None]:
    return lambda: body.__setitem__(at, ast.Pass())


class Copy:
    """A copy of the repository in which tests are run."""

    def __init__(self, folder: Path, tests: Sequence[str], coverage: Path | None) -> None:
        self.folder, self.tests = folder, tests
        self._written = 0
        self._lines = None if coverage is None else _Lines(coverage)
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "dist", "__pycache__"))

    def passes(self, modules: Sequence[str]) -> bool:
        """Whether all tests pass with the modules as they are, written by the printer that writes the changed ones.

        Raises TimeoutError.
        """
        for module in modules:
            path = self.folder / module
            self._write(path, changed(path.read_text(encoding="utf-8"), None))
        try:
            return _passes(self.folder, self.tests, len(modules) * SECONDS)
        finally:
            for module in modules:
                self._write(self.folder / module, (ROOT / module).read_text(encoding="utf-8"))

    def survives(self, module: str, mutant: Mutant) -> bool:
        """Whether all tests pass with a change. Raises TimeoutError."""
        path = self.folder / module
        before = path.read_text(encoding="utf-8")
        self._write(path, changed(before, mutant))
        try:
            return _passes(self.folder, self._those_for(module, mutant), SECONDS)
        finally:
            self._write(path, before)

    def _those_for(self, module: str, mutant: Mutant) -> Sequence[str]:
        if self._lines is None or not mutant.called:
            return self.tests
        tests = self._lines.tests(module, mutant.line) or self._lines.tests(module, mutant.statement)
        *given, _, names = self.tests
        below = tuple(f"{one.rstrip('/')}{end}" for one in given for end in ("/", "::"))
        chosen = [one for one in tests if one.startswith(below) or one in given]
        return [*chosen, "-k", names] if chosen else self.tests

    def _write(self, path: Path, text: str) -> None:
        """Each text has a time of its own, so that what was compiled of another one is not taken for it."""
        path.write_text(text, encoding="utf-8")
        self._written += 1
        os.utime(path, (self._written, self._written))


class _Lines:
    """Which tests come by which lines."""

    def __init__(self, path: Path) -> None:
        from coverage import CoverageData

        self._data = CoverageData(str(path))
        self._data.read()

    def tests(self, module: str, line: int) -> list[str]:
        """The tests that come by a line, those that see little else first; none where a process of its own does."""
        (file,) = (one for one in self._data.measured_files() if one.endswith(f"/{module}"))
        contexts = self._data.contexts_by_lineno(file)
        found = contexts.get(line, [])
        if "" in found:
            return []
        lines = Counter(context for there in contexts.values() for context in there)
        ordered = sorted(found, key=lambda context: (lines[context], context))
        return list(dict.fromkeys(context.rpartition("|")[0] for context in ordered))


def _passes(folder: Path, tests: Sequence[str], seconds: int) -> bool:
    """Whether all tests pass, in a child of this process, in which what takes long is loaded. Raises TimeoutError."""
    child = os.fork()
    if child == 0:
        status = 3
        with suppress(BaseException):
            status = _run(folder, tests)
        os._exit(status)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(child, 9)
    os.waitpid(child, 0)
    raise TimeoutError


def _run(folder: Path, tests: Sequence[str]) -> int:
    import pytest

    os.setsid()
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(folder)
    os.environ["PYTHONPATH"] = str(folder)
    sys.path[0] = str(folder)
    return int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests]))


def _load() -> None:
    """What the tests need and what does not change with a mutant."""
    for name in ("click", "hypothesis.strategies", "libcst.metadata", "pydantic", "pytest", "ruamel.yaml", "yaml"):
        import_module(name)


def main() -> int:
    """The exit status: 1 if a change survived, 2 if the tests do not pass without one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="+", help="modules to change, by path")
    parser.add_argument("--tests", nargs="+", required=True, help="what is given to pytest")
    parser.add_argument("-k", dest="names", default="", help="of the tests, those whose names pytest finds by this")
    parser.add_argument("--coverage", type=Path, help="data of coverage, with the tests as contexts")
    parser.add_argument("--sample", type=int, default=40, help="changes of all modules that are tried")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = [(name, one) for name in options.modules for one in mutants((ROOT / name).read_text(encoding="utf-8"))]
    chosen = random.Random(options.seed).sample(found, min(options.sample, len(found)))
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(Path(temporary, "compiled"))
        sys.dont_write_bytecode = False
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        _load()
        place = Copy(Path(temporary, "copy"), [*options.tests, "-k", options.names], options.coverage)
        if not place.passes(options.modules):
            print("the tests do not pass with the modules as they are", file=sys.stderr)
            return 2
        for module, mutant in sorted(chosen, key=lambda one: (one[0], one[1].line)):
            where = f"{module}:{mutant.line}: {mutant.what}"
            try:
                if place.survives(module, mutant):
                    print(f"survived: {where}", flush=True)
                    continue
            except TimeoutError:
                print(f"no end within {SECONDS} s: {where}", flush=True)
            seen[module] += 1
    tried, possible = (Counter(module for module, _ in some) for some in (chosen, found))
    for module in options.modules:
        print(f"{module}: {seen[module]} of {tried[module]} seen, of {possible[module]} possible")
    print(f"{seen.total()} of {len(chosen)} changes were seen by a test, of {len(found)} possible ones")
    return int(seen.total() < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
