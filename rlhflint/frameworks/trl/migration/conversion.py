"""The configuration of a trainer that has none of its own yet: made of a TrainingArguments, or written anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.call import Argument, Origin
from rlhflint.catalog.trl import ClassRef, class_at
from rlhflint.frameworks.trl.python_pairs import ARGS
from rlhflint.frameworks.trl.session import details_in
from rlhflint.proposal import Change, Rewrite
from rlhflint.records import dataclass
from rlhflint.text import Span

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


def creation(launch: Launch, ends: Ends, options: Sequence[tuple[str, object]] = ()) -> tuple[Change, ...]:
    """The changes that give the trainer a configuration with `options`, where it made one itself.

    It stands in front of the first argument with a name, so that what belongs to it can go there. None where there is
    no such place, or where the trainer took none.
    """
    details = details_in(launch)
    call = details.trainer_call
    if call is None or details.config_call is not None or launch.more or launch.program not in _MADE:
        return ()
    named = _named(launch, ends)
    place = _place(call.arguments)
    if named is None or place is None:
        return ()
    words = ", ".join([_MADE[launch.program], *(f"{name}={value!r}" for name, value in options)])
    text = f"{named.name}({words})"
    given = next((one for one in call.arguments if one.name == ARGS), None)
    if given is not None:
        return (*named.imports, Rewrite(given.value_span, text)) if given.value_span is not None else ()
    return *named.imports, Rewrite(place, f"{ARGS}={text}, ")


def _place(arguments: Sequence[Argument]) -> Span | None:
    """In front of the first argument with a name, as long as none without one stands behind it."""
    named = [one for one in arguments if one.origin is Origin.KEYWORD]
    first = min(named, key=lambda one: one.span.start, default=None)
    if first is None or any(one.span.start > first.span.start for one in arguments if one not in named):
        return None
    return Span(first.span.path, first.span.start, first.span.start)


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
    beside = next((one for one in imports if one.path == details.trainer_call.target and one.module == "trl"), None)
    if beside is not None:
        place = Span(beside.span.path, beside.span.start, beside.span.start)
        return _Named(name, (Rewrite(place, f"{name}, "),))
    package = next((one for one in imports if one.path == "trl"), None)
    return _Named(f"{package.bound}.{name}") if package is not None else None
