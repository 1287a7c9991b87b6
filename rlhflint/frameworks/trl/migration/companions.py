"""Classes beside the configuration that a module fills itself: `ModelConfig(torch_dtype=…)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.frameworks.trl.migration.names import lead
from rlhflint.frameworks.trl.python_values import setting_of
from rlhflint.frameworks.trl.session import details_in
from rlhflint.proposal import Remove, Rename
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch


def companions(launch: Launch, ends: Ends) -> Iterator[tuple[str, Rename | Remove]]:
    """The changes of their arguments, each with its title; of what is lost the rules at the end speak."""
    for call in details_in(launch).companions:
        name = call.target.rpartition(".")[2]
        key = key_at(name, ends.to[0])
        fields = config_fields(key, *ends.to) if key is not None else None
        for argument in call.arguments if fields is not None and not call.subclass else ():
            if fields is None or not argument.name or argument.name in fields:
                continue
            found = lead(argument.name, (name,), fields, ends.to)
            setting = setting_of(argument, found.name or argument.name)
            if found.name and found.valued is None and found.name not in {one.name for one in call.arguments}:
                yield f"Write {found.name}", Rename(setting, (found.name,))
            elif not found.name and argument.value == Known(None):
                yield f"Remove {argument.name}", Remove(setting)
