import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.suppress.python import comments

MARK = "# rlhflint: ignore[TR203] why"


def covered(text: str) -> list[str]:
    """What each suppression of a module covers; `@@` stands for the comment."""
    text = text.replace("@@", MARK)
    return [text[one.covers_start : one.covers_end] for one in comments(text)]


def test_comment_at_the_end_of_a_line_covers_the_line():
    assert covered("f(\n  a=1,  @@\n  b=2,\n)\n") == ["  a=1,  "]


def test_string_over_several_lines_is_covered_by_the_line_it_ends_on():
    assert covered('x = 1\nrun("""\n a\n""")  @@\n') == ['"""\n a\n""")  ']


def test_comment_above_a_statement_covers_all_its_lines():
    call = "c = f(\n  a=1,\n\n  b=2,\n)"
    assert covered(f"x = 1\n@@\n\n# more\n{call}\nd = 2\n") == [call]


def test_statement_with_commas_is_covered_whole():
    assert covered("@@\na, b = f(1), g(2)\nd\n") == ["a, b = f(1), g(2)"]


def test_comment_above_an_argument_covers_the_argument():
    text = "f(\n  @@\n  a=dict(\n    x=1, y=[2, 3],\n  ),\n  b=2,\n)\n"
    assert covered(text) == ["a=dict(\n    x=1, y=[2, 3],\n  ),"]


def test_last_argument_ends_with_the_call():
    assert covered("f(\n  @@\n  a=1\n)\nb\n") == ["a=1\n"]


def test_entry_of_a_dictionary_is_covered():
    assert covered('d = {\n  @@\n  "a": [1, 2],\n  "b": 2}\n') == ['"a": [1, 2],']


@pytest.mark.parametrize(
    "block",
    [
        "def f():\n    a\n\n    if b:\n        c",
        "if x:\n    a\nelif y:\n    b\nelse:\n    c",
        "try:\n    a\nexcept E:\n    b\nfinally:\n    c",
        "@decorated\n@twice(1,\n  2)\nclass A:\n    b = 1",
        "if x: a",
    ],
)
def test_block_is_covered_whole_by_a_comment_above_it(block):
    assert covered(f"@@\n{block}\nnext = 1\n") == [block]


def test_first_statement_of_a_block_is_covered_alone():
    assert covered("if x:\n    @@\n    a\n    b\nc\n") == ["a"]


def test_statement_behind_a_block_is_covered_with_its_own_block():
    assert covered("if x:\n    a\n@@\nif y:\n    b\n    c\nd\n") == ["if y:\n    b\n    c"]


def test_comment_before_the_closing_bracket_covers_nothing():
    assert covered("f(\n  a=1,\n  @@\n)\nb\n") == [""]


def test_comment_at_the_end_of_a_module_covers_nothing():
    assert covered("a = 1\n@@") == [""]


def test_text_in_strings_is_no_comment():
    assert covered('a = "@@"\nb = """\n@@\n"""\nc = f"{a}@@"\n') == []


def test_what_stands_before_a_mistake_is_read():
    assert covered("a = 1  @@\nb = (\n") == ["a = 1  "]
    assert covered("a = 1  @@\n  b\n c\n") == ["a = 1  "]


def test_windows_line_ends_make_no_difference():
    text = f"a(\r\n  b=1,  {MARK}\r\n)\r\n"
    (only,) = comments(text)
    assert text[only.start : only.end].rstrip("\r") == MARK
    assert text[only.covers_start : only.covers_end] == "  b=1,  "


@given(st.text(st.sampled_from("ab\n \t()[]{}:,=\"'\\#@\r\f"), max_size=80))
def test_any_text_is_read_without_an_error(text):
    text = text.replace("#", f"{MARK}\n#")
    for one in comments(text):
        assert text.startswith("#", one.start)
        assert 0 <= one.covers_start <= one.covers_end <= len(text)
