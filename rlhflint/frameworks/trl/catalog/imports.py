"""What a dotted import path leads to at a release of TRL: a class, a shim that warns, or nothing any more."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from rlhflint.frameworks.trl.catalog import store
from rlhflint.frameworks.trl.catalog.names import class_key, group_of, homes
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.tree import Tree


@dataclass(frozen=True, slots=True)
class ClassRef:
    """A configuration class or trainer that is really there; `key` names it in the catalog."""

    key: str
    path: str

    @property
    def name(self) -> str:
        """Its name without the package."""
        return self.key.rpartition(":")[2]


@dataclass(frozen=True, slots=True)
class Shim:
    """A class that works and warns: it hands on to `target`, which is better imported from `target.path`."""

    key: str
    target: ClassRef
    warning: str
    """The category: `FutureWarning`, `DeprecationWarning`."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module or package."""

    path: str


@dataclass(frozen=True, slots=True)
class Other:
    """A function, a constant or another class that is there."""

    path: str
    origin: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The path ends in an ImportError; the thing can be imported from `path`."""

    path: str
    last: str
    """The newest release in which the old path worked."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """The path ends in an ImportError, and the thing is nowhere else."""

    last: str
    """The newest release that had it under this path."""
    last_anywhere: str
    """The newest release that had it under any public path."""
    advice: str = ""
    """What to use instead, in words that fit behind "use"."""


@dataclass(frozen=True, slots=True)
class NotYet:
    """The path ends in an ImportError; it works from release `since` on."""

    since: str
    path: str = ""
    """Where the thing can be imported from until then; empty if nowhere."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """No release of the catalog has it under this path.

    `closed`: the module is there and all its names are known, so that the import fails.
    """

    closed: bool = False


Resolved: TypeAlias = ClassRef | Shim | Module | Other | Moved | Deleted | NotYet | Unknown


def class_at(path: str, trl: str | Tree) -> Resolved:
    """What a dotted path (`trl.SFTConfig`, `trl.trainer.sft_config.SFTConfig`) leads to.

    `trl` is a listed release or a package that was read from source.
    """
    if path != "trl" and not path.startswith("trl."):
        return Unknown()
    return _in_release(path, trl) if isinstance(trl, str) else _in_tree(path, trl)


def _in_tree(path: str, tree: Tree) -> Resolved:
    if path in tree.modules:
        return Module(path)
    origin = tree.origin(path)
    module, _, name = origin.rpartition(".")
    if module in tree.modules and name in tree.modules[module].names:
        key = class_key(origin)
        source = tree.configs.get(key) or tree.trainers.get(key)
        if source is None:
            return Other(path, origin)
        if target := tree.shim(source):
            return Shim(key, ClassRef(target, homes(tree).get(source.name, path)), source.warns)
        return ClassRef(key, path)
    module = path.rpartition(".")[0]
    return Unknown(closed=module in tree.modules and tree.modules[module].lazy)


@lru_cache(maxsize=4096)
def _in_release(path: str, release: str) -> Resolved:
    order = store.releases()
    as_module = store.names_table(group_of(path)).get(path)
    if as_module is not None and order.row_at(as_module[""], release):
        return Module(path)
    module, _, name = path.rpartition(".")
    table = store.names_table(group_of(module)).get(module, {})
    rows = table.get(name)
    if rows is None:
        if as_module is not None:
            return _gone(path, as_module[""], release)
        package_is_there = "" in table and order.row_at(table[""], release) is not None
        return Unknown(closed=package_is_there and module == "trl")
    row = order.row_at(rows, release)
    if row is None:
        return _gone(path, rows, release)
    return _found(path, row.get("is", path), release)


def _found(path: str, origin: str, release: str) -> Resolved:
    key = class_key(origin)
    for table in (store.config_table(key), store.trainer_table(key)):
        state = store.releases().row_at(table.get("class", ()), release)
        if state is None:
            continue
        if "shim" not in state:
            return ClassRef(key, path)
        home = _home(key.rpartition(":")[2], release) or path
        return Shim(key, ClassRef(state["shim"], home), state.get("warns", ""))
    return Other(path, origin)


def _home(name: str, release: str) -> str:
    row = store.releases().row_at(store.homes().get(name, ()), release)
    return row["at"] if row else ""


def _gone(path: str, rows: store.Rows, release: str) -> Resolved:
    order = store.releases()
    position = order.position(release)
    if position < order.position(rows[0]["since"]):
        since = rows[0]["since"]
        return NotYet(since, _same(path, _home(path.rpartition(".")[2], release), since))
    past = [row["until"] for row in rows if row["until"] is not None and order.position(row["until"]) < position]
    last = past[-1]
    name = path.rpartition(".")[2]
    named = _home(name, release)
    if home := _same(path, named, last):
        return Moved(home, last)
    later = [row["since"] for row in rows if order.position(row["since"]) > position]
    if later:
        return NotYet(later[0])
    elsewhere = [] if named else [row["until"] or order.newest for row in store.homes().get(name, ())]
    anywhere = max([last, *elsewhere], key=order.position)
    return Deleted(last, anywhere, _advice(path, name))


def _same(path: str, home: str, release: str) -> str:
    """The home of a name, unless another class of that name was there at a release that had both."""
    here, there = _there(path, release), _there(home, release)
    another = isinstance(here, ClassRef) and isinstance(there, ClassRef) and here.key != there.key
    return "" if another else home


def _there(path: str, release: str) -> Resolved | None:
    """What a release has under a path; None where it has nothing."""
    module, _, name = path.rpartition(".")
    rows = store.names_table(group_of(module)).get(module, {}).get(name, ())
    row = store.releases().row_at(rows, release)
    return None if row is None else _found(path, row.get("is", path), release)


def _advice(path: str, name: str) -> str:
    advice: Mapping[str, str] = store.changes().get("names", {})
    return advice.get(path) or advice.get(name, "")
