"""What single releases say made histories, and these the text of data files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rlhflint.catalog.intervals import Interval


def sort_releases(versions: Iterable[str]) -> list[str]:
    """Oldest first: 0.5.5.post1 < 0.5.6 < 0.5.10. Raises ValueError for text that is no version."""
    from packaging.version import InvalidVersion, Version

    try:
        return sorted(versions, key=Version)
    except InvalidVersion as error:
        raise ValueError(str(error)) from None


def fold(history: Mapping[str, Mapping[str, Any]], releases: Sequence[str]) -> tuple[Interval, ...]:
    """Runs of equal states over neighbouring releases.

    `history` holds the state of one thing in each release that has it. States are compared as JSON writes them, so
    that 1, 1.0 and true are three different defaults.
    """
    intervals: list[Interval] = []
    previous: str | None = None
    for release in releases:
        state = history.get(release)
        written = None if state is None else json.dumps(state, sort_keys=True)
        if state is not None and written == previous:
            intervals[-1] = Interval(intervals[-1].since, release, intervals[-1].state)
        elif state is not None:
            intervals.append(Interval(release, release, state))
        previous = written
    if intervals and intervals[-1].until == releases[-1]:
        intervals[-1] = Interval(intervals[-1].since, None, intervals[-1].state)
    return tuple(intervals)


def to_json(value: object, depth: int) -> str:
    """JSON text with objects opened up to one entry a line down to `depth` levels: small, and a diff still reads.

    The same value gives the same text, its keys in the order it has them.
    """
    return _lines(value, depth, "") + "\n"


def _lines(value: object, depth: int, indent: str) -> str:
    if not (depth and isinstance(value, dict) and value):
        return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    deeper = indent + " "
    entries = [f"{deeper}{json.dumps(key)}: {_lines(item, depth - 1, deeper)}" for key, item in value.items()]
    return "{\n" + ",\n".join(entries) + "\n" + indent + "}"
