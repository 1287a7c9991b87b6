"""Defaults that changed between two pairs of releases under a launch that relies on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import Removal, default_note, effective_default, removal
from rlhflint.frameworks.trl.catalog.defaults import DefaultChange, defaults_changed, same_default, unset_source
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.catalog.unset import unset_value
from rlhflint.frameworks.trl.inherited import is_sure, may_be_beside
from rlhflint.frameworks.trl.migration.names import lead
from rlhflint.frameworks.trl.migration.values import mapped_default
from rlhflint.frameworks.trl.session import details_in, newest_name
from rlhflint.frameworks.trl.strays import BASE, BESIDE
from rlhflint.given import Given
from rlhflint.records import dataclass
from rlhflint.value import Known, OneOf, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Field, Fields
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch

_COUNTS_WITH = {"num_of_sequences": "packing", "chars_per_token": "packing"}
"""Options that do nothing unless a switch is on."""
_DEEPEST = 5
"""How often the value of an unset option is followed to that of another one."""


@dataclass(frozen=True, slots=True)
class ReliedOn:
    """A changed default that a launch relies on.

    `name` is what the option is called at the end. `old` and `new` are what it comes to while it is not given, in the
    values of the end. `certain`: it is known that the option counts for this launch.
    """

    change: DefaultChange
    name: str
    old: Value
    new: Value
    certain: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """An option that is not given, whose default did something, and that is not there in the end."""

    name: str
    default: object
    removal: Removal


def relied_on(launch: Launch, ends: Ends, written: Collection[str]) -> list[ReliedOn]:
    """The changed defaults that a launch relies on; `written` are the options that are given in the end."""
    return [one for change in _changes(launch, ends) if (one := _relied(launch, ends, change, written)) is not None]


def _changes(launch: Launch, ends: Ends) -> Iterator[DefaultChange]:
    """The changed defaults of the classes that a launch fills, each once."""
    details = details_in(launch)
    owners = {field.owner.rpartition(":")[2] for field in (details.fields or {}).values()}
    beside = [name for name in ("ModelConfig", "ScriptArguments") if details.form != "python" and name in owners]
    seen: set[str] = set()
    transformers = may_be_beside(ends.since[0], launch.versions.get("transformers"), ends.since[1])
    if ends.converted and details.fields is not None:
        for change in _of_conversion(ends, details.fields):
            noted = _noted(change, ends) if is_sure(change.before, ends.since[0], transformers) else None
            if noted is not None:
                seen.add(change.name)
                yield noted
        seen |= {newest_name(ends.config, name, ends.since[0]) for name in details.fields}
    for name in (ends.config, *beside):
        if name.startswith("transformers:") or key_at(name, ends.since[0]) is None:
            continue
        for change in defaults_changed(name, ends.since, ends.to):
            if change.name not in seen and is_sure(change.before, ends.since[0], transformers):
                seen.add(change.name)
                yield change


def _noted(change: DefaultChange, ends: Ends) -> DefaultChange | None:
    """A change of the conversion with what notes say of the same one on the way; None where it does nothing."""
    of_transformers = change.after.owner.startswith("transformers:")
    owner, order = (BASE, transformers_releases()) if of_transformers else (ends.config, releases())
    index = 1 if of_transformers else 0
    passed = order[order.position(ends.since[index]) : order.position(ends.to[index]) + 1]
    notes = [note for one in passed if (note := default_note(owner, change.name, one))]
    if of_transformers and any(note.get("effect") == "none" for note in notes):
        return None
    note = notes[-1] if notes else {}
    return replace(
        change,
        when=note.get("when", {}),
        unless=note.get("unless", {}),
        effect="training" if note.get("effect", "none") == "none" else note["effect"],
    )


def _of_conversion(ends: Ends, fields: Fields) -> Iterator[DefaultChange]:
    """The defaults that are others in the program's own configuration than in TrainingArguments."""
    for name, before in fields.items():
        found = lead(name, (ends.config, BASE), ends.accepted, ends.to)
        after = ends.fields.get(found.name)
        alias = found.name != name and (found.valued is not None or found.name in fields)
        if after is not None and not alias and not same_default(before, after):
            old, new = unset_source(before), unset_source(after)
            yield DefaultChange(after.name, before, after, old, new, "trl", ends.to[0])


def _relied(launch: Launch, ends: Ends, change: DefaultChange, written: Collection[str]) -> ReliedOn | None:
    if change.name in written or change.after.name in written:
        return None
    if _idle(change, ends):
        return None
    before, after = _Held.before(launch, ends), _Held.after(launch, ends)
    counts = before.hold(change.when, change.unless)
    if counts is False:
        return None
    old, new = before.unset(change.before), after.unset(change.after)
    if isinstance(old, Known):
        old = Known(mapped_default(change.name, old.value, ends))
    if isinstance(old, Known) and isinstance(new, Known) and _same(old.value, new.value):
        return None
    return ReliedOn(change, change.after.name, old, new, counts is True and isinstance(new, Known))


def _idle(change: DefaultChange, ends: Ends) -> bool:
    """Whether the option is only there to say that it goes, and does nothing any more."""
    gone = removal(ends.config, change.name)
    if gone is None or not gone.deprecated:
        return False
    position = releases().position
    return position(gone.deprecated) <= position(ends.to[0]) and (gone.ignored or bool(gone.drop))


def _same(old: object, new: object) -> bool:
    """Whether two values do the same: nothing in any spelling, one value and a list of it."""
    if old in (None, {}, []) and new in (None, {}, []):
        return True
    return (old == new and isinstance(old, bool) == isinstance(new, bool)) or [old] == new


def ended(launch: Launch, ends: Ends) -> Iterator[Ended]:
    """The options that are not given, did something by default, and are not there in the end."""
    details = details_in(launch)
    before = _Held.before(launch, ends)
    beside = may_be_beside(ends.since[0], launch.versions.get("transformers"), ends.since[1])
    for name, field in (details.fields or {}).items():
        canonical = newest_name(details.config, name, details.trl)
        gone = removal(details.config, canonical)
        if gone is None or not gone.advice or canonical in launch.values:
            continue
        if name in ends.accepted or canonical in ends.accepted:
            continue
        switch = "use_vllm" if name.startswith("vllm_") else _COUNTS_WITH.get(name)
        if switch is not None and before.value(switch, 0) == Known(False):
            continue
        default = before.unset(field)
        if not is_sure(field, ends.since[0], beside):
            continue
        if isinstance(default, Known) and isinstance(default.value, (int, float)) and default.value:
            yield Ended(name, default.value, gone)


@dataclass(frozen=True)
class _Held:
    """What the options of a launch hold at one end: what is given, else what an unset option comes to."""

    launch: Launch
    fields: Fields | Mapping[str, Field]
    others: Fields | Mapping[str, Field]
    config: str
    trl: str

    @classmethod
    def before(cls, launch: Launch, ends: Ends) -> _Held:
        details = details_in(launch)
        config = ends.config if ends.converted else details.config
        return cls(launch, details.fields or {}, ends.fields, config, details.trl)

    @classmethod
    def after(cls, launch: Launch, ends: Ends) -> _Held:
        return cls(launch, ends.fields, {}, ends.config, ends.to[0])

    @cached_property
    def _by_name(self) -> dict[str, Field]:
        found = {newest_name(self.config, name, self.trl): field for name, field in self.fields.items()}
        return {**self.others, **found, **self.fields}

    def hold(self, when: Mapping[str, object], unless: Mapping[str, object]) -> bool | None:
        """Whether all of `when` and none of `unless` holds; None where that is not known."""
        found = [self._is(name, value) for name, value in when.items()]
        found += [None if (one := self._is(name, value)) is None else not one for name, value in unless.items()]
        return False if False in found else None if None in found else True

    def _is(self, name: str, value: object) -> bool | None:
        held = self.value(name, 0)
        if not isinstance(held, Known) and not self.launch.more and self._given(name) is None and name in self.others:
            held = unset_value(self.others[name], lambda other: self.value(other, 1))
        return held.value == value if isinstance(held, Known) else None

    def _given(self, name: str) -> Given | Value | None:
        return self.launch.values.get(newest_name(self.config, name, self.trl))

    def unset(self, field: Field, depth: int = 0) -> Value:
        """What an option comes to while it is not given."""
        effective = effective_default(self.config, field.name, self.trl)
        if effective is None and field.owner.rpartition(":")[2] in BESIDE:
            effective = effective_default(field.owner, field.name, self.trl)
        if effective is not None:
            return Known(effective[0])
        return unset_value(field, lambda other: self.value(other, depth + 1))

    def value(self, name: str, depth: int) -> Value:
        """The value of an option, given or not."""
        given = self._given(name)
        if isinstance(given, Given):
            try:
                return Known(given.convert(given.raw))
            except (ValueError, TypeError, IndexError) as error:
                return Unknown(str(error))
        if isinstance(given, (Known, OneOf, Unknown)):
            return given
        if self.launch.more:
            return Unknown(self.launch.more)
        field = self._by_name.get(name)
        if field is None or depth > _DEEPEST:
            return Unknown(f"{name} is not known")
        return self.unset(field, depth)
