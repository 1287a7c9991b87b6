"""The names of TRL: keys of classes, the data file that holds a module, and the best path to import a name from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.tree import Tree


def class_key(path: str) -> str:
    """The key of a class by the dotted name of its definition.

    `trl:SFTConfig`, `experimental.gold:GOLDConfig`, `scripts.grpo:GRPOScriptArguments` or
    `transformers:TrainingArguments`; for any other package the dotted name itself.
    """
    *modules, name = path.split(".")
    if modules[:1] == ["transformers"]:
        return f"transformers:{name}"
    if modules[:1] != ["trl"]:
        return path
    if modules[1:2] == ["experimental"]:
        return f"experimental.{modules[2]}:{name}" if len(modules) > 2 else f"experimental:{name}"
    if modules[1:2] and modules[1] in ("scripts", "commands", "cli"):
        return f"scripts.{modules[-1]}:{name}"
    return f"trl:{name}"


def group_of(module: str) -> str:
    """The data file that holds a module: `trl` for `trl` itself, else its package (`trl.trainer`)."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["experimental"] else 2])


def packages(tree: Tree) -> set[str]:
    """The modules that have modules of their own, those for commands left out."""
    parents = {name.rpartition(".")[0] for name in tree.modules if "." in name}
    return {name for name in parents if not name.startswith(("trl.commands", "trl.cli"))}


def homes(tree: Tree) -> dict[str, str]:
    """The path to import each name of TRL's own from.

    `trl` comes before a package of `trl.experimental`, that before any other package, that before a plain module; a
    shim that only warns gives way to the place it hands on to.
    """
    parents = packages(tree)
    found: dict[str, tuple[int, str]] = {}
    for module in tree.modules:
        if module.startswith(("trl.commands.scripts", "trl.scripts.")):
            continue
        for name, origin in tree.names(module).items():
            if name.startswith("_") or not origin.startswith("trl.") or origin in tree.modules:
                continue
            if module not in parents and origin != f"{module}.{name}":
                continue
            source = tree.definition(origin)
            rank = _rank(module) if module in parents else 3
            if source is not None and tree.shim(source):
                rank += 4
            candidate = rank, f"{module}.{name}"
            if name not in found or candidate < found[name]:
                found[name] = candidate
    return {name: path for name, (_, path) in found.items()}


def _rank(package: str) -> int:
    if package == "trl":
        return 0
    return 1 if package.startswith("trl.experimental.") else 2
