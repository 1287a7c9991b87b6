"""The whole pipeline as a target: a check, fixing, moving to other releases, a trial, and what a log shows."""

from __future__ import annotations

from collections.abc import Callable

from tools.fuzz.holds import Broken, no_crash, stays_valid

NAMES = {
    "shell": "a.sh",
    "python": "a.py",
    "yaml": "a.yaml",
    "notebook": "a.ipynb",
    "dockerfile": "Dockerfile",
    "makefile": "Makefile",
    "markdown": "a.md",
}
"""A file of each kind that is looked for launches."""


def check(kind: str) -> Callable[[str], None]:
    """A check of a file of this kind: nothing fails, and findings lie inside of their texts."""

    def run(text: str) -> None:
        from rlhflint.check import Checker
        from rlhflint.project.settings import Settings

        result = Checker(Settings(markdown=True)).check_text(text, NAMES[kind])
        no_crash(result.findings)
        for finding in result.findings:
            source = result.sources.get(finding.span.path)
            if source is not None and not 0 <= finding.span.start <= finding.span.end <= len(source.text):
                raise Broken(f"{finding.code} lies outside of the text: {finding.span}")

    return run


def fix(kind: str) -> Callable[[str], None]:
    """Fixing: what was valid stays valid, a second round has nothing more to do."""

    def run(text: str) -> None:
        from rlhflint.check import Checker
        from rlhflint.fixing.fixer import Fixer
        from rlhflint.project.discovery import Candidate
        from rlhflint.project.kinds import FileKind
        from rlhflint.project.settings import Settings

        settings = Settings(markdown=True)
        candidate = Candidate(NAMES[kind], FileKind(kind))
        for unsafe in (False, True):
            outcome = Fixer(Checker(settings), unsafe=unsafe).fix_text(candidate, text)
            no_crash(outcome.result.findings)
            if not outcome.changed and outcome.text != text:
                raise Broken("a text was changed and nobody told")
            stays_valid(kind, text, outcome.text)
            if outcome.settled and outcome.changed:
                again = Fixer(Checker(settings), unsafe=unsafe).fix_text(candidate, outcome.text)
                if again.changed:
                    raise Broken(f"a second round of fixing changes something: {outcome.text!r}"[:2_000])

    return run


def move(kind: str) -> Callable[[str], None]:
    """Moving to other releases, as `rlhflint plan` and `fix --to` do: what was valid stays valid."""

    def run(text: str) -> None:
        from rlhflint.check import Checker
        from rlhflint.fixing.fixer import Fixer
        from rlhflint.fixing.migration import Mover
        from rlhflint.migration import Targets
        from rlhflint.project.discovery import Candidate
        from rlhflint.project.kinds import FileKind
        from rlhflint.project.settings import Settings

        candidate = Candidate(NAMES[kind], FileKind(kind))
        for openrlhf, trl in (("0.11.3", "1.0.0"), ("0.6.0", "0.12.0")):
            targets = Targets({"openrlhf": openrlhf, "trl": trl}, unsafe=True)
            moved = Fixer(Checker(Settings(markdown=True)), True, Mover(targets)).fix_text(candidate, text)
            no_crash(moved.result.findings)
            stays_valid(kind, text, moved.text)

    return run


def rehearse(text: str) -> None:
    """Launches of a script made small for a trial, as `rlhflint explain --dry-run` does."""
    import os

    from rlhflint.check import Checker
    from rlhflint.explain.rehearsal import NoRehearsal, rehearsal
    from rlhflint.project.discovery import Candidate
    from rlhflint.project.kinds import FileKind
    from rlhflint.project.settings import Settings

    candidate = Candidate("a.sh", FileKind.SHELL)
    checker = Checker(Settings()).holding({os.path.abspath("a.sh"): text})
    result = checker.check_file(candidate)
    for number in range(len(result.launches[:2]) if result is not None else 0):
        try:
            stays_valid("shell", text, rehearsal(checker, candidate, [number]).text)
        except NoRehearsal:
            continue


def log(text: str) -> None:
    """What a log shows, as `rlhflint explain` tells it."""
    from rlhflint.explain.answer import Answer, as_object, render
    from rlhflint.explain.symptoms import nearest, signs
    from rlhflint.reports.printable import json_text
    from rlhflint.rules import load_all

    found = signs(text)
    lines = len(text.splitlines()) or 1
    for sign in found:
        if not 1 <= sign.line <= lines:
            raise Broken(f"{sign.symptom.name} at line {sign.line} of {lines}")
    answer = Answer(found, {rule.code: rule.name for rule in load_all()}, {}, log=True)
    render(answer).encode("utf-8")
    json_text(as_object(answer)).encode("utf-8")
    nearest(text[:200], ["kl-explodes"])
