"""Commands as a shell would run them: what the shell reader makes of a script, and frameworks make launches of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import pairwise

from rlhflint.records import dataclass
from rlhflint.text import Span, Traced


@dataclass(frozen=True, slots=True)
class Choice:
    """One way through an `if`, `case`, `for`, `&&` or `${X:+…}` that a script may take.

    `taken` says it in words that fit behind "when": "MODE is lora", "n is 6". `certain`: the script takes this way
    in some run for sure (a round of a loop over literal words); otherwise it depends on something from outside.
    """

    span: Span
    taken: str
    certain: bool


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirection of a command: `> train.log`, `2>&1`, `<<EOF`. The target of a here-document is its text."""

    operator: str
    target: Traced


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command after expansion, on one way through its script.

    `words[0]` is what is run. A word that is not known holds a `HOLE`; one whose hole is `many` stands for any number
    of words: `"$@"`, and a variable without quotes that is the whole word. Glued to other text, as in `ckpt/$1` or
    `--lr=$LR`, it is taken for one word, which is what is meant. `environment` are the variables given in front of
    the command, `exported` those exported in the script before it (both by name, the former not repeated in the
    latter). `within` are the commands whose argument text this command was read from, outermost first: for
    `srun bash -c "python x.py"` the words of `srun bash -c …`.
    `span` is the whole statement, in the file that holds its first word. `choices` are those that lead to the command
    or made its words and environment what they are; where a way that ends the script (`[ $# = 1 ] || usage`) did no
    more than complain, that it was not taken is no choice.
    """

    words: tuple[Traced, ...]
    span: Span
    environment: Mapping[str, Traced] = field(default_factory=dict)
    exported: Mapping[str, Traced] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    partial: bool = False
    """More ways lead to it than were followed: what it is on the others, and on which, is not known."""
    within: tuple[tuple[Traced, ...], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    directory: Traced | None = None
    """Where `cd` led before it, None for the folder the script was started in."""

    def says(self, span: Span) -> bool:
        """Whether a place is in the statement itself; what a variable or a function's caller gives may concern others.

        Of a command that was read from another one's text, only a text right behind a word of that one is its own.
        """
        if not self.within:
            return self.span.holds(span)
        places = [word.verbatim_span for word in self.within[-1]]
        return any(
            before is not None and text is not None and text.holds(span) and _adjoining(before, text)
            for before, text in pairwise(places)
        )


def _adjoining(before: Span, text: Span) -> bool:
    """Whether no more than a blank and a quote lie between."""
    return before.path == text.path and before.end < text.start <= before.end + 2


BEYOND = frozenset({"too-large", "too-deep", "not-followed"})
"""Kinds of problems that leave a text unread behind a bound, with all launches that it may hold there."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the text of a script that its reader tripped over.

    `kind` is one of
        syntax               the shell, Python, or the loader of the file refuses it here
        blank-after-backslash, comment-in-continuation, missing-backslash, text-after-backslash
                             a command ends earlier than its writer meant
        carriage-return      line ends that break continuations
        too-many-ways        more than 64 ways through the script; the rest was not read
        not-static           a command whose name or text cannot be known
        sourced-file-missing a file named by `source` does not exist
        too-large, too-deep  the file is beyond a bound of its reader, which says so in the message; it was not read
        not-followed         a Python file is beyond the bound up to which it is followed; its end was not read
        not-read             loaders of YAML read this in different ways; it was not read
    `remedy`, where there is exactly one, is the text to put at `span`; `hint` says in words what to write instead.
    """

    kind: str
    span: Span
    message: str
    remedy: str | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """What was read from one shell text."""

    path: str
    span: Span
    commands: tuple[Command, ...] = ()
    problems: tuple[Problem, ...] = ()
    directives: tuple[Traced, ...] = ()
    """Comment lines that start with #SBATCH, without the `#`."""
    sourced: tuple[str, ...] = ()
    """Files read because the script sources them."""
    assigned: tuple[tuple[str, Traced], ...] = ()
    """Every text that the script gives a variable, with the variable's name."""
