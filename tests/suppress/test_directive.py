import pytest

from rlhflint.suppress.directive import spelled, written


def read(comment: str):
    return [
        (one.file, [code.text for code in one.codes], one.reason, bool(one.wrong), one.loose)
        for one in written(comment)
    ]


@pytest.mark.parametrize(
    ("comment", "codes", "reason"),
    [
        ("# rlhflint: ignore[OR203] tuned by hand", ["OR203"], "tuned by hand"),
        ("#rlhflint:ignore[OR203]", ["OR203"], ""),
        ("## rlhflint: ignore[OR203,LA111 , TR2]: why, oh why", ["OR203", "LA111", "TR2"], "why, oh why"),
        ("# rlhflint: ignore [OR203] — dash", ["OR203"], "dash"),
        ("# rlhflint: ignore[OR203,]", ["OR203"], ""),
    ],
)
def test_suppression_of_a_line_is_read(comment, codes, reason):
    assert read(comment) == [(False, codes, reason, False, False)]


def test_suppression_of_a_file_is_read():
    assert read("# rlhflint: ignore-file[OR2, LA111] generated") == [
        (True, ["OR2", "LA111"], "generated", False, False)
    ]


def test_place_of_each_code_is_known():
    comment = "# x # rlhflint: ignore[OR203, LA111] y"
    (one,) = written(comment)
    assert comment[one.start : one.end] == "# rlhflint: ignore[OR203, LA111] y"
    assert [comment[code.start : code.end] for code in one.codes] == ["OR203", "LA111"]


def test_several_in_one_comment_end_where_the_next_comment_begins():
    assert read("# fmt: off # rlhflint: ignore[OR203] why  # rlhflint: ignore-file[LA1] # keep") == [
        (False, ["OR203"], "why", False, False),
        (True, ["LA1"], "", False, False),
    ]


def test_hash_inside_a_word_belongs_to_the_reason():
    assert read("# rlhflint: ignore[OR203] see #12, a#b") == [(False, ["OR203"], "see #12, a#b", False, False)]


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("# rlhflint: disable=OR203", ["OR203"]),
        ("# rlhflint: disable OR203, LA111 why", ["OR203", "LA111"]),
        ("# rlhflint: disable-next-line[OR203]", ["OR203"]),
        ("# rlhflint: noqa[OR203]", ["OR203"]),
        ("# rlhflint: noqa: OR203", ["OR203"]),
        ("# rlhflint: ignore OR203", ["OR203"]),
        ("# rlhflint: ignore=OR203", ["OR203"]),
        ("# rlhflint: ignore(OR203)", ["OR203"]),
        ("# rlhflint: IGNORE[OR203]", ["OR203"]),
        ("# rlhflint: Ignore[OR203]", ["OR203"]),
        ("# RLHFlint: ignore[OR203]", ["OR203"]),
        ("# rlhf-lint: ignore[OR203]", ["OR203"]),
        ("# rlhlint: ignore[OR203]", ["OR203"]),
        ("# rlhflint: ingore[OR203]", ["OR203"]),
        ("# rlhflint: ignore", []),
        ("# rlhflint: ignore this one, it is fine", []),
        ("# rlhflint: ignore[]", []),
        ("# rlhflint: skip", []),
    ],
)
def test_misspelt_suppression_of_a_line_is_told(comment, codes):
    (one,) = written(comment)
    assert (one.file, [code.text for code in one.codes], one.loose) == (False, codes, False)
    assert one.wrong


@pytest.mark.parametrize(
    "comment",
    [
        "# rlhflint: disable-file=OR203",
        "# rlhflint: ignorefile[OR203]",
        "# rlhflint: ignore_file[OR203]",
        "# rlhflint: skip-file OR203",
        "# rlhflint: ignore-flie[OR203]",
    ],
)
def test_misspelt_suppression_of_a_file_is_told(comment):
    (one,) = written(comment)
    assert one.file
    assert [code.text for code in one.codes] == ["OR203"]
    assert one.wrong


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: OR203",
        "# noqa:OR203,LA111",
        "# rlhflint ignore[OR203]",
        "# rlhflint-ignore: OR203",
        "# rlhflint-disable OR203",
        "# rlhflint: [OR203]",
        "# rlhflint: OR203",
        "# rlhflint: enable[OR203]",
    ],
)
def test_what_could_be_meant_for_others_counts_only_with_codes_of_rules(comment):
    (one,) = written(comment)
    assert one.loose
    assert one.wrong


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# noqa because",
        "# pylint: disable=C0103",
        "# yamllint disable-line rule:truthy",
        "# shellcheck disable=SC2086",
        "# zizmor: ignore[OR203]",
        "# checked with rlhflint: see the README",
        "# rlhflint: see the README",
        "# rlhflint",
        "# rlhflint is run by CI",
        "# the ignore list of rlhflint",
        "# type: ignore[attr-defined]",
        "# ruff: noqa: E501",
        "# eslint-disable OR203",
    ],
)
def test_comment_that_means_something_else_is_left_alone(comment):
    assert list(written(comment)) == []


def test_only_the_beginning_of_a_long_comment_is_looked_at():
    assert len(list(written("# rlhflint: ignore[" + "OR203, " * 100_000))) == 1
    assert list(written("#" * 200_000 + " rlhflint: ignore[OR203]")) == []
    assert list(written("# " * 200_000)) == []
    assert list(written("#" + " " * 200_000 + "rlhflint: ignore[OR203]")) == []


def test_right_spelling_is_read_as_it_was_meant():
    for file in (False, True):
        text = spelled(("OR203", "LA1"), "why", file=file)
        assert read(text) == [(file, ["OR203", "LA1"], "why", False, False)]
