import json

from rlhflint.finding import Severity
from rlhflint.reports.formats import render
from rlhflint.reports.links import rule_url
from rlhflint.result import Result
from tests.reports.made import finding, marked, notebook, one_file, result


def test_finding_is_an_issue_with_place_and_fingerprint():
    (entry,) = json.loads(render("gitlab", result("a\n⟦b\nc⟧", help="put it right")))
    assert len(entry["fingerprint"]) == 64
    assert entry == {
        "type": "issue",
        "check_name": "OR203",
        "description": "OR203: asynchronous training needs engines of its own",
        "content": {"body": f"put it right\n\n{rule_url('OR203')}"},
        "categories": ["Bug Risk"],
        "severity": "critical",
        "fingerprint": entry["fingerprint"],
        "location": {"path": "train.sh", "lines": {"begin": 2, "end": 3}},
    }


def test_severities_are_those_of_gitlab():
    source, span = marked("⟦a⟧")
    made = one_file(source, *(finding(span, severity=severity) for severity in Severity))
    assert [one["severity"] for one in json.loads(render("gitlab", made))] == ["critical", "major", "minor"]


def test_findings_that_are_alike_have_fingerprints_of_their_own():
    source, span = marked("⟦a⟧")
    entries = json.loads(render("gitlab", one_file(source, finding(span), finding(span))))
    assert entries[0]["fingerprint"] != entries[1]["fingerprint"]


def test_nothing_found_is_an_empty_list():
    assert json.loads(render("gitlab", Result())) == []


def test_place_in_a_notebook_names_the_cell():
    source, span = notebook('{"cells": [\n{"source": [\n"a\\n",\n"⟦b⟧"]}]}')
    (entry,) = json.loads(render("gitlab", one_file(source, finding(span))))
    assert entry["location"]["lines"] == {"begin": 4, "end": 4}
    assert entry["description"].endswith("(cell 1, line 2)")
