"""Changes of settings that are arguments of Python calls or entries of mappings, as edits of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.call import Argument
from rlhflint.fixing.doubt import Doubt
from rlhflint.mapping import Entry
from rlhflint.proposal import Add, Move, Rename, Replace

if TYPE_CHECKING:
    from rlhflint.finding import Edit
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


def appended(added: Sequence[Add | Move], launch: Launch, source: Source) -> list[Edit]:
    """The edits that add arguments to one call, all of them together. Raises `Doubt` like `edits`."""
    from rlhflint.fixing import python

    call = added[0].into
    if call is None:
        raise Doubt("there is no call to add it to")
    pairs = []
    for change in added:
        own = change.setting if isinstance(change, Move) else None
        moved = own.origin if own is not None else None
        if any(one.name == change.name for one in launch.settings if one is not own):
            raise Doubt(f"{change.name} is given as well")
        if isinstance(moved, Argument):
            from rlhflint.fixing.reach import reaches

            reaches(moved, call, source)
            pairs.append((change.name, python.written_value(moved, source)))
        elif isinstance(change, Add):
            pairs.append((change.name, python.literal(change.value, python.quote_of(source))))
    if source.path.endswith(".ipynb"):
        return python.behind_last(call, pairs, source)
    from rlhflint.fixing.structure import appended

    return appended(source, call.span, pairs)


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
