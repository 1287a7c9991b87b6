"""Moving launches to other releases, by what their frameworks give for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from rlhflint.fixing.common_wishes import in_common
from rlhflint.fixing.plan import Wish
from rlhflint.frameworks import framework
from rlhflint.migration import Targets
from rlhflint.records import dataclass
from rlhflint.registry import names
from rlhflint.rule import registered
from rlhflint.wording import listed

if TYPE_CHECKING:
    from rlhflint.check import Checker
    from rlhflint.finding import Finding
    from rlhflint.frameworks import Framework
    from rlhflint.launch import Launch
    from rlhflint.result import FileResult


@dataclass(slots=True)
class Mover:
    """Moves launches to the releases asked for."""

    targets: Targets
    statements: dict[str, None] = field(default_factory=dict)
    """What is stated about releases elsewhere and has to be changed by hand."""
    _judge: Checker | None = None

    def wishes(self, launches: Sequence[Launch], *, first: bool) -> tuple[list[Wish], list[Finding]]:
        """What the launches would have changed, and what there is to say about them.

        `first`: the launches are as their owner wrote them. Later, when part of a change is made, it can no longer be
        told which defaults they relied on, and nothing is said twice.
        """
        wishes: list[Wish] = []
        targets = replace(self.targets, defaults=first)
        notes: dict[object, Finding] = {}
        for launch in launches:
            migration = framework(launch.program.partition(":")[0]).migration(launch, targets)
            wishes += [Wish(launch, one.title, one.changes, one.notes) for one in migration.proposals]
            for note in migration.notes:
                notes.setdefault((note.code, note.span, note.settings, note.message), note)
            self._state(launch)
        wishes, left = in_common(wishes)
        return wishes, [*notes.values(), *left] if first else []

    def moving(self, judged: Sequence[FileResult]) -> list[FileResult]:
        """The results at the releases moved to, with those findings alone whose fixes belong to the move.

        That are those of rules that a framework names, such as one about imports.
        """
        return [
            replace(result, findings=tuple(one for one in result.findings if _belongs_to_moves(one.code)))
            for result in judged
        ]

    def left(self, judged: Sequence[FileResult]) -> list[FileResult]:
        """The results at the releases moved to, without what the move itself tells of the launches: it knows better
        what they were written for."""
        return [
            replace(result, findings=tuple(one for one in result.findings if not _told_by_moves(one.code)))
            for result in judged
        ]

    def _state(self, launch: Launch) -> None:
        """Note the statements about releases that the launch is judged by."""
        for package, release in self.targets.releases.items():
            version = launch.versions.get(package)
            if version is not None and version.stated and version.value != release:
                said, place = version.specifier or version.value, version.statement or version.source
                self.statements.setdefault(f"{place} says {package} {said}: change it to {release} yourself")

    def checkers(self, checker: Checker, texts: Mapping[str, str]) -> tuple[Checker, Checker]:
        """One that reads launches at the releases they come from, and one that judges them at those moved to.

        The rules whose fixes belong to a move are run there whatever is selected: a move is made as a whole.
        """
        if self._judge is None:
            settings = checker.settings
            versions = {**settings.framework_versions, **self.targets.releases}
            needed = tuple(code for name in names() for code in framework(name).moved_by_rules)
            self._judge = checker.holding({}, replace(settings, framework_versions=versions, needed=needed))
        return checker.holding(texts, judges=False), self._judge.holding(texts)


def _belongs_to_moves(code: str) -> bool:
    """Whether the framework of a rule says that its fixes belong to a move."""
    return any(code in framework(name).moved_by_rules for name in _owners(code))


def _told_by_moves(code: str) -> bool:
    """Whether the framework of a rule says that a move tells what it finds."""
    return any(code in framework(name).told_by_moves for name in _owners(code))


def _owners(code: str) -> set[str]:
    """The frameworks that have a rule of a code."""
    modules = (rule.check.__module__.split(".") for rule in registered() if rule.code == code)
    return {parts[2] for parts in modules if parts[:2] == ["rlhflint", "frameworks"]}


def parsed(texts: Iterable[str]) -> dict[str, str]:
    """Package → release, of texts such as `openrlhf=0.11.2` and `trl=latest`.

    Raises:
        ValueError: a text is not of that form, launches are not moved by the package, or its release is not known.
    """
    from rlhflint.packages.ranges import exact, specifier_of
    from rlhflint.project.settings import parse_versions

    texts = list(texts)
    latest = [text.partition("=")[0].strip() for text in texts if text.partition("=")[2].strip("= ") == "latest"]
    stated = parse_versions(text for text in texts if text.partition("=")[2].strip("= ") != "latest")
    for package, version in stated.items():
        mover = _mover_of(package)
        if exact(specifier_of(version)) is None:
            raise ValueError(f"{package}={version} is no release: give one, such as openrlhf=0.11.2, or latest")
        mover.release_of(package, version)
    return {**stated, **{package: newest_of(package) for package in latest}}


def newest_of(package: str) -> str:
    """The newest known release of a package. Raises `ValueError` for one that launches are not moved by."""
    return _mover_of(package).release_of(package, ">=0")


def _mover_of(package: str) -> Framework:
    """The framework that moves launches to releases of a package. Raises `ValueError`."""
    every = [framework(name) for name in names()]
    for one in every:
        if package in one.moves:
            return one
    movable = listed((moved for one in every for moved in one.moves), "and")
    raise ValueError(f"launches are not moved to a release of {package}, but to those of {movable}")
