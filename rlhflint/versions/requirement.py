"""What one place says about the release of one package."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from rlhflint.project.places import Place
from rlhflint.records import dataclass


class Origin(IntEnum):
    """The kind of place. Where two are equally near, the one that comes first here is in force."""

    OPTION = 1
    """`--framework-version`."""
    CONFIGURATION = 2
    OWN_FILE = 3
    """The file that holds the launch: `pip install` in it, inline script metadata."""
    LOCK = 4
    REQUIREMENTS = 5
    """`requirements.txt`, and files that are included by name."""
    PROJECT = 6
    """pyproject.toml, setup.cfg, setup.py."""
    VARIANT = 7
    """Requirements for one purpose: `requirements-dev.txt`, an extra, a dependency group."""
    ENVIRONMENT = 8
    """environment.yml."""
    DOCKERFILE = 9
    IMAGE = 10
    VENDORED = 11
    INSTALLED = 12


@dataclass(frozen=True, slots=True)
class Requirement:
    """A statement about a package.

    `specifier` is PEP 440, empty where the package is only named. `exact` is the one release it pins, in normal form,
    None if it leaves a choice. `note` says more of the place: "extra vllm", "pip install", "image x:v1".
    """

    name: str
    specifier: str
    exact: str | None
    origin: Origin
    place: Place
    extras: frozenset[str] = frozenset()
    note: str = ""
    guess: bool = False
    """Counts only if a release of that number is known: the tag of somebody's own image."""
    told: str = ""
    """Where it stands, if that is more than one place."""
    anew: bool = False
    """Installed by a command for which it may well be new, or that asks for the newest: the release that another file
    pins need not be the one that is there then."""

    @property
    def source(self) -> str:
        """Where it stands, in words that fit behind "from"."""
        if self.told:
            return self.told
        if self.origin in (Origin.VENDORED, Origin.INSTALLED, Origin.VARIANT):
            return f"{self.place} ({self.note})" if self.note else str(self.place)
        return f"{self.note} in {self.place}" if self.note else str(self.place)


class Trouble(NamedTuple):
    """A place that states versions and cannot be understood. `message` is a sentence without its end."""

    place: Place
    message: str


class Listing(NamedTuple):
    """A file that looks like the whole of what is installed, as far as the tracked packages go.

    `closed`: it names the packages that packages bring along, too, as a lock file does.
    """

    place: Place
    names: frozenset[str]
    extras: tuple[tuple[str, frozenset[str]], ...] = ()
    closed: bool = False


class Statements(NamedTuple):
    """All that a file, or a folder, says."""

    requirements: tuple[Requirement, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    listings: tuple[Listing, ...] = ()
    opaque: bool = False
    """Something else decides what is installed, too: the base image of a Dockerfile."""

    @classmethod
    def joined(cls, parts: list[Statements]) -> Statements:
        """All that the parts say, in their order."""
        return cls(
            tuple(requirement for part in parts for requirement in part.requirements),
            tuple(trouble for part in parts for trouble in part.troubles),
            tuple(listing for part in parts for listing in part.listings),
            any(part.opaque for part in parts),
        )
