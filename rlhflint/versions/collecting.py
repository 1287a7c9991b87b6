"""Gathering what one file says."""

from __future__ import annotations

from dataclasses import field

from rlhflint.packages.names import FRAMEWORKS
from rlhflint.project.places import Place
from rlhflint.records import dataclass
from rlhflint.versions.pep508 import BadRequirement, Wish, wish_for, wish_of
from rlhflint.versions.requirement import Listing, Origin, Requirement, Statements, Trouble

MOST = 1000
"""Requirements and troubles of one file that are kept."""


@dataclass(slots=True, eq=False, repr=False)
class Collector:
    """Turns texts into requirements, and what cannot be understood into troubles, in the order they come."""

    path: str
    requirements: list[Requirement] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    opaque: bool = False
    """An image is named, which holds packages of its own."""

    @property
    def full(self) -> bool:
        """No more is kept."""
        return len(self.requirements) + len(self.troubles) >= MOST

    def text(self, line: int, text: str, origin: Origin, note: str = "", *, anew: bool = False) -> bool:
        """A requirement as pip writes it; whether it is about a tracked package."""
        if self.full:
            return False
        try:
            wish = wish_of(text)
        except BadRequirement as error:
            self.trouble(line, str(error))
            return True
        if wish is not None:
            self.wish(line, wish, origin, note, anew=anew)
        return wish is not None

    def specifier(
        self, line: int, name: str, specifier: str, origin: Origin, note: str = "", extras: frozenset[str] = frozenset()
    ) -> None:
        """A package (its name normalised) and a specifier."""
        try:
            self.wish(line, wish_for(name, specifier, extras), origin, note)
        except BadRequirement as error:
            self.trouble(line, str(error))

    def wish(self, line: int, wish: Wish, origin: Origin, note: str = "", *, anew: bool = False) -> None:
        """A requirement that is understood already."""
        if self.full:
            return
        place = Place(self.path, line)
        stated = Requirement(wish.name, wish.specifier, wish.exact, origin, place, wish.extras, note, anew=anew)
        self.requirements.append(stated)

    def trouble(self, line: int, message: str) -> None:
        """Something that is not understood."""
        if not self.full:
            self.troubles.append(Trouble(Place(self.path, line), message))

    def listing(self) -> Listing | None:
        """The file as the list of what is installed; None unless it names a framework outside of extras and groups."""
        for one in self.requirements:
            if one.name in FRAMEWORKS and one.origin is not Origin.VARIANT:
                names = frozenset(requirement.name for requirement in self.requirements)
                extras = tuple((requirement.name, requirement.extras) for requirement in self.requirements)
                return Listing(one.place, names, extras)
        return None

    def statements(self, *listings: Listing | None) -> Statements:
        """All of it."""
        kept = tuple(listing for listing in listings if listing is not None)
        return Statements(tuple(self.requirements), tuple(self.troubles), kept, self.opaque)
