"""rlhflint for other programs: check texts and files, and get typed results. See docs/api.md.

What is not named in `__all__` here is no interface and changes without notice. Importing this module loads none of the
readers, rules or libraries; they are loaded when a text that holds a launch is checked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rlhflint.check import Checker
from rlhflint.project.config import ConfigError
from rlhflint.project.selection import parse_selectors
from rlhflint.project.settings import Settings, parse_frameworks, parse_programs, parse_versions
from rlhflint.reports.records import (
    Edit,
    Finding,
    Fix,
    Launch,
    Location,
    Related,
    Report,
    Undecided,
    report_of,
)
from rlhflint.result import Result

__all__ = [
    "ConfigError",
    "Edit",
    "Finding",
    "Fix",
    "Launch",
    "Location",
    "Options",
    "Related",
    "Report",
    "Undecided",
    "check_paths",
    "check_text",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the options of `rlhflint check` say, by the same names; it stands above every configuration file.

    `select`, `ignore` and `extend_select` are codes, prefixes of codes or `ALL`. `framework_versions` gives a version
    or a specifier by package, `programs` a program by glob of files, `cluster` the machines as `NODESxGPUS`. `python`
    is an environment whose installed packages count where nothing else is said, `experimental` are frameworks to look
    at that are otherwise left alone. `config` is the only configuration file to use; with `isolated` none is used.
    """

    select: Sequence[str] | None = None
    ignore: Sequence[str] = ()
    extend_select: Sequence[str] = ()
    framework_versions: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)
    exclude: Sequence[str] = ()
    cluster: str | None = None
    python: str | None = None
    markdown: bool | None = None
    experimental: Sequence[str] = ()
    config: str | None = None
    isolated: bool = False


def check_text(text: str, filename: str = "train.sh", options: Options | None = None) -> Report:
    """What is found in a text.

    Args:
        text: of one file.
        filename: what it goes by: its ending says how it is read, its folder which configuration and which releases
            are in force. It need not exist.
        options: what stands above the configuration.

    Raises:
        ValueError: an option cannot be understood.
        ConfigError: a configuration file cannot be used.
    """
    checker = _checker(options)
    return _verified(checker, Result((checker.check_text(text, filename),)))


def check_paths(paths: Iterable[str | os.PathLike[str]], options: Options | None = None) -> Report:
    """What is found in files and, recursively, in folders.

    A file that cannot be read has a finding of its own, and so has a path that is not there.

    Args:
        paths: of files and folders.
        options: what stands above the configuration.

    Raises:
        ValueError: an option cannot be understood.
        ConfigError: a configuration file cannot be used.
    """
    checker = _checker(options)
    return _verified(checker, checker.check([os.fspath(path) for path in paths]))


def _verified(checker: Checker, result: Result) -> Report:
    from rlhflint.selectors import verify_configured

    verify_configured(checker.configurations)
    return report_of(result)


def _checker(options: Options | None) -> Checker:
    given = options or Options()
    if given.cluster is not None:
        from rlhflint.project.cluster import parse_cluster

        parse_cluster(given.cluster)
    selections = [given.select or (), given.ignore, given.extend_select]
    if selectors := [selector for chosen in selections for selector in parse_selectors(chosen)]:
        from rlhflint.selectors import trouble

        if wrong := next(filter(None, map(trouble, selectors)), None):
            raise ValueError(wrong)
    versions = [f"{name}={version}" for name, version in given.framework_versions.items()]
    return Checker(
        Settings(
            select=None if given.select is None else parse_selectors(given.select),
            ignore=parse_selectors(given.ignore),
            extend_select=parse_selectors(given.extend_select),
            framework_versions=parse_versions(versions),
            programs=parse_programs(f"{glob}={program}" for glob, program in given.programs.items()),
            exclude=tuple(given.exclude),
            cluster=given.cluster,
            python=given.python,
            markdown=given.markdown,
            experimental=parse_frameworks(given.experimental),
            config=given.config,
            isolated=given.isolated,
        )
    )
