"""What a rule proposes to change, in terms of settings; `rlhflint.fixing` turns it into edits of the file.

A rule does not know whether a setting stands in a shell array, a YAML file or a Python call. It says which setting
should get which value, and the place where the setting was written decides what has to be edited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from rlhflint.finding import Applicability
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.call import Call, Import
    from rlhflint.finding import Finding
    from rlhflint.launch import Setting
    from rlhflint.text import Span

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE


@dataclass(frozen=True, slots=True)
class Rename:
    """Write a setting under other names, as they are written (`--ds.zero_stage`, `max_length`); several for a split."""

    setting: Setting
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetValue:
    """Give a setting another value: the words of a command line, or one Python or YAML value."""

    setting: Setting
    value: object


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a setting out, with its value, or with the word behind it that nothing takes."""

    setting: Setting


@dataclass(frozen=True, slots=True)
class Alone:
    """Write a switch without the word behind it that nothing takes."""

    setting: Setting


@dataclass(frozen=True, slots=True)
class Replace:
    """Write other settings in the place of one: each as written, with its words.

    No words for a switch; None for the value of the replaced setting, as it is written. In Python and YAML the one
    word is the value itself.
    """

    setting: Setting
    by: tuple[tuple[str, tuple[object, ...] | None], ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A value that is written as it stands: a call in Python."""

    text: str


@dataclass(frozen=True, slots=True)
class Add:
    """Give a setting that is not given, by its name as written; behind `after`, else at the end of the launch.

    True is the value of a switch; `Verbatim` is no data. `into`: as the last argument of a call.
    """

    name: str
    value: object
    after: Setting | None = None
    into: Call | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Take a setting out and give it, under `name` and with its value as written, as the last argument of a call."""

    setting: Setting
    name: str
    into: Call


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Other text at a place of the file, where no setting is concerned."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Reimport:
    """Import a name of Python from elsewhere: `path` is its dotted path there. In the file it keeps its name."""

    imported: Import
    path: str


@dataclass(frozen=True, slots=True)
class ImportBeside:
    """Import one more name from the module that another one is imported from, in the same statement."""

    beside: Import
    name: str


@dataclass(frozen=True, slots=True)
class Requalify:
    """Reach what is behind a package, which is imported as a whole, in another module of it, wherever the file does.

    `old` and `new` are dotted paths that begin with the package's own; the module of the new one is imported besides.
    """

    package: Import
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ImportBehind:
    """Import a name behind a `from … import *` that does not give it: `path` is its dotted path."""

    star: Import
    path: str


Importing: TypeAlias = Reimport | ImportBeside | Requalify | ImportBehind
"""What is done to imports."""
IMPORTING = (Reimport, ImportBeside, Requalify, ImportBehind)
Change: TypeAlias = Rename | SetValue | Remove | Alone | Replace | Add | Move | Rewrite | Importing


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes that belong together, with a title in the imperative ("Write `--ds.zero_stage`").

    `notes` are what a move has to say of them once they are made.
    """

    title: str
    applicability: Applicability
    changes: tuple[Change, ...]
    notes: tuple[Finding, ...] = ()
