"""Reading a module in a test, and saying what was read in few words."""

from __future__ import annotations

from rlhflint.call import Argument, Call, Module
from rlhflint.readers.python import read_module
from rlhflint.value import Known, OneOf, Unknown

WATCHED = ("trl", "peft", "unsloth")


def watch(path: str) -> bool:
    """What a framework might ask for."""
    return path.split(".", maxsplit=1)[0] in WATCHED or path.startswith(
        ("transformers.Auto", "transformers.TrainingArguments")
    )


def read(text: str) -> Module:
    """The module of a text."""
    return read_module("train.py", text, watch=watch)


def calls(text: str, target: str = "trl.SFTConfig") -> list[Call]:
    """The calls of one target, on all ways."""
    return [call for call in read(text).calls if call.target == target]


def call(text: str, target: str = "trl.SFTConfig") -> Call:
    """The one call of a target."""
    found = calls(text, target)
    assert len(found) == 1, [one.choices for one in found]
    return found[0]


def shown(argument: Argument) -> object:
    """What is known of an argument: the value; `?` and the reason; `default|reason`; the path of what is named."""
    if argument.made is not None:
        return f"made by {argument.made.call.target}"
    if argument.named is not None:
        return argument.named
    match argument.value:
        case Known(value):
            return value
        case OneOf(default, because):
            return f"{default!r}|{because}"
        case Unknown(because):
            return f"? {because}"


def given(one: Call) -> dict[str | int | None, object]:
    """The arguments of a call by name or position."""
    return {argument.name or argument.position: shown(argument) for argument in one.arguments}


def values(text: str, target: str = "trl.SFTConfig") -> dict[str | int | None, object]:
    """The arguments of the one call of a target."""
    return given(call(text, target))


def ways(text: str, target: str = "trl.SFTConfig") -> dict[str, dict[str | int | None, object]]:
    """The arguments of each way of a call, by the words of its choices."""
    found = {", ".join(choice.taken for choice in one.choices): given(one) for one in calls(text, target)}
    assert len(found) == len(calls(text, target)), "two ways are told in the same words"
    return found


def assigned(one: Call) -> dict[str, object]:
    """The attributes set on the result of a call."""
    return {argument.name: shown(argument) for argument in one.assigned}
