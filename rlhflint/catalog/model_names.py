"""Sizes of models as their names say them: `Qwen2.5-7B`, `Mixtral-8x7B`, `Qwen3-30B-A3B`, `pythia-410m`."""

from __future__ import annotations

from rlhflint.expressions import expression

_EXPERTS = expression(r"(?<![A-Za-z0-9.])(\d{1,3})x(\d{1,3}(?:\.\d{1,3})?)[bB](?![A-Za-z0-9])")
_ACTIVE = expression(r"(?<![A-Za-z0-9.])(\d{1,4}(?:\.\d{1,3})?)[bB]-[aA]\d{1,3}(?:\.\d{1,3})?[bB](?![A-Za-z0-9])")
_COUNTED = expression(r"(?<![A-Za-z0-9.])\d{1,3}[bB]-\d{1,3}[eE](?![A-Za-z0-9])")
_EFFECTIVE = expression(r"(?<![A-Za-z0-9])[eE]\d{1,3}[bB](?![A-Za-z0-9])")
_UNDERSCORE = expression(r"(?<![A-Za-z0-9])([01])_(\d)[bB](?![A-Za-z0-9])")
_PLAIN = expression(r"(?<![A-Za-z0-9.])(\d{1,4}(?:\.\d{1,3})?)([bBmM])(?![A-Za-z0-9])")
_SHARED = 0.83
"""Experts share attention and embeddings: Mixtral 8x7B has 46.7 billion parameters, 8x22B 140.6."""
_LEAST_MILLIONS = 10
"""`-1M` is the length of a context."""


def parameters_in(name: str) -> int | None:
    """The parameters that a model has by its name, read from the last part of a path that says a number.

    Half of the models of the table are within 2 % of it, nine of ten within 8 %. None where no part says one, and
    where the number does not say how many parameters there are in all (`17B-16E`, `E4B`).
    """
    for part in reversed(name[-400:].split("/")):
        if _COUNTED.search(part) or _EFFECTIVE.search(part):
            return None
        if (size := _size(part)) is not None:
            return size
    return None


def _size(part: str) -> int | None:
    if found := _EXPERTS.search(part):
        return int(_SHARED * int(found[1]) * float(found[2]) * 1e9)
    if found := _ACTIVE.search(part):
        return int(float(found[1]) * 1e9)
    if found := _UNDERSCORE.search(part):
        return int(float(f"{found[1]}.{found[2]}") * 1e9)
    for found in _PLAIN.finditer(part):
        number, millions = float(found[1]), found[2] in "mM"
        if number and not (millions and number < _LEAST_MILLIONS):
            return int(number * (1e6 if millions else 1e9))
    return None
