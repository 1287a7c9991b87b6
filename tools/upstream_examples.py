#!/usr/bin/env python3
"""Check OpenRLHF's own example commands, tag by tag, and compare with what each tag's own parser says of them.

    python -m tools.upstream_examples GIT_DIRECTORY [--tag v0.6.4]... [--all-findings]

GIT_DIRECTORY is a clone of OpenRLHF (bare or not). The scripts and READMEs of every tag with an `openrlhf` package are
written to a temporary folder and checked for that release; each launch whose words are all known is also put to the
tag's own argument parsing and validation (`tests/oracle`), of train_ppo_ray with its checks before models are loaded.
One line is printed for each tag, one for each launch that upstream refuses and the linter has no error for or the other
way round (errors of a later stage than the parser's are told apart), then, rule by rule, what was found in the accepted
launches and in the scripts as such. The exit status is 1 if upstream and linter disagree, 2 without such a clone.

THIS EXECUTES UPSTREAM'S CODE, as the oracle does; nothing of upstream's is kept.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path

from rlhflint.check import Checker
from rlhflint.finding import Finding, Severity, Stage
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.launch import Launch
from rlhflint.project.settings import Settings
from rlhflint.result import FileResult
from rlhflint.text import Span
from tests.oracle.openrlhf import Verdict, run

FIRST = "0.3.6"
"""The first release with a package of its own: before, programs were scripts."""


@dataclass
class Tally:
    """What was seen: launches by upstream's verdict, disagreements, findings of accepted launches."""

    accepted: int = 0
    refused: int = 0
    unread: int = 0
    """Launches with words that are not known, which upstream cannot be asked about."""
    disagreements: list[str] = field(default_factory=list)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)


def main(arguments: list[str] | None = None) -> int:
    """Run the tool. The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("git_directory", type=Path)
    parser.add_argument("--tag", action="append", help="only this tag; repeatable")
    parser.add_argument("--all-findings", action="store_true", help="print every error and warning, not one of each")
    given = parser.parse_args(arguments)
    wanted = given.tag or list(tags(given.git_directory))
    if not wanted:
        print(f"{given.git_directory} is no clone of OpenRLHF with its tags", file=sys.stderr)
        return 2
    tally = Tally()
    for tag in wanted:
        with tempfile.TemporaryDirectory() as folder:
            compare(given.git_directory, tag, Path(folder), tally, every=given.all_findings)
    print(f"\n{tally.accepted} launches accepted by their release, {tally.refused} refused, {tally.unread} not known")
    for (severity, code), number in sorted(tally.found.items()):
        print(f"{severity:8} {code} {number:5}  {tally.examples[severity, code]}")
    return 1 if tally.disagreements else 0


def tags(directory: Path) -> Iterator[str]:
    """The tags of releases with a package, oldest first."""
    known = openrlhf().releases
    for tag in sorted(_git(directory, "tag").split(), key=lambda tag: known.place(tag.removeprefix("v")).release):
        if tag.removeprefix("v") in known:
            yield tag


def compare(directory: Path, tag: str, folder: Path, tally: Tally, *, every: bool = False) -> None:
    """Check the files of one tag in an empty folder."""
    release = tag.removeprefix("v")
    package = folder / "package.zip"
    _git(directory, "archive", "--format=zip", "-o", str(package), tag, "openrlhf")
    examples = folder / "examples"
    for path in _git(directory, "ls-tree", "-r", "--name-only", tag).splitlines():
        if path.endswith(".sh") or (path.startswith("README") and path.endswith(".md")):
            target = examples / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_git(directory, "show", f"{tag}:{path}"), encoding="utf-8")
    (examples / ".git").mkdir()
    checker = Checker(Settings(select=("ALL",), framework_versions={"openrlhf": release}, markdown=True))
    with chdir(examples):
        result = checker.check(["."])
    before = (tally.accepted, tally.refused, len(tally.disagreements))
    for file in result.files:
        for launch in launches(file):
            _judge(tag, file, launch, _verdict(package, launch), tally, every)
        for finding in file.findings:
            if finding.launch is None:
                _count(f"{tag} {file.path}:{_line(file, finding.span)}", finding, tally, every)
    accepted, refused, disagreements = (
        now - then for now, then in zip((tally.accepted, tally.refused, len(tally.disagreements)), before, strict=True)
    )
    print(f"{tag}: {accepted} accepted, {refused} refused, {disagreements} disagreements", flush=True)


def launches(file: FileResult) -> Iterator[Launch]:
    """The launches of OpenRLHF in a file, those alike on several ways through a script once."""
    seen: set[tuple[str, ...]] = set()
    for judged in file.launches:
        for launch in judged.every or (judged.launch,):
            words = tuple(word.text for word in launch.start.arguments) if launch.start is not None else ()
            if launch.program.startswith("openrlhf:") and (launch.program, *words) not in seen:
                seen.add((launch.program, *words))
                yield launch


def _verdict(package: Path, launch: Launch) -> Verdict | None:
    """What the tag's own parser says; None where a word is not known or the program does not exist."""
    words = launch.start.arguments if launch.start is not None else ()
    program = launch.program.partition(":")[2]
    if not all(word.known for word in words):
        return None
    try:
        return run(package, program, [word.text for word in words], train_body=program == "train_ppo_ray")
    except KeyError:
        return Verdict(program, "reject:raise", "the release has no such program")


def _judge(tag: str, file: FileResult, launch: Launch, verdict: Verdict | None, tally: Tally, every: bool) -> None:
    findings = [one for one in file.findings if one.launch is not None and one.launch.span == launch.span]
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    place = f"{tag} {file.path}:{_line(file, launch.span)}"
    if verdict is None:
        tally.unread += 1
    elif not verdict.accepted:
        tally.refused += 1
        if not errors:
            tally.disagreements.append(place)
            print(f"{place}: upstream alone: {verdict.message}")
        return
    else:
        tally.accepted += 1
    for finding in errors:
        if finding.stage is Stage.PARSE:
            tally.disagreements.append(place)
            print(f"{place}: rlhflint alone: {finding.code} {finding.message}")
        else:
            print(f"{place}: beyond what upstream tests: {finding.code} {finding.message}")
    for finding in findings:
        _count(place, finding, tally, every)


def _count(place: str, finding: Finding, tally: Tally, every: bool) -> None:
    kind = (finding.severity.value, finding.code)
    tally.found[kind] += 1
    tally.examples.setdefault(kind, f"{place}: {finding.message}")
    if every and finding.severity is Severity.WARNING:
        print(f"{place}: {finding.code} {finding.message}")


def _line(file: FileResult, span: Span) -> int:
    source = file.sources.get(span.path)
    return source.text.count("\n", 0, span.start) + 1 if source is not None else 0


def _git(directory: Path, *arguments: str) -> str:
    """What git prints. Raises `CalledProcessError`."""
    environment = {**os.environ, "GIT_DIR": str(directory / ".git" if (directory / ".git").exists() else directory)}
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, env=environment)
    return done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main())
