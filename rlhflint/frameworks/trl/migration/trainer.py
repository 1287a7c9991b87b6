"""What becomes of the arguments of a trainer: other names, other places, options that the configuration takes now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rlhflint.call import Argument, Origin
from rlhflint.frameworks.trl.catalog.changes import parameter_renames
from rlhflint.frameworks.trl.migration.names import Lead, lead, owners_of
from rlhflint.frameworks.trl.python_pairs import ARGS
from rlhflint.frameworks.trl.session import details_in
from rlhflint.proposal import Change, Move, Remove, Rename, Rewrite
from rlhflint.records import dataclass
from rlhflint.text import Span
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.lookup import Parameters
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch, Setting


@dataclass(frozen=True, slots=True)
class Changed:
    """Changes of a trainer's arguments that hang together, with what they write."""

    title: str
    changes: tuple[Change, ...]


def trainer_changes(launch: Launch, ends: Ends) -> Iterator[Changed]:
    """The changes of a trainer's arguments; of what is lost the rules at the end speak."""
    call, parameters = details_in(launch).trainer_call, ends.parameters
    if call is None or parameters is None or not parameters.complete or call.subclass:
        return
    settings = {id(setting.origin): setting for setting in launch.settings}
    own = [(one, settings[id(one)]) for one in call.arguments if id(one) in settings]
    yield from _named(launch, ends, parameters, own)
    yield from _configuration(launch, ends, parameters)
    yield from _positions(launch, ends, parameters)


def _named(
    launch: Launch, ends: Ends, parameters: Parameters, own: Sequence[tuple[Argument, Setting]]
) -> Iterator[Changed]:
    """Arguments that are written with their names."""
    for argument, setting in own:
        name = setting.name
        if not argument.name or name in parameters:
            continue
        new = _renamed(ends, name, parameters)
        if new:
            yield Changed(f"Write {new}", (Rename(setting, (new,)),))
            continue
        option = lead(name, owners_of(details_in(launch), ends.config), ends.accepted, ends.to)
        if option.name and option.valued is None and option.name in ends.fields:
            change = _into_configuration(launch, ends, setting, option.name)
            if change is not None:
                yield Changed(f"Give {option.name} to the configuration", (change,))
        elif argument.value == Known(None):
            yield Changed(f"Remove {name}", (Remove(setting),))


def ended(launch: Launch, ends: Ends) -> Iterator[tuple[Setting, Lead]]:
    """The options that a trainer is given by name and that neither it nor its configuration has in the end."""
    call, parameters = details_in(launch).trainer_call, ends.parameters
    if call is None or parameters is None or not parameters.complete or call.subclass:
        return
    own = {id(one) for one in call.arguments if one.origin is Origin.KEYWORD and one.value != Known(None)}
    for setting in launch.settings:
        if id(setting.origin) in own and setting.name not in parameters:
            option = lead(setting.name, owners_of(details_in(launch), ends.config), ends.accepted, ends.to)
            if not option.name and not _renamed(ends, setting.name, parameters):
                yield setting, option


def options_of_configuration(launch: Launch, ends: Ends) -> set[str]:
    """The options of the configuration that the trainer is given by name, as they are called in the end."""
    call, parameters = details_in(launch).trainer_call, ends.parameters
    if call is None or parameters is None or not parameters.complete:
        return set()
    found: set[str] = set()
    for one in call.arguments:
        if one.name and one.name not in parameters and one.value != Known(None):
            option = lead(one.name, owners_of(details_in(launch), ends.config), ends.accepted, ends.to)
            if option.name in ends.fields and option.valued is None and not _renamed(ends, one.name, parameters):
                found.add(option.name)
    return found


def _renamed(ends: Ends, name: str, parameters: Parameters) -> str:
    return next((new for old, new, _ in parameter_renames(ends.trainer) if old == name and new in parameters), "")


def _into_configuration(launch: Launch, ends: Ends, setting: Setting, name: str) -> Change | None:
    """An option of the trainer that the configuration takes now; None where there is none of TRL's to give it to."""
    details = details_in(launch)
    call = details.config_call
    known = call is not None and (call.target.startswith("trl.") or ends.converted)
    if call is None or not known or launch.given(name) not in (setting, None):
        return None
    if isinstance(setting.origin, Argument) and setting.origin.value == Known(None):
        return Remove(setting)
    return Move(setting, name, call)


def _positions(launch: Launch, ends: Ends, parameters: Parameters) -> Iterator[Changed]:
    """Arguments without names, as far as another one stands at their place in the end: they get their names."""
    shifted = _shifted(launch, ends, parameters)
    made = tuple(one.change for one in shifted if one.change is not None)
    if shifted and len(made) == len(shifted):
        yield Changed("Name the arguments whose places changed", made)


def stranded(launch: Launch, ends: Ends) -> Iterator[tuple[Span, str]]:
    """The arguments for whose sake none of those without names whose places changed gets one, and what to say of it."""
    call, parameters = details_in(launch).trainer_call, ends.parameters
    if call is None or parameters is None or not parameters.complete or call.subclass:
        return
    for one in _shifted(launch, ends, parameters):
        if one.change is None:
            there = f"there {one.now} stands" if one.now else "nothing stands there"
            name = one.name or "an argument"
            yield one.argument.span, f"{name} is given by its place, and at TRL {ends.to[0]} {there}; not done"


@dataclass(frozen=True, slots=True)
class _Shifted:
    """An argument without a name: `name` is what stood at its place, `now` what stands there in the end.

    `change` is what to do; None where that is not known.
    """

    argument: Argument
    name: str
    now: str
    change: Change | None


def _shifted(launch: Launch, ends: Ends, parameters: Parameters) -> list[_Shifted]:
    """The arguments without names from the first one on at whose place another one stands in the end."""
    details = details_in(launch)
    call, before = details.trainer_call, details.parameters
    if call is None or before is None or not before.complete:
        return []
    found: list[_Shifted] = []
    for one in call.arguments:
        if one.origin is not Origin.POSITION or one.position is None:
            continue
        was, at = before.at(one.position), parameters.at(one.position)
        name, now = was.name if was is not None else "", at.name if at is not None else ""
        new = _renamed(ends, name, parameters) or name
        if found or new != now:
            found.append(_Shifted(one, name, now, _placed(launch, ends, parameters, one, name, new)))
    return found


def _placed(
    launch: Launch, ends: Ends, parameters: Parameters, argument: Argument, name: str, new: str
) -> Change | None:
    """The change of an argument without a name that stands at another place in the end; None where none is known."""
    setting = next((one for one in launch.settings if one.origin is argument), None)
    if new in parameters:
        place = Span(argument.span.path, argument.span.start, argument.span.start)
        return Rewrite(place, f"{new}=") if setting is None else Rename(setting, (new,))
    if setting is None:
        return None
    option = lead(name, owners_of(details_in(launch), ends.config), ends.accepted, ends.to)
    if option.name in ends.fields and option.valued is None:
        return _into_configuration(launch, ends, setting, option.name)
    return Remove(setting) if argument.value == Known(None) else None


def _configuration(launch: Launch, ends: Ends, parameters: Parameters) -> Iterator[Changed]:
    """The configuration under another name: `config=` of the first RLOO and PPO trainers."""
    details = details_in(launch)
    given = {id(setting.origin) for setting in launch.settings}
    for one in details.trainer_call.arguments if details.trainer_call is not None else ():
        if one.name and one.name != ARGS and id(one) not in given and one.name not in parameters and one.renamable:
            new = _renamed(ends, one.name, parameters)
            if new and one.name_span is not None:
                yield Changed(f"Write {new}", (Rewrite(one.name_span, new),))
