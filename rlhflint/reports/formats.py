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
    """The module and the function that write a format."""

    module: str
    function: str = "render"


FORMATS: dict[str, Format] = {
    "text": Format("text"),
    "concise": Format("text", "render_concise"),
    "json": Format("json"),
    "sarif": Format("sarif"),
    "github": Format("github"),
    "gitlab": Format("gitlab"),
    "junit": Format("junit"),
}


def render(name: str, result: Result, options: Options | None = None) -> str:
    """The whole report in the format `name`, ending in a line end. Raises `KeyError` for a name not in `FORMATS`."""
    chosen = FORMATS[name]
    write: Callable[[Result, Options], str] = getattr(import_module(f"{__package__}.{chosen.module}"), chosen.function)
    return write(result, options or Options())
