"""The `trl` command line at a release: subcommands, and the fields that the words behind them may name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from rlhflint.catalog.fields import Field, Fields
from rlhflint.frameworks.trl.catalog import store
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.catalog.option import Option
    from rlhflint.frameworks.trl.catalog.tree import Tree

_OWN_PARSER = "trl/scripts/_hf_argparser.py"


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
    if not isinstance(trl, str):
        from rlhflint.frameworks.trl.catalog import scripts

        named = scripts.subcommands(trl)
    else:
        rows = {name: store.releases().row_at(one, trl) for name, one in store.commands()["commands"].items()}
        named = {name: row.get("script", "") for name, row in rows.items() if row is not None}
    return {name: script_at(module, trl, name) or Subcommand(name) for name, module in named.items()}


def script_at(module: str, trl: str | Tree, name: str = "") -> Subcommand | None:
    """A script of the package by its module (`trl.scripts.grpo`); None where there is none that parses dataclasses."""
    if not module:
        return None
    name = name or module.rpartition(".")[2]
    if not isinstance(trl, str):
        from rlhflint.frameworks.trl.catalog import scripts

        found = scripts.script(trl, module)
        if found is None:
            return None
        return Subcommand(name, module, found.classes, found.parser, found.call, found.arguments)
    row = store.releases().row_at(store.commands()["scripts"].get(module, ()), trl)
    if row is None:
        return None
    return Subcommand(name, module, tuple(row["classes"]), row["parser"], row["call"], row.get("with", {}))


def parser_traits(trl: str | Tree, transformers: str) -> tuple[bool, bool]:
    """What the parser of a release understands: flags with hyphens, and the words none and null for None.

    TRL has a parser of its own from 1.0 on (trl/scripts/_hf_argparser.py), which reads none from 1.6 on; before it took
    that of transformers, which takes hyphens from 4.46 on.
    """
    if not isinstance(trl, str):
        text = trl.texts.get(_OWN_PARSER)
        own, none_words = text is not None, "_accept_none" in (text or "")
    else:
        position = store.releases().position(trl)
        own, none_words = (position >= store.releases().position(since) for since in ("1.0.0", "1.6.0"))
    order = store.transformers_releases()
    return own or order.position(transformers) >= order.position("4.46.1"), none_words


def command_options(classes: Iterable[str], trl: str | Tree, transformers: str) -> dict[str, Option]:
    """The options of a parser over several classes by every spelling; `--config`, which it never sees, is not there.

    Module `parser` converts their words. Raises KeyError for a class that does not exist at this release.
    """
    from rlhflint.frameworks.trl.catalog.parser import options_of

    hyphens, none_words = parser_traits(trl, transformers)
    return options_of(command_fields(classes, trl, transformers), hyphens=hyphens, none_words=none_words)


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
