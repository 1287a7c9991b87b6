"""Tables of settings that exclude each other, each with the releases for which that is so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rlhflint.records import dataclass
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel


@dataclass(frozen=True, slots=True)
class Conflict:
    """A setting that does not go with another one.

    `holds` reads the model of a launch; it raises `Undetermined` where a setting is not known. The conflict is there
    from `since` on and `before` another release. `says` names the setting with its value and fits behind "with".
    """

    setting: str
    holds: Callable[[Any], bool]
    says: str
    since: str = "0.8.0"
    before: str = ""


def conflicts(launch: ProgramModel, table: Iterable[Conflict]) -> Iterator[Conflict]:
    """The conflicts of a table that a launch has. Raises `Undetermined` behind the last where one is not decided."""
    missing: Undetermined | None = None
    for one in table:
        if not launch.session.since(one.since) or (one.before and launch.session.since(one.before)):
            continue
        try:
            if one.holds(launch):
                yield one
        except Undetermined as reason:
            missing = missing or reason
    if missing is not None:
        raise missing
