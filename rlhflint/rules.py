"""All rules there are: for the engine, their table, their documentation, and checks of codes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from rlhflint.registry import names as every
from rlhflint.rule import Rule, registered


def load(names: Iterable[str]) -> tuple[Rule, ...]:
    """The rules that launches of some frameworks are judged by. Imports the modules that define them."""
    load_modules("rlhflint.launchers.rules")
    for name in names:
        load_modules(f"rlhflint.frameworks.{name}.rules")
    return registered()


def load_all() -> tuple[Rule, ...]:
    """Every rule of every framework, by code."""
    import_module("rlhflint.tool_rules")
    import_module("rlhflint.suppress.rules")
    import_module("rlhflint.fixing.rules")
    import_module("rlhflint.migration")
    return tuple(sorted(load(every()), key=lambda rule: rule.code))


@cache
def load_modules(package: str) -> None:
    """Import every module of a package of rules."""
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
