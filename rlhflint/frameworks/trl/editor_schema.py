"""The JSON Schema of a configuration of TRL: the keys of a YAML file that `trl WORD --config` or TrlParser reads."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rlhflint.catalog.annotations import parts_of
from rlhflint.catalog.fields import Missing
from rlhflint.editor_schema import INTEGER_TEXT, NUMBER_TEXT, NoSuchProgram, any_of, document, lived, setting
from rlhflint.frameworks.trl.catalog.commands import command_fields, subcommands
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.over_releases import history, spellings
from rlhflint.frameworks.trl.catalog.parser import BOOLEAN_WORDS
from rlhflint.frameworks.trl.catalog.programs import PROGRAMS, config_key, program_of_subcommand
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.session import newest_name
from rlhflint.frameworks.trl.transformers_beside import newest_transformers

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Field, Fields

_HANDED_ON = "0.18.0"
"""The first release whose `trl WORD` hands keys of its file on to accelerate (trl/cli.py@0.18.0)."""
_BOOLEAN_TEXT = (
    "^("
    + "|".join("".join(f"[{one.upper()}{one}]" if one.isalpha() else one for one in word) for word in BOOLEAN_WORDS)
    + ")$"
)
_SIMPLE: Mapping[str, dict[str, Any]] = {
    "int": {"type": ["integer", "string"], "pattern": INTEGER_TEXT},
    "float": {"type": ["number", "string"], "pattern": NUMBER_TEXT},
    "bool": {"type": ["boolean", "string"], "pattern": _BOOLEAN_TEXT},
    "str": {"type": "string"},
    "None": {"type": "null"},
    "dict": {"type": ["object", "string"]},
}
_ITEMS: Mapping[str, dict[str, Any]] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "str": {"type": "string"},
}


def programs() -> tuple[str, ...]:
    """The programs of all releases."""
    return (*PROGRAMS, "trl:vllm_serve")


def schema(name: str, versions: Mapping[str, str]) -> dict[str, Any]:
    """The schema of `sft` and its like; `versions` holds listed releases of `trl` and `transformers`.

    Without one the newest known counts. A program that is a subcommand of `trl` at the release has the keys of all
    classes its parser takes, any other one those of its configuration class.

    Raises:
        NoSuchProgram: no release has it, or this one does not.
    """
    trl = versions.get("trl", releases().newest)
    transformers = versions.get("transformers") or newest_transformers(trl)
    program = f"trl:{name}"
    if program not in programs():
        raise NoSuchProgram(f"there is no program {program}")
    word = next((one for one in subcommands(trl) if program_of_subcommand(one) == program), "")
    key = config_key(program, trl)
    if key is None:
        raise NoSuchProgram(f"TRL {trl} has no configuration class for {program}")
    classes = subcommands(trl)[word].classes if word else ()
    try:
        fields = command_fields(classes, trl, transformers) if classes else config_fields(key, trl, transformers)
    except KeyError:
        raise NoSuchProgram(f"TRL {trl} has no configuration class for {program}") from None
    properties = {field: _property(one, trl) for field, one in sorted(fields.items())}
    if classes:
        properties |= {name: one for name, one in _beside(trl, word).items() if name not in properties}
    title = f"{f'trl {word}' if classes else key.rpartition(':')[2]} of TRL {trl} with transformers {transformers}"
    what = "Keys of the file that `--config` names." if classes else "Options of the configuration class."
    found = document(title, what, properties)
    return found if _complete(fields) else {**found, "additionalProperties": True}


def _complete(fields: Fields) -> bool:
    return fields.complete


def _beside(trl: str, word: str) -> dict[str, dict[str, Any]]:
    """Keys that are none of the program's: environment variables, and what is handed on to accelerate."""
    environment = {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}}
    found = {"env": setting(environment, "Environment variables that are set before the program starts.")}
    if releases().position(trl) >= releases().position(_HANDED_ON):
        from rlhflint.launchers.options.table import launcher_table

        for flag in launcher_table("accelerate_launch").options:
            if flag.startswith("--"):
                found[flag[2:].replace("-", "_")] = setting({}, f"Handed on to `accelerate launch` as `{flag}`.")
        found["accelerate_config"] = setting(
            {"type": "string"}, f"Configuration of accelerate: a file, or a name that comes with TRL (`trl {word}`)."
        )
    return found


def _property(field: Field, trl: str) -> dict[str, Any]:
    literal, value = _default(field)
    newest = newest_name(field.owner, field.name, trl)
    return setting(
        _value(field),
        " ".join(_description(field, trl, newest)),
        default=value,
        known=literal,
        deprecated=field.deprecated or newest != field.name,
    )


def _default(field: Field) -> tuple[bool, object]:
    """Whether the default is known, and it; one that depends on other options is not."""
    if isinstance(field.default, Missing) or (field.default is None and field.becomes):
        return False, None
    return True, field.default


def _value(field: Field) -> dict[str, Any]:
    none = [_SIMPLE["None"]] if field.nullable or field.default is None else []
    chosen = field.accepts or field.choices
    if chosen:
        return any_of([{"enum": list(chosen)}, *none])
    parts = [*map(_part, parts_of(field.type)), *none]
    return any_of([*parts, *([{"type": "string"}] if field.json and _SIMPLE["dict"] not in parts else [])])


def _part(spelled: str) -> Mapping[str, Any]:
    """The schema of one part of an annotation; empty for what is not judged, such as an object."""
    if spelled in _SIMPLE:
        return _SIMPLE[spelled]
    if spelled.startswith(("dict[", "dict")):
        return _SIMPLE["dict"]
    if spelled == "list":
        return {"type": "array"}
    if spelled.startswith("list["):
        items = any_of([_ITEMS.get(part, {}) for part in parts_of(spelled[5:-1])])
        return {"type": "array", **({"items": items} if items else {})}
    if spelled.startswith("Literal["):
        return {"enum": list(_literals(spelled))}
    return {}


def _literals(spelled: str) -> Iterator[object]:
    for node in ast.walk(ast.parse(spelled, mode="eval")):
        if isinstance(node, ast.Constant):
            yield node.value


def _description(field: Field, trl: str, newest: str) -> Iterator[str]:
    owner = field.owner.rpartition(":")[2]
    order = transformers_releases() if field.owner.startswith("transformers:") else releases()
    spans = [interval for interval, _ in history(field.owner, field.name)]
    since = min((one.since for one in spans), key=order.position, default=None)
    package = "transformers" if field.owner.startswith("transformers:") else "TRL"
    yield f"Option of `{owner}`{f', {package} {lived(since, None)}' if since and since != order.oldest else ''}."
    if field.required:
        yield "It has to be given, here or on the command line."
    if newest != field.name:
        yield f"Its name today is `{newest}`."
    older = [one for one in spellings(field.owner, field.name) if one != field.name] if newest == field.name else []
    if older:
        yield f"It was called {', '.join(f'`{one}`' for one in older)} before."
    if field.deprecated and newest == field.name:
        yield "Upstream says that it will go."
    if field.default is None and field.becomes:
        yield f"Where it is not given it becomes `{field.becomes}`."
    elif field.default is Missing.COMPUTED:
        yield f"Its default is worked out: `{json.dumps(field.expression)[1:-1]}`."
