"""How far a run is, told on a terminal once it takes longer than a second, and wiped away at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rlhflint.result import FileResult

_AFTER, _EACH = 1.0, 0.1
"""Seconds before anything is told, and between two numbers."""
_WIPE = "\r\x1b[K"


def watched(results: Iterator[FileResult], stream: TextIO | None = None) -> Iterator[FileResult]:
    """The results as they come; meanwhile their number is told on standard error, if that is a terminal."""
    stream = stream if stream is not None else sys.stderr
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield from results
        return
    due, told = monotonic() + _AFTER, False
    files = launches = findings = 0
    try:
        for result in results:
            files += 1
            launches += len(result.launches)
            findings += len(result.findings)
            if (now := monotonic()) >= due:
                stream.write(f"{_WIPE}{files} files, {launches} launches, {findings} findings …")
                stream.flush()
                due, told = now + _EACH, True
            yield result
    finally:
        if told:
            stream.write(_WIPE)
            stream.flush()
