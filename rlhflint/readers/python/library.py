"""Functions of Python and its library that give or pass on settings, as far as they can be worked out."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from rlhflint.call import Origin
from rlhflint.readers.python import constants
from rlhflint.readers.python.arguments import name_in_quotes
from rlhflint.readers.python.attributes import attribute, environment, installed, set_attribute, set_environment
from rlhflint.readers.python.containers import (
    doubtful,
    element,
    elements,
    held,
    listed,
    tabled,
    weak,
    with_table,
    without,
)
from rlhflint.readers.python.recording import record
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import (
    Absent,
    Abstract,
    Alt,
    Entry,
    Imported,
    Instance,
    Items,
    Maybe,
    Open,
    Partial,
    Ref,
    Release,
    Slot,
    Spread,
    Sure,
    Table,
)

MOST_ROUNDS = 64
"""Longer ranges are not written out."""

Given: TypeAlias = tuple[Entry | Spread, ...]
Known: TypeAlias = Callable[[Run, Given, ast.expr], "Abstract | None"]
"""A function that is known: None where this call of it is not."""

HARMLESS = frozenset(
    {
        "print", "len", "str", "repr", "isinstance", "issubclass", "type", "id", "hash", "callable", "iter", "next",
        "sum", "any", "all", "map", "filter", "format", "debug", "info", "warning", "warn", "error", "exception",
        "critical", "log", "pprint", "pformat", "dump", "dumps", "safe_dump", "from_pretrained", "get", "append",
        "asdict", "astuple", "fields", "save", "wandb.init", "wandb.config.update", "load_dataset", "to_dict",
    }
)  # fmt: skip
"""Functions, by path or by the last part of it, that leave the dictionaries and lists they are given as they are."""

SAME = frozenset({"to", "cuda", "cpu", "eval", "half", "bfloat16", "float", "requires_grad_", "train"})
"""Methods that give back the very object: those of a torch module."""


def _plain(given: Given) -> list[Abstract] | None:
    """The values of a call with positions only."""
    values = [one.value for one in given if isinstance(one, Entry) and one.origin is Origin.POSITION]
    return values if len(values) == len(given) else None


def _argument(given: Given, position: int, name: str) -> Abstract | None:
    for one in given:
        if isinstance(one, Entry) and one.name in (position, name):
            return one.value
    return None


def _state(run: Run, value: Abstract | None) -> Abstract | None:
    return run.state(value) if isinstance(value, Ref) else value


def _constant(name: str) -> Known:
    """A function on constants."""

    def known(run: Run, given: Given, node: ast.expr) -> Abstract | None:
        values = _plain(given)
        if values is None:
            return None
        if len(values) == 1 and isinstance(values[0], Ref):
            slots = elements(run, values[0])
            if slots is None or any(not isinstance(slot, Entry) for slot in slots):
                return None
            values = [slot.value for slot in slots if isinstance(slot, Entry)]
            if name == "len":
                return Sure(len(values))
            if name not in ("min", "max"):
                return None
        return _lifted(run, values, [], node)

    def _lifted(run: Run, values: list[Abstract], done: list[Abstract], node: ast.expr) -> Abstract:
        if values:
            return run.each(values[0], lambda value: _lifted(run, values[1:], [*done, value], node))
        because = f"{run.source.words(node)} is only known when it runs"
        raw: list[object] = []
        doubts: list[str] = []
        for value in done:
            if isinstance(value, Maybe):
                doubts.append(value.because)
                raw.append(value.default)
            elif isinstance(value, Sure):
                raw.append(value.value)
            elif isinstance(value, Open):
                return run.unknown(value.because, "function", name, value.symbol, probe=value.probe)
            else:
                return run.unknown(because)
        try:
            result = constants.function(name, raw)
        except constants.NotWorkedOut:
            return run.unknown(because)
        return Maybe(result, "; ".join(dict.fromkeys(doubts)), run.number()) if doubts else Sure(result)

    return known


def _dict(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    table: Abstract = Table({})
    for one in given:
        if isinstance(one, Entry) and one.origin is Origin.KEYWORD:
            other: Abstract = tabled([one])
        elif isinstance(one, Spread) and one.stars == 1:
            return None
        else:
            other = _pairs(run, one.value)
        because = f"{one.text if isinstance(one, Spread) else run.source.words(node)} is not known"
        table = _added(run, table, other, because)
    return run.allocate(table)


def _added(run: Run, table: Abstract, other: Abstract, because: str) -> Abstract:
    def add(before: Abstract) -> Abstract:
        known = before if isinstance(before, Table) else Table({}, "it is not known")
        return run.each(other, lambda after: with_table(run, known, after, because))

    return run.each(table, add)


def _pairs(run: Run, value: Abstract) -> Abstract:
    """The table that a dictionary, or a list of pairs, stands for."""
    if isinstance(value, Alt):
        return Alt(tuple((conditions, _pairs(run, option)) for conditions, option in value.options))
    state = _state(run, value)
    if not isinstance(state, Items):
        return state if state is not None else value
    entries: list[Entry] = []
    for slot in state.slots:
        pair = _state(run, slot.value) if isinstance(slot, Entry) else None
        if not isinstance(slot, Entry) or not isinstance(pair, Items) or len(pair.slots) != 2 or pair.more:
            return run.unknown("its keys are not known")
        name, held_value = element(run, pair, 0), element(run, pair, 1)
        if not isinstance(name, Sure):
            return run.unknown("its keys are not known")
        entries.append(replace(slot, name=name.value, value=held_value, origin=Origin.KEY))
    return replace(tabled(entries), more=state.more)


def _sequence(kind: str) -> Known:
    def known(run: Run, given: Given, node: ast.expr) -> Abstract | None:
        if not given:
            return run.allocate(Items(kind, ()))
        values = _plain(given)
        slots = elements(run, values[0]) if values is not None and len(values) == 1 else None
        return None if slots is None else run.allocate(listed(kind, slots))

    return known


def _range(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    values = _plain(given) or []
    numbers = [value.value for value in values if isinstance(value, Sure) and isinstance(value.value, int)]
    if len(numbers) != len(given) or not 1 <= len(numbers) <= 3 or (len(numbers) == 3 and not numbers[2]):
        return None
    counted = range(*numbers)
    if len(counted) > MOST_ROUNDS:
        return None
    span = run.source.span(node)
    return run.allocate(Items("range", tuple(Entry(n, Sure(n), span, origin=Origin.POSITION) for n in counted)))


def _tuples(run: Run, rows: list[tuple[Abstract, ...]], node: ast.expr) -> Abstract:
    span = run.source.span(node)

    def entry(index: int, value: Abstract) -> Entry:
        return Entry(index, value, span, origin=Origin.POSITION)

    refs = [run.allocate(Items("tuple", tuple(entry(n, value) for n, value in enumerate(row)))) for row in rows]
    return run.allocate(Items("list", tuple(entry(n, ref) for n, ref in enumerate(refs))))


def _enumerate(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    slots = elements(run, given[0].value) if given else None
    start = _argument(given, 1, "start") or Sure(0)
    if slots is None or len(slots) > MOST_ROUNDS or not isinstance(start, Sure) or not isinstance(start.value, int):
        return None
    return _tuples(run, [(Sure(start.value + n), held(run, slot)) for n, slot in enumerate(slots)], node)


def _zip(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    columns = [elements(run, value) for value in _plain(given) or []]
    if not columns or any(column is None or len(column) > MOST_ROUNDS for column in columns):
        return None
    rows = zip(*[[held(run, slot) for slot in column or ()] for column in columns], strict=False)
    return _tuples(run, [tuple(row) for row in rows], node)


def _getattr(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    values = _plain(given)
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
        state = _state(run, value)
        if isinstance(value, Ref) and isinstance(state, Instance):
            run.change(value, replace(state, more=state.more or because))
        elif isinstance(value, Ref) and isinstance(state, Table):
            run.change(value, doubtful(run, state, because))
        return Sure(None)

    run.each(target, use)


def _probed(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    """`hasattr(trl, "X")`, `inspect.signature(SFTConfig)`: what it tells depends on the release."""
    value = given[0].value if given else None
    if not isinstance(value, Imported):
        return None
    return run.unknown(f"{run.source.words(node)} depends on the release", probe=value.path.split(".")[0])


def _environ_get(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    name, default = _argument(given, 0, "key"), _argument(given, 1, "default")
    if not isinstance(name, Sure):
        return None
    known = environment(run, str(name.value))
    if not isinstance(known, Open) or default is None:
        return known
    because = f"the environment variable {name.value} may give another value"

    def use(value: Abstract) -> Abstract:
        if isinstance(value, Sure):
            return Maybe(value.value, because, run.symbol("environment", str(name.value), value.value))
        return weak(run, value, because)

    return run.each(default, use)


def _environ_default(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    value = _environ_get(run, given, node)
    name = _argument(given, 0, "key")
    if value is not None and isinstance(name, Sure):
        run.store.set(("environment", str(name.value)), value)
    return value


def _environ_update(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    for one in given:
        if isinstance(one, Entry) and one.origin is Origin.KEYWORD:
            set_environment(run, one)
        elif isinstance(table := _state(run, one.value), Table):
            for slot in table.slots.values():
                if isinstance(slot, Entry):
                    set_environment(run, slot)
    return Sure(None)


def _join(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    values = _plain(given) or []
    parts = [value.value for value in values if isinstance(value, Sure) and isinstance(value.value, str)]
    return Sure(posixpath.join(*parts)) if parts and len(parts) == len(given) else None


def _copy(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    value = given[0].value if given else None
    return run.allocate(run.state(value)) if isinstance(value, Ref) else value


def _replace(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    first = given[0] if given else None
    if not isinstance(first, Entry):
        return None

    def use(value: Abstract) -> Abstract:
        state = _state(run, value)
        if isinstance(state, Instance) and state.record is not None and state.index is None:
            attributes = tuple(slot for slot in state.attributes.values() if isinstance(slot, Entry))
            names = {one.name for one in given[1:] if isinstance(one, Entry)}
            changed = (*(one for one in attributes if one.name not in names), *given[1:])
            before = run.records[state.record]
            return record(run, before.target, changed, node, before=before)
        if isinstance(state, Instance) and state.defined is not None:
            entries: dict[object, Slot] = {one.name: one for one in given[1:] if isinstance(one, Entry)}
            more = "" if len(entries) == len(given) - 1 else "it was replaced by something that is not known"
            return run.allocate(replace(state, attributes={**state.attributes, **entries}, more=state.more or more))
        return run.unknown(f"{run.source.words(node)} is only known when it runs")

    return run.each(first.value, use)


def _field(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    default, factory = _argument(given, -1, "default"), _argument(given, -1, "default_factory")
    if default is not None:
        return default
    if factory is not None:
        return run.each(factory, lambda function: run.call(run, function, (), node))
    return Absent()


def _partial(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    if not given or not isinstance(given[0], Entry):
        return None
    return Partial(given[0].value, given[1:])


def _import_module(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    name = given[0].value if given else None
    return Imported(name.value) if isinstance(name, Sure) and isinstance(name.value, str) else None


def _version_of(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    name = given[0].value if given else None
    return installed(run, str(name.value)) if isinstance(name, Sure) else None


def _version(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    value = given[0].value if given else None
    if isinstance(value, Sure) and isinstance(value.value, str):
        return Release(text=value.value)
    if isinstance(value, Open) and value.probe and value.symbol == run.symbol("release", value.probe):
        return Release(package=value.probe)
    return None


def _namespace(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    attributes: dict[object, Slot] = {}
    for one in given:
        state = _state(run, one.value) if isinstance(one, Spread) else tabled([one])
        if not isinstance(state, Table) or state.more:
            return None
        attributes |= state.slots
    return run.allocate(Instance(attributes=attributes))


FUNCTIONS: Mapping[str, Known] = {
    **{
        f"builtins.{name}": _constant(name)
        for name in ("int", "float", "str", "bool", "abs", "round", "min", "max", "len")
    },
    "builtins.dict": _dict,
    **{f"builtins.{name}": _sequence(name) for name in ("list", "tuple", "set")},
    "builtins.frozenset": _sequence("set"),
    "builtins.range": _range,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    "builtins.hasattr": _probed,
    "builtins.__import__": _import_module,
    "importlib.import_module": _import_module,
    "inspect.signature": _probed,
    "inspect.getfullargspec": _probed,
    "dataclasses.fields": _probed,
    "dataclasses.replace": _replace,
    "dataclasses.field": _field,
    "copy.copy": _copy,
    "copy.deepcopy": _copy,
    "copy.replace": _replace,
    "functools.partial": _partial,
    "os.environ.get": _environ_get,
    "os.getenv": _environ_get,
    "os.environ.setdefault": _environ_default,
    "os.environ.update": _environ_update,
    "os.path.join": _join,
    "types.SimpleNamespace": _namespace,
    "argparse.Namespace": _namespace,
    "importlib.metadata.version": _version_of,
    "importlib_metadata.version": _version_of,
    "packaging.version.Version": _version,
    "packaging.version.parse": _version,
    "pkg_resources.parse_version": _version,
}


def _get(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    values = _plain(given)
    if not values or not isinstance(values[0], Sure) or not isinstance(state, Table):
        return None
    slot = state.slots.get(values[0].value)
    default = values[1] if len(values) > 1 else Sure(None)
    if slot is None:
        return run.unknown(state.more) if state.more else default
    found = held(run, slot)
    if isinstance(found, Alt):
        ways = [(held_if, default if isinstance(one, Absent) else one) for held_if, one in found.options]
        return run.one_of(ways)
    return found


def _pop(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    value = _get(run, ref, state, given, node)
    name = given[0].value if given else None
    if value is None or not isinstance(name, Sure) or not isinstance(state, Table):
        return None
    run.change(ref, without(state, name.value))
    return value


def _setdefault(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    values = _plain(given)
    if values is None or len(values) != 2 or not isinstance(values[0], Sure) or not isinstance(state, Table):
        return None
    name = values[0].value
    if name in state.slots or state.more or not isinstance(node, ast.Call):
        return _get(run, ref, state, given, node)
    name_span, renamable = name_in_quotes(run, node.args[0], values[0])
    spans = run.source.span(node), name_span, run.source.span(node.args[1])
    run.change(ref, replace(state, slots={**state.slots, name: Entry(name, values[1], *spans, Origin.ITEM, renamable)}))
    return values[1]


def _update(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    other = _dict(run, given, node)
    if other is None or not isinstance(state, Table):
        return None
    because = f"{run.source.words(node)} is not known"

    def use(after: Abstract) -> Abstract:
        run.change(ref, with_table(run, state, after, because))
        return Sure(None)

    return run.each(_state(run, other) or other, use)


def _duplicate(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    return run.allocate(state)


def _clear(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    run.change(ref, Table({}) if isinstance(state, Table) else Items("list", ()))
    return Sure(None)


def _rows(part: str) -> Callable[..., Abstract | None]:
    """`keys()`, `values()` or `items()` of a dictionary that is known."""

    def known(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
        if not isinstance(state, Table) or state.more or len(state.slots) > MOST_ROUNDS:
            return None
        entries = [slot for slot in state.slots.values() if isinstance(slot, Entry)]
        if len(entries) < len(state.slots):
            return None
        if part == "items":
            return _tuples(run, [(Sure(one.name), one.value) for one in entries], node)
        slots = [
            replace(one, name=n, value=Sure(one.name) if part == "keys" else one.value, origin=Origin.POSITION)
            for n, one in enumerate(entries)
        ]
        return run.allocate(Items("list", tuple(slots)))

    return known


def _append(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    if len(given) != 1 or not isinstance(given[0], Entry) or not isinstance(state, Items):
        return None
    run.change(ref, listed(state.kind, [*state.slots, given[0]], state.more))
    return Sure(None)


def _extend(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    if len(given) != 1 or not isinstance(state, Items):
        return None
    slots = elements(run, given[0].value)
    more = "" if slots is not None else f"{run.source.words(node)} adds what is not known"
    run.change(ref, listed(state.kind, [*state.slots, *(slots or ())], state.more or more))
    return Sure(None)


METHODS: Mapping[tuple[type, str], Callable[[Run, Ref, Any, Given, ast.expr], Abstract | None]] = {
    (Table, "get"): _get,
    (Table, "pop"): _pop,
    (Table, "setdefault"): _setdefault,
    (Table, "update"): _update,
    (Table, "copy"): _duplicate,
    (Table, "clear"): _clear,
    **{(Table, part): _rows(part) for part in ("keys", "values", "items")},
    (Items, "append"): _append,
    (Items, "extend"): _extend,
    (Items, "copy"): _duplicate,
    (Items, "clear"): _clear,
}
