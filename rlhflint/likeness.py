"""Names that another name may be a slip of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rlhflint.expressions import expression

_CLOSE = 0.8
"""Likeness (0 to 1) from which a name is offered as what was meant."""
_WORDS = expression(r"[-._]+")


def alike(name: str, known: Sequence[str], most: int = 3, closeness: float = _CLOSE) -> tuple[str, ...]:
    """Those of `known` that `name` may be a slip of, `most` at the most.

    First those of the same words in another order, then those that end in it behind a dot, then those whose letters are
    the same to the part `closeness` (0 to 1).
    """
    return _alike(name, tuple(known), most, closeness)


@lru_cache(maxsize=256)
def _alike(name: str, known: tuple[str, ...], most: int, closeness: float) -> tuple[str, ...]:
    from difflib import get_close_matches

    words = sorted(_words(name))
    reordered = [one for one in known if sorted(_words(one)) == words and one != name]
    leaves = [one for one in known if one.rpartition(".")[2] == name.lstrip("-") and "." in one]
    close = get_close_matches(name, known, n=most, cutoff=closeness)
    return tuple(dict.fromkeys([*reordered, *leaves, *close]))[:most]


def _words(name: str) -> list[str]:
    return [word for word in _WORDS.split(name.lower()) if word]
