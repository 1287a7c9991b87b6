"""What was read, for people and for programs: launches, settings with their origin, releases, what stayed open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rlhflint.judged import Judged
from rlhflint.launch import Launch, Setting
from rlhflint.reports.printable import printable
from rlhflint.reports.regions import line_of
from rlhflint.reports.secrets import Secrets
from rlhflint.result import FileResult, Result
from rlhflint.value import Known, OneOf


def as_object(result: Result) -> dict[str, Any]:
    """The JSON of `rlhflint show`."""
    launches = [_launch(judged, file) for file in result.files for judged in file.launches]
    return {"schema_version": 1, "launches": launches}


def _launch(judged: Judged, file: FileResult) -> dict[str, Any]:
    launch = judged.launch
    return {
        "path": launch.path,
        "line": line_of(launch.span, file),
        "program": launch.program,
        "versions": {
            name: {"value": version.value, "source": version.source} for name, version in launch.versions.items()
        },
        "settings": [_setting(setting, file, Secrets(file)) for setting in launch.settings],
        "ways": judged.ways,
        "more": launch.more,
        "undecided": [
            {"code": undecided.code, "because": f"{undecided.what}: {undecided.because}"}
            for undecided in judged.undecided
        ],
    }


def _setting(setting: Setting, file: FileResult, secrets: Secrets) -> dict[str, Any]:
    source = file.sources.get(setting.name_span.path)
    position = source.position(setting.name_span.start) if source is not None else None
    return {
        "name": setting.name,
        "canonical": setting.canonical[0] if setting.canonical else None,
        "value": _value(setting, secrets),
        "known": isinstance(setting.value, Known),
        "line": position.line if position else None,
        "column": position.column if position else None,
        "origin": origin(setting, file),
    }


def _value(setting: Setting, secrets: Secrets) -> object:
    """The value as it was given, None where it is not known."""
    if not isinstance(setting.value, Known):
        return None
    return secrets.masked_in(setting.value.value)


def _text(setting: Setting, secrets: Secrets) -> str:
    value = _value(setting, secrets)
    if not isinstance(setting.value, Known):
        return "?"
    if value is True and setting.value_span is None:
        return "on"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def origin(setting: Setting, file: FileResult) -> str:
    """Where the value comes from, in words: "line 12", "cluster.env line 3", or why it is not known."""
    value = setting.value
    if isinstance(value, OneOf):
        return f"{value.because}; {value.default} otherwise"
    if not isinstance(value, Known):
        return value.because
    span = setting.value_span or setting.name_span
    line = line_of(span, file)
    return f"line {line}" if span.path == setting.name_span.path else f"{span.path} line {line}"


def render(result: Result, *, colour: bool = False) -> str:
    """The text of `rlhflint show`."""
    blocks = ["\n".join(_block(judged, file, colour)) for file in result.files for judged in file.launches]
    if not blocks:
        return "No launches were found.\n"
    return "\n\n".join(blocks) + "\n"


def _block(judged: Judged, file: FileResult, colour: bool) -> Iterator[str]:
    launch = judged.launch
    line = line_of(launch.span, file)
    yield _bold(f"{printable(launch.path)}:{line}  {launch.program}", colour)
    yield from _releases(launch)
    if judged.ways > 1:
        yield f"  {judged.ways} ways through the script lead here; settings are those of the first"
    secrets = Secrets(file)
    rows = [(printable(one.name), printable(_text(one, secrets)), origin(one, file)) for one in launch.settings]
    names = max((len(name) for name, _, _ in rows), default=0)
    values = min(max((len(value) for _, value, _ in rows), default=0), 48)
    for name, value, where in rows:
        yield f"  {name:{names}}  {value:{values}}  {printable(where)}".rstrip()
    if launch.more:
        yield f"  and perhaps more: {printable(launch.more)}"
    for undecided in judged.undecided:
        yield f"  undecided {undecided.code}: {undecided.what}: {printable(undecided.because)}"


def _releases(launch: Launch) -> Iterator[str]:
    for name, version in launch.versions.items():
        said = "" if version.stated else " (assumed)"
        yield f"  {name} {version.value} from {printable(version.source)}{said}"


def _bold(text: str, colour: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if colour else text
