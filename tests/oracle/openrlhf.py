"""Ask an OpenRLHF release itself: run its own argument parsing and validation, without torch, ray, vllm or deepspeed.

    verdict = run(wheel, "train_ppo_ray", ["--train.async_enable", "--vllm.num_engines", "2"])

THIS EXECUTES UPSTREAM'S CODE. It is for tests alone; rlhflint never does that.

How: the entry module's top level runs with a finder in front that answers every import from outside the standard
library with a mock; `openrlhf.utils.config`, which only nests the dotted names, is run for real. Then the
`if __name__ == "__main__"` block runs with the functions it calls replaced by a recorder, so that parsing and
validation happen and the work does not. With `train_body` the body of `train()` runs too, everything heavy in it
mocked, so that the assertions there fire.

Limits: mocks hide what would fail inside a mocked call: no GPU, model, dataset or version facts, and nothing that
happens after start-up. Messages and edge cases are those of the Python that runs this. Not for threads: `sys.modules`
is swapped while upstream runs.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import contextlib
import copy
import importlib.abc
import importlib.machinery
import io
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

from tools.schemas.wheel_texts import texts

_RUN_FOR_REAL = {"openrlhf.utils.config"}


@dataclass
class Verdict:
    """What upstream said about one launch.

    `outcome` is `accept`, `reject:argparse` (exit status 2), `reject:assert` or `reject:raise`; `parsed` the values
    after parsing, by dest; `final` those after validation, dotted; `changed` what validation changed, as (before,
    after).
    """

    entry: str
    outcome: str = "accept"
    message: str = ""
    line: int | None = None
    printed: list[str] = field(default_factory=list)
    parsed: dict[str, Any] = field(default_factory=dict)
    final: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        """Parsing and validation passed."""
        return self.outcome == "accept"

    @property
    def parses(self) -> bool:
        """argparse took the words, whatever validation said later."""
        return self.outcome != "reject:argparse"


def run(wheel: Path, entry: str, argv: Sequence[str], *, train_body: bool = False) -> Verdict:
    """Parse and validate `argv` as `entry` of the release in `wheel` does. Raises KeyError: no such entry point."""
    verdict = Verdict(entry)
    program = _Entry(_split(wheel, entry), train_body)
    out, err = io.StringIO(), io.StringIO()
    with (
        _mocked_world(program.module.sources, [f"{entry}.py", *argv]),
        _spied_parser(verdict, [], program.module),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            program.execute()
        except _Stopped:
            pass
        except SystemExit as stop:
            if stop.code:
                verdict.outcome, verdict.message = "reject:argparse", _parser_message(err.getvalue())
        except AssertionError as error:
            verdict.outcome, verdict.message, verdict.line = "reject:assert", str(error), program.line_of(error)
        except Exception as error:
            verdict.outcome, verdict.message = "reject:raise", f"{type(error).__name__}: {error}"
            verdict.line = program.line_of(error)
    verdict.printed = [line for line in out.getvalue().splitlines() if line.strip()]
    if isinstance(program.arguments, (argparse.Namespace, types.SimpleNamespace)):
        verdict.final = _flat(_plain(program.arguments))
        verdict.changed = {
            name: (verdict.parsed[name], value)
            for name, value in verdict.final.items()
            if name in verdict.parsed and verdict.parsed[name] != value
        }
    return verdict


def live_parser(wheel: Path, entry: str) -> argparse.ArgumentParser | None:
    """The parser that an entry point parses with, in the state it has then; None if it is never built."""
    program = _Entry(_split(wheel, entry), train_body=False)
    parsers: list[argparse.ArgumentParser] = []
    with (
        _mocked_world(program.module.sources, [f"{entry}.py"]),
        _spied_parser(Verdict(entry), parsers),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(_Stopped, SystemExit, Exception),
    ):
        program.execute()
    return parsers[-1] if parsers else None


def entries(wheel: Path) -> tuple[str, ...]:
    """The entry points of a release."""
    files = _sources(wheel)
    return tuple(
        path.removeprefix("openrlhf/cli/").removesuffix(".py")
        for path, text in files.items()
        if path.startswith("openrlhf/cli/") and "ArgumentParser(" in text
    )


@lru_cache(maxsize=16)
def _sources(wheel: Path) -> dict[str, str]:
    return texts(wheel, "openrlhf/")


class _Stopped(Exception):
    """Raised in place of the work that would follow validation."""


class _MockModule(types.ModuleType):
    """A module whose every attribute is a mock, so that imports and decorators work."""

    __version__ = "999.0.0"  # some releases compare a version when they are imported

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> MagicMock:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        mock = MagicMock(name=f"{self.__name__}.{name}")
        setattr(self, name, mock)
        return mock


class _MockFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers every import from outside the standard library."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> Any:
        if _is_standard(fullname):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _MockModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        source = self.sources.get(module.__name__.replace(".", "/") + ".py")
        if module.__name__ in _RUN_FOR_REAL and source:
            exec(compile(source, module.__name__, "exec"), module.__dict__)


@dataclass(frozen=True)
class _Module:
    """An entry module, compiled as its top level and its `__main__` block; `workers` are what that block calls."""

    path: str
    sources: Mapping[str, str]
    top: types.CodeType
    main: types.CodeType
    workers: tuple[str, ...]
    parser: list[argparse.ArgumentParser] = field(default_factory=list)
    """The parser, once a run has built all of it: with more than a hundred options that takes longer than to parse."""
    globals: dict[str, Any] = field(default_factory=dict)
    begun: dict[str, Any] = field(default_factory=dict)
    """The module's names as they are once its top level has run; `globals` are those that its functions see."""
    imported: dict[str, types.ModuleType] = field(default_factory=dict)
    """The mocks of what it imports, by name."""

    def begin(self) -> dict[str, Any]:
        """The names with which the `__main__` block begins, the same for every run."""
        if not self.begun:
            self.globals.update({"__name__": "__main__", "__file__": self.path, "__builtins__": builtins})
            exec(self.top, self.globals)
            self.begun.update(self.globals)
            self.imported.update({name: one for name, one in sys.modules.items() if isinstance(one, _MockModule)})
        self.globals.clear()
        self.globals.update(self.begun)
        sys.modules.update(self.imported)
        return self.globals

    def end(self) -> None:
        """Put new mocks in the place of those that a run has used."""
        for name, one in self.begun.items():
            if isinstance(one, MagicMock) and one.mock_calls:
                self.begun[name] = MagicMock(name=name)
        for module in self.imported.values():
            for name, one in list(vars(module).items()):
                if isinstance(one, MagicMock) and one.mock_calls:
                    delattr(module, name)


@lru_cache(maxsize=64)
def _split(wheel: Path, entry: str) -> _Module:
    sources, path = _sources(wheel), f"openrlhf/cli/{entry}.py"
    tree = ast.parse(sources[path])
    main = [statement for statement in tree.body if isinstance(statement, ast.If)]
    top = [statement for statement in tree.body if statement not in main]
    called = {
        node.func.id
        for block in main
        for node in ast.walk(block)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    # Only what the block itself calls is replaced: what train() calls to validate must stay real.
    workers = tuple(node.name for node in top if isinstance(node, ast.FunctionDef) and node.name in called)
    first, last = (compile(ast.Module(body=list(body), type_ignores=[]), path, "exec") for body in (top, main))
    return _Module(path, sources, first, last, workers)


class _Entry:
    """One run of an entry module."""

    def __init__(self, module: _Module, train_body: bool) -> None:
        self.module = module
        self.arguments: Any = None
        self._train_body = train_body

    def execute(self) -> None:
        """Run the module. Raises what it raises, and `_Stopped` where its work would begin."""
        namespace = self.module.begin()
        for name in self.module.workers:
            namespace[name] = self._recorder(name, namespace[name])
        if "RewardModelProxy" in namespace:  # serve_rm: building the proxy would load the model
            namespace["RewardModelProxy"] = self._recorder("RewardModelProxy", None)
        try:
            exec(self.module.main, namespace)
        finally:
            self.module.end()

    def line_of(self, error: BaseException) -> int | None:
        """The last line of the entry module that an error came through."""
        line, trace = None, error.__traceback__
        while trace:
            if trace.tb_frame.f_code.co_filename == self.module.path:
                line = trace.tb_lineno
            trace = trace.tb_next
        return line

    def _recorder(self, name: str, original: Callable[..., Any] | None) -> Callable[..., Any]:
        def record(arguments: Any = None, *rest: Any, **named: Any) -> Any:
            self.arguments = arguments
            if original is None or not (self._train_body and name == "train"):
                raise _Stopped(name)
            return original(arguments, *rest, **named)

        return record


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names or module == "__main__"


@contextlib.contextmanager
def _mocked_world(sources: Mapping[str, str], argv: list[str]) -> Iterator[None]:
    modules, finders, arguments = dict(sys.modules), list(sys.meta_path), sys.argv
    for name in modules:
        if not _is_standard(name):
            del sys.modules[name]
    sys.meta_path.insert(0, _MockFinder(sources))
    sys.argv = argv
    try:
        yield
    finally:
        sys.argv = arguments
        sys.meta_path[:] = finders
        for name in set(sys.modules) - set(modules):
            del sys.modules[name]
        sys.modules.update(modules)


class _Built:
    """A parser that an earlier run of its module has built: it has all of its options and takes none again."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parse_args = parser.parse_args

    def add_argument(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: the option is there."""


@contextlib.contextmanager
def _spied_parser(
    verdict: Verdict, parsers: list[argparse.ArgumentParser], module: _Module | None = None
) -> Iterator[None]:
    """Note what is parsed in `verdict`, and the parser in `parsers`; with a `module`, build its parser but once."""
    original, kind = argparse.ArgumentParser.parse_args, argparse.ArgumentParser

    def parse_args(parser: argparse.ArgumentParser, *args: Any, **kwargs: Any) -> Any:
        parsers.append(copy.copy(parser))
        parsers[-1]._actions = list(parser._actions)
        if module is not None:
            module.parser[:] = [parser]
        parsed = original(parser, *args, **kwargs)
        verdict.parsed = {name: _plain(value) for name, value in copy.deepcopy(vars(parsed)).items()}
        return parsed

    argparse.ArgumentParser.parse_args = parse_args  # type: ignore[method-assign, assignment]
    if module is not None and module.parser:
        argparse.ArgumentParser = lambda *_args, **_kwargs: _Built(module.parser[0])  # type: ignore[assignment, misc]
    try:
        yield
    finally:
        argparse.ArgumentParser = kind  # type: ignore[misc]
        kind.parse_args = original  # type: ignore[method-assign]


def _parser_message(stderr: str) -> str:
    errors = [line.partition(": error: ")[2] for line in stderr.splitlines() if ": error: " in line]
    return errors[-1] if errors else stderr[-300:]


def _plain(value: Any) -> Any:
    if isinstance(value, (argparse.Namespace, types.SimpleNamespace)):
        return {name: _plain(item) for name, item in vars(value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)


def _flat(nested: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in nested.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return flat
