"""What TRL accepts at a release, together with a release of transformers.

Everywhere `trl` is a release that the catalog lists (see `releases().place`), or a `Tree`: a vendored or installed
package that was read from its source. `transformers` is a release that the catalog lists. Classes are named by their
key (`trl:SFTConfig`, `experimental.kto:KTOConfig`, `scripts.grpo:GRPOScriptArguments`); `class_at` gives it for an
import path. Functions that speak of a class over its whole history take its bare name too.

Each name here is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.catalog.trl.commands import (
        Subcommand,
        command_fields,
        command_options,
        parser_traits,
        script_at,
        subcommands,
    )
    from rlhflint.catalog.trl.defaults import DefaultChange, defaults_changed
    from rlhflint.catalog.trl.imports import (
        ClassRef,
        Deleted,
        Module,
        Moved,
        NotYet,
        Other,
        Resolved,
        Shim,
        Unknown,
        class_at,
    )
    from rlhflint.catalog.trl.lookup import Parameter, Parameters, config_fields, trainer_parameters
    from rlhflint.catalog.trl.over_releases import canonical, history, spelling, spellings
    from rlhflint.catalog.trl.programs import config_key, key_at, program_of, program_of_subcommand, trainer_key
    from rlhflint.catalog.trl.store import releases, requirement, transformers_releases
    from rlhflint.catalog.trl.tree import Tree

_MODULES = {
    "commands": (*("Subcommand", "command_fields", "command_options", "parser_traits", "script_at", "subcommands"),),
    "defaults": ("DefaultChange", "defaults_changed"),
    "imports": (
        *("ClassRef", "Deleted", "Module", "Moved", "NotYet", "Other", "Resolved", "Shim", "Unknown", "class_at"),
    ),
    "lookup": ("Parameter", "Parameters", "config_fields", "trainer_parameters"),
    "over_releases": ("canonical", "history", "spelling", "spellings"),
    "programs": ("config_key", "key_at", "program_of", "program_of_subcommand", "trainer_key"),
    "store": ("releases", "requirement", "transformers_releases"),
    "tree": ("Tree",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "ClassRef",
    "DefaultChange",
    "Deleted",
    "Module",
    "Moved",
    "NotYet",
    "Other",
    "Parameter",
    "Parameters",
    "Resolved",
    "Shim",
    "Subcommand",
    "Tree",
    "Unknown",
    "canonical",
    "class_at",
    "command_fields",
    "command_options",
    "config_fields",
    "config_key",
    "defaults_changed",
    "history",
    "key_at",
    "parser_traits",
    "program_of",
    "program_of_subcommand",
    "releases",
    "requirement",
    "script_at",
    "spelling",
    "spellings",
    "subcommands",
    "trainer_key",
    "trainer_parameters",
    "transformers_releases",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found
