"""Names in Python that no class takes: which they are, and what is said of those that went."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.call import Argument, Origin
from rlhflint.frameworks.trl.session import Stray, details_of
from rlhflint.frameworks.trl.strays import StrayFacts, known_of
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Remove, Rename

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.changes import Rename as Renamed
    from rlhflint.model import ProgramModel
    from rlhflint.rule import Draft


def renamed_draft(launch: ProgramModel, stray: Stray, rename: Renamed, release: str) -> Draft:
    """What is said of a name that is another one at the release in force."""
    setting = stray.setting
    same = rename.kind != "value"
    return launch.finding(
        *setting.canonical,
        at=setting.name_span,
        message=f"{class_of(stray)} has no option {setting.name} with {release}: it is called {rename.new} now",
        help=f"write {rename.new}" + ("" if same else f": {rename.value}"),
        proposal=Proposal(f"Write {rename.new}", SAFE, (Rename(setting, (rename.new,)),)) if same else None,
    )


def removed_draft(launch: ProgramModel, stray: Stray, known: StrayFacts, release: str) -> Draft:
    """What is said of a name that has no successor."""
    setting, gone = stray.setting, known.removal
    ended = f"ended with {known.last}" if known.last else "is gone"
    instead = "" if gone is not None and gone.advice else ", and nothing takes its place"
    advice = f"use {gone.advice}" if gone is not None and gone.advice else "leave it out"
    if gone is not None and gone.drop:
        advice += f": {gone.drop}"
    return launch.finding(
        *setting.canonical,
        at=setting.name_span,
        message=f"{class_of(stray)} has no option {setting.name} with {release}: it {ended}{instead}",
        help=advice,
        proposal=Proposal(f"Remove {setting.name}", UNSAFE, (Remove(setting),)),
    )


def python_strays(launch: ProgramModel, *, trainer: bool, assigned: bool = False) -> Iterator[tuple[Stray, StrayFacts]]:
    """The stray names of a Python launch, with what is known of them; those of attributes apart."""
    details = details_of(launch)
    if details.form != "python":
        return
    for stray in details.strays:
        origin = stray.setting.origin
        attribute = isinstance(origin, Argument) and origin.origin is Origin.ATTRIBUTE
        if stray.trainer == trainer and attribute == assigned:
            yield stray, known_of(stray, details)


def class_of(stray: Stray) -> str:
    """The name of the class it was given to."""
    return stray.owner.rpartition(":")[2]
