"""A program as one launch is judged by it: at a release of the catalog, or as a copy in the user's tree has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.catalog.accepted import Accepted
    from rlhflint.catalog.option import Option
    from rlhflint.catalog.program import Program


@dataclass(frozen=True)
class Edition:
    """What a program accepts, and how its options are called over time.

    `copy` says where the copy lies whose own parser is the truth; empty for a release. `newer`: the version in force
    is newer than the catalog. `extra` are flags, without dashes, that the configuration says a fork has besides.
    """

    name: str
    accepted: Accepted
    copy: str = ""
    newer: bool = False
    extra: frozenset[str] = frozenset()

    @property
    def program(self) -> Program | None:
        """The program in the catalog; None for an entry point that no release has."""
        return self.accepted.program

    @property
    def release(self) -> str:
        """The release of the catalog that stands for the version in force."""
        return self.accepted.release

    @property
    def options(self) -> Mapping[str, Option]:
        """The options by every spelling; empty if there is no such program."""
        return self.accepted.options

    @property
    def defaults(self) -> Mapping[str, object]:
        """Field → default in force."""
        return self.accepted.defaults

    def names(self, flag: str) -> tuple[str, ...]:
        """All names a finding may use for a flag: canonical ones first, then those of the model."""
        return tuple(dict.fromkeys((*self.accepted.canonical(flag), *self.accepted.fields(flag))))

    def spelling(self, canonical: str) -> str:
        """The flag that speaks of `canonical` in this edition; its newest spelling where none does."""
        flag = self.accepted.spelling(canonical)
        if flag is None and self.program is not None:
            flag = next(iter(self.program.flags_about(canonical, self.release)), None)
        return flag or f"--{canonical}"
