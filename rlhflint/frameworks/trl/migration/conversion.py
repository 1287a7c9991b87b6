"""The configuration of a trainer that has none of its own yet: made of a TrainingArguments, or written anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.call import Origin
from rlhflint.frameworks.trl.catalog.imports import ClassRef, class_at
from rlhflint.frameworks.trl.python_pairs import ARGS
from rlhflint.frameworks.trl.session import details_in
from rlhflint.proposal import Add, Change, ImportBeside, Rewrite, Verbatim
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch

_MADE = {"trl:sft": 'output_dir="tmp_trainer"'}
"""What the configuration is given that a trainer makes itself where it gets none (trainer/sft_trainer.py@0.11.4).

The others did not run without one: they set attributes of it (trainer/dpo_trainer.py@0.11.4).
"""


@dataclass(frozen=True, slots=True)
class _Named:
    """The name of the configuration's class as the module can write it, and the import that this takes."""

    name: str
    imports: tuple[Change, ...] = ()


def conversion(launch: Launch, ends: Ends) -> tuple[Change, ...]:
    """The changes that make a TrainingArguments the configuration: of the class and of its import.

    None where its name cannot be had for certain.
    """
    call = details_in(launch).config_call
    named = _named(launch, ends) if call is not None else None
    return (*named.imports, Rewrite(call.name_span, named.name)) if call is not None and named is not None else ()


def creatable(launch: Launch, ends: Ends) -> bool:
    """Whether the trainer makes its configuration itself, and can be given one instead."""
    details = details_in(launch)
    call, before = details.trainer_call, details.parameters
    if call is None or before is None or details.config_call is not None or launch.more or call.subclass:
        return False
    positions = [one.position for one in call.arguments if one.origin is Origin.POSITION]
    taken = {found.name for one in positions if one is not None and (found := before.at(one)) is not None}
    return launch.program in _MADE and ARGS not in taken and _named(launch, ends) is not None


def creation(launch: Launch, ends: Ends, options: Sequence[tuple[str, object]]) -> tuple[Change, ...]:
    """The changes that give the trainer a configuration with `options`; none where that cannot be done."""
    call, named = details_in(launch).trainer_call, _named(launch, ends)
    if call is None or named is None:
        return ()
    words = ", ".join([_MADE[launch.program], *(f"{name}={_literal(value)}" for name, value in options)])
    text = f"{named.name}({words})"
    given = next((one for one in call.arguments if one.name == ARGS), None)
    if given is None:
        return *named.imports, Add(ARGS, Verbatim(text), into=call)
    return (*named.imports, Rewrite(given.value_span, text)) if given.value_span is not None else ()


def _literal(value: object) -> str:
    """A value in the quotes that the rest of the call has."""
    return f'"{value}"' if isinstance(value, str) and value.isidentifier() else repr(value)


def _named(launch: Launch, ends: Ends) -> _Named | None:
    """How the module can write the class; None where its name cannot be had for certain.

    The trainer's import says how: `from trl import SFTTrainer` gets the configuration too, behind `import trl` it is
    `trl.SFTConfig`.
    """
    details = details_in(launch)
    name = ends.config.rpartition(":")[2]
    path = f"trl.{name}"
    if details.trainer_call is None or not isinstance(class_at(path, ends.to[0]), ClassRef):
        return None
    imports = [one for one in details.imports if not one.guards]
    bound = next((one.bound for one in imports if one.path == path), "")
    if bound:
        return _Named(bound)
    beside = next((one for one in imports if one.path == details.trainer_call.target and one.module), None)
    if beside is not None and isinstance(class_at(f"{beside.module}.{name}", ends.to[0]), ClassRef):
        return _Named(name, (ImportBeside(beside, name),))
    package = next((one for one in imports if one.path == "trl"), None)
    return _Named(f"{package.bound}.{name}") if package is not None else None
