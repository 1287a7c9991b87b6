import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.finding import Finding, Severity, Stage
from rlhflint.result import FileResult, Result
from rlhflint.suppress.baseline import Baseline, Known, WrongBaseline, baseline_of, let_through, pruned, read, written
from rlhflint.text import Span


def finding(path: str = "a.sh", start: int = 0, code: str = "OR203", settings: tuple[str, ...] = ("x",), **more):
    return Finding(
        code, "name", Severity.ERROR, Stage.STARTUP, "m", Span(path, start, start + 1), settings=settings, **more
    )


def run(*findings: Finding, **files: dict) -> Result:
    """A run over the files that the findings lie in."""
    paths = dict.fromkeys(one.span.path for one in findings)
    return Result(
        tuple(FileResult(path, findings=tuple(one for one in findings if one.span.path == path)) for path in paths)
    )


def test_everything_that_was_found_is_let_through():
    made = run(finding(), finding(start=5), finding("b.sh"), finding(code="LA111", settings=()))
    again = let_through(made, read(written(baseline_of(made))))
    assert again.findings == ()
    assert [file.known for file in again.files] == [3, 1]
    assert again.summary()["known"] == 4


def test_finding_on_another_line_is_still_known():
    baseline = baseline_of(run(finding(start=5)))
    assert let_through(run(finding(start=500)), baseline).findings == ()


@pytest.mark.parametrize(
    "other", [finding("b.sh"), finding(code="OR204"), finding(settings=("y",)), finding(settings=())]
)
def test_other_file_rule_or_settings_are_new(other):
    baseline = baseline_of(run(finding()))
    assert let_through(run(other), baseline).findings == (other,)


def test_order_of_settings_does_not_count():
    baseline = baseline_of(run(finding(settings=("x", "y"))))
    assert let_through(run(finding(settings=("y", "x"))), baseline).findings == ()


def test_more_than_are_known_are_told_with_a_word_on_the_known_ones():
    baseline = baseline_of(run(finding(), finding()))
    (new,) = let_through(run(finding(start=1), finding(start=2), finding(start=3, help="do it")), baseline).findings
    assert new.span.start == 3
    assert new.help == "do it\nthe baseline knows 2 of 3 such findings in this file; the new one may be another"


def test_file_that_was_not_checked_is_never_known():
    made = run(finding(code="RL001", settings=()), finding(code="RL003", settings=()))
    assert baseline_of(made) == Baseline({})
    assert len(let_through(made, Baseline({Known("a.sh", "RL001", ()): 1})).findings) == 2


def test_paths_are_relative_to_the_folder_of_the_baseline():
    made = run(finding("runs/a.sh"))
    assert list(baseline_of(made, "runs").counts) == [Known("a.sh", "OR203", ("x",))]
    assert list(baseline_of(made, "ci").counts) == [Known("../runs/a.sh", "OR203", ("x",))]
    assert let_through(run(finding("a.sh")), baseline_of(made, "."), "..").findings != ()
    assert let_through(run(finding("../runs/a.sh")), baseline_of(made), "..").findings == ()


def test_secret_of_a_known_finding_stays_hidden():
    made = run(finding(code="LA111", conceal=True))
    assert let_through(made, baseline_of(made)).files[0].secrets == (Span("a.sh", 0, 1),)


def test_fixed_findings_are_pruned():
    baseline = baseline_of(run(finding(), finding(), finding(code="OR204"), finding("b.sh"), finding("gone.sh")))
    result = Result((FileResult("a.sh", findings=(finding(),)),))
    kept = pruned(baseline, result, exists=lambda path: path != "gone.sh")
    assert kept.counts == {Known("a.sh", "OR203", ("x",)): 1, Known("b.sh", "OR203", ("x",)): 1}


def test_nothing_is_pruned_of_a_file_that_could_not_be_checked():
    baseline = baseline_of(run(finding()))
    assert pruned(baseline, Result((FileResult("a.sh", broken=True),))) == baseline


def test_nothing_is_added_by_pruning():
    baseline = baseline_of(run(finding()))
    assert pruned(baseline, run(finding(), finding(), finding(code="OR204"))) == baseline


def test_text_is_sorted_and_says_what_it_is():
    text = written(baseline_of(run(finding("b.sh"), finding(code="OR204"), finding(), finding())))
    assert json.loads(text) == {
        "version": 1,
        "findings": [
            {"path": "a.sh", "code": "OR203", "settings": ["x"], "count": 2},
            {"path": "a.sh", "code": "OR204", "settings": ["x"], "count": 1},
            {"path": "b.sh", "code": "OR203", "settings": ["x"], "count": 1},
        ],
    }
    assert text == written(baseline_of(run(finding(), finding(code="OR204"), finding(), finding("b.sh"))))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("<<<<<<< HEAD\n{}", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "no baseline"),
        ('{"findings": {}}', "no baseline"),
        ('{"version": 2, "findings": []}', "version 2"),
        ('{"findings": []}', "version None"),
        ('{"version": 1, "findings": [1]}', "entry 1"),
        ('{"version": 1, "findings": [{"path": "a", "code": "b", "settings": [], "count": 0}]}', "entry 1"),
        ('{"version": 1, "findings": [{"path": "a", "code": "b", "settings": [1], "count": 1}]}', "entry 1"),
        ('{"version": 1, "findings": [{"path": "a", "code": 2, "settings": [], "count": 1}]}', "entry 1"),
        ('{"version": 1, "findings": [{"path": "a", "code": "b", "settings": [], "count": true}]}', "entry 1"),
    ],
)
def test_what_is_no_baseline_is_refused_in_words(text, words):
    with pytest.raises(WrongBaseline, match=words):
        read(text)


@given(st.lists(st.tuples(st.sampled_from(["a.sh", "b c/ä.sh"]), st.sampled_from(["OR1", "LA2"]), st.integers(0, 9))))
def test_any_findings_are_known_once_they_are_written_down_and_new_ones_are_counted(found):
    made = run(*(finding(path, start, code) for path, code, start in found))
    baseline = read(written(baseline_of(made)))
    assert let_through(made, baseline).findings == ()
    twice = Result(tuple(FileResult(file.path, findings=file.findings * 2) for file in made.files))
    assert len(let_through(twice, baseline).findings) == len(found)
    assert pruned(baseline, made) == baseline
