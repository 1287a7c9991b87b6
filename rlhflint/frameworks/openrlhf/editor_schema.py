"""The JSON Schema of a program's options at a release, by their names without dashes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rlhflint.editor_schema import NoSuchProgram, any_of, document, lived, setting
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.value import Unknown

if TYPE_CHECKING:
    from rlhflint.catalog.option import Option
    from rlhflint.catalog.program import Program

_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "str": "string"}


def programs() -> tuple[str, ...]:
    """The programs of all releases."""
    return tuple(f"openrlhf:{name}" for name in openrlhf().programs)


def schema(name: str, releases: Mapping[str, str]) -> dict[str, Any]:
    """The schema of `train_sft` and its like; `releases` holds a listed release of `openrlhf`, else the newest counts.

    Raises:
        NoSuchProgram: no release has it, or this one does not.
    """
    catalog = openrlhf()
    release = releases.get("openrlhf", catalog.newest)
    if name not in catalog.programs:
        raise NoSuchProgram(f"there is no program openrlhf:{name}")
    program = catalog.program(name)
    if not program.exists(release):
        raise NoSuchProgram(f"OpenRLHF {release} has no {name}; its last release is {program.last}")
    properties = {
        option.flag.lstrip("-"): _property(option, program, release)
        for flag, option in sorted(program.options(release).items())
        if flag == option.flag and option.action != "help"
    }
    title = f"openrlhf.cli.{name} of OpenRLHF {release}"
    return document(title, "Options of the command line by name, without the leading dashes.", properties)


def _property(option: Option, program: Program, release: str) -> dict[str, Any]:
    dead = program.dead(option.flag, release)
    known = not isinstance(option.default, Unknown)
    return setting(
        _value(option),
        _description(option, program, release),
        default=option.default,
        known=known and not option.loose,
        deprecated=dead is not None,
    )


def _value(option: Option) -> dict[str, Any]:
    if option.loose:
        return {}
    if option.switch:
        return {"type": "boolean"}
    one: dict[str, Any] = {"enum": list(option.choices)} if option.choices else {"type": _TYPES[option.type]}
    none: list[dict[str, Any]] = [{"type": "null"}] if option.default is None else []
    if option.nargs is not None and isinstance(option.default, str):
        none = [{"const": option.default}]  # argparse leaves a default as it is: text where a list would be given
    if isinstance(option.nargs, int):
        return any_of([{"type": "array", "items": one, "minItems": option.nargs, "maxItems": option.nargs}, *none])
    if option.nargs in ("*", "+"):
        return any_of([{"type": "array", "items": one, "minItems": int(option.nargs == "+")}, *none])
    return any_of([one, *none])


def _description(option: Option, program: Program, release: str) -> str:
    parts = [f"`{option.flag}`, {_life(option, program, release)}."]
    older = sorted({step.flag for step in program.origins.get(option.flag, ())})
    if older:
        parts.append(f"Before: {', '.join(f'`{flag}`' for flag in older)}.")
    if (dead := program.dead(option.flag, release)) is not None:
        parts.append(f"Nothing reads it{f': {dead.text}' if dead.text else ''}".rstrip(".") + ".")
    newest = [f"--{one}" for one in program.canonical(option.flag, release)]
    if newest and newest != [option.flag]:
        parts.append(f"Today: {', '.join(f'`{flag}`' for flag in newest)}.")
    if isinstance(option.default, Unknown):
        parts.append("Its default is worked out when the program starts.")
    if option.nargs == "?":
        parts.append("The flag may stand without a value.")
    return " ".join(parts)


def _life(option: Option, program: Program, release: str) -> str:
    """The run of releases around this one in which the option was there."""
    order = program.releases
    spans = sorted(map(order.bounds, program.history(option.flag)))
    here = order.position(release)
    first = last = here
    for begin, end in reversed(spans):
        if begin <= first <= end + 1:
            first = min(first, begin)
    for begin, end in spans:
        if begin <= last + 1 <= end + 1:
            last = max(last, end)
    return lived(order[first], None if last == len(order) - 1 else order[last])
