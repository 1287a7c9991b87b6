"""The changes that make one text another."""

from __future__ import annotations

import difflib

from rlhflint.expressions import expression
from rlhflint.fixing.python_text import Changed

_TOKEN = expression(r"\w+|\s|[^\w\s]")
_MOST = 4_000
"""Tokens up to which the places that differ are told apart; of more the stretch from the first to the last changes."""


def difference(before: str, after: str, offset: int) -> list[Changed]:
    """The changes, token by token; places are counted from `offset` on."""
    left, right = _TOKEN.findall(before), _TOKEN.findall(after)
    first = 0
    while first < min(len(left), len(right)) and left[first] == right[first]:
        first += 1
    last = 0
    while last < min(len(left), len(right)) - first and left[-1 - last] == right[-1 - last]:
        last += 1
    offset += sum(map(len, left[:first]))
    left, right = left[first : len(left) - last], right[first : len(right) - last]
    if not left and not right:
        return []
    if not left or not right or len(left) + len(right) > _MOST:
        return [Changed(offset, offset + sum(map(len, left)), "".join(right))]
    starts = [offset]
    for token in left:
        starts.append(starts[-1] + len(token))
    return [
        Changed(starts[i], starts[j], "".join(right[k:m]))
        for tag, i, j, k, m in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
