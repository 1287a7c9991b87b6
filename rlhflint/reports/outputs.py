"""Which reports a run writes, and where to: the options `--output-format` and `--output-file`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlhflint.reports.formats import FORMATS


class WrongOutput(ValueError):
    """The options contradict each other or name a format that does not exist; the message says how."""


class Output(NamedTuple):
    """One report. `file` is None for standard output."""

    format: str
    file: str | None = None


def default_format(environ: Mapping[str, str]) -> str:
    """The format where none is asked for: annotations inside GitHub Actions, else text."""
    return "github" if environ.get("GITHUB_ACTIONS") == "true" else "text"


def outputs(values: Sequence[str], output_file: str | None = None, default: str = "text") -> tuple[Output, ...]:
    """The reports that are asked for.

    Args:
        values: what `--output-format` was given, each time `FORMAT` or `FORMAT:FILE`; the file `-` is standard output.
        output_file: what `--output-file` was given: the file of the report that names none.
        default: the format where `values` is empty.

    Raises:
        WrongOutput: an unknown format, or two reports for one place.
    """
    chosen = [_output(value) for value in values or (default,)]
    if output_file is not None and output_file != "-":
        if all(one.file is not None for one in chosen):
            raise WrongOutput("--output-file: every --output-format already names its file")
        chosen = [Output(one.format, one.file if one.file is not None else output_file) for one in chosen]
    places = [one.file for one in chosen]
    for place in places:
        if places.count(place) > 1:
            both = " and ".join(one.format for one in chosen if one.file == place)
            name = "standard output" if place is None else place
            raise WrongOutput(f"{both} would both be written to {name}: name another file, as in sarif:out.sarif")
    return tuple(chosen)


def _output(value: str) -> Output:
    name, colon, file = value.partition(":")
    if name not in FORMATS:
        from difflib import get_close_matches

        near = get_close_matches(name.lower(), FORMATS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(FORMATS)}"
        raise WrongOutput(f"{name!r} is not an output format: {hint}")
    if colon and not file:
        raise WrongOutput(f"{value!r} names no file behind the colon")
    return Output(name, file if colon and file != "-" else None)
