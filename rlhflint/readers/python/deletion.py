"""What is taken away: `del` of names, items and attributes."""

from __future__ import annotations

import ast
from dataclasses import replace

from rlhflint.readers.python.attributes import item
from rlhflint.readers.python.containers import handed_away, without
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import Abstract, Defined, Imported, Instance, Ref, Sure, Table


def delete_statement(run: Run, node: ast.Delete) -> bool:
    """`del`."""
    for target in node.targets:
        _delete(run, target)
    return True


def _delete(run: Run, target: ast.expr) -> None:
    if isinstance(target, ast.Name):
        run.bind(target.id, ABSENT)
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            _delete(run, part)
    elif isinstance(target, ast.Attribute):
        value = run.evaluate(run, target.value)
        delete_attribute(run, value, target.attr, f"{run.source.words(target)} was deleted")
    elif isinstance(target, ast.Subscript):
        value, key = run.evaluate(run, target.value), run.evaluate(run, target.slice)
        run.each(value, lambda one: run.each(key, lambda name: _delete_item(run, one, name, target)))


def _delete_item(run: Run, value: Abstract, key: Abstract, target: ast.Subscript) -> Abstract:
    state = run.behind(value)
    if isinstance(value, Imported) and value.path == "os.environ" and isinstance(key, Sure):
        run.store.set(("environment", str(key.value)), ABSENT)
    elif isinstance(value, Ref) and isinstance(state, Table) and isinstance(key, Sure):
        item(run, value, key, target)  # what is not there cannot be deleted
        run.change(value, without(state, key.value))
    else:
        handed_away(run, value, f"del {run.source.words(target)}")
    return Sure(None)


def delete_attribute(run: Run, target: Abstract, name: str, because: str) -> None:
    """`del target.name`."""

    def use(value: Abstract) -> Abstract:
        place = Ref(value.place) if isinstance(value, Defined) else value
        state = run.behind(place)
        if isinstance(place, Ref) and isinstance(state, Instance):
            left = {other: slot for other, slot in state.attributes.items() if other != name}
            run.change(place, replace(state, attributes=left, more=state.more or because))
        return Sure(None)

    run.each(target, use)
