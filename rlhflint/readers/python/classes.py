"""Classes that the file defines: what they are derived from, and the fields that they add."""

from __future__ import annotations

import ast

from rlhflint.call import Class, Field, Parameter
from rlhflint.readers.python.conversion import plain_value
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import Abstract, Defined, Entry, Imported, Instance, Ref, options

_DATACLASS = frozenset({"dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attr.s", "attrs.define"})
DEEPEST = 20
"""A class derived from more classes of the file, one from another, is not followed to its base."""


def define(
    run: Run, node: ast.ClassDef, bases: tuple[Abstract, ...], decorators: list[Abstract], place: int
) -> Defined:
    """The class that a statement defines, after its body was followed; its attributes are at `place`."""
    name = f"{run.frame.name}.{node.name}" if run.frame.name else node.name
    init = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
    start = run.source.text.find(node.name, run.source.start(node))
    named = [_path(base) for base in bases]
    facts = Class(
        name=name,
        span=run.source.span(node),
        name_span=run.source.span_of(start, start + len(node.name)),
        bases=tuple(path for path in named if path),
        open_bases=not all(named),
        dataclass=any(isinstance(one, Imported) and one.path in _DATACLASS for one in decorators),
        fields=tuple(_fields(run, node, place)),
        init=None if init is None else _signature(init.args),
        forwards=init is not None and _forwards(init),
    )
    if run.recording:
        run.classes[facts.span] = facts
    return Defined(facts, place, bases, unusual=any(one.arg == "metaclass" for one in node.keywords))


def maker(run: Run, defined: Defined) -> tuple[str, tuple[Class, ...]]:
    """The watched class that a class of the file is derived from, and the classes on the way to it, nearest first.

    Empty if there is none, or several.
    """
    chain: list[Class] = []
    for _ in range(DEEPEST):
        chain.append(defined.facts)
        watched = [base.path for base in defined.bases if isinstance(base, Imported) and run.watches(base.path)]
        if watched:
            return (watched[0], tuple(chain)) if len(watched) == 1 else ("", ())
        further = [base for base in defined.bases if isinstance(base, Defined)]
        if len(further) != 1:
            break
        defined = further[0]
    return "", ()


def parameters_of_dataclass(defined: Defined) -> list[str] | None:
    """The names of the parameters by position; None if a base is not of this file."""
    names: dict[str, None] = {}
    for base in defined.bases:
        inherited = parameters_of_dataclass(base) if isinstance(base, Defined) else None
        if inherited is None and not (isinstance(base, Imported) and base.path == "builtins.object"):
            return None
        names |= dict.fromkeys(inherited or ())
    if defined.facts.dataclass:
        names |= dict.fromkeys(field.name for field in defined.facts.fields if field.annotation)
    return list(names)


def _path(base: Abstract) -> str:
    paths = {
        option.path if isinstance(option, Imported) else option.facts.name if isinstance(option, Defined) else ""
        for _, option in options(base)
    }
    return paths.pop() if len(paths) == 1 else ""


def _fields(run: Run, node: ast.ClassDef, place: int) -> list[Field]:
    state = run.state(Ref(place))
    attributes = state.attributes if isinstance(state, Instance) else {}
    fields: dict[str, Field] = {}
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            targets: list[ast.expr] = [statement.target]
            annotation = run.source.written(statement.annotation)
        elif isinstance(statement, ast.Assign):
            targets, annotation = statement.targets, ""
        else:
            continue
        for target in targets:
            if not isinstance(target, ast.Name) or annotation.startswith(("ClassVar", "typing.ClassVar")):
                continue
            slot = attributes.get(target.id)
            has_default = statement.value is not None and isinstance(slot, Entry) and slot.value is not ABSENT
            fields[target.id] = Field(
                name=target.id,
                span=run.source.span(target),
                annotation=annotation,
                default=plain_value(run, slot.value) if has_default and isinstance(slot, Entry) else None,
            )
    return list(fields.values())


def _signature(arguments: ast.arguments) -> tuple[Parameter, ...]:
    """The parameters without `self`."""
    positional = [*arguments.posonlyargs, *arguments.args]
    first_default = len(positional) - len(arguments.defaults)
    parameters = [
        Parameter(one.arg, "positional" if n < len(arguments.posonlyargs) else "keyword", n >= first_default)
        for n, one in enumerate(positional)
    ][1:]
    if arguments.vararg:
        parameters.append(Parameter(arguments.vararg.arg, "*", has_default=True))
    parameters += [
        Parameter(one.arg, "keyword-only", default is not None)
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg:
        parameters.append(Parameter(arguments.kwarg.arg, "**", has_default=True))
    return tuple(parameters)


def _forwards(init: ast.FunctionDef) -> bool:
    """Whether `**` of `__init__` goes on to `super().__init__`."""
    if init.args.kwarg is None:
        return False
    name = init.args.kwarg.arg
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "__init__"
        and any(
            keyword.arg is None and isinstance(keyword.value, ast.Name) and keyword.value.id == name
            for keyword in call.keywords
        )
        for call in ast.walk(init)
    )
