import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlhflint.suppress.yaml import comments

PIECES = ["a: ", "b:", "\n", "\n", "  ", "- ", " # x", "x#y", "x", "'y'", '"z"', "|", ">-", "[", "]", "{", "}", ", "]
PIECES += ["---", "&q "]
MARK = "# rlhflint: ignore[TR203] why"


def covered(text: str) -> list[str]:
    """What each suppression of a document covers; `@@` stands for the comment."""
    text = text.replace("@@", MARK)
    for one in comments(text):
        assert text.startswith(MARK, one.start)
    return [text[one.covers_start : one.covers_end].replace(MARK, "@@").strip("\n") for one in comments(text)]


def test_comment_at_the_end_of_a_line_covers_its_entry():
    assert covered("a: 1\nb: 2  @@\nc: 3\n") == ["b: 2  "]


def test_comment_above_an_entry_covers_it():
    assert covered("a: 1\n@@\n\n# more\nb: 2\nc: 3\n") == ["b: 2"]


@pytest.mark.parametrize(
    "entry",
    [
        "b:\n  c: 1\n\n  d:\n    e: 2",
        "b:\n- 1\n- 2",
        "b:\n  - 1\n  - c: 1\n    d: 2",
        "b: |\n  text # x\n\n   more",
        "b: >-\n  text\n  more",
        "b: 'one\n  two'",
        'b: "one\n\n  two # x"',
        "b: one\n  two\n  three",
        "b: [1,\n    2\n]",
        "b: {\n  c: 1,  # x\n  d: 2\n}",
    ],
)
def test_entry_with_a_long_value_is_covered_whole(entry):
    assert covered(f"a: 1\n@@\n{entry}\nnext: 1\n") == [entry]


def test_comment_behind_a_key_covers_the_block_below():
    assert covered("a:  @@\n  b: 1\n  c: 2\nd: 3\n") == ["a:  @@\n  b: 1\n  c: 2"]
    assert covered("a: |  @@\n  b\n\n  c\nd: 3\n") == ["a: |  @@\n  b\n\n  c"]
    assert covered("a:  @@\n- b\n- c\nd: 3\n") == ["a:  @@\n- b\n- c"]


def test_item_is_covered_whole_from_above_and_its_first_entry_from_behind():
    assert covered("x:\n  @@\n  - a: 1\n    b: 2\n  - c: 3\n") == ["  - a: 1\n    b: 2"]
    assert covered("x:\n  - a: 1  @@\n    b: 2\n  - c: 3\n") == ["  - a: 1  "]
    assert covered("x:\n- a:\n  - 1\n  - 2\n  b: 1\n@@\n- c\n- d\n") == ["- c"]
    assert covered("@@\n- a:\n  - 1\n  b: 1\n- c\n") == ["- a:\n  - 1\n  b: 1"]


def test_block_value_of_an_item_ends_at_the_next_entry():
    assert covered("- run: |\n    a\n  @@\n  b: 1\n- c\n") == ["  b: 1"]
    assert covered("- |\n a\n- @@\n  b\n") == ["- @@\n  b"]


def test_entry_in_braces_is_covered_by_its_line():
    assert covered("a: {\n  b: 1,  @@\n  @@\n  c: [1,\n    2],\n  d: 3}\n") == ["  b: 1,  ", "  c: [1,\n    2],"]


@pytest.mark.parametrize(
    "text",
    [
        "a: '@@'\n",
        'a: "\\" @@"\n',
        "a: 'it''s\n @@'\n",
        "a: |\n  @@\n",
        "a:\n  - |\n    @@\n\n    @@\nb: 1\n",
        "a: !tag &x >\n  @@\n",
        "--- |\n@@\n",
        "a: b@@\n",
        "a: ['@@']\n",
        '{"a": "@@"}\n',
    ],
)
def test_text_that_is_no_comment_is_left_alone(text):
    assert covered(text) == []


@pytest.mark.parametrize(
    "before",
    [
        "a: it's",
        "a: x'y",
        "a: [it's, b]",
        "a: -'x",
        "a: b:c",
        "a: http://x#y",
        "'a': 1",
        "a: &x 'b'",
        "a: *x",
        "a: b > c",
    ],
)
def test_rest_of_the_document_is_not_misread_behind(before):
    assert covered(f"{before}\nb: 'x'  @@\nc: 1\n") == ["b: 'x'  "]


def test_next_document_ends_everything():
    assert covered("@@\na:\n  b: 1\n---\nc: 1\n") == ["a:\n  b: 1"]
    assert covered("---\n@@\na: 1\nb: 2\n") == ["a: 1"]


def test_comment_at_the_end_covers_nothing():
    assert covered("a: 1\n@@") == [""]


def test_windows_line_ends_make_no_difference():
    text = f"a: |  {MARK}\r\n  b\r\n\r\n  c\r\nd: 1\r\n"
    (only,) = comments(text)
    assert text[only.start : only.end] == MARK
    assert text[only.covers_start : only.covers_end].endswith("  c\r")


@given(st.text(st.sampled_from("ab\n \t-?:,[]{}|>'\"\\#&!*\r"), max_size=80))
def test_any_text_is_read_without_an_error(text):
    text = text.replace("#", f"{MARK}\n#")
    starts = [one.start for one in comments(text)]
    assert starts == sorted(set(starts))
    for one in comments(text):
        assert text.startswith("#", one.start)
        assert 0 <= one.covers_start <= one.covers_end <= len(text)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much])
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_what_is_taken_for_a_comment_is_none_of_the_document(monkeypatch, text):
    monkeypatch.setattr("rlhflint.suppress.yaml.may_suppress", lambda text: True)
    without, last = "", 0
    for one in comments(text):
        without, last = without + text[last : one.start].replace("#", "X"), one.end
    without += text[last:].replace("#", "X")
    try:
        expected = list(yaml.compose_all(text))
    except yaml.YAMLError:
        return
    if any(isinstance(one, yaml.ScalarNode) and one.start_mark.line != one.end_mark.line for one in expected):
        return  # A document that is one text over several lines holds no configuration.
    assert shape(list(yaml.compose_all(without))) == shape(expected)


def shape(node: object) -> object:
    """What a document holds, with every `#` in it replaced."""
    if isinstance(node, yaml.ScalarNode):
        return node.value.replace("#", "X")
    if isinstance(node, yaml.MappingNode):
        return [(shape(key), shape(value)) for key, value in node.value]
    return [shape(item) for item in getattr(node, "value", node)] if node is not None else None
