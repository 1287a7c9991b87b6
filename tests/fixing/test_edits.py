"""Which edits of a text are made together."""

from __future__ import annotations

from rlhflint.finding import Edit
from rlhflint.fixing.edits import applied, compatible, touching
from rlhflint.text import Span


def edit(start: int, end: int, text: str = "x", path: str = "a.sh") -> Edit:
    return Edit(Span(path, start, end), text)


def test_edits_side_by_side_do_not_touch() -> None:
    assert not touching(edit(0, 3), edit(3, 5))
    assert applied("abcdefg", [edit(3, 5, "-"), edit(0, 3, "+")]) == "+-fg"


def test_edits_that_overlap_or_begin_at_one_place_touch() -> None:
    assert touching(edit(0, 3), edit(2, 5))
    assert touching(edit(2, 2), edit(2, 5))
    assert touching(edit(2, 2), edit(2, 2))


def test_edits_of_two_files_do_not_touch() -> None:
    assert not touching(edit(0, 3), edit(0, 3, path="b.sh"))


def test_of_edits_that_overlap_the_first_in_the_file_is_made() -> None:
    assert compatible([("later", [edit(2, 5)]), ("first", [edit(0, 3)])]) == ["first"]


def test_what_cannot_wait_is_made_before_what_stands_first() -> None:
    groups = [("first", [edit(0, 3)]), ("urgent", [edit(2, 5)])]
    assert compatible(groups, now=lambda owner: owner == "urgent") == ["urgent"]


def test_an_edit_that_two_have_in_common_is_no_conflict() -> None:
    assert compatible([("one", [edit(0, 3)]), ("other", [edit(0, 3)])]) == ["one", "other"]
