"""Variables, functions and everything else that a shell remembers between two commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from rlhflint.command import Choice
from rlhflint.readers.shell.decision import Answers, Decision, Split, Undecided
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Traced

ARGUMENTS = "@"
"""Under this key stand the positional parameters, see `Arguments`."""
NAME = "0"
"""Under this key stands `$0` of a nested shell."""
DIRECTORY = "/"
"""Under this key stands the working directory, None for the one the script is started in."""
DIALECT = "/zsh"
"""Under this key stands `zsh` where that is the shell, and with it how it expands words; nothing in other shells."""
STATUS = "?"
"""Under this key stands whether the last command succeeded; nothing where that is not known."""

OTHERS = HOLE
"""Under this key an associative array has all elements whose keys are not known, as one that is `many`."""

Elements: TypeAlias = "tuple[Traced, ...]"
"""An array. An element that is unknown and `many` stands for any number of elements."""
Table: TypeAlias = "dict[str, Traced]"
"""An associative array, or `Gaps`."""


class Gaps(dict[str, Traced]):
    """An array that has no element at some subscripts below its last one; the subscripts in their order."""

    @classmethod
    def or_none(cls, found: Mapping[int, Traced]) -> Gaps | Elements:
        """The array with these elements, which need not have gaps."""
        if sorted(found) == list(range(len(found))):
            return tuple(found[index] for index in range(len(found)))
        return cls((str(index), found[index]) for index in sorted(found))

    @property
    def end(self) -> int:
        """The subscript behind the last one."""
        return int(next(reversed(self))) + 1


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable as the script left it; `value` is None if it is not set.

    `letters` is `u`, `l` or `c` where `declare` has the letters of every text changed that it is given.
    """

    value: Traced | Elements | Table | None
    exported: bool = False
    integer: bool = False
    letters: str = ""

    @property
    def scalar(self) -> Traced | None:
        """The value of `$name`: of an array its first element."""
        if isinstance(self.value, tuple):
            return self.value[0] if self.value else None
        return self.value.get("0", self.value.get(OTHERS)) if isinstance(self.value, dict) else self.value

    @property
    def elements(self) -> Elements:
        """The values of `${name[@]}`."""
        if self.value is None or isinstance(self.value, Traced):
            return () if self.value is None else (self.value,)
        return self.value if isinstance(self.value, tuple) else tuple(self.value.values())

    def with_value(self, value: Traced | Elements | Table | None) -> Variable:
        """The same variable with another value."""
        return replace(self, value=value)


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that stands for another variable (`declare -n`): "" as long as for none, None where it is not known."""

    name: str | None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The positional parameters. `shifted` counts those of the script that `shift` took away unseen."""

    words: Elements
    shifted: int = 0


def function_key(name: str) -> str:
    """The key under which a function stands."""
    return name + "()"


def local_key(name: str, depth: int) -> str:
    """Under this key stands whether a variable belongs to the function that is the frame of this depth."""
    return f"@{depth} {name}"


class State:
    """What holds at one place of a script, on one way or on several: a value may be a `Split`."""

    __slots__ = ("allexport", "answers", "blurred", "control", "exports", "partial", "reached", "rounds", "values")

    def __init__(self) -> None:
        self.values: dict[str, object] = {STATUS: True}
        self.answers = Answers()
        self.control: tuple[tuple[Decision, bool], ...] = ()
        """The choices that decide whether the place is reached."""
        self.reached: tuple[tuple[Decision, bool], ...] = ()
        """Those of them that led past an end of the script, and so decide about all that follows."""
        self.rounds: tuple[Choice, ...] = ()
        """The rounds of the loops around the place."""
        self.exports: set[str] = set()
        """Names of variables that were exported somewhere; all states of one shell share it."""
        self.allexport = False
        """`set -a` is in force."""
        self.blurred = False
        """Values that differ between ways are read as unknown."""
        self.partial = False
        """There are more ways that lead here than were followed."""

    def copy(self) -> State:
        """A state that changes on its own."""
        other = State()
        other.values = dict(self.values)
        other.answers, other.control, other.rounds = self.answers, self.control, self.rounds
        other.reached, other.partial = self.reached, self.partial
        other.blurred, other.allexport, other.exports = self.blurred, self.allexport, self.exports
        return other

    def lead(self, before: State, choices: Iterable[tuple[Decision, bool]], *, past_an_end: bool = False) -> None:
        """Let the choices decide, with those that decided about `before`, whether this place is reached."""
        choices = tuple(choices)
        # What led past an end since then decides, too.
        self.control = (*before.control, *self.reached[len(before.reached) :], *choices)
        if past_an_end:
            self.reached = (*self.reached, *choices)

    def get(self, key: str) -> object:
        """The value under a key, None if there is none. Raises `Undecided` where that differs between ways."""
        value = self.values.get(key)
        if not isinstance(value, Split):
            return value
        if self.blurred:
            return self.peek(key)
        while isinstance(value, Split):
            answer = self.answers.truth(value.decision)
            if answer is None:
                raise Undecided(self.answers.open_part(value.decision))
            value = value.yes if answer else value.no
        return value

    def peek(self, key: str) -> object:
        """The value under a key, unknown where it differs between ways."""
        value = self.values.get(key)
        while isinstance(value, Split):
            answer = self.answers.truth(value.decision)
            if answer is None:
                return differing(value, key)
            value = value.yes if answer else value.no
        return value

    def variable(self, name: str) -> Variable | None:
        """A variable; None if the script never touched it, so that it comes from the environment."""
        found = self.get(name)
        if isinstance(found, Reference):
            from rlhflint.readers.shell.references import referred

            return referred(self, name)
        return found if isinstance(found, Variable) else None

    def assign(self, name: str, value: Traced | Elements | Table | None, *, exported: bool = False) -> None:
        """Give a variable a value. It stays exported if it was."""
        old = self.peek(name)
        if isinstance(old, Reference):
            from rlhflint.readers.shell.references import assign_referred

            assign_referred(self, name, value, exported=exported)
            return
        kept = old if isinstance(old, Variable) else Variable(None)
        if kept.integer or kept.letters:
            from rlhflint.readers.shell.attributes import fitting

            value = fitting(kept, name, value)
        exported = exported or kept.exported or self.allexport
        self.values[name] = Variable(value, exported, kept.integer, kept.letters)
        if exported:
            self.exports.add(name)

    @property
    def arguments(self) -> Arguments:
        """The positional parameters."""
        found = self.get(ARGUMENTS)
        return found if isinstance(found, Arguments) else Arguments(())

    @property
    def directory(self) -> Traced | None:
        """The working directory; None for the one the script is started in."""
        found = self.get(DIRECTORY)
        return found if isinstance(found, Traced) else None

    def exported(self) -> dict[str, Traced]:
        """The variables that a command started here inherits from the script."""
        variables = [(name, self.variable(name)) for name in sorted(self.exports)]
        found = {name: variable.scalar for name, variable in variables if variable is not None and variable.exported}
        return {name: value for name, value in found.items() if value is not None}

    def inherit(self, other: State) -> None:
        """Begin with what a shell leaves to the programs it starts: exported variables and the working directory."""
        for name in other.exports:
            value = other.values.get(name)
            if isinstance(value, Split) or (isinstance(value, Variable) and value.exported):
                self.values[name] = value
        self.exports = set(other.exports)
        if DIRECTORY in other.values:
            self.values[DIRECTORY] = other.values[DIRECTORY]

    def export(self, name: str, *, exported: bool = True) -> None:
        """Export a variable that has a value, or no longer."""
        if isinstance(variable := self.get(name), Variable):
            self.values[name] = replace(variable, exported=exported)
            self.exports.add(name)

    def names(self) -> Iterator[str]:
        """The names of the variables that may be set here."""
        for name, value in self.values.items():
            if isinstance(value, Variable) or (isinstance(value, Split) and name[:1] not in "@/?" and name[-1:] != ")"):
                yield name


def differing(value: object, key: str) -> object:
    """Something unknown in the place of a value that cannot be told from others."""
    because, refers = f"${key} depends on the way through the script", False
    while isinstance(value, Split):
        refers = refers or isinstance(value.no, Reference)
        value = value.yes if value.yes is not None else value.no
    if refers or isinstance(value, Reference):
        return Reference(None, because)
    if key == STATUS or not isinstance(value, Variable):
        return None if key == STATUS else value
    hole = Traced.hole(because, many=True)
    return value.with_value(hole if isinstance(value.value, Traced | None) else (hole,))
