"""One file checked: its launches judged way by way, its scripts and modules as scenes, the findings sorted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from rlhflint.command import BEYOND
from rlhflint.finding import Finding, Severity
from rlhflint.fixing.proposals import with_fix
from rlhflint.frameworks import framework
from rlhflint.judge import Verdict, judge_launch, judge_scene
from rlhflint.judged import Judged, Undecided
from rlhflint.project.kinds import FileKind
from rlhflint.project.places import shown
from rlhflint.reading import read_document
from rlhflint.records import dataclass
from rlhflint.registry import abouts
from rlhflint.result import FileResult
from rlhflint.rule import Rule, registered
from rlhflint.rules import load
from rlhflint.scene import Scene
from rlhflint.source import Source
from rlhflint.stages import Stage
from rlhflint.text import Span
from rlhflint.tool_rules import BROKEN, CRASHED, crashed, releases_unreadable
from rlhflint.ways import Way, merge

if TYPE_CHECKING:
    from rlhflint.document import Document
    from rlhflint.launch import Launch
    from rlhflint.model import ProgramModel
    from rlhflint.reading import Readings
    from rlhflint.site import Site


@dataclass
class FileCheck:
    """The check of one file.

    `names` are the frameworks that its bytes make likely. Without `judges` its launches are only read. `readings` keeps
    the document for another check of the same text.
    """

    source: Source
    kind: FileKind
    site: Site
    names: Sequence[str]
    judges: bool = True
    readings: Readings | None = None
    _findings: list[Finding] = field(default_factory=list)
    _ways: dict[int, tuple[Launch, ...]] = field(default_factory=dict)
    """All ways to a launch, by the identity of each."""
    _told: dict[str, bool] = field(default_factory=dict)
    """Whether findings of a code are told."""

    def run(self) -> FileResult:
        """All that is found in the file."""
        with Stage("reading"):
            document = self._read()
        if document is None:
            sources = {self.source.path: self.source}
            return FileResult(self.source.path, sources, tuple(self._findings), broken=True, crashed=True)
        self.site = replace(self.site, scripts=document.scripts)
        with Stage("launches"):
            launches = [(name, launch) for name in self.names for launch in self._launches(name, document)]
        with Stage("rules"):
            judged = [self._judge(ways) for ways in _by_place(launches)]
            self._scenes(document, [launch for _, launch in launches])
            return self._found(document, launches, judged)

    def _found(
        self, document: Document, launches: Sequence[tuple[str, Launch]], judged: Sequence[Judged]
    ) -> FileResult:
        """What was found, as far as it is told of this file."""
        self._releases(document)
        broken = any(finding.code in BROKEN for finding in self._findings)
        kept = [
            self._severity(with_fix(one, document.sources, self._ways.get(id(one.launch), ())))
            for one in self._findings
            if self._selected(one.code) and self._here(one)
        ]
        kept, suppressed = self._unsuppressed(document, kept, judged)
        return FileResult(
            self.source.path,
            dict(document.sources),
            tuple(sorted(dict.fromkeys(kept), key=_order)),
            tuple(judged),
            suppressed=suppressed,
            secrets=tuple(finding.span for finding in self._findings if finding.conceal),
            broken=broken,
            crashed=any(finding.code == CRASHED.code for finding in self._findings),
            document=document if launches else None,
        )

    def _here(self, finding: Finding) -> bool:
        """Whether a finding is told of this file: of a YAML file those in it, not those of the command that uses it."""
        return self.kind is not FileKind.YAML or finding.span.path == self.source.path

    def _unsuppressed(
        self, document: Document, findings: list[Finding], judged: Sequence[Judged]
    ) -> tuple[list[Finding], int]:
        """The findings that no comment lets through, those about the comments included, and how many one does."""
        from rlhflint.suppress.comment import may_suppress

        if not self.judges or not any(may_suppress(source.text) for source in document.sources.values()):
            return findings, 0
        from rlhflint.rules import load_all
        from rlhflint.suppress.apply import decided, suppress
        from rlhflint.suppress.suppression import Policy

        config, every = self.site.config, load_all()
        names = {rule.code: rule.name for rule in every}
        # What a YAML file says may count for commands of other programs, in other files.
        run = () if self.kind is FileKind.YAML else [rule for rule in every if self._would_run(rule)]
        policy = Policy(names, decided(self._rules, judged, run), config.is_mandatory, config.require_reason)
        outcome = suppress(document, findings, policy)
        own = [self._severity(one) for one in outcome.own if self._selected(one.code)]
        return [*outcome.kept, *own], len(outcome.suppressed)

    def _read(self) -> Document | None:
        try:
            read = partial(read_document, self.source, self.kind, self.site.files, self._watches)
            return (
                read() if self.readings is None else self.readings.get(self.source, self.names, self.site.files, read)
            )
        except Exception as error:
            self._findings.append(crashed("the reader", error, Span(self.source.path, 0, 0)))
            return None

    def _launches(self, name: str, document: Document) -> list[Launch]:
        try:
            return list(framework(name).launches(document, self.site))
        except Exception as error:
            self._findings.append(crashed(f"the reader of {name} launches", error, Span(self.source.path, 0, 0)))
            return []

    def _watches(self, path: str) -> bool:
        return any(framework(name).watches(path) for name in self.names)

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        """The rules that are run on this file."""
        if not self.judges:
            return ()
        return tuple(rule for rule in load(self.names) if self._enabled(rule.code, on=rule.on))

    def _would_run(self, rule: Rule) -> bool:
        """Whether a rule is run on this file as soon as it has a launch of the rule's framework."""
        left_alone = {about.name for about in abouts() if about.experimental} - self.site.config.experimental
        frameworks = {one.partition(":")[0] for one in rule.programs}
        return left_alone.isdisjoint(frameworks) and self._enabled(rule.code, on=rule.on)

    def _selected(self, code: str) -> bool:
        if code not in self._told:
            on = next((rule.on for rule in registered() if rule.code == code), True)
            self._told[code] = code == CRASHED.code or self._enabled(code, on=on)
        return self._told[code]

    def _enabled(self, code: str, *, on: bool) -> bool:
        return self.site.config.enabled(code, on=on, path=self.site.path)

    def _severity(self, finding: Finding) -> Finding:
        chosen = self.site.config.severity_of(finding.code)
        return replace(finding, severity=Severity(chosen)) if chosen else finding

    def _judge(self, ways: Sequence[tuple[str, Launch]]) -> Judged:
        """Judge one launch on every way that leads to it."""
        found: list[tuple[Way, list[Finding]]] = []
        undecided: dict[Undecided, None] = {}
        for name, launch in ways:
            verdict = self._verdict(name, launch)
            found.append((launch.choices, verdict.findings))
            undecided |= dict.fromkeys(verdict.undecided)
        complete = all(launch.command is None or not launch.command.partial for _, launch in ways)
        self._findings += merge(found, complete=complete)
        every = tuple(launch for _, launch in ways)
        self._ways |= {id(launch): every for launch in every}
        return Judged(ways[0][1], tuple(undecided), len(ways), every)

    def _verdict(self, name: str, launch: Launch) -> Verdict:
        if not self.judges:
            return Verdict([])
        try:
            model: ProgramModel = framework(name).model(launch, self.site)
        except Exception as error:
            return Verdict([crashed("the typed model", error, launch.span)])
        return judge_launch(model, self._rules)

    def _scenes(self, document: Document, launches: Sequence[Launch]) -> None:
        """Judge what is not about one launch: each script that holds one, the commands of all, and the module."""
        for kind, scene in _scenes(document, launches, self.site):
            verdict = judge_scene(scene, kind, self._rules)
            self._findings += verdict.findings

    def _releases(self, document: Document) -> None:
        """What could not be understood where releases are stated, if a launch wanted to know them."""
        for place, message in self.site.declared.troubles if self.site.asked else ():
            path = shown(place.path)
            if path not in document.sources:
                document.sources[path] = Source(path, self.site.files.text(path) or "")
            start = document.sources[path].start_of_line(place.line)
            self._findings.append(releases_unreadable(Span(path, start, start), message))


def _by_place(launches: Sequence[tuple[str, Launch]]) -> list[list[tuple[str, Launch]]]:
    """The launches, all ways to the same one together."""
    found: dict[tuple[object, ...], list[tuple[str, Launch]]] = defaultdict(list)
    for name, launch in launches:
        command = launch.command
        place = (command.span, tuple(words[0].span for words in command.within)) if command is not None else ()
        found[(launch.program, launch.span, place)].append((name, launch))
    return list(found.values())


def _scenes(document: Document, launches: Sequence[Launch], site: Site) -> Iterator[tuple[str, Scene]]:
    for script in document.scripts:
        inside = tuple(launch for launch in launches if launch.script is script)
        if inside:
            yield "script", Scene(document, inside, site, script)
        elif any(problem.kind in BEYOND for problem in script.problems):
            yield "unread", Scene(document, inside, site, script)
        if script.commands:
            yield "commands", Scene(document, inside, site, script)
    module = document.module
    if module is not None and (module.imports or module.problems):
        yield "module", Scene(document, tuple(launches), site)
    if document.keys is not None and any(problem.kind in BEYOND for problem in document.keys.problems):
        yield "unread", Scene(document, tuple(launches), site)


def _order(finding: Finding) -> tuple[str, int, int, str]:
    return finding.span.path, finding.span.start, -finding.severity.rank, finding.code
