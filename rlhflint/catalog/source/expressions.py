"""The values of expressions in statically read Python."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence

from rlhflint.catalog.source import operations, values
from rlhflint.catalog.source.modules import TooMuch
from rlhflint.catalog.source.values import (
    UNKNOWN,
    Class,
    External,
    Function,
    Instance,
    Method,
    Module,
    PythonValue,
    Scope,
)

MOST_WORK = 300_000
"""Expressions, statements and copied values that are worked through in one program."""


class ExpressionReader(ABC):
    """Evaluates expressions as far as they are made of literals and of what the program has bound before.

    Its work is counted; more than `MOST_WORK` steps raise `TooMuch`.
    """

    def __init__(self) -> None:
        self.sometimes = 0
        """How many conditions that are not known surround what is being read."""
        self._work = 0

    @abstractmethod
    def call(self, node: ast.Call, scope: Scope, module: Module) -> PythonValue:
        """The value of a call."""

    @abstractmethod
    def bind(self, target: ast.expr, value: PythonValue, scope: Scope, module: Module) -> None:
        """`target = value`."""

    @abstractmethod
    def resolve(self, value: PythonValue) -> PythonValue:
        """The value behind an import."""

    @abstractmethod
    def attribute(self, owner: PythonValue, name: str) -> PythonValue:
        """`owner.name`."""

    def spend(self, work: int) -> None:
        """Count work; raises TooMuch where it is used up."""
        self._work += work
        if self._work > MOST_WORK:
            raise TooMuch("it is too much to be followed")

    def value(self, node: ast.expr, scope: Scope, module: Module) -> PythonValue:
        """The value of an expression, `UNKNOWN` where it cannot be known."""
        self.spend(1)
        match node:
            case ast.Constant(value=constant):
                return constant if values.is_literal(constant) else UNKNOWN
            case ast.Name(id=name):
                return self.resolve(scope.look_up(name))
            case ast.Attribute(value=owner, attr=name):
                return self.attribute(self.value(owner, scope, module), name)
            case ast.Call():
                return self.call(node, scope, module)
            case ast.JoinedStr(values=parts):
                texts = [self.value(part, scope, module) for part in parts]
                return values.bounded("".join(texts)) if all(isinstance(text, str) for text in texts) else UNKNOWN
            case ast.FormattedValue(value=inner, conversion=-1 | 115, format_spec=None):
                value = self.value(inner, scope, module)
                return str(value) if isinstance(value, (str, int, float, type(None))) else UNKNOWN
            case ast.Tuple(elts=nodes) | ast.List(elts=nodes):
                return self.items(nodes, scope, module)
            case ast.Set(elts=nodes):
                listed = self.items(nodes, scope, module)
                return set(listed) if all(isinstance(item, (str, int, float)) for item in listed) else UNKNOWN
            case ast.Dict():
                return self._dict(node, scope, module)
            case ast.Subscript(value=owner, slice=index):
                return operations.subscript(self.value(owner, scope, module), self.value(index, scope, module))
            case ast.Lambda():
                return Function(node, module, scope)
            case ast.ListComp(elt=element, generators=[each]) | ast.GeneratorExp(elt=element, generators=[each]):
                return self._comprehension(element, each, scope, module)
            case ast.NamedExpr(target=target, value=inner):
                value = self.value(inner, scope, module)
                self.bind(target, value, scope, module)
                return value
            case ast.Await(value=inner) | ast.Starred(value=inner):
                return self.value(inner, scope, module)
        return self._operation(node, scope, module)

    def items(self, nodes: Sequence[ast.expr], scope: Scope, module: Module) -> list[PythonValue]:
        """The values of the entries of a list or of the arguments of a call, those behind a star spread out."""
        items: list[PythonValue] = []
        for node in nodes:
            value = self.value(node, scope, module)
            if not isinstance(node, ast.Starred):
                items.append(value)
            else:
                items += value if isinstance(value, list) else [UNKNOWN]
                self.spend(len(items))
        return items

    def _operation(self, node: ast.expr, scope: Scope, module: Module) -> PythonValue:
        match node:
            case ast.UnaryOp(op=operator, operand=operand):
                return operations.unary(operator, self.value(operand, scope, module))
            case ast.BinOp(left=left, op=operator, right=right):
                one, other = self._operands(left, right, scope, module)
                return operations.binary(operator, one, other)
            case ast.Compare(left=left, ops=[comparison], comparators=[right]):
                one, other = self._operands(left, right, scope, module)
                return operations.compare(comparison, one, other)
            case ast.BoolOp(op=connective, values=operands):
                return self._bool(connective, operands, scope, module)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                holds = values.truth(self.value(test, scope, module))
                if holds is not None:
                    return self.value(body if holds else orelse, scope, module)
                self.sometimes += 1
                ways = [self.value(body, scope, module), self.value(orelse, scope, module)]
                self.sometimes -= 1
                return values.agreed(ways)
        return UNKNOWN

    def _operands(
        self, left: ast.expr, right: ast.expr, scope: Scope, module: Module
    ) -> tuple[PythonValue, PythonValue]:
        one, other = self.value(left, scope, module), self.value(right, scope, module)
        self.spend(values.weight(one) + values.weight(other))
        return one, other

    def _dict(self, node: ast.Dict, scope: Scope, module: Module) -> dict[PythonValue, PythonValue]:
        result: dict[PythonValue, PythonValue] = {}
        for key_node, entry in zip(node.keys, node.values, strict=True):
            value = self.value(entry, scope, module)
            key = self.value(key_node, scope, module) if key_node is not None else None
            if key_node is None and isinstance(value, dict):
                result |= value
                self.spend(len(result))
            elif isinstance(key, (str, int, float)):
                result[key] = value
            else:
                values.spoil(result)
        return result

    def _bool(self, connective: ast.boolop, operands: Sequence[ast.expr], scope: Scope, module: Module) -> PythonValue:
        stops = isinstance(connective, ast.Or)
        value: PythonValue = UNKNOWN
        for operand in operands:
            value = self.value(operand, scope, module)
            holds = values.truth(value)
            if holds is None:
                return UNKNOWN
            if holds is stops:
                return value
        return value

    def _comprehension(self, element: ast.expr, each: ast.comprehension, scope: Scope, module: Module) -> PythonValue:
        source = self.value(each.iter, scope, module)
        if each.is_async or not isinstance(source, (list, dict, str)):
            return UNKNOWN
        result: list[PythonValue] = []
        inner = Scope({}, scope)
        for item in list(source):
            self.bind(each.target, item, inner, module)
            tests = [values.truth(self.value(test, inner, module)) for test in each.ifs]
            if None in tests:
                return UNKNOWN
            if all(tests):
                result.append(self.value(element, inner, module))
        return values.bounded(result)


def member(owner: Class, name: str, instance: Instance | None) -> PythonValue:
    """An attribute of a class or of an object of it; a function comes bound to what its first parameter gets."""
    seen: set[int] = set()
    stack = [owner]
    while stack:
        of = stack.pop(0)
        if id(of) in seen:
            continue
        seen.add(id(of))
        if name in of.names:
            return _bound(of.names[name], owner, instance)
        stack += [base for base in of.bases if isinstance(base, Class)]
    return UNKNOWN


def _bound(value: PythonValue, owner: Class, instance: Instance | None) -> PythonValue:
    if not isinstance(value, Function) or isinstance(value.node, ast.Lambda):
        return value
    decorators = {decorator.id for decorator in value.node.decorator_list if isinstance(decorator, ast.Name)}
    if "classmethod" in decorators:
        return Function(value.node, value.module, value.scope, owner)
    if instance is None or "staticmethod" in decorators:
        return value
    return Function(value.node, value.module, value.scope, instance)


def attribute_of(owner: PythonValue, name: str) -> PythonValue:
    """`owner.name` of a builtin object, an external one, a class or an object of a class."""
    match owner:
        case External(name=prefix):
            return External(f"{prefix}.{name}")
        case Class():
            return member(owner, name, None)
        case Instance(of=of, attributes=attributes):
            return attributes[name] if name in attributes else member(of, name, owner)
        case _ if isinstance(owner, (str, list, dict, set)):
            return Method(owner, name)
    return UNKNOWN
