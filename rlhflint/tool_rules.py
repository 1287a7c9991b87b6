"""Findings about files as such: those that cannot be read or parsed, and rules that fail themselves."""

from __future__ import annotations

import traceback

from rlhflint.finding import Finding
from rlhflint.rule import ERROR, PARSE, WARNING, described
from rlhflint.text import Span

UNREADABLE = described(
    "RL001",
    "unreadable-file",
    severity=ERROR,
    stage=PARSE,
    documentation="""A file has to be text in UTF-8 that rlhflint may read.

    What happens: nothing in the file is checked; the other files are. The exit status is 2.

    Why: a launch that cannot be read cannot be said to be right.
    """,
)

CRASHED = described(
    "RL003",
    "crashed-rule",
    severity=ERROR,
    stage=PARSE,
    documentation="""A rule or a reader of rlhflint failed on a file.

    What happens: the other rules are still run and the other files checked. The exit status is 2.

    Why: this is a mistake in rlhflint, not in your file. Please report it with the launch.
    """,
)

RELEASES_UNREADABLE = described(
    "RL009",
    "releases-unreadable",
    severity=WARNING,
    stage=PARSE,
    documentation="""A file that states releases (requirements, pyproject.toml, a lock file) cannot be understood.

    What happens: what it states does not count, so launches may be judged by another release than the one in force.

    Why: a flag that one release takes is refused by the next.
    """,
)

BROKEN = frozenset({UNREADABLE.code, CRASHED.code, "RL002"})
"""Codes of findings that say that a file was not checked in full."""


def unreadable(path: str, reason: str, offset: int = 0, remedy: str = "") -> Finding:
    """The finding for a file that cannot be read.

    `offset` is where, in characters of what could be; `remedy` says what can be done about it.
    """
    return Finding.of(
        UNREADABLE,
        Span(path, offset, offset),
        f"this file cannot be read: {reason}",
        help=f"nothing in it was checked; {remedy}" if remedy else "nothing in it was checked",
    )


def crashed(what: str, error: Exception, span: Span) -> Finding:
    """The finding for a rule or reader (`what`) that failed."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else ""
    return Finding.of(
        CRASHED,
        span,
        f"{what} failed on this file: {type(error).__name__}{place}",
        help="this is a mistake in rlhflint, not in your file; all else was checked. Please report it.",
    )


def releases_unreadable(span: Span, message: str) -> Finding:
    """The finding for a place that states releases and cannot be understood."""
    return Finding.of(
        RELEASES_UNREADABLE,
        span,
        f"{message}: the releases that it states do not count",
        help="put it right, or say --framework-version",
    )
