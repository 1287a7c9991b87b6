"""Changes of settings that are arguments of Python calls or entries of mappings, as edits of the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.call import Argument
from rlhflint.fixing.doubt import Doubt
from rlhflint.mapping import Entry
from rlhflint.proposal import Add, Move, Rename, Replace, Verbatim

if TYPE_CHECKING:
    from rlhflint.call import Call
    from rlhflint.finding import Edit
    from rlhflint.fixing.python import Inserted, Rearranged
    from rlhflint.launch import Launch, Setting
    from rlhflint.proposal import Change
    from rlhflint.source import Source


def edits(change: Change, launch: Launch, source: Source) -> list[Edit]:
    """The edits that make one change. Raises `Doubt` where it is not certain what they would do."""
    setting: Setting | None = change.after if isinstance(change, Add) else getattr(change, "setting", None)
    if setting is None:
        raise Doubt("there is no setting to write it beside")
    _not_given_yet(change, launch, setting)
    if isinstance(setting.origin, Argument):
        from rlhflint.fixing import python

        return python.edits(change, setting.origin, source)
    if isinstance(setting.origin, Entry):
        from rlhflint.fixing import yaml

        return yaml.edits(change, setting.origin, source)
    raise Doubt(f"it is not known how {setting.name} is written")


def rearranged(change: Change, launch: Launch, source: Source) -> Iterator[Rearranged]:
    """The arguments that one change takes out of calls and adds to them. Raises `Doubt` like `edits`."""
    from rlhflint.fixing import python

    setting: Setting | None = change.after if isinstance(change, Add) else getattr(change, "setting", None)
    if setting is not None and isinstance(setting.origin, Argument):
        yield from python.rearranged(change, setting.origin, source)
    if isinstance(change, (Add, Move)) and change.into is not None:
        yield _last(change, change.into, launch, source)


def _last(change: Add | Move, call: Call, launch: Launch, source: Source) -> Inserted:
    """What a change makes the last argument of a call."""
    from rlhflint.fixing import python

    own = change.setting if isinstance(change, Move) else None
    if any(one.name == change.name for one in launch.settings if one is not own):
        raise Doubt(f"{change.name} is given as well")
    if isinstance(change, Add) and isinstance(change.value, Verbatim):
        value = change.value.text
    elif isinstance(change, Add):
        value = python.literal(change.value, python.quote_of(source))
    elif isinstance(change.setting.origin, Argument):
        from rlhflint.fixing.reach import reaches

        reaches(change.setting.origin, call, source)
        value = python.written_value(change.setting.origin, source)
    else:
        raise Doubt(f"it is not known how {change.setting.name} is written")
    moved = own.origin.span if own is not None and isinstance(own.origin, Argument) else None
    return python.Inserted(call.span, change.name, value, last=True, moved=moved)


def _not_given_yet(change: Change, launch: Launch, setting: Setting) -> None:
    """Raise `Doubt` where a name would be given twice, which Python refuses and YAML takes in silence."""
    names: tuple[str, ...] = ()
    if isinstance(change, Rename):
        names = change.names
    elif isinstance(change, Replace):
        names = tuple(name for name, _ in change.by)
    elif isinstance(change, Add):
        names = (change.name,)
    present = {other.name for other in launch.settings if other is not setting or isinstance(change, Add)}
    twice = next((name for name in names if name in present), None)
    if twice is not None:
        raise Doubt(f"{twice} is given as well")
