"""Configuration classes read from source text: what `dataclasses.fields` would say, without importing anything.

Used on released packages when the catalog is made, and on a vendored package or a user's own subclass at check time.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from rlhflint.catalog.annotations import last_name
from rlhflint.catalog.source.field_source import State, field_state
from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class ClassSource:
    """One class statement: its own part only.

    `bases` are dotted names, followed through the imports of the module where they could be. `fields` holds the state
    of each own field in the form of the data files (see `field_state`). `replaced` names what `__post_init__` puts in
    place of None, as source text without `self.`; `enums` the enumeration it turns a field into. `json_fields` are
    the options whose text may be JSON. `warns` is the category of a warning that creating an object always gives.
    """

    name: str
    module: str
    bases: tuple[str, ...]
    is_dataclass: bool
    fields: Mapping[str, State] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    enums: Mapping[str, str] = field(default_factory=dict)
    json_fields: tuple[str, ...] = ()
    values: tuple[str, ...] | None = None
    """For an enumeration its values."""
    parameters: Mapping[str, State] | None = None
    """Of its own `__init__` without `self`: `position` unless keyword only, `required` where there is no default."""
    forwards: bool = False
    """Its `__init__` takes `*args, **kwargs` and nothing else."""
    warns: str = ""
    line: int = 0

    @property
    def path(self) -> str:
        """Its dotted name."""
        return f"{self.module}.{self.name}"


def read_class(
    node: ast.ClassDef, module: str, origins: Mapping[str, str], json_fields: tuple[str, ...] = ()
) -> ClassSource:
    """The own part of a class.

    `origins` says what the names of its module stand for, as dotted names; `json_fields` are those the module lists
    for a class that lists none itself.
    """
    fields = dict(_fields(node))
    replaced: dict[str, str] = {}
    enums: dict[str, str] = {}
    warns = ""
    initialiser: ast.FunctionDef | None = None
    for statement in node.body:
        if not isinstance(statement, ast.FunctionDef):
            continue
        if statement.name == "__init__":
            initialiser = statement
        if statement.name in ("__init__", "__post_init__"):
            warns = warns or _warning(statement)
        if statement.name == "__post_init__" or statement.name.startswith("_validate"):
            replaced.update(_replacements(statement))
            enums.update(_conversions(statement))
    bases = tuple(_dotted(base, origins) for base in node.bases)
    parameters = None if initialiser is None else dict(_parameters(initialiser))
    return ClassSource(
        name=node.name,
        module=module,
        bases=bases,
        is_dataclass=any(last_name(decorator) == "dataclass" for decorator in node.decorator_list),
        fields=fields,
        replaced=replaced,
        enums=enums,
        json_fields=listed_json_fields(node.body) or (json_fields if fields else ()),
        values=_enumeration(node) if any(base.rsplit(".", 1)[-1].endswith("Enum") for base in bases) else None,
        parameters=parameters,
        forwards=parameters is not None and set(parameters) == {"*args", "**kwargs"},
        warns=warns,
        line=node.lineno,
    )


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, State]]:
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                state = field_state(annotation, value)
                if not re.match(r"(?:typing\.)?ClassVar\b", state["type"]):
                    yield name, state


def listed_json_fields(body: Sequence[ast.stmt]) -> tuple[str, ...]:
    """The literal names in `_VALID_DICT_FIELDS` of a class or module; those of a base class are the base's own."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="_VALID_DICT_FIELDS")], value=value):
                return tuple(
                    part.value for part in ast.walk(value) if isinstance(part, ast.Constant) and type(part.value) is str
                )
    return ()


def _enumeration(node: ast.ClassDef) -> tuple[str, ...]:
    values: list[str] = []
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=str(value))):
                values.append(value)
    return tuple(values)


def _replacements(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """What a top-level statement puts in place of a field that is None, whatever the other fields are."""
    for statement in function.body:
        match statement:
            case ast.If(
                test=ast.Compare(left=tested, ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                body=body,
                orelse=[],
            ) if name := _own(tested):
                for inner in body:
                    match inner:
                        case ast.Assign(targets=[target], value=value) if _own(target) == name and _only_own(value):
                            yield name, _without_self(value)
            case ast.Assign(
                targets=[target],
                value=ast.IfExp(
                    test=ast.Compare(left=tested, ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                    body=value,
                    orelse=otherwise,
                ),
            ) if (name := _own(target)) and name == _own(tested) == _own(otherwise) and _only_own(value):
                yield name, _without_self(value)


def _conversions(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """`self.x = Enumeration(self.x)`: a value outside the enumeration is refused while the object is built."""
    for statement in ast.walk(function):
        match statement:
            case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id=kind), args=[argument], keywords=[])):
                name = _own(target)
                if name and name == _own(argument) and kind[:1].isupper():
                    yield name, kind


def _own(node: ast.expr) -> str:
    """`name` of `self.name`, else empty."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
    return ""


def _only_own(node: ast.expr) -> bool:
    """Made of constants and the object's own fields alone."""
    return all(part.id == "self" for part in ast.walk(node) if isinstance(part, ast.Name))


def _without_self(node: ast.expr) -> str:
    return re.sub(r"\bself\.", "", ast.unparse(node))


def _warning(function: ast.FunctionDef) -> str:
    """The category of a warning that stands unconditionally in a function body."""
    for statement in function.body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="warn"), args=arguments, keywords=keywords)):
                given = [*arguments[1:2], *(keyword.value for keyword in keywords if keyword.arg == "category")]
                return last_name(given[0]) if given else "UserWarning"
    return ""


def _parameters(init: ast.FunctionDef) -> Iterator[tuple[str, State]]:
    plain = [*init.args.posonlyargs, *init.args.args]
    first_default = len(plain) - len(init.args.defaults)
    for position, argument in enumerate(plain[1:]):
        state: State = {"position": position}
        yield argument.arg, state | ({"required": True} if position + 1 < first_default else {})
    if init.args.vararg:
        yield f"*{init.args.vararg.arg}", {}
    for argument, default in zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True):
        yield argument.arg, {"required": True} if default is None else {}
    if init.args.kwarg:
        yield f"**{init.args.kwarg.arg}", {}


def _dotted(node: ast.expr, origins: Mapping[str, str]) -> str:
    """A base class as a dotted name, its first part replaced by what the module imported it as."""
    text = ast.unparse(node.value if isinstance(node, ast.Subscript) else node)
    first, dot, rest = text.partition(".")
    return origins.get(first, first) + dot + rest
