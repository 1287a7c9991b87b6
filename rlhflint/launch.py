"""A launch: a program, its settings, and what is known of the place where it will run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from rlhflint.command import Choice, Command, Script
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Span, Traced
from rlhflint.value import Known, OneOf, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.arguments import Reading
    from rlhflint.given import Given
    from rlhflint.launchers import Start


def value_of(text: Traced) -> Value:
    """What a word of a command line says: its text, one of a default and anything else, or nothing that is known."""
    if HOLE not in text.text:
        return Known(text.text)
    return Unknown(text.because) if text.default is None else OneOf(text.default, text.because)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it was given.

    `name` is as written (`--zero_stage`, `learning_rate`), `canonical` its newest upstream names: usually one, two for
    a flag that was split, none where the name is unknown. `text` is the value as it was written, where it was text.
    `name_span` and `value_span` are the characters that made the name and the value; the latter is None for a switch.
    """

    name: str
    value: Value
    name_span: Span
    value_span: Span | None = None
    canonical: tuple[str, ...] = ()
    text: tuple[Traced, ...] = ()
    name_text: Traced | None = None
    joined: bool = False
    """Written as `--name=value`."""
    origin: object = None
    """What a reader made of it where it was no word of a command: an argument of a call, an entry of a mapping."""
    stray: tuple[Traced, ...] = ()
    """The word behind a switch, or behind its `=`, that nothing takes."""


@dataclass(frozen=True, slots=True)
class Version:
    """The release of one package that is in force, and how that is known.

    `source` fits behind "from": "requirements.txt line 3", "the flags used". `stated` says that somebody wrote it
    down, as opposed to inferred or assumed. `specifier` is set where only a range is stated; `value` is then the
    newest known release inside it, or the one that the options used were written for. `source` then says that too,
    and `statement` is where the range stands.
    """

    name: str
    value: str
    source: str
    stated: bool
    specifier: str = ""
    statement: str = ""


@dataclass(frozen=True, slots=True)
class Launch:
    """One way in which a file starts a program."""

    program: str
    """`openrlhf:train_ppo_ray`, `trl:grpo`."""
    path: str
    span: Span
    """What to underline for the launch as a whole: the module, the class name."""
    settings: tuple[Setting, ...] = ()
    versions: Mapping[str, Version] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    more: str = ""
    """Why further settings may be given that cannot be seen ("$@ is not known"); empty if these are all."""
    command: Command | None = None
    start: Start | None = None
    """The command without its launchers."""
    script: Script | None = None
    reading: Reading | None = None
    """The command's words as its program's parser reads them; None for launches in Python and YAML."""
    environment: Mapping[str, Value] = field(default_factory=dict)
    values: Mapping[str, Given | Value] = field(default_factory=dict)
    """What is given, by field of the typed model: text to convert, or a value."""
    refused: tuple[Setting, ...] = ()
    """Those of `settings` whose names the program does not accept."""
    details: object = None
    """What the framework keeps for its own rules."""

    def given(self, canonical: str) -> Setting | None:
        """The last setting that gives `canonical`: the one in force."""
        for setting in reversed(self.settings):
            if canonical in setting.canonical:
                return setting
        return None
