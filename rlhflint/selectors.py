"""Codes that somebody selects, ignores or gives a severity have to belong to a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from rlhflint.project.config import ConfigError

if TYPE_CHECKING:
    from rlhflint.project.config import Config
    from rlhflint.project.configurations import Configurations

_KEYS = ("select", "ignore", "extend-select", "extend-ignore", "mandatory")


def verify_configured(configurations: Configurations) -> None:
    """Raise `ConfigError` for a code in a configuration in force that no rule has.

    Nothing is looked up as long as no file had a launch, so that such a run loads no rule.
    """
    for config in configurations.in_force:
        _verify(config, list(_configured(config)))


def _verify(config: Config, configured: Iterable[tuple[str, str]]) -> None:
    if not configured:
        return
    from rlhflint.rule import registered

    for key, selector in configured if registered() else ():
        if (wrong := trouble(selector)) is not None:
            place = next((said.place for said in config.said[key] if _holds(said.value, selector)), None)
            error = config.error(key, f"{key}: {wrong}")
            raise ConfigError(place, error.message) if place is not None else error


def _configured(config: Config) -> Iterator[tuple[str, str]]:
    for key, said in config.said.items():
        if key in _KEYS or key.startswith("per-file-ignores."):
            yield from ((key, selector) for sourced in said for selector in sourced.value if not sourced.option)
        elif key.startswith("severity."):
            yield key, key.removeprefix("severity.")


def _holds(value: object, selector: str) -> bool:
    return not isinstance(value, list) or selector in value


def trouble(selector: str) -> str | None:
    """What is wrong with a code, a prefix or `ALL`, the nearest code named; None if some rule fits."""
    codes = _codes()
    if selector == "ALL" or any(code.startswith(selector) for code in codes):
        return None
    from rlhflint.wording import did_you_mean

    return f"there is no rule {selector!r}{did_you_mean(selector, codes)}"


@cache
def _codes() -> tuple[str, ...]:
    from rlhflint.rules import load_all

    return tuple(dict.fromkeys(rule.code for rule in load_all()))
