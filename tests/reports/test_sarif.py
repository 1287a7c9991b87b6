import json
from pathlib import Path

import pytest
from jsonschema import Draft4Validator

from rlhflint.finding import Applicability, Edit, Fix, Related, Severity
from rlhflint.reports.formats import Options, render
from rlhflint.result import FileResult, Result
from rlhflint.rule import ERROR, STARTUP, registered, rule
from rlhflint.source import Source
from rlhflint.text import Span
from tests.reports.made import finding, marked, notebook, one_file, result

SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-schema-2.1.0.json").read_text("utf-8"))


def run(made: Result, **options) -> dict:
    """The single run of the report, which the schema accepts."""
    report = json.loads(render("sarif", made, Options(**options)))
    errors = [error.message for error in Draft4Validator(SCHEMA).iter_errors(report)]
    assert errors == []
    assert report["version"] == "2.1.0"
    (only,) = report["runs"]
    return only


def place(found: dict) -> dict:
    return found["locations"][0]["physicalLocation"]


@pytest.fixture
def documented():
    """A rule that is the only one in the registry while the test runs."""
    from rlhflint import rule as module

    before = list(registered())
    module._registry.clear()

    @rule("OR203", "async-with-colocate-all", severity=ERROR, stage=STARTUP, programs="openrlhf:train_ppo_ray")
    def check(model):
        """Asynchronous training needs engines of its own.

        What happens: It stops at startup.
        Why: `train.async_enable` is refused (train_ppo_ray.py@0.11.2).
        """
        yield from ()

    yield
    module._registry[:] = before


def test_schema_refuses_what_is_no_report():
    assert list(Draft4Validator(SCHEMA).iter_errors({"version": "2.1.0", "runs": [{"tool": {}}]}))


def test_empty_result_is_a_run_without_results():
    only = run(Result())
    assert only["results"] == []
    assert only["invocations"] == [{"executionSuccessful": True}]


def test_finding_has_place_level_and_properties():
    only = run(result("a \\\n  ⟦--b⟧ 1\n", versions={"openrlhf": "0.11.2"}))
    (found,) = only["results"]
    assert found["level"] == "error"
    assert place(found) == {
        "artifactLocation": {"uri": "train.sh", "uriBaseId": "%SRCROOT%"},
        "region": {
            "startLine": 2,
            "startColumn": 3,
            "endLine": 2,
            "endColumn": 6,
            "snippet": {"text": "--b"},
        },
    }
    assert found["properties"]["settings"] == ["train.async_enable"]
    assert found["properties"]["versions"] == {"openrlhf": "0.11.2"}
    assert "%SRCROOT%" in only["originalUriBaseIds"]


def test_columns_are_counted_in_code_points_as_the_run_says():
    only = run(result("\U0001f600e\u0301 ⟦x⟧"))
    assert only["columnKind"] == "unicodeCodePoints"
    assert place(only["results"][0])["region"]["startColumn"] == 5


@pytest.mark.parametrize(
    ("severity", "level"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.ADVICE, "note")]
)
def test_severities_become_levels(severity, level):
    assert run(result("⟦a⟧", severity=severity))["results"][0]["level"] == level


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("my runs/ä#1?.sh", "my%20runs/%C3%A4%231%3F.sh"),
        ("a:b/c%20.sh", "a%3Ab/c%2520.sh"),
        ("../other/a.sh", "../other/a.sh"),
        ("caf\udce9.sh", "caf%E9.sh"),
    ],
)
def test_paths_become_relative_uris(path, uri):
    location = place(run(result("⟦a⟧", path))["results"][0])["artifactLocation"]
    assert location == {"uri": uri, "uriBaseId": "%SRCROOT%"}


def test_absolute_path_stands_alone():
    location = place(run(result("⟦a⟧", "/srv/a b.sh"))["results"][0])["artifactLocation"]
    assert location == {"uri": "file:///srv/a%20b.sh"}


def test_rule_is_described_by_its_own_record(documented):
    (described,) = run(result("⟦a⟧"))["tool"]["driver"]["rules"]
    assert described["id"] == "OR203"
    assert described["name"] == "async-with-colocate-all"
    assert described["helpUri"].endswith("/OR203.md")
    assert described["shortDescription"] == {"text": "Asynchronous training needs engines of its own."}
    assert "refused" in described["help"]["text"]
    assert "## What happens\n\nIt stops at startup." in described["help"]["markdown"]
    assert described["defaultConfiguration"] == {"level": "error"}


def test_rule_without_a_record_is_named(documented):
    source, span = marked("⟦a⟧")
    only = run(one_file(source, finding(span), finding(span, code="ZZ999", name="unheard-of")))
    assert [one["id"] for one in only["tool"]["driver"]["rules"]] == ["OR203", "ZZ999"]
    assert [one["ruleIndex"] for one in only["results"]] == [0, 1]


def test_fix_is_a_change_of_regions_file_by_file():
    source, span = marked("a ⟦b⟧\nc\n")
    common = Source("common.sh", "X=1\n")
    edits = (Edit(Span("common.sh", 2, 3), "2"), Edit(Span("train.sh", 4, 4), "z"), Edit(span, ""))
    made = one_file(source, finding(span, fix=Fix("Put it right", Applicability.SAFE, edits)))
    made.files[0].sources["common.sh"] = common
    (fix,) = run(made)["results"][0]["fixes"]
    assert fix["description"]["text"] == "Put it right (safe)"
    first, second = fix["artifactChanges"]
    assert first["artifactLocation"]["uri"] == "common.sh"
    assert second["replacements"] == [
        {
            "deletedRegion": {"startLine": 1, "startColumn": 3, "endLine": 1, "endColumn": 4},
            "insertedContent": {"text": ""},
        },
        {
            "deletedRegion": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 1},
            "insertedContent": {"text": "z"},
        },
    ]


def test_fix_in_a_file_that_is_not_at_hand_is_left_out():
    source, span = marked("⟦a⟧")
    fix = Fix("x", Applicability.SAFE, (Edit(Span("gone.sh", 0, 1), ""),))
    assert "fixes" not in run(one_file(source, finding(span, fix=fix)))["results"][0]


def test_related_places_are_numbered():
    source, span = marked("a ⟦b⟧\n")
    related = tuple(Related(Span("train.sh", 0, 1), text) for text in ("one", "two"))
    found = run(one_file(source, finding(span, related=related)))["results"][0]
    assert [(one["id"], one["message"]["text"]) for one in found["relatedLocations"]] == [(1, "one"), (2, "two")]


def test_place_in_a_notebook_is_that_of_its_text_and_the_message_names_the_cell():
    source, span = notebook('{"cells": [\n{"source": [\n"a\\n",\n"⟦b⟧"]}]}')
    found = run(one_file(source, finding(span)))["results"][0]
    assert place(found)["region"]["startLine"] == 4
    assert place(found)["region"]["startColumn"] == 2
    assert found["message"]["text"].endswith("\n(cell 1, line 2)")


def fingerprints(made: Result) -> list[str]:
    return [one["partialFingerprints"]["rlhflint/v1"] for one in run(made)["results"]]


def test_fingerprint_stays_when_lines_move_and_values_change():
    before = result("a ⟦--async 1⟧\n")
    after = result("# new\n\n\na \\\n   ⟦--async 2⟧\n", message="worded anew")
    assert fingerprints(before) == fingerprints(after)


@pytest.mark.parametrize(
    "changes", [{"code": "OR204"}, {"settings": ("train.other",)}, {"program": "openrlhf:train_sft"}]
)
def test_fingerprint_tells_rules_settings_and_programs_apart(changes):
    assert fingerprints(result("⟦a⟧")) != fingerprints(result("⟦a⟧", **changes))


def test_fingerprint_tells_files_apart():
    assert fingerprints(result("⟦a⟧", "a.sh")) != fingerprints(result("⟦a⟧", "b.sh"))


def test_findings_that_are_alike_have_fingerprints_of_their_own():
    source, span = marked("⟦a⟧")
    assert len(set(fingerprints(one_file(source, *[finding(span)] * 3)))) == 3


def test_finding_without_settings_is_known_by_its_text():
    assert fingerprints(result("⟦a  b⟧", settings=())) == fingerprints(result("\n ⟦a b⟧", settings=()))
    assert fingerprints(result("⟦a⟧", settings=())) != fingerprints(result("⟦b⟧", settings=()))


def test_statistics_are_properties_of_the_run():
    assert run(result("⟦a⟧"), statistics=True)["properties"] == {"statistics": {"OR203": 1}}


def test_run_in_which_a_file_broke_says_so():
    made = Result((FileResult("a.sh", broken=True),))
    assert run(made)["invocations"] == [{"executionSuccessful": False}]
