"""The `trl` command line at a release: subcommands, and the fields that the words behind them may name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rlhflint.catalog.fields import Field, Fields
from rlhflint.catalog.trl import scripts, store
from rlhflint.catalog.trl.lookup import config_fields
from rlhflint.catalog.trl.tree import Tree


@dataclass(frozen=True, slots=True)
class Subcommand:
    """One word behind `trl`, or one script of the package.

    `script` is the module that does the work, empty for a command without one (`env`). `classes` are the keys of the
    dataclasses its parser takes, in order; `parser` is the parser's class, `call` the method that reads the words and
    `arguments` the literal keywords of that call, such as `fail_with_unknown_args`.
    """

    name: str
    script: str = ""
    classes: tuple[str, ...] = ()
    parser: str = ""
    call: str = ""
    arguments: Mapping[str, object] = field(default_factory=dict)


def subcommands(trl: str | Tree) -> dict[str, Subcommand]:
    """The words that `trl` understands at a release."""
    if isinstance(trl, Tree):
        named = scripts.subcommands(trl)
    else:
        rows = {name: store.state_at(one, store.releases(), trl) for name, one in store.commands()["commands"].items()}
        named = {name: row.get("script", "") for name, row in rows.items() if row is not None}
    return {name: script_at(module, trl, name) or Subcommand(name) for name, module in named.items()}


def script_at(module: str, trl: str | Tree, name: str = "") -> Subcommand | None:
    """A script of the package by its module (`trl.scripts.grpo`); None where there is none that parses dataclasses."""
    if not module:
        return None
    name = name or module.rpartition(".")[2]
    if isinstance(trl, Tree):
        found = scripts.script(trl, module)
        if found is None:
            return None
        return Subcommand(name, module, found.classes, found.parser, found.call, found.arguments)
    row = store.state_at(store.commands()["scripts"].get(module, ()), store.releases(), trl)
    if row is None:
        return None
    return Subcommand(name, module, tuple(row["classes"]), row["parser"], row["call"], row.get("with", {}))


def command_fields(classes: Iterable[str], trl: str | Tree, transformers: str) -> Fields:
    """The fields that a parser over several classes knows, each with its class as `owner`.

    They are the keys of its YAML file and, with dashes in front, its flags. Raises KeyError for a class that does not
    exist at this release.
    """
    found: dict[str, Field] = {}
    unseen: list[str] = []
    for key in classes:
        fields = config_fields(key, trl, transformers)
        found |= {name: one for name, one in fields.items() if name not in found}
        unseen += fields.unseen
    return Fields(found, unseen)
