"""A program as one launch is judged by it: at a release of the catalog, or as a copy in the user's tree has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from rlhflint.value import Unknown

if TYPE_CHECKING:
    from rlhflint.catalog.option import Option
    from rlhflint.catalog.program import Program


@dataclass(frozen=True)
class Edition:
    """What a program accepts, and how its options are called over time.

    `release` is the release of the catalog that stands for the version in force. `program` is None for an entry point
    that no release has, which only a copy in the user's tree can give. `copy` says where such a copy lies; its
    `options` are then the truth. `open`: why there may be options beyond `options`. `newer`: the version in force is
    newer than the catalog.
    """

    name: str
    release: str
    program: Program | None
    options: Mapping[str, Option] = field(default_factory=dict)
    copy: str = ""
    open: str = ""
    newer: bool = False
    extra: frozenset[str] = frozenset()
    """Flags, without dashes, that the configuration says a fork has besides."""

    @property
    def exists(self) -> bool:
        """Whether there is such an entry point at all."""
        return bool(self.options)

    def canonical(self, flag: str) -> tuple[str, ...]:
        """The canonical names of what a flag sets; its own name without dashes where the catalog does not know it."""
        names = self.program.canonical(flag, self.release) if self.program is not None else ()
        return names or (flag.lstrip("-"),)

    def fields(self, flag: str) -> tuple[str, ...]:
        """Where the typed model keeps the value of a flag; empty for one that it does not know."""
        return self.program.fields(flag, self.release) if self.program is not None else ()

    def names(self, flag: str) -> tuple[str, ...]:
        """All names a finding may use for a flag: canonical ones first, then those of the model."""
        return tuple(dict.fromkeys((*self.canonical(flag), *self.fields(flag))))

    def spelling(self, canonical: str) -> str:
        """The flag that sets `canonical` in this edition; its newest spelling where there is none."""
        if self.program is not None:
            flag = self.program.spelling(canonical, self.release)
            if flag is None:
                flag = next(iter(self.program.flags_about(canonical, self.release)), None)
            if flag is not None:
                return flag
        return f"--{canonical}"

    @cached_property
    def defaults(self) -> Mapping[str, object]:
        """Field → default in force."""
        if not self.copy:
            return self.program.defaults(self.release) if self.program is not None else {}
        found: dict[str, object] = {}
        for flag, option in self.options.items():
            if flag == option.flag and not isinstance(option.default, Unknown):
                found |= {name: option.default for name in self.fields(flag) if name not in found}
        return found
