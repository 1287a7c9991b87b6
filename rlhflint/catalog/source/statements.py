"""Statements of statically read Python, in the order in which they would run."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Sequence
from enum import Enum, auto

from rlhflint.catalog.source import operations, values
from rlhflint.catalog.source.expressions import ExpressionReader
from rlhflint.catalog.source.values import UNKNOWN, Class, Function, Module, PythonValue, Scope


class End(Enum):
    """How a block of statements ends."""

    FALLS_THROUGH = auto()
    BREAKS = auto()
    CONTINUES = auto()
    LEAVES = auto()


class StatementReader(ExpressionReader):
    """Follows statements. Both ways of a condition that is not known are taken."""

    def __init__(self) -> None:
        super().__init__()
        self.returned: list[list[PythonValue]] = []
        """What the functions that are being followed have returned so far, the innermost last."""

    @abstractmethod
    def store_attribute(self, owner: PythonValue, name: str, value: PythonValue) -> None:
        """`owner.name = value`."""

    @abstractmethod
    def bind_imports(self, statement: ast.Import | ast.ImportFrom, scope: Scope, module: Module) -> None:
        """What an import statement binds."""

    def block(self, body: Sequence[ast.stmt], scope: Scope, module: Module) -> End:
        """Follow statements; how they end."""
        for statement in body:
            end = self._statement(statement, scope, module)
            if end is not End.FALLS_THROUGH:
                return end
        return End.FALLS_THROUGH

    def _statement(self, statement: ast.stmt, scope: Scope, module: Module) -> End:
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
                self.bind(target, operations.binary(op, held, more), scope, module)
            case ast.Delete(targets=targets):
                for target in targets:
                    self.bind(target, UNKNOWN, scope, module)
            case ast.Import() | ast.ImportFrom():
                self.bind_imports(statement, scope, module)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                scope.names[name] = Function(statement, module, scope)
            case ast.ClassDef(name=name):
                scope.names[name] = self._class(statement, scope, module)
            case ast.Return(value=expression):
                result = self.value(expression, scope, module) if expression is not None else None
                if self.returned:
                    self.returned[-1].append(result)
                return End.LEAVES
            case ast.Raise():
                return End.LEAVES
            case ast.Break():
                return End.BREAKS
            case ast.Continue():
                return End.CONTINUES
        return self._compound(statement, scope, module)

    def _compound(self, statement: ast.stmt, scope: Scope, module: Module) -> End:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                holds = values.truth(self.value(test, scope, module))
                if holds is None:
                    return self._one_of((body, orelse), scope, module)
                return self.block(body if holds else orelse, scope, module)
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
                return self.block(body, scope, module)
            case ast.Try() | ast.TryStar():
                end = self.block([*statement.body, *statement.orelse], scope, module)
                self._one_of([*(handler.body for handler in statement.handlers), ()], scope, module)
                last = self.block(statement.finalbody, scope, module)
                return end if last is End.FALLS_THROUGH else last
            case ast.Match(cases=cases):
                return self._one_of([*(case.body for case in cases), ()], scope, module)
        return End.FALLS_THROUGH

    def _one_of(self, ways: Sequence[Sequence[ast.stmt]], scope: Scope, module: Module) -> End:
        """One of the ways is taken; afterwards only what holds on all those that go on is known."""
        before, outcomes, ends = scope.names, [], set()
        self.sometimes += 1
        for way in ways:
            scope.names = dict(before)
            self.spend(1 + len(before) // 50)
            end = self.block(way, scope, module)
            ends.add(end)
            if end is not End.LEAVES:
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
        return ends.pop() if len(ends) == 1 else End.FALLS_THROUGH

    def _loop(self, statement: ast.For | ast.AsyncFor, scope: Scope, module: Module) -> End:
        items = self.value(statement.iter, scope, module)
        if isinstance(items, (dict, str)):
            items = list(items)
        if not isinstance(items, list):
            self.bind(statement.target, UNKNOWN, scope, module)
            self._one_of((statement.body, ()), scope, module)
            return End.FALLS_THROUGH
        for item in list(items):
            self.bind(statement.target, item, scope, module)
            end = self.block(statement.body, scope, module)
            if end is End.LEAVES:
                return end
            if end is End.BREAKS:
                return End.FALLS_THROUGH
        return self.block(statement.orelse, scope, module)

    def _class(self, node: ast.ClassDef, scope: Scope, module: Module) -> Class:
        inner = Scope({}, scope)
        bases = tuple(self.value(base, scope, module) for base in node.bases)
        self.block(node.body, inner, module)
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
