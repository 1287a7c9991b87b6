"""Whatever a file holds and is called, every report can be written and read."""

import json
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.reports.formats import FORMATS, render
from rlhflint.source import Source
from rlhflint.text import Span
from tests.reports.made import finding, one_file

TEXTS = st.text(st.sampled_from('ab\t\n\r"\\ :%#[]é名\u0301\u202e\x1b\U0001f600\ufeff'), max_size=60)


@pytest.mark.parametrize("name", FORMATS)
@given(text=TEXTS, path=st.text(min_size=1, max_size=12), message=TEXTS, ends=st.tuples(*[st.integers(0, 70)] * 2))
def test_report_of_any_text_is_well_formed(name, text, path, message, ends):
    start, end = sorted(min(place, len(text)) for place in ends)
    made = one_file(Source(path, text), finding(Span(path, start, end), message=message, help=message))
    report = render(name, made)
    assert all(one in "\n\t" or one.isprintable() for one in report)
    if name in ("json", "sarif", "gitlab"):
        json.loads(report)
    elif name == "junit":
        ElementTree.fromstring(report.encode())
    else:
        lines = report.splitlines()
        commands = [line for line in lines if line.lstrip().startswith("::")]
        assert commands == ([lines[0]] if name == "github" else [])


@given(
    text=st.text(st.sampled_from('ab"\\\n\té\U0001f600'), max_size=40),
    ends=st.tuples(*[st.integers(0, 40)] * 2),
    escaped=st.booleans(),
)
def test_line_of_a_cell_is_shown_as_the_cell_has_it(text, ends, escaped):
    from rlhflint.reports.lines import lines_of
    from rlhflint.source import Position

    start, end = sorted(min(place, len(text)) for place in ends)
    written = [json.dumps(one, ensure_ascii=escaped)[1:-1] for one in text]
    head = '{"source": ["'
    places = [len(head)]
    for one in written:
        places.append(places[-1] + len(one))
    whole = head + "".join(written) + '"]}'

    def locate(offset: int) -> Position:
        before = text[: sum(place <= offset for place in places[1:])]
        return Position(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1, 1)

    source = Source("n.ipynb", whole, locate)
    shown = [line for line in lines_of(source, Span("n.ipynb", places[start], places[end])) if line]
    lines = text.split("\n")
    first = text.count("\n", 0, start)
    last = text.count("\n", 0, max(end - 1, start))
    assert shown[0].text == lines[first]
    assert shown[-1].text == lines[last]
    assert [line.number for line in shown] in ([*range(first + 1, last + 2)], [first + 1, last + 1])
    for line in shown:
        assert [whole[place : place + 1] for place in line.offsets[: len(line.text)]] == [
            json.dumps(one, ensure_ascii=escaped)[1] for one in line.text
        ]
