"""Reads Python programs statically, in the order in which they would run, as far as that is known.

Assignments, functions, classes, loops over literal sequences and imports within the tree are followed; both ways of a
condition that is not known are taken, and what then differs between them is not known either. Nothing is imported or
run.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

from rlhflint.catalog.source import operations, values
from rlhflint.catalog.source.expressions import attribute_of, member
from rlhflint.catalog.source.modules import Modules, TooMuch
from rlhflint.catalog.source.statements import End, StatementReader
from rlhflint.catalog.source.values import UNKNOWN, Class, Function, Instance, Method, Module, PythonValue, Scope

DEEPEST_CALL = 25
"""Calls inside one another that are followed."""


class PythonReader(StatementReader):
    """Reads one program. What calls mean beyond plain Python is said by a subclass."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        super().__init__()
        self.modules = Modules(read, self._execute)
        self._depth = 0

    @abstractmethod
    def special_call(
        self,
        called: PythonValue,
        arguments: Sequence[PythonValue],
        keywords: Mapping[str | None, PythonValue],
        node: ast.Call,
    ) -> PythonValue:
        """What a call gives that is not followed; a key None among the keywords stands for unknown ones."""

    @abstractmethod
    def follows(self, called: Function | Class, arguments: Sequence[PythonValue]) -> bool:
        """Whether a call of a function or class of the tree is followed."""

    def run(self, path: str) -> bool:
        """Reads the program at `path` from its first statement to its last. False if there is none that parses."""
        return self.modules.load(path, "__main__") is not None

    def resolve(self, value: PythonValue) -> PythonValue:
        """The value behind an import; any other value as it is."""
        return self.modules.resolve(value)

    def attribute(self, owner: PythonValue, name: str) -> PythonValue:
        """`owner.name`, read."""
        return self.modules.member(owner, name) if isinstance(owner, Module) else attribute_of(owner, name)

    def store_attribute(self, owner: PythonValue, name: str, value: PythonValue) -> None:
        """`owner.name = value`."""
        if isinstance(owner, Instance):
            owner.attributes[name] = UNKNOWN if self.sometimes else value

    def bind_imports(self, statement: ast.Import | ast.ImportFrom, scope: Scope, module: Module) -> None:
        """What an import statement binds."""
        self.modules.bind_imports(statement, scope, module)

    def _execute(self, tree: ast.Module, module: Module) -> None:
        surrounding, self.sometimes = self.sometimes, 0
        self.block(tree.body, module.scope, module)
        self.sometimes = surrounding

    def call(self, node: ast.Call, scope: Scope, module: Module) -> PythonValue:
        """What a call gives: it is followed, or means something of its own, or nothing is known of it."""
        called = self.value(node.func, scope, module)
        arguments = self.items(node.args, scope, module)
        keywords: dict[str | None, PythonValue] = {}
        for keyword in node.keywords:
            value = self.value(keyword.value, scope, module)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
                keywords |= value
            else:
                keywords[None] = UNKNOWN
        if isinstance(called, (Function, Class)) and self.follows(called, [*arguments, *keywords.values()]):
            if isinstance(called, Function):
                return self._enter(called, arguments, keywords)
            instance = Instance(called)
            start = member(called, "__init__", instance)
            if isinstance(start, Function):
                self._enter(start, arguments, keywords)
            return instance
        if isinstance(called, Method) and isinstance(called.owner, (str, list, dict, set)):
            self.spend(values.weight(called.owner) + sum(map(values.weight, arguments)))
            if not keywords:
                return operations.call_method(called.owner, called.name, arguments)
            values.spoil(called.owner)
            return UNKNOWN
        return self.special_call(called, arguments, keywords, node)

    def _enter(
        self, function: Function, arguments: Sequence[PythonValue], keywords: Mapping[str | None, PythonValue]
    ) -> PythonValue:
        if self._depth >= DEEPEST_CALL:
            raise TooMuch("its functions call each other too deeply to be followed")
        scope = Scope(self._parameters(function, arguments, keywords), function.scope)
        if isinstance(function.node, ast.Lambda):
            return self.value(function.node.body, scope, function.module)
        self._depth += 1
        self.returned.append([])
        end = self.block(function.node.body, scope, function.module)
        results = self.returned.pop()
        self._depth -= 1
        return values.agreed(results if end is End.LEAVES and results else [*results, None])

    def _parameters(
        self, function: Function, arguments: Sequence[PythonValue], keywords: Mapping[str | None, PythonValue]
    ) -> dict[str, PythonValue]:
        spec = function.node.args
        positional = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
        named = [parameter.arg for parameter in spec.kwonlyargs]
        defaults = [
            *zip(reversed(positional), reversed(spec.defaults), strict=False),
            *((name, node) for name, node in zip(named, spec.kw_defaults, strict=True) if node is not None),
        ]
        bound: dict[str, PythonValue] = dict.fromkeys((*positional, *named), UNKNOWN)
        for name, node in defaults:
            bound[name] = UNKNOWN if None in keywords else self.value(node, function.scope, function.module)
        given = [*([function.bound] if function.bound is not None else []), *arguments]
        bound |= dict(zip(positional, given, strict=False))
        rest: dict[PythonValue, PythonValue] = {}
        for keyword, value in keywords.items():
            if keyword is None:
                values.spoil(rest)
            elif keyword in bound:
                bound[keyword] = value
            else:
                rest[keyword] = value
        if spec.vararg is not None:
            bound[spec.vararg.arg] = list(given[len(positional) :])
        if spec.kwarg is not None:
            bound[spec.kwarg.arg] = rest
        return bound
