"""Words of a command as settings of a launch, and as values for its typed model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.conversion import converter
from rlhflint.given import Given
from rlhflint.launch import Setting, value_of
from rlhflint.text import Span, Traced
from rlhflint.value import Known, OneOf, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.catalog.option import Option


def setting_of(
    name: Traced,
    words: Sequence[Traced],
    canonical: tuple[str, ...],
    place: Span,
    *,
    joined: bool = False,
    nothing: object = True,
) -> Setting:
    """A setting by its name as written and the words of its value.

    Args:
        name: the name, with its dashes.
        words: those of the value; none for a switch.
        canonical: the names it goes by; none where it is not known.
        place: what counts for a name that stands nowhere in a file.
        joined: it is written as `--name=value`.
        nothing: the value of a setting without words.
    """
    spans = [word.span for word in words if word.span is not None]
    return Setting(
        name=name.text,
        value=value_of_words(words, nothing),
        name_span=name.span or place,
        value_span=spans[0].to(spans[-1]) if spans else None,
        canonical=canonical,
        text=tuple(words),
        name_text=name,
        joined=joined,
    )


def value_of_words(words: Sequence[Traced], nothing: object = True) -> Value:
    """What words say together, as text: one is a value of its own, several are a list, none is `nothing`."""
    if not words:
        return Known(nothing)
    values = [value_of(word) for word in words]
    if len(values) == 1:
        return values[0]
    reasons = [value.because for value in values if not isinstance(value, Known)]
    if reasons:
        return Unknown("; ".join(dict.fromkeys(reasons)))
    return Known([word.text for word in words])


def value_for(option: Option, words: Sequence[Traced]) -> Given | Value:
    """The value that the typed model gets of an option: text to convert, or not known."""
    if option.loose:
        return Unknown(f"what {option.flag} takes cannot be read from its parser")
    for value in map(value_of, words):
        if not isinstance(value, Known):
            return value
    if not words and not option.switch and option.nargs is None:
        return Unknown("its value is missing")
    return Given(tuple(word.text for word in words), converter(option))


def held_value(value: Given | Value) -> object:
    """What the field of a value holds; `Unknown` or `OneOf` for what is not known."""
    if isinstance(value, Known):
        return value.value
    if isinstance(value, (OneOf, Unknown)):
        return value
    try:
        return value.convert(value.raw)
    except (ValueError, IndexError):
        return Unknown("its value is not valid")
