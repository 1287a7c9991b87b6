"""Which release a launch was written for, judging by its flags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rlhflint.written_for import Span, written_for

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program


def guess(program: Program, flags: Iterable[str], within: Sequence[str]) -> Span:
    """The newest of the releases `within` that accept most of `flags`.

    Args:
        program: of the launch.
        flags: as written; those that no release has do not count.
        within: releases of the catalog, oldest first; those without the program do not count. Not empty.
    """
    known = [flag for flag in dict.fromkeys(flags) if program.history(flag)]
    having = [release for release in within if program.exists(release)] or list(within)
    return written_for(map(program.releases_accepting, known), having)
