"""What the command line says about which files and rules to check; it stands above every configuration file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from rlhflint.project.config import Sourced
from rlhflint.project.layers import Layer
from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Options as given; None and empty where they are not.

    `framework_versions` and `programs` are what `parse_versions` and `parse_programs` make of their texts.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    framework_versions: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    """Globs of what to leave out besides."""
    force_exclude: bool = False
    fail_on: str | None = None
    cluster: str | None = None
    python: str | None = None
    markdown: bool | None = None
    config: str | None = None
    """The only configuration file to use."""
    experimental: tuple[str, ...] = ()
    """Frameworks to look at that are experimental."""
    isolated: bool = False
    """Use no configuration file at all."""
    needed: tuple[str, ...] = ()
    """Codes of rules that are run whatever is selected and ignored."""

    def layer(self) -> Layer:
        """The options as the layer of a configuration; globs are relative to the working directory."""
        given: dict[str, Any] = {
            "select": self.select,
            "ignore": self.ignore or None,
            "extend-select": self.extend_select or None,
            "versions": self.framework_versions or None,
            "programs": self.programs or None,
            "extend-exclude": self.exclude or None,
            "fail-on": self.fail_on,
            "cluster": self.cluster,
            "python": self.python,
            "markdown": self.markdown,
            "experimental": self.experimental or None,
        }
        return Layer({key: value for key, value in given.items() if value is not None}, os.getcwd(), _sourced)


_OPTIONS = {"versions": "--framework-version", "programs": "--program", "extend-exclude": "--exclude"}


def _sourced(path: tuple[str | int, ...], value: Any) -> Sourced:
    return Sourced(value, option=_OPTIONS.get(str(path[0]), f"--{path[0]}"))


def parse_versions(texts: Iterable[str]) -> dict[str, str]:
    """Package (normalised) → version or specifier, of texts such as `openrlhf=0.9.3`.

    Raises:
        ValueError: a text is not of that form; the message says what is wrong with it.
    """
    return dict(_parsed(text) for text in texts)


def _parsed(text: str) -> tuple[str, str]:
    from rlhflint.packages.names import PACKAGES, normalised, tracked
    from rlhflint.packages.ranges import specifier_of
    from rlhflint.wording import did_you_mean

    name, separator, version = text.partition("=")
    package = normalised(name.strip())
    if not separator or not version.strip("= "):
        raise ValueError(f"{text!r} is not NAME=VERSION, such as openrlhf=0.9.3")
    if not tracked(package):
        raise ValueError(f"unknown package {name!r}{did_you_mean(package, PACKAGES)}")
    version = version.removeprefix("=").strip()
    specifier_of(version)
    return package, version


def parse_frameworks(texts: Iterable[str]) -> tuple[str, ...]:
    """Names of frameworks, of texts that hold one each.

    Raises:
        ValueError: there is no such framework.
    """
    from rlhflint.registry import names
    from rlhflint.wording import did_you_mean

    found = tuple(texts)
    for name in found:
        if name not in names():
            raise ValueError(f"unknown framework {name!r}{did_you_mean(name, names())}")
    return found


def parse_programs(texts: Iterable[str]) -> dict[str, str]:
    """Glob → program, of texts such as `recipes/dpo/*.yaml=trl:dpo`.

    Raises:
        ValueError: a text is not of that form, or there is no such program.
    """
    programs: dict[str, str] = {}
    for text in texts:
        from rlhflint.project.programs import known_program  # a run without the option does not need it

        glob, separator, program = text.rpartition("=")
        if not separator or not glob.strip("/"):
            raise ValueError(f"{text!r} is not GLOB=PROGRAM, such as recipes/*.yaml=trl:sft")
        programs[glob] = known_program(program)
    return programs
