"""Functions of Python's library that give or pass on settings, as far as they can be worked out."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Mapping
from dataclasses import replace

from rlhflint.call import Origin
from rlhflint.readers.python.attributes import installed
from rlhflint.readers.python.builtin_functions import BUILTINS
from rlhflint.readers.python.containers import deep_copy, tabled, weak
from rlhflint.readers.python.environment import environment, set_environment
from rlhflint.readers.python.given import Given, Known, argument, positions
from rlhflint.readers.python.recording import record
from rlhflint.readers.python.reflection import REFLECTION, probed
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import (
    Absent,
    Abstract,
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


def _environ_get(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    name, default = argument(given, 0, "key"), argument(given, 1, "default")
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
    name = argument(given, 0, "key")
    if value is not None and isinstance(name, Sure):
        run.store.set(("environment", str(name.value)), value)
    return value


def _environ_update(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    for one in given:
        if isinstance(one, Entry) and one.origin is Origin.KEYWORD:
            set_environment(run, one)
        elif isinstance(table := run.behind(one.value), Table):
            for slot in table.slots.values():
                if isinstance(slot, Entry):
                    set_environment(run, slot)
    return Sure(None)


def _join(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    values = positions(given) or []
    parts = [value.value for value in values if isinstance(value, Sure) and isinstance(value.value, str)]
    return Sure(posixpath.join(*parts)) if parts and len(parts) == len(given) else None


def _copy(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    value = given[0].value if given else None
    return run.allocate(run.state(value)) if isinstance(value, Ref) else value


def _deep_copy(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    value = given[0].value if given else None
    if isinstance(value, Ref) and isinstance(run.state(value), Items | Table):
        return deep_copy(run, value)
    return _copy(run, given, node)


def _environ_pop(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    value = _environ_get(run, given, node)
    name = argument(given, 0, "key")
    if isinstance(name, Sure):
        run.store.set(("environment", str(name.value)), Absent())
    return value


def _replace(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    first = given[0] if given else None
    if not isinstance(first, Entry):
        return None

    def use(value: Abstract) -> Abstract:
        state = run.behind(value)
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
        return run.at_run_time(node)

    return run.each(first.value, use)


def _field(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    default, factory = argument(given, -1, "default"), argument(given, -1, "default_factory")
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
        state = run.behind(one.value) if isinstance(one, Spread) else tabled([one])
        if not isinstance(state, Table) or state.more:
            return None
        attributes |= state.slots
    return run.allocate(Instance(attributes=attributes))


FUNCTIONS: Mapping[str, Known] = {
    **{f"builtins.{name}": known for name, known in (BUILTINS | REFLECTION).items()},
    "builtins.__import__": _import_module,
    "importlib.import_module": _import_module,
    "inspect.signature": probed,
    "inspect.getfullargspec": probed,
    "dataclasses.fields": probed,
    "dataclasses.replace": _replace,
    "dataclasses.field": _field,
    "copy.copy": _copy,
    "copy.deepcopy": _deep_copy,
    "copy.replace": _replace,
    "functools.partial": _partial,
    "os.environ.get": _environ_get,
    "os.getenv": _environ_get,
    "os.environ.pop": _environ_pop,
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
"""By dotted path."""
