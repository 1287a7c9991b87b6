import json

import pytest

from rlhflint.finding import Applicability, Edit, Fix, Related
from rlhflint.reports.formats import FORMATS, render
from rlhflint.reports.secrets import Secrets
from rlhflint.text import Span
from tests.reports.made import finding, marked, notebook, one_file, result

SECRET = "hf_" + "q7Zk2" * 6


@pytest.mark.parametrize("name", FORMATS)
def test_no_report_shows_the_marked_characters_of_a_concealed_finding(name):
    assert SECRET not in render(name, result(f'export HF_TOKEN="⟦{SECRET}⟧"\n', code="LA111", conceal=True))


@pytest.mark.parametrize("name", FORMATS)
def test_no_report_shows_a_secret_for_another_finding_of_the_line(name):
    source, span = marked(f'python x.py --key ⟦"{SECRET}"⟧ --b 1\n')
    whole = Span(source.path, 0, len(source.text) - 1)
    other = finding(
        whole,
        message=f"'--key {SECRET}' is unknown",
        help=f"say {SECRET}",
        related=(Related(whole, f"{SECRET} here"),),
        fix=Fix(f"Drop {SECRET}", Applicability.SAFE, (Edit(Span(source.path, 0, 6), ""),)),
    )
    report = render(name, one_file(source, other, finding(span, code="LA111", conceal=True)))
    assert "is unknown" in report
    assert SECRET not in report


@pytest.mark.parametrize("name", FORMATS)
def test_no_report_tells_of_a_fix_that_would_write_the_secret_elsewhere(name):
    source, span = marked(f"python x.py --key ⟦{SECRET}⟧\n")
    fix = Fix("Write `--wandb.key`", Applicability.SAFE, (Edit(Span(source.path, 12, 50), f"--wandb.key {SECRET}"),))
    report = render(name, one_file(source, finding(span, conceal=True, fix=fix)))
    assert SECRET not in report
    assert "Write `--wandb.key`" not in report


@pytest.mark.parametrize("name", FORMATS)
def test_no_report_shows_a_secret_whose_own_finding_was_suppressed(name):
    source, span = marked(f"python x.py --key ⟦{SECRET}⟧ --b 1\n")
    whole = Span(source.path, 0, len(source.text) - 1)
    report = render(name, one_file(source, finding(whole), secrets=(span,)))
    assert SECRET not in report


def test_frame_keeps_its_columns():
    text = render("text", result(f"--key ⟦{SECRET}⟧ --b\n", conceal=True))
    stars = "*" * len(SECRET)
    assert f"| --key {stars} --b\n      |       {'^' * len(SECRET)}\n" in text


def test_short_secret_is_hidden_at_its_place_and_other_text_is_left_alone():
    source, span = marked("key=⟦a1⟧ data1 # a1\n")
    text = render("text", one_file(source, finding(span, conceal=True), finding(span, message="data1")))
    assert "| key=** data1 # a1\n" in text


def test_second_appearance_of_a_secret_is_hidden_in_messages_only_by_its_text():
    source, span = marked(f"key=⟦{SECRET}⟧\n")
    report = json.loads(render("json", one_file(source, finding(span, conceal=True, message=f"x {SECRET} y"))))
    assert report["findings"][0]["message"] == "x ******** y"


def test_secret_in_a_notebook_is_hidden():
    source, span = notebook(f'{{"cells": [{{"source": ["key = \\"⟦{SECRET}⟧\\"\\n"]}}]}}')
    text = render("text", one_file(source, finding(span, conceal=True)))
    assert f'key = "{"*" * len(SECRET)}"' in text
    assert SECRET not in render("sarif", one_file(source, finding(span, conceal=True)))


def test_fingerprint_is_not_made_of_a_secret():
    one, other = (
        json.loads(render("gitlab", result(f"⟦{secret}⟧", settings=(), conceal=True)))[0]["fingerprint"]
        for secret in (SECRET, SECRET[::-1])
    )
    assert one == other


def test_a_secret_within_lists_and_tables_is_hidden():
    source, span = marked(f"python x.py --key ⟦{SECRET}⟧\n")
    secrets = Secrets(one_file(source, finding(span, conceal=True)).files[0])
    held = {"headers": [f"Bearer {SECRET}", 3], "on": True}
    assert SECRET not in str(secrets.masked_in(held))
    assert secrets.masked_in(held) == {"headers": ["Bearer ********", 3], "on": True}
