"""The frameworks whose launches rlhflint knows. A framework is a folder: its programs, typed models and rules.

Which there are, and what is known of one before it is loaded, is in `rlhflint.registry`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from rlhflint.registry import title

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from rlhflint.document import Document
    from rlhflint.launch import Launch
    from rlhflint.migration import Migration, Targets
    from rlhflint.model import ProgramModel
    from rlhflint.plan import Plan
    from rlhflint.proposal import Change
    from rlhflint.site import Site


class Framework(ABC):
    """What a folder gives: an instance as `FRAMEWORK` in its module `framework`; the modules of `rules` are its rules.

    What is not abstract may be left out: launches of the framework are checked and fixed then, and neither moved to
    other releases, nor planned, nor made small for a trial.
    """

    name: str
    moves: tuple[str, ...] = ()
    """Packages to whose releases `migration` moves launches; `release_of` knows them."""
    moved_by_rules: tuple[str, ...] = ()
    """Codes of rules whose fixes belong to a move to other releases, such as one about imports."""
    told_by_moves: tuple[str, ...] = ()
    """Codes of rules whose findings a move tells itself, knowing what the launch was written for."""

    def watches(self, path: str) -> bool:
        """Whether a dotted path in Python (`trl`, `trl.GRPOConfig`), or something below it, is of interest."""
        return False

    @abstractmethod
    def launches(self, document: Document, site: Site) -> Iterator[Launch]:
        """The launches of the framework's programs in a file, every way through a script one of its own."""

    @abstractmethod
    def model(self, launch: Launch, site: Site) -> ProgramModel:
        """The typed model of a launch, with its session."""

    @abstractmethod
    def programs(self) -> tuple[str, ...]:
        """The programs of all its releases: `trl:grpo`."""

    @abstractmethod
    def schema(self, name: str, releases: Mapping[str, str]) -> dict[str, Any]:
        """The JSON Schema of a program (`grpo`) at releases, by package; see `rlhflint.editor_schema`.

        Raises `NoSuchProgram`. `releases` are listed ones; for one that is missing the newest counts.
        """

    @abstractmethod
    def release_of(self, package: str, version: str) -> str:
        """The listed release that stands for a version or specifier of a package.

        Raises `ValueError` where there is none, or the framework keeps no list for the package.
        """

    def plan(self, model: ProgramModel) -> Plan:
        """Where a launch will run and what it takes there, as far as that is known."""
        from rlhflint.plan import Plan
        from rlhflint.value import Undetermined

        plan = Plan(machines=model.session.machines)
        plan.unknown(
            Undetermined("placement", f"where the parts of a launch of {title(self.name)} run is not worked out")
        )
        return plan

    def migration(self, launch: Launch, targets: Targets) -> Migration:
        """What a launch takes to get to other releases."""
        from rlhflint.migration import Migration

        return Migration()

    def rehearsals(self, model: ProgramModel) -> Iterator[tuple[Change, ...]]:
        """Changes that make a launch a trial of itself with little data, the smallest first."""
        return iter(())


@cache
def framework(name: str) -> Framework:
    """A framework by name."""
    loaded: Framework = import_module(f"rlhflint.frameworks.{name}.framework").FRAMEWORK
    return loaded
