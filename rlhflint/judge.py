"""Rules run on a launch or a scene, one by one, each on its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any

from rlhflint.finding import Finding
from rlhflint.judged import Undecided
from rlhflint.records import dataclass
from rlhflint.text import Span
from rlhflint.tool_rules import crashed
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.model import ProgramModel
    from rlhflint.rule import Draft, Rule
    from rlhflint.scene import Scene

_GAP = 240
"""Characters between a name and its value up to which both are underlined together."""


@dataclass(slots=True)
class Verdict:
    """What the rules said of one launch or scene."""

    findings: list[Finding] = field(default_factory=list)
    undecided: list[Undecided] = field(default_factory=list)


def judge_launch(model: ProgramModel, rules: Iterable[Rule]) -> Verdict:
    """Run the rules that look at the launch's program at its release."""
    session, verdict = model.session, Verdict()
    launch = session.launch
    for rule in rules:
        if rule.looks_at(launch.program) and rule.holds_for(session.release):
            for draft in _drafts(rule, model, launch.span, verdict):
                verdict.findings.append(_complete(rule, draft, draft.at or _place(launch, draft), launch))
    return verdict


def judge_scene(scene: Scene, kind: str, rules: Iterable[Rule]) -> Verdict:
    """Run the rules for scenes of a kind: `script`, `commands` or `module`."""
    verdict = Verdict()
    whole = Span(scene.document.source.path, 0, 0)
    for rule in rules:
        if kind in rule.programs:
            for draft in _drafts(rule, scene, whole, verdict):
                verdict.findings.append(_complete(rule, draft, draft.at or whole, None))
    return verdict


def _drafts(rule: Rule, subject: Any, whole: Span, verdict: Verdict) -> Iterator[Draft]:
    try:
        yield from rule.check(subject)
    except Undetermined as missing:
        verdict.undecided.append(Undecided(rule.code, missing.what, missing.because))
    except Exception as error:
        verdict.findings.append(crashed(f"rule {rule.code}", error, whole))


def _complete(rule: Rule, draft: Draft, span: Span, launch: Launch | None) -> Finding:
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=draft.severity or rule.severity,
        stage=draft.stage or rule.stage,
        message=draft.message,
        span=span,
        help=draft.help,
        program=launch.program if launch else "",
        settings=draft.settings,
        related=draft.related,
        versions={name: version.value for name, version in launch.versions.items()} if launch else {},
        conceal=draft.conceal,
        proposal=draft.proposal,
        launch=launch,
    )


def _place(launch: Launch, draft: Draft) -> Span:
    """Where the first of the settings that was given stands, name and value; else the launch."""
    for canonical in draft.settings:
        setting = launch.given(canonical)
        if setting is not None:
            return setting_span(setting.name_span, setting.value_span)
    return launch.span


def setting_span(name: Span, value: Span | None) -> Span:
    """Name and value of a setting as one place, if they stand together; the name alone otherwise."""
    if value is not None and value.path == name.path and 0 <= value.start - name.end <= _GAP:
        return name.to(value)
    return name
