"""The modules of a source tree, read when something asks for them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from posixpath import dirname

from rlhflint.catalog.source.operations import BUILTINS
from rlhflint.catalog.source.values import UNKNOWN, External, Later, Module, PythonValue, Scope
from rlhflint.python_syntax import TooDeep, syntax_tree

LONGEST_SOURCE = 2_000_000
"""Characters of a module that is read."""
_SPEAKS_OF_PARSERS = ("argparse", "add_argument", "parse_args", "parse_known_args")


class TooMuch(Exception):
    """The program is longer or more deeply nested than is read."""


@lru_cache(maxsize=256)
def parse(source: str) -> ast.Module | None:
    """The syntax tree of a module, None where Python refuses it. Raises TooMuch where it is too long or too deep."""
    if len(source) > LONGEST_SOURCE:
        raise TooMuch("it is too long to be read")
    try:
        return syntax_tree(source)
    except TooDeep:
        raise TooMuch("it is nested too deeply to be read") from None
    except (SyntaxError, ValueError):
        return None


class Modules:
    """Finds modules by name and path, and runs each once.

    Args:
        read: the text of a file of the tree by its path from the root (`openrlhf/cli/train_sft.py`), None if absent.
        execute: reads the statements of a module into its scope.
    """

    def __init__(self, read: Callable[[str], str | None], execute: Callable[[ast.Module, Module], None]) -> None:
        self.files: dict[str, str] = {}
        """Text of the files read so far, by path."""
        self._read = read
        self._execute = execute
        self._modules: dict[str, Module] = {}

    def load(self, path: str, name: str) -> Module | None:
        """The module at a path; None if there is no such file or Python refuses it."""
        if path in self._modules:
            return self._modules[path]
        source = self._read(path)
        tree = parse(source) if source is not None else None
        if source is None or tree is None:
            return None
        self.files[path] = source
        module = Module(path, Scope({"__name__": name}, BUILTINS), any(word in source for word in _SPEAKS_OF_PARSERS))
        self._modules[path] = module
        self._execute(tree, module)
        return module

    def bind_imports(self, statement: ast.Import | ast.ImportFrom, scope: Scope, module: Module) -> None:
        """What an import statement binds. Nothing is read before the name is used, save for `import *`."""
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                top = alias.name if alias.asname else alias.name.partition(".")[0]
                scope.names[alias.asname or top] = Later(top, module.path)
            return
        origin = statement.module or ""
        if statement.level:
            folder = module.path
            for _ in range(statement.level):
                folder = dirname(folder)
            origin = ".".join(filter(None, (folder.replace("/", "."), origin)))
        for alias in statement.names:
            if alias.name != "*":
                scope.names[alias.asname or alias.name] = Later(origin, module.path, alias.name)
            elif isinstance(whole := self.resolve(Later(origin, module.path)), Module):
                scope.names |= {name: value for name, value in whole.scope.names.items() if name[:1] != "_"}

    def resolve(self, value: PythonValue) -> PythonValue:
        """The value behind an import; any other value as it is."""
        for _ in range(20):
            if not isinstance(value, Later):
                return value
            value = self._imported(value)
        return UNKNOWN

    def member(self, module: Module, name: str) -> PythonValue:
        """`module.name`, which may be a module inside a package."""
        if name in module.scope.names:
            return self.resolve(module.scope.names[name])
        return self._inner(f"{dirname(module.path).replace('/', '.')}.{name}".lstrip("."), module.path)

    def _imported(self, later: Later) -> PythonValue:
        path = self._find(later.module, later.importer)
        if path is None:
            if later.name and self._find(f"{later.module}.{later.name}", later.importer):
                return self._inner(f"{later.module}.{later.name}", later.importer)
            return External(f"{later.module}.{later.name}" if later.name else later.module)
        module = self.load(path, later.module)
        if module is None or not later.name:
            return module or UNKNOWN
        if later.name in module.scope.names:
            return module.scope.names[later.name]
        return self._inner(f"{later.module}.{later.name}", later.importer)

    def _inner(self, name: str, importer: str) -> PythonValue:
        path = self._find(name, importer)
        return (self.load(path, name) if path else None) or UNKNOWN

    def _find(self, name: str, importer: str) -> str | None:
        """The path of a module; the root of the tree comes first, then the folder of the importing file."""
        for folder in dict.fromkeys(("", dirname(importer))):
            stem = "/".join(filter(None, (folder, *name.split("."))))
            for path in (f"{stem}.py", f"{stem}/__init__.py"):
                if path in self._modules or self._read(path) is not None:
                    return path
        return None
