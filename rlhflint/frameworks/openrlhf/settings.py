"""The words of an OpenRLHF command as settings, and as values for the typed model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from rlhflint.arguments import Mistake, Reading, Trouble
from rlhflint.frameworks.openrlhf.strangers import Stranger, stranger
from rlhflint.given import Given
from rlhflint.launch import Setting
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced
from rlhflint.value import Unknown, Value
from rlhflint.words import setting_of, value_for

if TYPE_CHECKING:
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
    stray = _stray(reading.troubles)
    for argument in reading.arguments:
        option = argument.option
        if option.action == "help":
            continue
        setting = setting_of(
            argument.name,
            argument.values,
            edition.names(option.flag),
            fallback,
            joined=argument.joined,
            nothing=True if option.switch else [],
        )
        if option.switch and id(argument.name) in stray:
            setting = replace(setting, stray=stray[id(argument.name)])
        made.settings.append(setting)
        for name in edition.accepted.fields(option.flag):
            made.values[name] = value_for(option, argument.values)
    for trouble in reading.troubles:
        if trouble.mistake is Mistake.UNKNOWN and trouble.word.text.lstrip("-") not in edition.extra:
            found = stranger(trouble, edition, catalog)
            made.strangers.append(found)
            setting = setting_of(found.name, found.values, _names(found, edition), fallback, joined=trouble.joined)
            made.settings.append(setting)
            made.refused.append(setting)
            _count_stranger(found, edition, made)
        elif trouble.option is not None:
            for name in edition.accepted.fields(trouble.option.flag):
                made.values[name] = Unknown("its value is missing")
    made.settings.sort(key=lambda one: 0 if one.name_span.path != fallback.path else one.name_span.start)
    return made


def _stray(troubles: Sequence[Trouble]) -> dict[int, tuple[Traced, ...]]:
    """The words that nothing takes, by the identity of the name in front of them."""
    found: dict[int, tuple[Traced, ...]] = {}
    for trouble in troubles:
        if trouble.before is not None:
            found[id(trouble.before.name)] = (trouble.word,)
        elif trouble.mistake is Mistake.SURPLUS_VALUE and trouble.name is not None:
            found[id(trouble.name)] = (trouble.word[len(trouble.name) :],)
    return found


def _count_stranger(found: Stranger, edition: Edition, made: Settings) -> None:
    """Let a refused flag count for what it stands for, without overruling a flag that is accepted."""
    because = f"{found.flag} is not accepted"
    for flag in found.suggestions:
        option = edition.options.get(flag)
        for name in edition.accepted.fields(flag):
            if name in made.values:
                continue
            if found.carries_on and option is not None:
                made.values[name] = value_for(option, found.values)
            else:
                made.values[name] = Unknown(because)


def _names(found: Stranger, edition: Edition) -> tuple[str, ...]:
    if found.succession is not None:
        return edition.names(found.flag)
    names = [name for flag in found.suggestions[:1] for name in edition.accepted.canonical(flag)]
    return tuple(dict.fromkeys(names))
