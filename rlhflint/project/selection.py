"""Which rules are run: the arithmetic of select and ignore."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rlhflint.expressions import expression

SELECTOR = expression(r"ALL|[A-Z]{1,3}\d{0,4}")
"""A code (`OR203`), a prefix of codes (`OR`, `OR2`), or `ALL`."""


class Selection(NamedTuple):
    """What one source says: a configuration file, or the command line. `select` is None where it does not say."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()


def parse_selectors(texts: Iterable[str]) -> tuple[str, ...]:
    """Selectors, of texts that hold one each or several with commas.

    Raises:
        ValueError: one is neither a code nor the beginning of one nor `ALL`.
    """
    codes = tuple(code.strip() for text in texts for code in text.split(",") if code.strip())
    for code in codes:
        if not SELECTOR.fullmatch(code):
            raise ValueError(f"{code!r} is no rule: give a code such as OR203, a prefix such as OR2, or ALL")
    return codes


def enabled(code: str, on: bool, selections: Iterable[Selection]) -> bool:
    """Whether a rule is run.

    Within one source the longest selector that fits the code decides, and `ignore` where both are equally long. A
    later source stands above an earlier one: it decides if any selector of its own fits; if it has `select`, what the
    earlier ones say does not count at all.

    Args:
        code: of the rule.
        on: whether it is run when nothing is said.
        selections: the sources, from the one that counts least to the one that counts most.
    """
    answer = on
    for selection in selections:
        if selection.select is not None:
            answer = False
        chosen = longest(code, (*(selection.select or ()), *selection.extend_select))
        dropped = longest(code, (*selection.ignore, *selection.extend_ignore))
        if chosen > dropped:
            answer = True
        elif dropped >= 0:
            answer = False
    return answer


def longest(code: str, selectors: Iterable[str]) -> int:
    """The length of the longest selector that fits a code, 0 for `ALL`; -1 if none does."""
    return max((_length(code, selector) for selector in selectors), default=-1)


def _length(code: str, selector: str) -> int:
    if selector == "ALL":
        return 0
    return len(selector) if code.startswith(selector) else -1
