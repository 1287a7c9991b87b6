"""Rules: their definition, their registry, and what they yield.

A rule is a function over the typed model of a launch that yields drafts of findings. Its decorator holds what is true
of all of them; its docstring is its documentation, in named paragraphs:

    One sentence: what has to hold.

    What happens: what the user sees, and when.
    Why: what upstream does (file@release).
    Example: the settings of a launch that is wrong; run as a test.
    Use instead: the same launch put right; run as a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from rlhflint.records import dataclass
from rlhflint.severity import Severity, Stage

if TYPE_CHECKING:
    from packaging.version import Version

    from rlhflint.finding import Related
    from rlhflint.proposal import Proposal
    from rlhflint.text import Span

ERROR, WARNING, ADVICE = Severity.ERROR, Severity.WARNING, Severity.ADVICE
PARSE, STARTUP, FIRST_STEP, LATE, SILENT = Stage.PARSE, Stage.STARTUP, Stage.FIRST_STEP, Stage.LATE, Stage.SILENT


@dataclass(frozen=True, slots=True)
class Draft:
    """A finding as its rule yields it; the engine adds code, place, program and releases.

    The finding stands at `at` if given, else at the first of `settings` that was given, else at the launch.
    `severity` and `stage` are given only where they differ from the rule's own.
    """

    settings: tuple[str, ...]
    message: str
    help: str = ""
    severity: Severity | None = None
    stage: Stage | None = None
    proposal: Proposal | None = None
    related: tuple[Related, ...] = ()
    at: Span | None = None
    conceal: bool = False
    """The characters where it stands are a secret: no report shows them."""


Check = Callable[[Any], Iterator[Draft]]
C = TypeVar("C", bound=Check)


@dataclass(frozen=True)
class Rule:
    """One rule for one set of programs. Rules of several frameworks may share a code; name and meaning are the same."""

    code: str
    name: str
    severity: Severity
    stage: Stage
    programs: tuple[str, ...]
    """Programs it looks at; a name that ends in `*` stands for all that begin so; `script` for whole shell scripts that
    hold a launch, `commands` for all that were read, `module` for Python."""
    applies: tuple[str, ...]
    """Releases of the program's framework, as specifiers of `packaging`; one of several has to hold, none: all."""
    fix: Literal["safe", "unsafe", "none"]
    on: bool
    """Whether it is selected when nothing is said; off by default otherwise."""
    check: Check
    _looked: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)
    """What `looks_at` said, by program."""
    _held: dict[Version, bool] = field(default_factory=dict, compare=False, repr=False)
    """What `holds_for` said, by release."""

    def looks_at(self, program: str) -> bool:
        """Whether it has to do with a program."""
        if program not in self._looked:
            self._looked[program] = any(
                program == pattern or (pattern.endswith("*") and program.startswith(pattern[:-1]))
                for pattern in self.programs
            )
        return self._looked[program]

    def holds_for(self, release: Version) -> bool:
        """Whether it has something to say about a release of the framework."""
        if not self.applies:
            return True
        if release not in self._held:
            self._held[release] = any(one.contains(release, prereleases=True) for one in self._specifiers)
        return self._held[release]

    @cached_property
    def _specifiers(self) -> tuple[Any, ...]:
        from packaging.specifiers import SpecifierSet

        return tuple(SpecifierSet(text) for text in self.applies)

    @property
    def documentation(self) -> str:
        """Its docstring, unindented."""
        import inspect

        return inspect.getdoc(self.check) or ""


_registry: list[Rule] = []


def rule(
    code: str,
    name: str,
    *,
    severity: Severity,
    stage: Stage,
    programs: str | tuple[str, ...],
    applies: str | tuple[str, ...] = (),
    fix: Literal["safe", "unsafe", "none"] = "none",
    on: bool = True,
) -> Callable[[C], C]:
    """Register a function as the check of a rule. See `Rule` for the parameters."""

    def register(check: C) -> C:
        _registry.append(
            Rule(
                code=code,
                name=name,
                severity=severity,
                stage=stage,
                programs=(programs,) if isinstance(programs, str) else programs,
                applies=(applies,) if isinstance(applies, str) else applies,
                fix=fix,
                on=on,
                check=check,
            )
        )
        return check

    return register


def described(
    code: str,
    name: str,
    *,
    severity: Severity,
    stage: Stage,
    documentation: str,
    fix: Literal["safe", "unsafe", "none"] = "none",
    on: bool = True,
) -> Rule:
    """Register a rule whose findings are made elsewhere than in a check of launches: unreadable files, suppressions.

    It is selected and documented like any other; `documentation` has the form of a check's docstring.
    """

    def check(_: Any) -> Iterator[Draft]:
        return iter(())

    check.__doc__ = documentation
    made = Rule(code, name, severity, stage, programs=(), applies=(), fix=fix, on=on, check=check)
    _registry.append(made)
    return made


def rule_of(check: Check) -> Rule:
    """The rule that a function is the check of. Raises LookupError for any other function."""
    for one in _registry:
        if one.check is check:
            return one
    raise LookupError(f"{check!r} is the check of no rule")


def registered() -> tuple[Rule, ...]:
    """The rules of the modules imported so far, in the order of their definition."""
    return tuple(_registry)
