"""Names that a class does not take at the releases in force: what became of them, or what may be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import Removal, Rename, parameter_renames, removal, renames
from rlhflint.frameworks.trl.catalog.over_releases import history
from rlhflint.likeness import alike
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rlhflint.catalog.fields import Fields
    from rlhflint.frameworks.trl.session import Details, Stray
    from rlhflint.launchers.options.table import Option

BASE = "transformers:TrainingArguments"
BESIDE = ("ModelConfig", "ScriptArguments")
"""Classes whose options stand in the YAML files and commands of every program."""
_CLOSE = 0.75
"""Likeness (0 to 1) from which an option is offered as what was meant."""
_SHORT = {"gradient_accumulation": "gradient_accumulation_steps", "G": "num_generations", "r": "lora_r"}
"""Names that guides write for options of TRL."""
_INSTEAD = {"kl_coef": "beta", "kl": "beta", "cliprange": "epsilon"}
"""The same, for trainers that have the option on the right."""


@dataclass(frozen=True, slots=True)
class StrayFacts:
    """What is known of a stray name.

    `rename` or `removal` say what became of it; `base`: of an option of transformers' own arguments. `since` is the
    first release that has it. `config`: it is an option of the configuration, given to the trainer. `alike` are names
    that may be meant.
    """

    rename: Rename | None = None
    removal: Removal | None = None
    base: bool = False
    since: str = ""
    last: str = ""
    config: bool = False
    alike: tuple[str, ...] = ()
    exact: bool = False
    """The one name in `alike` is what is meant, not only like it."""


def known_of(stray: Stray, details: Details) -> StrayFacts:
    """What is known of a stray name."""
    name = stray.setting.name.lstrip("-").replace("-", "_")
    if stray.trainer:
        return _of_trainer(stray, details)
    fields = details.fields if stray.fields is None else stray.fields
    beside = [(one, False) for one in BESIDE] if details.form != "python" else []
    for owner, base in ((stray.owner, False), *beside, (BASE, True)):
        found = next((one for one in renames(owner) if one.old == name), None) if owner else None
        if found is not None and _takes(fields, found.new):
            return StrayFacts(rename=found, base=base)
        gone = _removal(owner, name, found) if owner else None
        if gone is not None:
            return StrayFacts(removal=gone, base=base, last=_last(owner, name))
    own = history(stray.owner, name) if stray.owner else ()
    if own:
        return StrayFacts(since=own[0][0].since, last=own[-1][0].until or "")
    base_history = history(BASE, name)
    if base_history:
        return StrayFacts(base=True, since=base_history[0][0].since, last=base_history[-1][0].until or "")
    if (meant := _SHORT.get(name) or _INSTEAD.get(name)) and _takes(fields, meant):
        return StrayFacts(alike=(meant,), exact=True)
    return StrayFacts(alike=_alike(name, fields or ()))


def _removal(owner: str, name: str, renamed: Rename | None) -> Removal | None:
    """What ended a field, or the one that it was renamed to."""
    return removal(owner, name) or (removal(owner, renamed.new) if renamed is not None else None)


def _of_trainer(stray: Stray, details: Details) -> StrayFacts:
    name = stray.setting.name
    for old, new, _ in parameter_renames(stray.owner):
        if old == name and details.parameters is not None and new in details.parameters:
            return StrayFacts(rename=Rename(old, new, "", "same", "", ""))
    if details.fields is not None and name in details.fields:
        return StrayFacts(config=True)
    for one in renames(details.config) if details.config else ():
        if one.old == name and _takes(details.fields, one.new):
            return StrayFacts(config=True, rename=one)
    return StrayFacts(alike=_alike(name, details.parameters or ()))


def _takes(fields: Fields | None, name: str) -> bool:
    return fields is not None and name in fields


def _last(owner: str, name: str) -> str:
    rows = history(owner, name)
    return (rows[-1][0].until or "") if rows else ""


def accelerate_option(name: str) -> Option | None:
    """The option of `accelerate launch` of a name, also of TRL's own name for one; None where it has none."""
    from rlhflint.launchers.options.table import launcher_table

    flag = "config_file" if name == "accelerate_config" else name
    return launcher_table("accelerate_launch").options.get(f"--{flag}")


def _alike(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Those of `known` that `name` may be a slip of, upstream's private names apart."""
    return alike(name, [one for one in known if not one.startswith("_")], closeness=_CLOSE)
