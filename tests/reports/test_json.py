import json

from rlhflint.finding import Applicability, Edit, Fix, Related
from rlhflint.reports.formats import Options, render
from rlhflint.source import Source
from rlhflint.text import Span
from tests.reports.made import finding, marked, notebook, one_file, result


def test_finding_has_the_keys_of_the_interface():
    source, span = marked("a \\\n  ⟦--b⟧ 1\n")
    fix = Fix("Remove it", Applicability.SAFE, (Edit(span, ""),))
    one = finding(span, fix=fix, related=(Related(Span("train.sh", 0, 1), "here"),), versions={"openrlhf": "0.11.2"})
    report = json.loads(render("json", one_file(source, one)))
    assert report["schema_version"] == 1
    assert report["tool"]["name"] == "rlhflint"
    (found,) = report["findings"]
    assert found == {
        "code": "OR203",
        "name": "async-with-colocate-all",
        "severity": "error",
        "stage": "startup",
        "message": "asynchronous training needs engines of its own",
        "help": "",
        "path": "train.sh",
        "line": 2,
        "column": 3,
        "end_line": 2,
        "end_column": 6,
        "program": "openrlhf:train_ppo_ray",
        "settings": ["train.async_enable"],
        "related": [
            {"path": "train.sh", "line": 1, "column": 1, "end_line": 1, "end_column": 2, "message": "here"},
        ],
        "versions": {"openrlhf": "0.11.2"},
        "fix": {
            "title": "Remove it",
            "applicability": "safe",
            "edits": [{"path": "train.sh", "start": 6, "end": 9, "text": ""}],
        },
        "url": found["url"],
    }
    assert found["url"].endswith("/docs/rules/OR203.md")
    assert report["summary"] == {
        "files": 1,
        "launches": 0,
        "error": 1,
        "warning": 0,
        "advice": 0,
        "suppressed": 0,
        "known": 0,
        "undecided": 0,
    }


def test_columns_count_characters():
    (found,) = json.loads(render("json", result("é\U0001f600 ⟦x⟧")))["findings"]
    assert (found["column"], found["end_column"]) == (4, 5)


def test_place_in_a_notebook_names_the_cell():
    source, span = notebook('{"cells": [{"source": ["a"]}, {"source": ["b\\n", "⟦c⟧"]}]}')
    (found,) = json.loads(render("json", one_file(source, finding(span))))["findings"]
    assert (found["cell"], found["line"], found["column"]) == (2, 2, 1)


def test_file_outside_the_sources_is_named_without_a_place():
    (found,) = json.loads(render("json", one_file(Source("a.sh", ""), finding(Span("b.sh", 7, 8)))))["findings"]
    assert (found["path"], found["line"], found["column"]) == ("b.sh", 1, 1)


def test_text_that_a_terminal_might_obey_is_escaped_and_survives():
    message = "a\x7f\x1b\x9b\u202e\udc80é名"
    text = render("json", result("⟦a⟧", message=message))
    assert text.replace("\n", "").isprintable()
    assert "é名" in text
    assert json.loads(text)["findings"][0]["message"] == message


def test_statistics_are_added_on_request():
    made = result("⟦a⟧")
    assert "statistics" not in json.loads(render("json", made))
    assert json.loads(render("json", made, Options(statistics=True)))["statistics"] == [
        {"code": "OR203", "name": "async-with-colocate-all", "count": 1}
    ]
