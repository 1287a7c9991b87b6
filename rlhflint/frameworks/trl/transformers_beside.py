"""Which release of transformers is in force beside a release of TRL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.over_releases import history
from rlhflint.frameworks.trl.catalog.store import releases, requirement, transformers_releases
from rlhflint.launch import Version
from rlhflint.written_for import Span, written_for

if TYPE_CHECKING:
    from rlhflint.site import Site

Use = tuple[str | tuple[str, ...], str]
"""The class that has an option, or the classes one of which has it, and the option by its name."""
_BASE = "transformers:TrainingArguments"
_TRANSFORMERS_5 = "0.29.0"
"""The first release of TRL that works with transformers 5 (upstream's own floor of its imports)."""


def newest_transformers(trl: str) -> str:
    """The newest release of transformers that a release of TRL works with."""
    order = transformers_releases()
    five = releases().position(releases().place(trl).release) >= releases().position(_TRANSFORMERS_5)
    return order.newest if five else next(one for one in reversed(order) if one.startswith("4."))


def written_for_older(uses: Iterable[Use]) -> Span | None:
    """The releases whose TrainingArguments have most of the options; None where the newest release is one of them.

    Options that a class of TRL has by itself say nothing.
    """
    order, every = transformers_releases(), []
    for name, option in uses:
        rows = history(_BASE, option)
        if rows and not any(history(one, option) for one in ((name,) if isinstance(name, str) else name)):
            every.append(order.within(interval for interval, _ in rows))
    found = written_for(every, list(order))
    return None if found.until == order.newest else found


def working_with(older: Span | None, within: Sequence[str]) -> Sequence[str]:
    """Those releases of TRL that accept one of some older releases of transformers, if there are any; else all."""
    if older is None:
        return within
    wanted = _between(older)
    return [trl for trl in within if accepted(trl, wanted)] or within


def transformers_beside(trl: str, site: Site, older: Span | None) -> Version:
    """The release in force: the one stated, else the newest that works with TRL and has the options.

    Args:
        trl: the release of TRL.
        site: of the file.
        older: the releases that have the options used, where the newest has not.
    """
    order = transformers_releases()
    stated = site.declared.resolve("transformers", order)
    if stated is not None and not stated.specifier:
        return stated
    newest = newest_transformers(trl)
    within = inside(stated.specifier, order) if stated is not None else order
    working = [one for one in within if order.position(one) <= order.position(newest)]
    because, having = "", []
    if older is not None:
        because, having = older.source("options"), accepted(trl, [one for one in working if one in _between(older)])
    if stated is None:
        if having:
            return Version("transformers", having[-1], because, stated=False)
        return Version("transformers", newest, f"the newest release known for trl {trl}", stated=False)
    if not having:
        because, having = f"trl {trl}", working
    if not having or having[-1] == stated.value:
        return stated
    return replace(stated, value=having[-1], source=f"{stated.source} and {because}", statement=stated.source)


def _between(span: Span) -> list[str]:
    order = transformers_releases()
    return list(order)[order.position(span.since) : order.position(span.until) + 1]


def accepted(trl: str, among: Sequence[str]) -> list[str]:
    """Those releases of transformers that a release of TRL asks for."""
    asked = requirement("transformers", releases().place(trl).release)
    return inside(asked, among) if asked else list(among)


def inside(specifier: str, order: Sequence[str]) -> list[str]:
    """The releases that lie inside a specifier."""
    from rlhflint.packages.ranges import releases_inside

    return releases_inside(specifier, order)
