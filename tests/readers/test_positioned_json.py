"""JSON with the place of every key, value and character of text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlhflint.mapping import Mapping, Scalar, Series, data
from rlhflint.readers.positioned_json import read_json
from rlhflint.text import Piece, Span, Traced
from rlhflint.value import Known, Unknown

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(blacklist_categories=("Cs",))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('abé"\\\n😀', max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(value=VALUES, ascii_only=st.booleans(), indent=st.sampled_from([None, 0, 2]))
def test_what_json_writes_is_read_back(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    document = read_json("f", text)
    assert document.problems == ()
    assert document.root is not None
    found = data(document.root.node)
    assert isinstance(found, Known)
    assert repr(found.value) == repr(value)
    waiting = [document.root]
    while waiting:
        placed = waiting.pop()
        cut = text[placed.span.start : placed.span.end]
        assert repr(json.loads(cut)) == repr(getattr(data(placed.node), "value", None))
        if isinstance(placed.node, Series):
            waiting += placed.node.items
        elif isinstance(placed.node, Mapping):
            waiting += [part for entry in placed.node.entries for part in (entry.key, entry.value)]


@settings(max_examples=300, deadline=None)
@given(
    value=VALUES,
    place=st.integers(0, 200),
    what=st.sampled_from([*'{}[],:"\\ 1ae\n\x00\ufeff', "NaN", "-Infinity", "01", "1."]),
)
def test_what_json_refuses_is_refused(value: object, place: int, what: str) -> None:
    text = json.dumps(value)
    place = min(place, len(text))
    text = text[:place] + what + text[place:]
    try:
        expected: object = json.loads(text)
    except ValueError as error:
        expected = error
    document = read_json("f", text)
    if text.startswith("\ufeff"):
        return
    assert bool(document.problems) == isinstance(expected, ValueError), (text, document.problems)
    for problem in document.problems:
        assert (problem.kind, len(problem.span)) == ("syntax", 1)


def test_each_character_of_a_text_has_its_place() -> None:
    text = '{"s": "a\\n\\"é\\u00e9\\ud83d\\ude00\\ud800x\\\\"}'
    document = read_json("f", text)
    assert document.mapping is not None
    entry = document.mapping.get("s")
    assert entry is not None
    assert isinstance(entry.value.node, Scalar)
    traced = entry.value.node.text
    assert traced.text == 'a\n"éé😀\ufffdx\\'
    cut = []
    for n in range(len(traced)):
        span = traced.span_of(n, n + 1)
        assert span is not None
        cut.append(text[span.start : span.end])
    assert cut == ["a", "\\n", '\\"', "é", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "x", "\\\\"]


def test_keys_given_twice_are_kept() -> None:
    document = read_json("f", '{"a": 1, "a": 2}')
    assert document.mapping is not None
    assert [entry.name for entry in document.mapping.entries] == ["a", "a"]
    assert data(document.root.node) == Known({"a": 2}) if document.root else False


def test_values_that_are_of_no_interest_are_skipped() -> None:
    text = '{"outputs": [{"x": "' + "y" * 1000 + '"}], "a": {"outputs": 1, "b": 2}}'
    document = read_json("f", text, skip={"outputs"})
    assert document.mapping is not None
    assert [entry.name for entry in document.mapping.entries] == ["outputs", "a"]
    first = document.mapping.entries[0].value
    assert isinstance(data(first.node), Unknown)
    assert text[first.span.start : first.span.end] == text[12 : text.index(', "a"')]
    assert read_json("f", '{"outputs": [1,, 2]}', skip={"outputs"}).problems


def test_a_text_made_of_pieces_keeps_their_places() -> None:
    traced = Traced([Piece('{"a": ', Span("f", 10, 16), verbatim=True), Piece("12}", Span("f", 40, 43), verbatim=True)])
    document = read_json("f", traced)
    assert document.mapping is not None
    entry = document.mapping.get("a")
    assert entry is not None
    assert (entry.name_span, entry.value.span) == (Span("f", 12, 13), Span("f", 40, 42))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[" * 100_000, "too-deep"),
        ('{"a":' * 100_000, "too-deep"),
        ('{"outputs":' + "[" * 100_000, "too-deep"),
        ("[" + "1," * 300_000 + "1]", "too-large"),
        ('"' + "a" * 10_000_000 + '"', None),
        ('"' + "\\n" * 5_000_000 + '"', None),
        ('"' + "\\" * 1_000_001, "syntax"),
        ("9" * 10_000, None),
        (" " * 5_000_000, "syntax"),
        ("", "syntax"),
    ],
    ids=range(10),
)
def test_nothing_makes_it_hang(text: str, kind: str | None) -> None:
    document = read_json("f", text, skip={"outputs"})
    assert [problem.kind for problem in document.problems] == ([kind] if kind else [])


def test_parts_of_the_text_that_are_not_known() -> None:
    hole = Traced.hole("$X is not known", Span("f", 0, 2))
    traced = Traced.of_file("f", '{"a": "x') + hole + Traced.of_file("f", '", "b": 1}', 12)
    document = read_json("f", traced)
    assert document.mapping is not None
    assert [data(entry.value.node) for entry in document.mapping.entries] == [Unknown("$X is not known"), Known(1)]
    assert [
        one.kind for one in read_json("f", Traced.of_file("f", "[") + hole + Traced.of_file("f", "]", 4)).problems
    ] == ["not-read"]


def test_a_text_that_is_too_long_is_said_not_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rlhflint.readers.positioned_json.MOST_CHARACTERS", 10)
    document = read_json("f", '{"a": [1, 2]}')
    assert document.root is None
    [problem] = document.problems
    assert (problem.kind, problem.span.start) == ("too-large", 0)
    assert read_json("f", '{"a": [1]}').problems == ()
