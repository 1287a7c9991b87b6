"""Reads Python programs statically, in the order in which they would run, as far as that is known.

Assignments, functions, classes, loops over literal sequences and imports within the tree are followed; both ways of a
condition that is not known are taken, and what then differs between them is not known either. Nothing is imported or
run.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto

from rlhflint.catalog import python_values as values
from rlhflint.catalog.python_expressions import ExpressionReader, attribute_of, member
from rlhflint.catalog.python_modules import Modules, TooMuch
from rlhflint.catalog.python_values import UNKNOWN, Class, Function, Instance, Method, Module, PythonValue, Scope

DEEPEST_CALL = 25


class _End(Enum):
    """How a block of statements ends."""

    FALLS_THROUGH = auto()
    BREAKS = auto()
    CONTINUES = auto()
    LEAVES = auto()


class PythonReader(ExpressionReader):
    """Reads one program. What calls mean beyond plain Python is said by a subclass."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        super().__init__()
        self.modules = Modules(read, self._execute)
        self._depth = 0
        self._returned: list[list[PythonValue]] = []

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

    def _execute(self, tree: ast.Module, module: Module) -> None:
        surrounding, self.sometimes = self.sometimes, 0
        self._block(tree.body, module.scope, module)
        self.sometimes = surrounding

    # Statements

    def _block(self, body: Sequence[ast.stmt], scope: Scope, module: Module) -> _End:
        for statement in body:
            end = self._statement(statement, scope, module)
            if end is not _End.FALLS_THROUGH:
                return end
        return _End.FALLS_THROUGH

    def _statement(self, statement: ast.stmt, scope: Scope, module: Module) -> _End:
        self.spend(1)
        match statement:
            case ast.Expr(value=expression):
                self.value(expression, scope, module)
            case ast.Assign(targets=targets, value=expression):
                value = self.value(expression, scope, module)
                for target in targets:
                    self.bind(target, value, scope, module)
            case ast.AnnAssign(target=target, value=ast.expr() as expression):
                self.bind(target, self.value(expression, scope, module), scope, module)
            case ast.AugAssign(target=target, op=op, value=expression):
                held, more = self.value(target, scope, module), self.value(expression, scope, module)
                self.spend(values.weight(held) + values.weight(more))
                self.bind(target, values.binary(op, held, more), scope, module)
            case ast.Delete(targets=targets):
                for target in targets:
                    self.bind(target, UNKNOWN, scope, module)
            case ast.Import() | ast.ImportFrom():
                self.modules.bind_imports(statement, scope, module)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                scope.names[name] = Function(statement, module, scope)
            case ast.ClassDef(name=name):
                scope.names[name] = self._class(statement, scope, module)
            case ast.Return(value=expression):
                result = self.value(expression, scope, module) if expression is not None else None
                if self._returned:
                    self._returned[-1].append(result)
                return _End.LEAVES
            case ast.Raise():
                return _End.LEAVES
            case ast.Break():
                return _End.BREAKS
            case ast.Continue():
                return _End.CONTINUES
        return self._compound(statement, scope, module)

    def _compound(self, statement: ast.stmt, scope: Scope, module: Module) -> _End:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                holds = values.truth(self.value(test, scope, module))
                if holds is None:
                    return self._one_of((body, orelse), scope, module)
                return self._block(body if holds else orelse, scope, module)
            case ast.For() | ast.AsyncFor():
                return self._loop(statement, scope, module)
            case ast.While(test=test, body=body):
                self.value(test, scope, module)
                return self._one_of((body, ()), scope, module)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    entered = self.value(item.context_expr, scope, module)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, entered, scope, module)
                return self._block(body, scope, module)
            case ast.Try() | ast.TryStar():
                end = self._block([*statement.body, *statement.orelse], scope, module)
                self._one_of([*(handler.body for handler in statement.handlers), ()], scope, module)
                last = self._block(statement.finalbody, scope, module)
                return end if last is _End.FALLS_THROUGH else last
            case ast.Match(cases=cases):
                return self._one_of([*(case.body for case in cases), ()], scope, module)
        return _End.FALLS_THROUGH

    def _one_of(self, ways: Sequence[Sequence[ast.stmt]], scope: Scope, module: Module) -> _End:
        """One of the ways is taken; afterwards only what holds on all those that go on is known."""
        before, outcomes, ends = scope.names, [], set()
        self.sometimes += 1
        for way in ways:
            scope.names = dict(before)
            self.spend(1 + len(before) // 50)
            end = self._block(way, scope, module)
            ends.add(end)
            if end is not _End.LEAVES:
                outcomes.append(scope.names)
        self.sometimes -= 1
        scope.names = (
            before
            if not outcomes
            else {
                name: values.agreed([outcome[name] for outcome in outcomes if name in outcome])
                for name in dict.fromkeys(name for outcome in outcomes for name in outcome)
            }
        )
        return ends.pop() if len(ends) == 1 else _End.FALLS_THROUGH

    def _loop(self, statement: ast.For | ast.AsyncFor, scope: Scope, module: Module) -> _End:
        items = self.value(statement.iter, scope, module)
        if isinstance(items, (dict, str)):
            items = list(items)
        if not isinstance(items, list):
            self.bind(statement.target, UNKNOWN, scope, module)
            self._one_of((statement.body, ()), scope, module)
            return _End.FALLS_THROUGH
        for item in list(items):
            self.bind(statement.target, item, scope, module)
            end = self._block(statement.body, scope, module)
            if end is _End.LEAVES:
                return end
            if end is _End.BREAKS:
                return _End.FALLS_THROUGH
        return self._block(statement.orelse, scope, module)

    def _class(self, node: ast.ClassDef, scope: Scope, module: Module) -> Class:
        inner = Scope({}, scope)
        bases = tuple(self.value(base, scope, module) for base in node.bases)
        self._block(node.body, inner, module)
        return Class(node, module, bases, inner.names)

    def bind(self, target: ast.expr, value: PythonValue, scope: Scope, module: Module) -> None:
        """`target = value`, also where the target is made of several or is an attribute or an element."""
        match target:
            case ast.Name(id=name):
                scope.names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                fits = isinstance(value, list) and len(value) == len(targets)
                for index, inner in enumerate(targets):
                    self.bind(inner, value[index] if fits else UNKNOWN, scope, module)
            case ast.Starred(value=inner):
                self.bind(inner, UNKNOWN, scope, module)
            case ast.Attribute(value=owner, attr=name):
                self.store_attribute(self.value(owner, scope, module), name, value)
            case ast.Subscript(value=owner, slice=index):
                container, key = self.value(owner, scope, module), self.value(index, scope, module)
                if isinstance(container, dict) and isinstance(key, (str, int)) and value is not UNKNOWN:
                    container[key] = value
                else:
                    values.spoil(container)

    # Calls

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
                return values.call_method(called.owner, called.name, arguments)
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
        self._returned.append([])
        end = self._block(function.node.body, scope, function.module)
        results = self._returned.pop()
        self._depth -= 1
        return values.agreed(results if end is _End.LEAVES and results else [*results, None])

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
