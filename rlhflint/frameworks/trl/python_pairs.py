"""Calls of configuration classes and trainers, joined where one is handed to the other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import parameter_renames
from rlhflint.frameworks.trl.catalog.programs import keys_of, program_of
from rlhflint.frameworks.trl.catalog.store import trainer_table
from rlhflint.records import dataclass
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.call import Argument, Call, Module

ARGS = "args"
"""The parameter of a trainer that takes its configuration."""
TRAINING_ARGUMENTS = "transformers.TrainingArguments"


@dataclass(frozen=True, slots=True)
class Pair:
    """A configuration and the trainer it goes to; one of them may be missing.

    `assigned` are attributes set on the configuration until it is used; `more` says why others may be set.
    """

    config: Call | None
    trainer: Call | None
    assigned: tuple[Argument, ...] = ()
    more: str = ""


def pairs(module: Module) -> Iterator[Pair]:
    """The pairs of a module: each trainer with its configuration, then configurations that no trainer is given."""
    used: set[int] = set()
    for call in module.calls:
        name = call.target.rpartition(".")[2]
        if call.guards or not (call.target.startswith("trl.") and name.endswith("Trainer")):
            continue
        if program_of(name) is None:
            continue
        given = _configuration(call, name)
        made = given.made if given is not None else None
        if made is not None and _is_config(made.call) and made.index is None:
            used.add(made.call.site)
            if not made.call.guards:
                yield Pair(made.call, call, made.assigned, made.call.more or made.more)
        elif given is None and not call.more:
            yield Pair(None, call)
        else:
            because = call.more or "its configuration comes from elsewhere"
            yield Pair(None, call, given.assigned if given is not None else (), because)
    for call in module.calls:
        if call.site not in used and not call.guards and _is_config(call) and call.target.startswith("trl."):
            yield Pair(call, None, call.assigned, call.more or call.assigned_more)


def _configuration(call: Call, name: str) -> Argument | None:
    """What a trainer is given as its configuration, by keyword or by position."""
    places = _places_of_args(name)
    positional: Argument | None = None
    for one in call.arguments:
        if one.name in names_of_args(name) and one.value == Known(None):
            continue
        if one.name in names_of_args(name) or (one.made is not None and _is_config(one.made.call)):
            return one
        if not one.name and one.position in places and one.value != Known(None) and one.made is None:
            positional = one
    return positional


@cache
def names_of_args(name: str) -> frozenset[str]:
    """The names that a trainer's configuration is given by, over all releases."""
    return frozenset({ARGS, *(old for old, new, _ in parameter_renames(name) if new == ARGS)})


@cache
def _places_of_args(name: str) -> frozenset[int]:
    """The positions that `args` has among the parameters of a trainer, over all releases."""
    rows = (trainer_table(key).get("parameters", {}).get("args", ()) for key in keys_of(name))
    return frozenset(row["position"] for states in rows for row in states if isinstance(row.get("position"), int))


def _is_config(call: Call) -> bool:
    name = call.target.rpartition(".")[2]
    return call.target == TRAINING_ARGUMENTS or (
        call.target.startswith("trl.") and name.endswith("Config") and program_of(name) is not None
    )


def uses_of(module: Module, trainer: Call | None) -> tuple[Call, ...]:
    """The calls of a trainer's methods, where the trainer is the same whichever way is taken."""
    if trainer is None or trainer.choices:
        return ()
    return tuple(
        call
        for call in module.calls
        if call.receiver is not None and call.receiver.call.site == trainer.site and not call.guards
    )
