"""The settings of a launch in the terms of another release: what the options that were replaced say in newer ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from rlhflint.value import OneOf, Unknown

if TYPE_CHECKING:
    from rlhflint.catalog.changes import Replacement
    from rlhflint.catalog.program import Program


def carried_forward(
    program: Program, values: Mapping[str, object], release: str, to: str | None = None
) -> dict[str, object]:
    """The values that options of later releases would need to mean the same.

    Only what was replaced needs working out; a renamed option keeps its field. At 0.9.0 `{"prompt_max_len": 512,
    "generate_max_len": 1024, "max_len": None, "bf16": True}` gives `{"data.max_len": 1536, "rollout.max_new_tokens":
    1024, "ds.param_dtype": "bf16"}`.

    Args:
        program: the program.
        values: field → value in force at `release`, given or default; `Unknown` and `OneOf` are not known.
        release: a listed release.
        to: the release whose options are asked for; the newest if left out.

    Returns:
        field → value; `Unknown` where an old value is not known or no new one means the same.
    """
    first = program.releases.position(release)
    last = program.releases.position(to or program.releases.newest)
    known, found = dict(values), dict[str, object]()
    changes: list[Replacement | _Revaluation] = [*program.replacements, *_revaluations(program)]
    for change in sorted(changes, key=lambda one: program.releases.position(one.release)):
        if not first < program.releases.position(change.release) <= last:
            continue
        new: dict[str, object]
        if isinstance(change, _Revaluation):
            held = ((name, known.get(name)) for name in change.fields)
            new = {
                name: change.words[value] for name, value in held if isinstance(value, str) and value in change.words
            }
        else:
            new = _converted(program, change, known)
        found |= new
        known |= new
    return found


class _Revaluation(NamedTuple):
    """From `release` on the values of `fields` are written otherwise: old → new."""

    release: str
    fields: tuple[str, ...]
    words: Mapping[str, str]


def _revaluations(program: Program) -> Iterator[_Revaluation]:
    for flag, release, words in program.revalued:
        yield _Revaluation(release, program.fields(flag, release), words)


def _converted(program: Program, replacement: Replacement, known: Mapping[str, object]) -> dict[str, object]:
    """The new fields of a replacement; none where the launch has nothing to do with the old ones."""
    before = program.releases.before(replacement.release) or replacement.release
    old = {flag: program.fields(flag, before)[0] for flag in replacement.pairs}
    if not any(name in known for name in old.values()):
        return {}
    held = {flag: known.get(name, program.default(name, before)) for flag, name in old.items()}
    names = {flag: program.fields(flag, replacement.release) for flag in replacement.new}
    because = next((reason for value in held.values() if (reason := _unknown(value))), "")
    converted = None if because else replacement.convert(held)
    if converted is None:
        case = None if because else replacement.case(held)
        because = because or (case.inexact if case is not None else "no row of the catalog speaks of these values")
        return {name: Unknown(because) for fields in names.values() for name in fields}
    return {name: value for flag, value in converted.items() for name in names[flag]}


def _unknown(value: object) -> str:
    return value.because if isinstance(value, (Unknown, OneOf)) else ""
