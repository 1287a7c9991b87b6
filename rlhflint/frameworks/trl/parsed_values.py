"""Settings and values of YAML files and of words, as TRL's parser makes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.parser import convert_words, convert_yaml
from rlhflint.frameworks.trl.session import newest_name
from rlhflint.given import Given
from rlhflint.launch import Setting, value_of
from rlhflint.text import HOLE, Traced
from rlhflint.value import Known, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Field, Fields
    from rlhflint.mapping import Document as Keys
    from rlhflint.mapping import Entry


def yaml_settings(keys: Keys, fields: Fields, config: str, trl: str) -> Iterator[tuple[Setting, Field | None]]:
    """The entries of a YAML file as settings, each with the field it fills; None for a key of no field."""
    from rlhflint.mapping import data

    mapping = keys.mapping
    if mapping is None:
        return
    counting = set(map(id, mapping.in_force().values()))
    for entry in mapping.entries:
        name = entry.name
        if not name or id(entry) not in counting:
            continue
        field = fields.get(name)
        canonical = newest_name(field.owner if field else config, name, trl if field else None)
        yield (
            Setting(
                name=name,
                value=data(entry.value.node),
                name_span=entry.name_span,
                value_span=entry.value.span,
                canonical=(canonical,),
                origin=entry,
            ),
            field,
        )


def repeated(keys: Keys, setting: Setting) -> Iterator[tuple[Setting, Entry]]:
    """The setting with each entry of its key that does not count."""
    for entry in keys.mapping.entries if keys.mapping is not None else ():
        if entry.name == setting.name and entry is not setting.origin and not entry.merge:
            yield setting, entry


def of_words(field: Field, words: tuple[Traced, ...], none_words: bool) -> Given | Value:
    """The value of a field by the words behind its flag, converted when the model is built."""
    for word in words:
        if HOLE in word.text:
            return value_of(word)
    texts = tuple(word.text for word in words)
    if not texts and field.name and not _bare(field):
        return Unknown("its value is missing")
    return Given(texts, partial(_convert_words, field, none_words))


def _bare(field: Field) -> bool:
    from rlhflint.frameworks.trl.catalog.parser import reading_of

    return reading_of(field, none_words=True).bare


def _convert_words(field: Field, none_words: bool, words: tuple[str, ...]) -> object:
    return _of_json(field, convert_words(field, words, none_words=none_words))


def of_yaml(field: Field, value: Value, none_words: bool) -> Given | Value:
    """The value of a field by its entry in a YAML file, converted when the model is built."""
    if not isinstance(value, Known):
        return value
    if isinstance(value.value, (dict, list)) and field.type.startswith("dict"):
        return Known(value.value)
    return Given(value.value, partial(_convert_yaml, field, none_words))


def _convert_yaml(field: Field, none_words: bool, value: object) -> object:
    return _of_json(field, convert_yaml(field, value, none_words=none_words))


def _of_json(field: Field, value: object) -> object:
    """A dictionary that the configuration makes of text, where it does; what is no JSON stays as it is (TR113)."""
    if not field.json or not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        return _typed(json.loads(value))
    except (ValueError, RecursionError):
        return value


def _typed(value: object) -> object:
    """Values of such a dictionary: text that reads as true, false or a number is one."""
    if isinstance(value, dict):
        return {name: _typed(one) for name, one in value.items()}
    if not isinstance(value, str):
        return value
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    if value.isdecimal():
        return int(value)
    return float(value) if value.replace(".", "", 1).isdecimal() else value
