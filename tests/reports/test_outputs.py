import subprocess
import sys

import pytest

from rlhflint.reports.formats import FORMATS, render
from rlhflint.reports.outputs import Output, WrongOutput, default_format, outputs
from rlhflint.result import Result


def test_every_format_can_be_written():
    assert all(render(name, Result()).endswith("\n") for name in FORMATS)


def test_text_goes_to_standard_output_when_nothing_is_asked_for():
    assert outputs(()) == (Output("text"),)
    assert outputs((), default="github") == (Output("github"),)


def test_several_reports_each_go_to_their_place():
    assert outputs(("text", "sarif:out/x.sarif", "junit:a:b.xml")) == (
        Output("text"),
        Output("sarif", "out/x.sarif"),
        Output("junit", "a:b.xml"),
    )


def test_output_file_is_for_the_report_that_names_none():
    assert outputs(("json",), "out.json") == (Output("json", "out.json"),)
    assert outputs((), "out.txt") == (Output("text", "out.txt"),)
    assert outputs(("json:a", "text"), "b") == (Output("json", "a"), Output("text", "b"))


def test_dash_is_standard_output():
    assert outputs(("json:-",)) == (Output("json"),)
    assert outputs(("json",), "-") == (Output("json"),)


@pytest.mark.parametrize(
    ("values", "file", "words"),
    [
        (("jsn",), None, "did you mean json?"),
        (("SARIF",), None, "did you mean sarif?"),
        (("xyzzy",), None, "there are text, concise"),
        (("sarif:",), None, "no file"),
        (("text", "json"), None, "standard output"),
        (("text:a", "json:a"), None, "written to a"),
        (("text", "json"), "a", "written to a"),
        (("text:a",), "b", "--output-file"),
    ],
)
def test_contradictions_are_refused_in_words(values, file, words):
    with pytest.raises(WrongOutput, match=words):
        outputs(values, file)


def test_annotations_are_picked_inside_github_actions():
    assert default_format({"GITHUB_ACTIONS": "true"}) == "github"
    assert default_format({"CI": "true"}) == "text"


@pytest.mark.parametrize("name", FORMATS)
def test_format_imports_none_of_the_heavy_libraries(name):
    script = (
        "import sys\n"
        "from rlhflint.reports.formats import render\n"
        "from rlhflint.result import Result\n"
        f"render({name!r}, Result())\n"
        "print(*{'pydantic', 'libcst', 'ruamel.yaml', 'tree_sitter', 'packaging', 'click'} & set(sys.modules))\n"
        f"print(*{{'json', 'xml'}} & set(sys.modules))\n"
    )
    heavy, _ = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert heavy == ""
