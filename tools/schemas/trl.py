"""Make `schemas/trl/` from released wheels of TRL.

releases.json         the releases read, oldest first
configs/NAME.json     the configuration classes called NAME: life, own fields, what `__post_init__` replaces
trainers/NAME.json    the trainers called NAME: life, constructor parameters
names/PACKAGE.json    what can be imported from the modules of a package; names/trl.json holds `trl` alone
homes.json            where a name that some package exports lives, from release to release
commands.json         the words behind `trl`, their scripts, and the classes each script parses
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlhflint.catalog.source.class_source import ClassSource
from rlhflint.frameworks.trl.catalog.names import group_of, homes, packages
from rlhflint.frameworks.trl.catalog.scripts import script, subcommands
from rlhflint.frameworks.trl.catalog.tree import Tree
from tools.schemas.class_tables import ClassTable, History, rows
from tools.schemas.histories import to_json
from tools.schemas.overlay import compile_changes
from tools.schemas.requirements import requirements
from tools.schemas.wheel_texts import by_release, texts

CHANGES = Path(__file__).resolve().parent.parent.parent / "schemas" / "trl" / "changes.toml"


def build(wheels: Sequence[Path]) -> dict[str, str]:
    """The text of every data file by its path below `schemas/`."""
    tables = _Tables()
    asked: dict[str, History] = defaultdict(dict)
    for release, wheel in by_release(wheels).items():
        for package, specifier in _asked(wheel).items():
            asked[package][release] = {"specifier": specifier}
        tables.add(release, Tree.read(texts(wheel, "trl/")))
    return {
        "trl/releases.json": to_json({"releases": tables.order}, 1),
        "trl/requirements.json": to_json(_sorted_rows(asked, tables.order), 1),
        "trl/changes.json": compile_changes(CHANGES),
        **tables.files(),
    }


def _asked(wheel: Path) -> dict[str, str]:
    """Package → what TRL asks of it; for those of an extra only where the extra of that name asks for something."""
    found = requirements(wheel)
    asked: dict[str, str] = {"python": found["python"], **found["requires"]}
    for extra, needed in found["extras"].items():
        asked |= {name: text for name, text in needed.items() if name in (extra, f"{extra}-kernel")}
    return {name: text for name, text in asked.items() if text}


class _Tables:
    def __init__(self) -> None:
        self.order: list[str] = []
        self.configs: dict[str, ClassTable] = defaultdict(ClassTable)
        self.trainers: dict[str, _TrainerTable] = defaultdict(_TrainerTable)
        self.names: dict[str, dict[str, History]] = defaultdict(lambda: defaultdict(dict))
        self.homes: dict[str, History] = defaultdict(dict)
        self.public: set[str] = set()
        self.commands: dict[str, History] = defaultdict(dict)
        self.scripts: dict[str, History] = defaultdict(dict)

    def add(self, release: str, tree: Tree) -> None:
        if tree.unreadable:
            raise ValueError(f"trl {release}: cannot read {', '.join(tree.unreadable)}")
        self.order.append(release)

        def values(source: ClassSource, enumeration: str) -> Sequence[str] | None:
            found = tree.definition(f"{source.module}.{enumeration}")
            return None if found is None else found.values

        for key, source in tree.configs.items():
            self.configs[key].add(release, source, tree.bases(source), tree.shim(source), values)
        for key, source in tree.trainers.items():
            self.trainers[key].add(release, source, tree)
        for module in tree.modules:
            if module.startswith("trl.commands.scripts."):
                continue
            self.names[module][""][release] = {}
            for name, origin in tree.names(module).items():
                own = origin == f"{module}.{name}"
                self.names[module][name][release] = {} if own else {"is": origin}
        parents = packages(tree)
        for name, home in homes(tree).items():
            self.homes[name][release] = {"at": home}
            if home.rpartition(".")[0] in parents:
                self.public.add(name)
        for name, module in subcommands(tree).items():
            self.commands[name][release] = {"script": module} if module else {}
        for module in tree.modules:
            if module.startswith(("trl.scripts.", "trl.commands.scripts.")) and (found := script(tree, module)):
                state: dict[str, Any] = {"parser": found.parser, "classes": list(found.classes), "call": found.call}
                self.scripts[module][release] = state | ({"with": found.arguments} if found.arguments else {})

    def files(self) -> dict[str, str]:
        order = self.order
        files: dict[str, str] = {}
        for folder, tables in (("configs", self.configs), ("trainers", self.trainers)):
            grouped: dict[str, dict[str, Any]] = defaultdict(dict)
            for key in sorted(tables):
                grouped[key.rpartition(":")[2]][key] = tables[key].to_json(order)
            for name, classes in grouped.items():
                files[f"trl/{folder}/{name}.json"] = to_json(classes, 3)
        packages: dict[str, dict[str, Any]] = defaultdict(dict)
        for module in sorted(self.names):
            packages[group_of(module)][module] = _importable(self.names[module], order)
        for package, modules in packages.items():
            files[f"trl/names/{package}.json"] = to_json(modules, 2)
        files["trl/homes.json"] = to_json(_sorted_rows({name: self.homes[name] for name in self.public}, order), 1)
        commands = {"commands": _sorted_rows(self.commands, order), "scripts": _sorted_rows(self.scripts, order)}
        files["trl/commands.json"] = to_json(commands, 2)
        return files


class _TrainerTable:
    def __init__(self) -> None:
        self.life: History = {}
        self.parameters: dict[str, History] = defaultdict(dict)

    def add(self, release: str, source: ClassSource, tree: Tree) -> None:
        state: dict[str, Any] = {"module": source.module, "bases": list(tree.bases(source))}
        if shim := tree.shim(source):
            state["shim"] = shim
        if source.warns:
            state["warns"] = source.warns
        if source.parameters is None or source.forwards:
            state["inherits"] = True
        else:
            for name, parameter in source.parameters.items():
                self.parameters[name][release] = parameter
        self.life[release] = state

    def to_json(self, order: Sequence[str]) -> dict[str, Any]:
        found: dict[str, Any] = {"class": rows(self.life, order)}
        if self.parameters:
            found["parameters"] = {name: rows(history, order) for name, history in self.parameters.items()}
        return found


def _importable(names: Mapping[str, History], order: Sequence[str]) -> dict[str, Any]:
    """The names of a module that were TRL's own in some release; what it took from other packages is left out."""
    found: dict[str, Any] = {}
    for name in sorted(names):
        history = names[name]
        private = name.startswith("_") and not name.endswith(("Config", "Trainer"))
        if not private and any(str(state.get("is", "trl.")).startswith("trl.") for state in history.values()):
            found[name] = rows(history, order)
    return found


def _sorted_rows(histories: Mapping[str, History], order: Sequence[str]) -> dict[str, Any]:
    return {name: rows(histories[name], order) for name in sorted(histories)}
