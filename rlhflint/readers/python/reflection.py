"""Python's functions that look into objects and scopes, or change them, by name."""

from __future__ import annotations

import ast
from dataclasses import replace

from rlhflint.call import Origin
from rlhflint.readers.python.arguments import name_in_quotes
from rlhflint.readers.python.attributes import attribute, set_attribute
from rlhflint.readers.python.containers import doubtful
from rlhflint.readers.python.decisions import package_of
from rlhflint.readers.python.deletion import delete_attribute
from rlhflint.readers.python.given import Given, Known, positions
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.unfollowed import anything_assigned
from rlhflint.readers.python.values import Abstract, Entry, Imported, Instance, Ref, Sure, Table


def _getattr(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    values = positions(given)
    if values is None or len(values) < 2 or not isinstance(values[1], Sure) or not isinstance(values[1].value, str):
        return None
    name = values[1].value
    return run.each(values[0], lambda value: attribute(run, value, name, node))


def _setattr(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    if len(given) != 3 or not all(isinstance(one, Entry) for one in given) or not isinstance(node, ast.Call):
        return None
    target, name, value = (one.value for one in given)
    if isinstance(name, Sure) and isinstance(name.value, str):
        name_span, renamable = name_in_quotes(run, node.args[1], name)
        spans = run.source.span(node), name_span, run.source.span(node.args[2])
        set_attribute(run, target, name.value, Entry(name.value, value, *spans, Origin.ATTRIBUTE, renamable))
    else:
        _any_attribute(run, target, f"{run.source.words(node)} sets an attribute whose name is not known")
    return Sure(None)


def _any_attribute(run: Run, target: Abstract, because: str) -> None:
    """An attribute of unknown name was set."""

    def use(value: Abstract) -> Abstract:
        state = run.behind(value)
        if isinstance(value, Ref) and isinstance(state, Instance):
            run.change(value, replace(state, more=state.more or because))
        elif isinstance(value, Ref) and isinstance(state, Table):
            run.change(value, doubtful(run, state, because))
        return Sure(None)

    run.each(target, use)


def _delattr(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    values = positions(given)
    if values is None or len(values) != 2:
        return None
    target, name = values
    because = f"{run.source.words(node)} deletes it"
    if isinstance(name, Sure) and isinstance(name.value, str):
        delete_attribute(run, target, name.value, because)
    else:
        _any_attribute(run, target, because)
    return Sure(None)


def _variables(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    """`globals()`, and where they are the same, `locals()` and `vars()`: any variable may be set through it."""
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    if not given and (name == "globals" or run.frame.number == 0):
        anything_assigned(run, f"{run.source.words(node)} may have set it")
    elif given and isinstance(given[0].value, Ref):
        attribute(run, given[0].value, "__dict__", node)
    return None


def _exec(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    if len(given) == 1:
        anything_assigned(run, f"{run.source.words(node)} may have set it")
    return None


def probed(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    """`hasattr(trl, "X")`, `inspect.signature(SFTConfig)`: what it tells depends on the release."""
    value = given[0].value if given else None
    if not isinstance(value, Imported):
        return None
    return run.unknown(f"{run.source.words(node)} depends on the release", probe=package_of(run, value))


REFLECTION: dict[str, Known] = {
    "getattr": _getattr,
    "setattr": _setattr,
    "hasattr": probed,
    "delattr": _delattr,
    **dict.fromkeys(("globals", "locals", "vars"), _variables),
    "exec": _exec,
}
"""By name."""
