"""What fixing has to say beside the findings of rules: in its file, at its place."""

from __future__ import annotations

import pytest

from rlhflint.finding import Edit
from rlhflint.fixing.rules import not_fixed
from rlhflint.fixing.told import moved, with_more
from rlhflint.result import FileResult
from rlhflint.source import Source
from rlhflint.text import Span


@pytest.mark.parametrize(
    ("edit", "place"),
    [
        ((0, 2, "abcd"), (12, 22)),
        ((0, 10, ""), (0, 10)),
        ((4, 4, "xy"), (12, 22)),
        ((10, 20, "abc"), (10, 13)),
        ((12, 14, ""), (10, 18)),
        ((12, 12, "xy"), (10, 22)),
        ((20, 24, "x"), (10, 20)),
        ((30, 31, ""), (10, 20)),
    ],
)
def test_a_place_after_an_edit(edit: tuple[int, int, str], place: tuple[int, int]) -> None:
    start, end, text = edit
    span = Span("a.sh", 10, 20)
    assert moved(span, [Edit(Span("a.sh", start, end), text)]) == Span("a.sh", *place)
    assert moved(span, [Edit(Span("b.sh", start, end), text)]) == span


def test_findings_go_to_the_first_file_that_knows_their_place() -> None:
    one = FileResult("one.sh", {"one.sh": Source("one.sh", ""), "both.sh": Source("both.sh", "")})
    two = FileResult("two.sh", {"two.sh": Source("two.sh", ""), "both.sh": Source("both.sh", "")})
    places = (("two.sh", 5), ("both.sh", 3), ("else.sh", 1), ("two.sh", 2))
    more = [not_fixed(Span(path, at, at), "so") for path, at in places]
    first, second = with_more([one, two], [*more, more[0]], [])
    assert [finding.span.path for finding in first.findings] == ["both.sh", "else.sh"]
    assert [finding.span.start for finding in second.findings] == [2, 5]
