"""Arguments of calls as settings and as values of the typed model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.session import Present
from rlhflint.launch import Setting
from rlhflint.value import Known, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.call import Argument, Call


def setting_of(argument: Argument, canonical: str, name: str = "") -> Setting:
    """An argument as a setting; `name` where it was given by position."""
    return Setting(
        name=name or argument.name,
        value=argument.value,
        name_span=argument.name_span or argument.span,
        value_span=argument.value_span,
        canonical=(canonical,),
        origin=argument,
    )


def value_of(argument: Argument) -> Value:
    """The value for the typed model: an object of which nothing but its presence is known is `Present`.

    What a function makes may be nothing: `get_peft_config` gives None where no adapter is asked for.
    """
    if argument.made is not None and _may_be_nothing(argument.made.call):
        return argument.value
    if argument.made is not None or argument.named is not None:
        return Known(Present(argument))
    if isinstance(argument.value, Unknown) and argument.items and argument.complete:
        return Known(Present(argument))
    return argument.value


def _may_be_nothing(call: Call) -> bool:
    """Whether a call is one of a function of TRL's that gives an object or None."""
    name = call.target.rpartition(".")[2]
    return call.target.startswith("trl.") and name.startswith("get_")
