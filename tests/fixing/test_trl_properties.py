"""What holds for every move of a TRL configuration, whatever it gives."""

from __future__ import annotations

import ast
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rlhflint.check import Checker
from rlhflint.fixing.fixer import Fixer, Outcome
from rlhflint.fixing.migration import Mover, Targets
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.transformers_beside import newest_transformers
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import FileKind
from rlhflint.project.settings import Settings

from .trl_texts import Written, configurations

NEWEST = releases().newest
_CANDIDATE = Candidate("train.py", FileKind.PYTHON)
slow = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.fixture(autouse=True, scope="module")
def _elsewhere() -> Iterator[None]:
    """A folder that says nothing about releases."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        (Path(folder) / ".git").mkdir()
        yield


def moved(text: str, since: str, to: str, *, pin: bool = False) -> Outcome:
    stated = {"trl": since, "transformers": newest_transformers(since)}
    mover = Mover(Targets({"trl": to, "transformers": newest_transformers(to)}, pin))
    return Fixer(Checker(Settings(framework_versions=stated)), False, mover).fix_text(_CANDIDATE, text)


def said(text: str) -> dict[str, object]:
    """What the configuration is given, once each."""
    (call,) = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    names = [one.arg for one in call.keywords]
    assert len(names) == len(set(names)), text
    return {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}


def codes(outcome: Outcome) -> set[str]:
    return {finding.code for finding in outcome.result.findings}


@slow
@given(configurations(), st.booleans())
def test_what_is_written_is_taken_and_what_is_lost_is_named(made: Written, pin: bool) -> None:
    from rlhflint.frameworks.trl.catalog.lookup import config_fields
    from rlhflint.frameworks.trl.catalog.programs import key_at

    outcome = moved(made.text, made.release, NEWEST, pin=pin)
    key = key_at(made.name, NEWEST)
    assert key is not None
    accepted = config_fields(key, NEWEST, newest_transformers(NEWEST))
    told = " ".join(finding.message for finding in outcome.result.findings)
    for name in said(outcome.text):
        assert name in accepted or name in told, (name, outcome.text)
    left = said(outcome.text)
    for name, value in made.given.items():
        assert name in left or name in told or _went_on(made, name, value, left), (name, outcome.text)


def _went_on(made: Written, name: str, value: object, left: dict[str, object]) -> bool:
    """Whether an option that goes without a word is written otherwise, or did nothing."""
    from rlhflint.frameworks.trl.catalog.changes import removal, renames
    from rlhflint.frameworks.trl.catalog.lookup import config_fields
    from rlhflint.frameworks.trl.catalog.programs import key_at

    keys = {key for held in left.values() if isinstance(held, dict) for key in held}
    if any(name.endswith(key) for key in keys):  # fsdp_min_num_params is min_num_params of fsdp_config now
        return True
    base = "transformers:TrainingArguments"
    rows = [*renames(made.name), *renames(base)]
    if any(row.old == name and (row.new in left or value in (None, False)) for row in rows):
        return True
    gone = removal(made.name, name) or removal(base, name)
    default = config_fields(key_at(made.name, made.release) or "", made.release, newest_transformers(made.release))
    same = default[name].default == value or value in (None, False)
    return gone is not None and (gone.ignored or same or name in ("dispatch_batches", "split_batches"))


@slow
@given(configurations(), st.booleans())
def test_a_second_move_changes_nothing(made: Written, pin: bool) -> None:
    once = moved(made.text, made.release, NEWEST, pin=pin)
    again = moved(once.text, made.release, NEWEST, pin=pin)
    assert again.text == once.text


@slow
@given(configurations(), st.data(), st.booleans())
def test_several_releases_in_one_step_give_the_same_as_one_after_the_other(
    made: Written, data: st.DataObject, pin: bool
) -> None:
    order = releases()
    between = data.draw(st.sampled_from(order[order.position(made.release) :]))
    first = moved(made.text, made.release, between, pin=pin)
    assume(not {"RL007", "RL008", "TR606", "TR607", "TR610"} & codes(first))  # its owner has to look at it in between
    at_once = said(moved(made.text, made.release, NEWEST, pin=pin).text)
    in_steps = said(moved(first.text, between, NEWEST, pin=pin).text)
    if pin:  # a default that only the releases between had is written out on the way
        assert at_once.items() <= in_steps.items()
    else:
        assert in_steps == at_once


@slow
@given(configurations())
def test_comments_and_line_ends_stay(made: Written) -> None:
    after = moved(made.text, made.release, NEWEST, pin=True).text
    assert made.text.endswith("\n") == after.endswith("\n")
    assert ("\r\n" in made.text) == ("\r\n" in after)
    assert made.text.count("# ") == after.count("# ")
    ast.parse(after)


@slow
@given(configurations(), st.booleans())
def test_a_fix_puts_its_finding_right_and_adds_none(made: Written, unsafe: bool) -> None:
    stated = {"trl": NEWEST, "transformers": newest_transformers(NEWEST)}
    checker = Checker(Settings(framework_versions=stated))
    before = checker.check_text(made.text, "train.py")
    outcome = Fixer(checker, unsafe).fix_text(_CANDIDATE, made.text)
    after = checker.check_text(outcome.text, "train.py")
    fresh = Counter((one.code, one.settings) for one in after.findings)
    fresh -= Counter((one.code, one.settings) for one in before.findings)
    assert not fresh
    assert Fixer(checker, unsafe).fix_text(_CANDIDATE, outcome.text).text == outcome.text
    if outcome.changed:
        applicable = [one for one in after.findings if one.fix and (unsafe or one.fix.applicability.value == "safe")]
        assert not applicable or "RL007" in codes(outcome)
