"""What holds for every fix and every move, whatever a launch looks like."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import Counter
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rlhflint.check import Checker
from rlhflint.fixing.diff import unified
from rlhflint.fixing.fixer import Fixer, Outcome
from rlhflint.fixing.migration import Mover
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.migration import Targets
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import FileKind
from rlhflint.project.settings import Settings

from .scripts import Made, launches

NEWEST = openrlhf().newest
_CANDIDATE = Candidate("train.sh", FileKind.SHELL)
slow = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.fixture(autouse=True, scope="module")
def _elsewhere() -> object:
    """A folder that says nothing about releases."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        (Path(folder) / ".git").mkdir()
        yield


def moved(text: str, since: str, to: str, *, pin: bool = False, unsafe: bool = False) -> Outcome:
    checker = Checker(Settings(framework_versions={"openrlhf": since}))
    return Fixer(checker, unsafe, Mover(Targets({"openrlhf": to}, pin, unsafe))).fix_text(_CANDIDATE, text)


def fixed(text: str, release: str, *, unsafe: bool = False, **more: object) -> Outcome:
    checker = Checker(Settings(framework_versions={"openrlhf": release}, **more))  # type: ignore[arg-type]
    return Fixer(checker, unsafe).fix_text(_CANDIDATE, text)


def words(text: str, release: str) -> list[tuple[str, ...]]:
    """Name and values of each setting of the launch, sorted."""
    checker = Checker(Settings(framework_versions={"openrlhf": release}))
    (judged,) = checker.check_text(text, "train.sh").launches
    return sorted((one.name, *(text.text for text in one.text)) for one in judged.launch.settings)


def withheld(outcome: Outcome) -> list[str]:
    return [finding.message for finding in outcome.result.findings if finding.code == "RL007"]


@slow
@given(launches())
def test_a_move_reaches_every_flag(made: Made) -> None:
    outcome = moved(made.text, made.release, NEWEST)
    assert not withheld(outcome), made.text
    program = openrlhf().program(made.program)
    told = {finding.span.start for finding in outcome.result.findings if finding.code.startswith("OR60")}
    for name, *_ in words(outcome.text, NEWEST):
        assert program.accepts(name, NEWEST) or told, (name, outcome.text)


@slow
@given(launches(), st.data())
def test_several_releases_in_one_step_give_the_same_as_one_after_the_other(made: Made, data: st.DataObject) -> None:
    releases = openrlhf().releases
    between = data.draw(st.sampled_from(releases[releases.position(made.release) :]))
    to = data.draw(st.sampled_from(releases[releases.position(between) :]))
    first = moved(made.text, made.release, between)
    assume("RL008" not in {finding.code for finding in first.result.findings})  # its owner has to look at it in between
    at_once = moved(made.text, made.release, to).text
    assert words(moved(first.text, between, to).text, to) == words(at_once, to)


@slow
@given(launches())
def test_a_second_move_changes_nothing(made: Made) -> None:
    once = moved(made.text, made.release, NEWEST)
    again = moved(once.text, made.release, NEWEST)
    assert again.text == once.text
    assert not again.changed


@slow
@given(launches())
def test_text_outside_of_the_edits_stays(made: Made) -> None:
    """Comments, blanks, line ends, everything that is no flag: what is left without words of flags is the same."""
    before, after = made.text, moved(made.text, made.release, NEWEST).text
    assert after.count("\n") - after.count("\r\n") == 0 or "\r\n" not in before
    assert before.endswith("\n") == after.endswith("\n")
    comments = [line for line in before.splitlines() if line.startswith("#")]
    assert comments == [line for line in after.splitlines() if line.startswith("#")]
    trailing = Counter(line.partition("   # ")[2] for line in before.splitlines() if "   # " in line)
    kept = Counter(line.partition("# ")[2] for line in after.splitlines() if " # " in line)
    assert trailing == kept


@slow
@given(launches(), st.sampled_from(["0.9.9", "0.10.2", "0.11.1", NEWEST]), st.booleans())
def test_a_fix_puts_its_finding_right_and_adds_none(made: Made, release: str, unsafe: bool) -> None:
    checker = Checker(Settings(framework_versions={"openrlhf": release}))
    before = checker.check_text(made.text, "train.sh")
    outcome = fixed(made.text, release, unsafe=unsafe)
    after = checker.check_text(outcome.text, "train.sh")
    fresh = Counter((one.code, one.settings) for one in after.findings)
    fresh -= Counter((one.code, one.settings) for one in before.findings)
    assert not fresh
    if outcome.changed:
        applicable = [one for one in after.findings if one.fix and (unsafe or one.fix.applicability.value == "safe")]
        assert not applicable or withheld(outcome)
    assert fixed(outcome.text, release, unsafe=unsafe).text == outcome.text


@slow
@given(launches(), st.permutations(["OR6", "OR1", "OR2", "OR3", "LA", "RL"]))
def test_the_order_of_select_does_not_matter(made: Made, order: list[str]) -> None:
    assert (
        fixed(made.text, NEWEST, select=tuple(order)).text == fixed(made.text, NEWEST, select=tuple(sorted(order))).text
    )


@slow
@given(launches())
def test_patch_applied_to_the_old_text_gives_the_new_one(made: Made) -> None:
    if shutil.which("patch") is None:
        pytest.skip("patch is not installed")
    after = moved(made.text, made.release, NEWEST).text
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.sh"
        path.write_bytes(made.text.encode())
        difference = unified("train.sh", made.text, after)
        subprocess.run(
            ["patch", "-p1", "--binary", "--quiet"], input=difference.encode(), cwd=folder, check=bool(difference)
        )
        assert path.read_bytes() == after.encode()
