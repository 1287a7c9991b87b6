"""A TrainingArguments that becomes the configuration of the trainer it is given to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.catalog.trl import ClassRef, class_at
from rlhflint.frameworks.trl.session import details_in
from rlhflint.proposal import Change, Rewrite
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch


def conversion(launch: Launch, ends: Ends) -> tuple[Change, ...]:
    """The changes of the class and of its import; none where its name cannot be had for certain.

    The trainer's import says how: `from trl import SFTTrainer` gets the configuration too, behind `import trl` it is
    `trl.SFTConfig`.
    """
    details = details_in(launch)
    call, trainer = details.config_call, details.trainer_call
    name = ends.config.rpartition(":")[2]
    path = f"trl.{name}"
    if call is None or trainer is None or not isinstance(class_at(path, ends.to[0]), ClassRef):
        return ()
    imports = [one for one in details.imports if not one.guards]
    bound = next((one.bound for one in imports if one.path == path), "")
    if bound:
        return (Rewrite(call.name_span, bound),)
    beside = next((one for one in imports if one.path == trainer.target and one.module == "trl"), None)
    if beside is not None:
        place = Span(beside.span.path, beside.span.start, beside.span.start)
        return Rewrite(place, f"{name}, "), Rewrite(call.name_span, name)
    package = next((one for one in imports if one.path == "trl"), None)
    return (Rewrite(call.name_span, f"{package.bound}.{name}"),) if package is not None else ()
