"""The statements that concern one file, and what follows from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from rlhflint.launch import Version
from rlhflint.packages.names import FRAMEWORKS
from rlhflint.packages.ranges import allows, from_then_on, hull, nearest_bound, newest_inside
from rlhflint.records import dataclass
from rlhflint.versions.pep508 import Wish, wish_of
from rlhflint.versions.requirement import Listing, Origin, Requirement, Trouble
from rlhflint.versions.vendored import Vendored


class Near(NamedTuple):
    """A requirement, and how far from the file it is stated: 0 in the file itself, 1 in its folder, 2 in the next."""

    distance: int
    requirement: Requirement


@dataclass(frozen=True)
class Declared:
    """What is stated about releases for one file."""

    stated: tuple[Near, ...] = ()
    listings: tuple[Listing, ...] = ()
    """The nearest first."""
    copies: tuple[Vendored, ...] = ()
    """The nearest first."""
    troubles: tuple[Trouble, ...] = ()
    opaque: bool = False
    """A container image is named, which may hold more packages than the files list."""
    imaged: bool = False
    """The launch's own file says that it runs in an image: nothing tells that the lists beside it are of that."""

    def get(self, name: str) -> Requirement | None:
        """What is in force for a package, its name normalised; None where nothing names it.

        The nearest statement is; of equally near ones that whose `Origin` comes first. If it leaves a choice, the
        next one that pins a release inside its range makes it exact, unless it is installed anew: then it may be
        that release or any newer one. Where equals differ, the answer is the range that holds them all. Its `extras`
        are those that any statement asks for.
        """
        return self._in_force(name, ())

    def resolve(self, name: str, known: Sequence[str] = ()) -> Version | None:
        """The release of a package in force; None where nothing states one.

        Args:
            name: the package, normalised.
            known: its releases, oldest first.

        Returns:
            An exact release has an empty `specifier`. For a range, `value` is the newest known release inside it; if
            none is, the version where the range begins, or else ends. One that nobody wrote down, but that comes of
            an installation beside a pin, is not `stated`.
        """
        chosen = self._in_force(name, known)
        if chosen is None or not chosen.specifier:
            return None
        if chosen.exact is not None:
            return Version(name, _spelled(chosen.exact, known), chosen.source, stated=True)
        value = newest_inside(chosen.specifier, known) or nearest_bound(chosen.specifier)
        if value is None:
            return None
        return Version(name, value, chosen.source, stated=not chosen.anew, specifier=chosen.specifier)

    def vendored(self, name: str) -> Vendored | None:
        """The nearest copy of a framework's source in the tree."""
        return next((copy for copy in self.copies if copy.name == name), None)

    def missing(self, name: str, brought_by: Collection[str] = ()) -> Listing | None:
        """The list of packages that tells that a package will not be there; None where that is not certain.

        That takes a file that looks like the whole list (a lock file, requirements, an environment), names OpenRLHF
        or TRL, and does not name the package, while nothing else does either.

        Args:
            name: the package, normalised.
            brought_by: requirements that bring it along, such as `openrlhf[ring]` or `openrlhf`.
        """
        if name in self._on or self.imaged or not self.listings:
            return None
        listing = self.listings[0]
        if listing.closed:
            return listing
        if self.opaque or any(name in other.names for other in self.listings):
            return None
        bringing = [wish for text in brought_by if (wish := wish_of(text)) is not None]
        return None if any(_brings(wish, listing.extras) for wish in bringing) else listing

    @cached_property
    def _on(self) -> dict[str, list[Near]]:
        """Statements by package, the one that decides first in front."""
        found: dict[str, list[Near]] = {}
        for near in sorted(self.stated, key=lambda near: (near.distance, near.requirement.origin)):
            found.setdefault(near.requirement.name, []).append(near)
        return found

    @cached_property
    def _elsewhere(self) -> frozenset[str]:
        """Files that rule out the release of a framework that the launch's own file pins.

        What they say of other packages is about another environment: a Dockerfile beside a job that names its image.
        """
        found: set[str] = set()
        for name in FRAMEWORKS:
            stated = self._on.get(name, ())
            own = next((near.requirement for near in stated if near.distance == 0 and near.requirement.exact), None)
            if own is None or own.origin not in (Origin.OWN_FILE, Origin.IMAGE):
                continue
            found |= {
                near.requirement.place.path
                for near in stated
                if near.distance > 0 and not allows(near.requirement.specifier, str(own.exact))
            }
        return frozenset(found)

    def _in_force(self, name: str, known: Sequence[str]) -> Requirement | None:
        stated = [near for near in self._on.get(name, ()) if _counts(near.requirement, known)]
        if name not in FRAMEWORKS and self._elsewhere:
            stated = [near for near in stated if near.requirement.place.path not in self._elsewhere]
        ranks = list(_ranks(stated))
        if not ranks:
            return None
        chosen = next((rank for rank in ranks if rank.specifier), ranks[0])
        if ranks[0].anew:
            chosen = _or_newer(ranks[0], chosen)
        elif chosen.exact is None:
            exact = (rank for rank in ranks if rank.exact is not None and allows(chosen.specifier, rank.exact))
            chosen = next(exact, chosen)
        extras = frozenset[str]().union(*(near.requirement.extras for near in stated))
        return replace(chosen, extras=extras)


def _counts(requirement: Requirement, known: Sequence[str]) -> bool:
    """Whether a statement counts: a guess does only if a release of that number is known."""
    return not requirement.guess or (requirement.exact is not None and _spelled(requirement.exact, known) in known)


def _or_newer(installed: Requirement, chosen: Requirement) -> Requirement:
    """What an installation without a release comes to, for which others state one: that one, or one from then on."""
    if installed.specifier or not chosen.specifier:
        return installed
    told = f"{installed.source} without a release, beside {chosen.source}"
    return replace(installed, specifier=from_then_on(chosen.specifier), told=told)


def _ranks(stated: Sequence[Near]) -> Iterable[Requirement]:
    """One requirement for those that are equally near and of one kind."""
    at = 0
    while at < len(stated):
        rank = (stated[at].distance, stated[at].requirement.origin)
        end = at
        while end < len(stated) and (stated[end].distance, stated[end].requirement.origin) == rank:
            end += 1
        yield _merged([near.requirement for near in stated[at:end]])
        at = end


def _merged(equals: list[Requirement]) -> Requirement:
    """What requirements say together, none of which takes precedence.

    Those that only name the package add nothing. One pin that all the ranges allow is what they all mean, unless they
    belong to different extras. Otherwise they are alternatives (extras, environments, conditions), and any of them may
    come to hold.
    """
    saying = [requirement for requirement in equals if requirement.specifier] or equals[:1]
    pins = {requirement.exact for requirement in saying} - {None}
    first = next((requirement for requirement in saying if requirement.exact is not None), saying[0])
    if len({requirement.specifier for requirement in saying}) == 1:
        return first
    together = first.origin is not Origin.VARIANT
    if together and len(pins) == 1 and all(allows(requirement.specifier, str(first.exact)) for requirement in saying):
        return first
    different = {requirement.specifier: requirement for requirement in reversed(saying)}
    shown = [requirement.source for requirement in reversed(different.values())]
    told = f"{' and '.join(shown[:2])}, which differ" if len(shown) == 2 else f"{shown[0]} and {len(shown) - 1} others"
    return replace(first, specifier=hull(different), exact=None, told=told)


def _brings(wish: Wish, listed: Iterable[tuple[str, frozenset[str]]]) -> bool:
    return any(name == wish.name and wish.extras <= extras for name, extras in listed)


def _spelled(release: str, known: Sequence[str]) -> str:
    """A release as the list of known ones spells it: `0.9` for `0.9.0`; as it is if it is not known."""
    if release in known:
        return release
    return next((one for one in known if allows(f"=={release}", one)), release)
