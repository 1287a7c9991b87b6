from xml.etree import ElementTree

from rlhflint.reports.formats import render
from rlhflint.result import FileResult, Result
from tests.reports.made import finding, marked, one_file, result


def test_finding_is_a_failed_case_of_its_file():
    root = ElementTree.fromstring(render("junit", result("a \\\n ⟦b⟧\n", help="put it right")).encode())
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "1", "1")
    (suite,) = root
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("train.sh", "1", "1")
    (case,) = suite
    assert case.get("name") == "OR203 async-with-colocate-all (train.sh:2:2)"
    assert (case.get("file"), case.get("line")) == ("train.sh", "2")
    (failure,) = case
    assert failure.get("type") == "error"
    assert failure.get("message") == "asynchronous training needs engines of its own"
    assert "train.sh:2:2" in failure.text
    assert "put it right" in failure.text


def test_file_without_findings_is_a_passed_case():
    made = Result((FileResult("clean.sh"), *result("⟦a⟧").files))
    root = ElementTree.fromstring(render("junit", made).encode())
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert [len(case) for suite in root for case in suite] == [0, 1]


def test_cases_of_one_rule_have_names_of_their_own():
    source, span = marked("a\n⟦a⟧\n")
    first = type(span)(span.path, 0, 1)
    root = ElementTree.fromstring(render("junit", one_file(source, finding(first), finding(span))).encode())
    assert len({case.get("name") for case in root[0]}) == 2


def test_characters_that_xml_cannot_hold_are_written_out():
    text = render("junit", result("⟦a⟧", "a\x1b.sh", message="]]> <b> & \x00 \ufffe \udc80 \U0010fffd é"))
    root = ElementTree.fromstring(text.encode())
    assert root[0].get("name") == "a\\x1b.sh"
    assert root[0][0][0].get("message") == "]]> <b> & \\x00 \\ufffe \\udc80 \\U0010fffd é"
