"""The configuration file that suits a project as it is found: what is read from it, said in comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rlhflint.launch import Launch, Version
from rlhflint.project.toml_text import toml_key, toml_value
from rlhflint.registry import names
from rlhflint.reports.printable import printable
from rlhflint.result import Result

_SHOWN = 20
"""Files of a program that are named."""


class Found(NamedTuple):
    """What a project holds: files by program, releases that something states, frameworks of which nothing does."""

    programs: dict[str, list[str]]
    stated: list[Version]
    assumed: list[Version]
    open_files: list[str]
    """Files that could not be read."""


def found_in(result: Result) -> Found:
    """What a run over a project found."""
    programs: dict[str, list[str]] = {}
    stated: dict[tuple[str, str, str], Version] = {}
    assumed: Counter[Version] = Counter()
    for launch in launches(result):
        files = programs.setdefault(launch.program, [])
        if launch.path not in files:
            files.append(launch.path)
        for version in launch.versions.values():
            if version.stated:
                stated.setdefault((version.name, said(version), _place(version)), version)
            elif version.name in names():
                assumed[version] += 1
    return Found(
        dict(sorted(programs.items())),
        [version for _, version in sorted(stated.items())],
        [version for version, _ in assumed.most_common()],
        [file.path for file in result.files if file.broken],
    )


def said(version: Version) -> str:
    """A release or range as the project states it."""
    return version.specifier or version.value


def _place(version: Version) -> str:
    """Where it is stated; how a launch's options narrow a range is no matter of the project."""
    return version.source.partition(" and the options")[0]


def launches(result: Result) -> Iterator[Launch]:
    """Every launch of a run."""
    return (judged.launch for file in result.files for judged in file.launches)


def table(found: Found) -> str:
    """The text of a rlhflint.toml. What the project says itself is a comment, so that it is not said twice."""
    return "\n\n".join("\n".join(part) for part in (_head(), _programs(found), _versions(found), _cluster())) + "\n"


def _head() -> Iterable[str]:
    yield "# Configuration of rlhflint. `rlhflint config` prints what is in force and where it was said."
    yield f"fail-on = {toml_value('warning')}"
    yield "# Rules not to run: codes or prefixes. Better a comment with a reason in the one file that needs it."
    yield "ignore = []"
    yield "# With true, a comment that switches a rule off has to say why."
    yield "require-reason = false"


def _programs(found: Found) -> Iterable[str]:
    if not found.programs:
        yield "# No launches were found. For files that only the program itself tells apart, name it here:"
        yield "# [programs]"
        yield f"# {toml_key('recipes/dpo/*.yaml')} = {toml_value('trl:dpo')}"
        return
    yield "# Launches found; none of these needs an entry under [programs]."
    for program, files in found.programs.items():
        named = ", ".join(map(printable, files[:_SHOWN]))
        more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
        yield f"#   {program}: {named}{more}"


def _versions(found: Found) -> Iterable[str]:
    if found.stated:
        yield "# Releases that the project states, read anew each time:"
        for version in found.stated:
            yield f"#   {version.name} {said(version)} from {printable(_place(version))}"
    yield "[versions]"
    missing = [one for one in found.assumed if one.name not in {version.name for version in found.stated}]
    for name in dict.fromkeys(version.name for version in missing):
        guess = next(version for version in missing if version.name == name)
        yield f"# Nothing states the release of {name}. {guess.value} was taken, from {printable(guess.source)}."
        yield f"# {name} = {toml_value(guess.value)}"
    if not missing:
        yield "# An entry here stands above what the project states."


def _cluster() -> Iterable[str]:
    yield "# The machines that launches are meant for; without it, what a script asks Slurm or Ray for counts."
    yield "# [cluster]"
    yield "# nodes = 1"
    yield "# gpus-per-node = 8"
    yield "# gpu-memory = 80"
