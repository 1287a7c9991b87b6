"""The output formats by name. A format's module is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rlhflint.result import Result


class Options(NamedTuple):
    """How a report is written, where a format leaves a choice."""

    colour: bool = False
    statistics: bool = False
    """Also say how often each rule was broken."""
    quiet: bool = False
    """Say nothing but the findings, where people read them."""
    verbose: bool = False
    """Say also which checks could not be decided, and why, where people read it."""


class Format(NamedTuple):
    """One format: what it is for, and the function that writes it."""

    description: str
    module: str
    function: str = "render"


FORMATS: dict[str, Format] = {
    "text": Format("with the lines of source, for people", "text"),
    "concise": Format("a line a finding, for editors and grep", "text", "render_concise"),
    "json": Format("for programs", "json"),
    "sarif": Format("SARIF 2.1.0, for code scanning", "sarif"),
    "github": Format("annotations of GitHub Actions", "github"),
    "gitlab": Format("a code quality report of GitLab", "gitlab"),
    "junit": Format("JUnit XML, for CI systems", "junit"),
}


def render(name: str, result: Result, options: Options | None = None) -> str:
    """The whole report in the format `name`, ending in a line end. Raises `KeyError` for a name not in `FORMATS`."""
    chosen = FORMATS[name]
    write: Callable[[Result, Options], str] = getattr(import_module(f"{__package__}.{chosen.module}"), chosen.function)
    return write(result, options or Options())
