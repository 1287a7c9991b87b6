"""What to write for an option whose value changes: with its name, or though its name stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import accepted, value_changes
from rlhflint.given import Given
from rlhflint.proposal import Change, Remove, Rename, Replace, SetValue
from rlhflint.records import dataclass
from rlhflint.value import Known, OneOf, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch, Setting

NOT_KNOWN = "its value is not known"


@dataclass(frozen=True, slots=True)
class Lost:
    """What is given cannot be carried over; `because` fits behind a colon."""

    because: str


def typed(launch: Launch, setting: Setting) -> Value:
    """The value of a setting as the program holds it."""
    given = launch.values.get(setting.canonical[0]) if setting.canonical else None
    if isinstance(given, Given):
        try:
            return Known(given.convert(given.raw))
        except (ValueError, IndexError, TypeError) as error:
            return Unknown(str(error))
    if isinstance(given, (Known, OneOf, Unknown)):
        return given
    return setting.value


def spelled(setting: Setting, name: str) -> str:
    """A name in the way of a setting: with dashes where it is a word of a command."""
    return f"--{name}" if setting.origin is None else name


def given(setting: Setting, value: object) -> tuple[object, ...]:
    """A value in the way of a setting: its words, or the one value."""
    if setting.origin is not None:
        return (value,)
    return tuple(map(word, value)) if isinstance(value, (list, tuple)) else (word(value),)


def word(value: object) -> str:
    """A value as a word of a command; keys and values as the JSON text that the parser takes."""
    if isinstance(value, dict):
        return json.dumps(value)
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


# A value that changes with the name

_SWITCHES: dict[str, object] = {
    "adafactor": "adafactor",
    "group_by_length": "group_by_length",
    "include_inputs_for_metrics": ["inputs"],
    "include_tokens_per_second": True,  # it means "all", which no parser takes (hf_argparser.py@5.0.0)
}
"""Switches that became one value of another option."""


def with_name(launch: Launch, setting: Setting, old: str, new: str) -> tuple[Change, ...] | Lost:
    """The changes for an option that has another name and another value, or why there are none.

    `old` and `new` are its names without dashes. No changes: it is not needed any more.
    """
    value = typed(launch, setting)
    if old == "warmup_ratio":  # from transformers 5 on warmup_steps takes a share as well
        if launch.given(new) is not None:
            return Lost(f"{new} is given as well")
        return (Rename(setting, (spelled(setting, new),)),)
    if value == Known(None) or (old in _SWITCHES and value == Known(False)):
        return (Remove(setting),)
    if not isinstance(value, Known):
        return Lost(NOT_KNOWN)
    if old in _SWITCHES and value == Known(True):
        return (Replace(setting, ((spelled(setting, new), given(setting, _SWITCHES[old])),)),)
    make = _MADE.get(old)
    return make(launch, setting, value.value) if make is not None else Lost("its value means something else there")


def instead_of(launch: Launch, setting: Setting, name: str, accepted: Collection[str]) -> tuple[Change, ...]:
    """The changes for an option without a successor of its own kind; none where nothing says the same."""
    owner, key = _PARTS.get(name, ("", ""))
    value = typed(launch, setting)
    if owner not in accepted or launch.given(owner) is not None or not isinstance(value, Known):
        return ()
    if any(launch.given(other) is not None for other in _PARTS if other != name and _PARTS[other][0] == owner):
        return ()
    return (Replace(setting, ((spelled(setting, owner), given(setting, {key: value.value})),)),)


_PARTS = {
    "dispatch_batches": ("accelerator_config", "dispatch_batches"),
    "split_batches": ("accelerator_config", "split_batches"),
    "fsdp_min_num_params": ("fsdp_config", "min_num_params"),
    "fsdp_transformer_layer_cls_to_wrap": ("fsdp_config", "transformer_layer_cls_to_wrap"),
    "gradient_checkpointing_use_reentrant": ("gradient_checkpointing_kwargs", "use_reentrant"),
}
"""Options that became keys of another one (training_args.py@4.50.3, @4.57.6, trl/scripts/utils.py@0.26.2)."""


def _rpo(launch: Launch, setting: Setting, alpha: object) -> tuple[Change, ...] | Lost:
    """The weight of the loss on the chosen answers, as a second loss beside the one there is."""
    losses, weights = launch.given("loss_type"), launch.given("loss_weights")
    if not isinstance(alpha, (int, float)):
        return Lost("its value is no number")
    types, given_weights = _listed(launch, losses, ["sigmoid"]), _listed(launch, weights, None)
    if types is None or (weights is not None and given_weights is None) or "sft" in types:
        return Lost("the losses beside it are not known, or have the one on the chosen answers already")
    new_types = [*types, "sft"]
    new_weights = [*(given_weights or [1.0] * len(types)), float(alpha)]
    by = [] if losses is not None else [(spelled(setting, "loss_type"), given(setting, new_types))]
    by += [] if weights is not None else [(spelled(setting, "loss_weights"), given(setting, new_weights))]
    changes: list[Change] = [Replace(setting, tuple(by)) if by else Remove(setting)]
    for other, value in ((losses, new_types), (weights, new_weights)):
        if other is not None:
            changes.append(SetValue(other, list(map(word, value)) if other.origin is None else value))
    return tuple(changes)


def _listed(launch: Launch, setting: Setting | None, default: list[object] | None) -> list[object] | None:
    """The values of an option that takes one or several; None where they are not known."""
    if setting is None:
        return default
    value = typed(launch, setting)
    if not isinstance(value, Known):
        return None
    return list(value.value) if isinstance(value.value, (list, tuple)) else [value.value]


_MADE: dict[str, Callable[[Launch, Setting, object], tuple[Change, ...] | Lost]] = {"rpo_alpha": _rpo}


# A value that changes while the name stays


def of_same_name(launch: Launch, setting: Setting, name: str, ends: Ends) -> SetValue | None:
    """The value to write instead of one that goes by another name at the end; None where it stays."""
    value = typed(launch, setting)
    if not isinstance(value, Known):
        return None
    rows = [row for row in value_changes(ends.config, ends.to[0]) if row.name == name]
    table = [(row.old, row.new) for row in rows]
    if not table or (isinstance(value.value, bool) and setting.origin is not None and _takes_bools(name, ends)):
        return None
    items = list(value.value) if isinstance(value.value, (list, tuple)) else [value.value]
    several = isinstance(value.value, (list, tuple))
    written = [_mapped(item, table) for item in items]
    if written == items:
        return None
    made: object = written if several else written[0]
    return SetValue(setting, list(map(word, written)) if setting.origin is None and several else made)


def mapped_default(name: str, value: object, ends: Ends) -> object:
    """A value of an option as it is written at the end."""
    table = [(row.old, row.new) for row in value_changes(ends.config, ends.to[0]) if row.name == name]
    return [_mapped(item, table) for item in value] if isinstance(value, list) else _mapped(value, table)


def _mapped(value: object, table: list[tuple[object, object]]) -> object:
    for _ in table:
        value = next((new for old, new in table if old == value and type(old) is type(value)), value)
    return value


def _takes_bools(name: str, ends: Ends) -> bool:
    found = accepted(ends.config, name, ends.to[0])
    return found is not None and found.bools
