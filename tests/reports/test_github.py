import re

import pytest

from rlhflint.finding import Severity
from rlhflint.reports.formats import Options, render
from rlhflint.reports.links import rule_url
from tests.reports.made import finding, notebook, one_file, result

_COMMAND = re.compile(r"::(?P<name>\w+) (?P<properties>[^:]*)::(?P<data>.*)")


def commands(report: str) -> list[tuple[str, dict[str, str], str]]:
    """The workflow commands of a log as the runner reads them: name, properties, data."""
    read = []
    for line in report.splitlines():
        found = _COMMAND.fullmatch(line)
        if found:
            pairs = (pair.partition("=")[::2] for pair in found["properties"].split(","))
            properties = {name: _plain(value.replace("%3A", ":").replace("%2C", ",")) for name, value in pairs}
            read.append((found["name"], properties, _plain(found["data"])))
    return read


def _plain(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def test_finding_becomes_one_annotation():
    report = render("github", result("a \\\n  ⟦--b⟧ 1\n", message="50% of it\nis wrong", help="put it right"))
    url = rule_url("OR203")
    assert report == (
        "::error title=OR203 async-with-colocate-all,file=train.sh,line=2,endLine=2,col=3,endColumn=6"
        f"::50%25 of it%0Ais wrong%0Aput it right%0A{url}\n"
        "1 error in 0 launches (1 file)\n"
    )


@pytest.mark.parametrize(
    ("severity", "command"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.ADVICE, "notice")]
)
def test_severities_become_commands(severity, command):
    assert commands(render("github", result("⟦a⟧", severity=severity)))[0][0] == command


def test_columns_are_told_only_within_one_line():
    ((_, properties, _),) = commands(render("github", result("a ⟦b\nc⟧")))
    assert (properties["line"], properties["endLine"]) == ("1", "2")
    assert "col" not in properties


@pytest.mark.parametrize("path", ["a,b.sh", "a::b.sh", "a%0Ab.sh", "a=b;c.sh", "my runs/ä.sh"])
def test_any_file_name_reaches_github_whole(path):
    ((_, properties, _),) = commands(render("github", result("⟦a⟧", path)))
    assert properties["file"] == path


@pytest.mark.parametrize("path", ["a\nb.sh", "a\r::error::b.sh", "a\x1b[2Jb.sh", "a\u202eb.sh"])
def test_file_name_with_control_characters_cannot_leave_its_line(path):
    report = render("github", result("⟦a⟧", path))
    assert len(report.splitlines()) == 2
    assert len(commands(report)) == 1
    assert report.replace("\n", "").isprintable()


def test_place_in_a_notebook_is_that_of_its_text():
    source, span = notebook('{"cells": [\n{"source": [\n"a\\n",\n"⟦b⟧"]}]}')
    ((_, properties, data),) = commands(render("github", one_file(source, finding(span))))
    assert properties["line"] == "4"
    assert data.splitlines()[0].endswith("(cell 1, line 2)")


def test_statistics_follow_the_annotations():
    report = render("github", result("⟦a⟧"), Options(statistics=True))
    assert report.splitlines()[1:] == ["     1  OR203  async-with-colocate-all", "1 error in 0 launches (1 file)"]
