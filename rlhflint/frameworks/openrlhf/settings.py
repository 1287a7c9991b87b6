"""The words of an OpenRLHF command as settings, and as values for the typed model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from rlhflint.arguments import Mistake, Reading
from rlhflint.conversion import converter
from rlhflint.frameworks.openrlhf.strangers import Stranger, stranger
from rlhflint.given import Given
from rlhflint.launch import Setting, value_of
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced
from rlhflint.value import Known, OneOf, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.catalog.option import Option
    from rlhflint.catalog.store import FrameworkCatalog
    from rlhflint.frameworks.openrlhf.edition import Edition


@dataclass(slots=True)
class Settings:
    """What the words give: settings in their order, values by field of the model, flags nobody knows."""

    settings: list[Setting] = field(default_factory=list)
    values: dict[str, Given | Value] = field(default_factory=dict)
    strangers: list[Stranger] = field(default_factory=list)
    refused: list[Setting] = field(default_factory=list)


def settings_of(reading: Reading, edition: Edition, catalog: FrameworkCatalog, fallback: Span) -> Settings:
    """The settings of a reading.

    A flag that is refused for its name counts with its value where another flag takes it as it is, so that one
    mistake does not hide others; where another flag is only likely to be meant, that one is unknown. `fallback` is
    the place of words that have none.
    """
    made = Settings()
    for argument in reading.arguments:
        option = argument.option
        if option.action == "help":
            continue
        setting = _setting(argument.name, argument.values, edition.names(option.flag), fallback, option)
        made.settings.append(replace(setting, joined=argument.joined))
        for name in edition.accepted.fields(option.flag):
            made.values[name] = _value(option, argument.values)
    for trouble in reading.troubles:
        if trouble.mistake is Mistake.UNKNOWN and trouble.word.text.lstrip("-") not in edition.extra:
            found = stranger(trouble, edition, catalog)
            made.strangers.append(found)
            setting = _setting(found.name, found.values, _names(found, edition), fallback, None)
            made.settings.append(setting)
            made.refused.append(setting)
            _count_stranger(found, edition, made)
        elif trouble.option is not None:
            for name in edition.accepted.fields(trouble.option.flag):
                made.values[name] = Unknown("its value is missing")
    made.settings.sort(key=lambda one: 0 if one.name_span.path != fallback.path else one.name_span.start)
    return made


def _count_stranger(found: Stranger, edition: Edition, made: Settings) -> None:
    """Let a refused flag count for what it stands for, without overruling a flag that is accepted."""
    because = f"{found.flag} is not accepted"
    for flag in found.suggestions:
        option = edition.options.get(flag)
        for name in edition.accepted.fields(flag):
            if name in made.values:
                continue
            if found.carries_on and option is not None:
                made.values[name] = _value(option, found.values)
            else:
                made.values[name] = Unknown(because)


def _names(found: Stranger, edition: Edition) -> tuple[str, ...]:
    if found.succession is not None:
        return edition.names(found.flag)
    names = [name for flag in found.suggestions[:1] for name in edition.accepted.canonical(flag)]
    return tuple(dict.fromkeys(names))


def _setting(
    name: Traced, values: Sequence[Traced], names: tuple[str, ...], fallback: Span, option: Option | None
) -> Setting:
    spans = [value.span for value in values if value.span is not None]
    whole = spans[0].to(spans[-1]) if spans else None
    return Setting(
        name=name.text,
        value=_plain(values, option),
        name_span=name.span or fallback,
        value_span=whole,
        canonical=names,
        text=tuple(values),
        name_text=name,
    )


def _plain(values: Sequence[Traced], option: Option | None) -> Value:
    """What was given, as text: for `show` and for edits."""
    if not values:
        return Known(True) if option is None or option.switch else Known([])
    if len(values) == 1:
        return value_of(values[0])
    texts = [value_of(value) for value in values]
    known = [text.value for text in texts if isinstance(text, Known)]
    if len(known) == len(texts):
        return Known(known)
    return Unknown("; ".join(dict.fromkeys(text.because for text in texts if not isinstance(text, Known))))


def _value(option: Option, values: Sequence[Traced]) -> Given | Value:
    """The value for the typed model: text to convert, or unknown."""
    if option.loose:
        return Unknown(f"what {option.flag} takes cannot be read from its parser")
    for text in (value_of(value) for value in values):
        if not isinstance(text, Known):
            return text
    if not values and not option.switch and option.nargs is None:
        return Unknown("its value is missing")
    return Given(tuple(value.text for value in values), converter(option))


def held_value(value: Given | Value) -> object:
    """What the field of a value holds, as text for the typed model or known; `Unknown` or `OneOf` for what is not."""
    if isinstance(value, Known):
        return value.value
    if isinstance(value, (OneOf, Unknown)):
        return value
    try:
        return value.convert(value.raw)
    except (ValueError, IndexError):
        return Unknown("its value is not valid")
