"""Keys and values of a YAML file with their places; what is wrong with a file has a place too."""

from __future__ import annotations

import pytest

from rlhflint.mapping import Entry, Mapping, Scalar, Series, data
from rlhflint.readers.yaml import read_yaml
from rlhflint.text import Piece, Span, Traced
from rlhflint.value import Known, Unknown

RECIPE = """\
# Model arguments
model_name_or_path: org/größe-7b   # 😀
"learning_rate": 2.0e-5
'run name': "it's \\u00e9"
reward_funcs:
  - accuracy_reward
  - 'format'
gradient_checkpointing_kwargs: {use_reentrant: false, x: [1, 2]}
empty:
system_prompt: |
  Think.
  Then answer.
learning_rate: 1e-4
"""


def entries(text: str) -> tuple[Entry, ...]:
    document = read_yaml("f", text)
    assert document.problems == ()
    assert document.mapping is not None
    return document.mapping.entries


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("head", ["", "\ufeff", "---\n"])
def test_every_key_and_value_has_its_characters(end: str, head: str) -> None:
    text = head + RECIPE.replace("\n", end)
    found = [
        (text[one.name_span.start : one.name_span.end], text[one.value.span.start : one.value.span.end])
        for one in entries(text)
    ]
    assert found == [
        ("model_name_or_path", "org/größe-7b"),
        ("learning_rate", "2.0e-5"),
        ("run name", '"it\'s \\u00e9"'),
        ("reward_funcs", f"- accuracy_reward{end}  - 'format'"),
        ("gradient_checkpointing_kwargs", "{use_reentrant: false, x: [1, 2]}"),
        ("empty", ""),
        ("system_prompt", f"|{end}  Think.{end}  Then answer.{end}"),
        ("learning_rate", "1e-4"),
    ]


def test_a_key_in_quotes_is_replaced_inside_them() -> None:
    text = '"a": 1\n\'b\': 2\n"c\\x64": 3\n'
    found = {one.name: text[one.name_span.start : one.name_span.end] for one in entries(text)}
    assert found == {"a": "a", "b": "b", "cd": '"c\\x64"'}


def test_keys_given_twice_are_kept_and_the_last_one_counts() -> None:
    document = read_yaml("f", RECIPE)
    assert document.mapping is not None
    assert [one.name for one in document.mapping.entries].count("learning_rate") == 2
    entry = document.mapping.get("learning_rate")
    assert entry is document.mapping.entries[-1]
    assert document.mapping.get("nothing") is None


def test_what_merge_keys_take_over() -> None:
    text = "base: &b\n  a: 1\n  c: 1\nmore: &m {a: 2, d: 2}\nx:\n  <<: *b\n  c: 3\ny:\n  <<: [*b, *m]\n"
    document = read_yaml("f", text)
    assert document.problems == ()
    assert document.mapping is not None
    x, y = document.mapping.get("x"), document.mapping.get("y")
    assert x is not None
    assert y is not None
    assert data(x.value.node) == Known({"a": 1, "c": 3})
    assert isinstance(y.value.node, Mapping)
    merged = y.value.node.in_force()
    assert data(merged["d"].value.node) == Known(2)
    assert isinstance(data(merged["a"].value.node), Unknown)
    assert text[merged["d"].key.span.start] == "d"


def test_an_alias_stands_where_it_is_written() -> None:
    text = "a: &x [1, 2]\nb: *x\n"
    first, second = entries(text)
    assert second.value.node is first.value.node
    assert second.value.alias
    assert text[second.value.span.start : second.value.span.end] == "*x"
    assert text[first.value.span.start : first.value.span.end] == "[1, 2]"


def test_an_anchor_and_a_tag_are_no_part_of_the_value() -> None:
    text = "a: &x !!str  12\n"
    (entry,) = entries(text)
    assert text[entry.value.span.start : entry.value.span.end] == "12"
    assert data(entry.value.node) == Known("12")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("a: [1, 2\nb: 3\n", "b"),
        ("a: 'x\n", ""),
        ("a: b: c\n", ": c"),
        ("\ta: 1\n", "\t"),
        ("a: 1\n  b: 2\n", ": 2"),
        ("a: *x\n", "*x"),
        ("a: &x 1\nb: &x 2\n", "2"),
        ("a: !own 1\n", "!own"),
        ("a: 2024-13-45\n", "2024"),
        ("? [1]\n: 2\n", "[1]"),
        ("<<: 5\n", "5"),
        ("a: 1\n---\nb: 2\n", "---"),
        ("a: @x\n", "@"),
        ("a: \x07\n", "\x07"),
        ("é: 😀\na: ]\n", "]"),
    ],
)
def test_what_the_loader_refuses_has_a_place(text: str, at: str) -> None:
    document = read_yaml("f", text)
    assert [problem.kind for problem in document.problems][:1] == ["syntax"]
    if at:
        assert document.problems[0].span.start <= text.index(at) + len(at)
        assert text.count("\n", 0, document.problems[0].span.start) == text.count("\n", 0, text.index(at))


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "\ufeff"])
def test_an_empty_file(text: str) -> None:
    document = read_yaml("f", text)
    assert document.problems == ()
    assert document.mapping is None


@pytest.mark.parametrize("text", ["- a\n- b\n", "text\n", "[1, 2]\n"])
def test_a_file_whose_top_is_no_mapping(text: str) -> None:
    document = read_yaml("f", text)
    assert document.root is not None
    assert isinstance(document.root.node, Series | Scalar)
    assert document.mapping is None


def test_the_program_named_by_a_comment() -> None:
    text = "# rlhflint: program=trl:grpo\na: |\n  # rlhflint: program=trl:sft\n"
    program = read_yaml("f", text).program
    assert program is not None
    assert program.text == "trl:grpo"
    assert program.span is not None
    assert text[program.span.start : program.span.end] == "trl:grpo"
    assert read_yaml("f", "a: '# rlhflint: program=trl:grpo'\n").program is None


def test_a_text_made_of_pieces_keeps_their_places() -> None:
    file = '"a: 1\\nb: x\\n"'
    parts = [("a: 1", 1, 5, True), ("\n", 5, 7, False), ("b: x", 7, 11, True), ("\n", 11, 13, False)]
    traced = Traced([Piece(text, Span("f", start, end), verbatim=whole) for text, start, end, whole in parts])
    document = read_yaml("f", traced)
    assert document.mapping is not None
    entry = document.mapping.get("b")
    assert entry is not None
    assert file[entry.name_span.start : entry.name_span.end] == "b"
    assert file[entry.value.span.start : entry.value.span.end] == "x"


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_aliases_that_multiply_cost_no_more_than_their_text() -> None:
    document = read_yaml("f", BOMB)
    assert document.problems == ()
    assert document.mapping is not None
    for name in "ai":
        entry = document.mapping.get(name)
        assert entry is not None
        assert isinstance(data(entry.value.node), Known if name == "a" else Unknown)


def test_merges_that_multiply_cost_no_more_than_their_text() -> None:
    text = "a: &m0 {k: 1}\n" + "".join(f"x{n}: &m{n + 1} {{<<: [*m{n}, *m{n}], k{n}: 1}}\n" for n in range(15))
    document = read_yaml("f", text)
    assert document.mapping is not None
    entry = document.mapping.get("x14")
    assert entry is not None
    assert isinstance(entry.value.node, Mapping)
    assert len(entry.value.node.in_force()) == 16


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a: " + "[" * 100_000, "too-deep"),
        ("a: " + "{" * 100_000, "too-deep"),
        ("a: " + "[" * 99 + "]" * 99, None),
        ("- " * 100_000 + "a", "too-deep"),
        ("? " * 100_000 + "a", "too-deep"),
        ("a: '" + "x" * 10_000_000, "too-large"),
        ("a: 1\u2028b: 2\n", "not-read"),
        ("a: &x [*x]\n", None),
        ("a: &x {b: *x}\n", None),
        ("a: &x\n  <<: *x\n", "syntax"),
        ("".join(f"x{n}: &m{n + 1} {{<<: *m{n}}}\n" for n in range(200)).replace("*m0", "{k: 1}"), "too-deep"),
        ("x0: &m0 [1]\n" + "".join(f"x{n}: &m{n} [*m{n - 1}]\n" for n in range(1, 3000)), None),
        ("a: !!set {x, y}\n", "not-read"),
        ("a: " + "'" * 99_999, "syntax"),
        ("a: " + "&a " * 20_000, "syntax"),
        ("a: " + "!!str " * 20_000, "syntax"),
        ("a:\n" + " " * 100_000 + "- b\n", None),
        (": " * 50_000, "syntax"),
        ("-" * 100_000, None),
        ("%" * 50_000, "syntax"),
    ],
    ids=range(20),
)
def test_nothing_makes_it_hang(text: str, kind: str | None) -> None:
    document = read_yaml("f", text)
    assert [problem.kind for problem in document.problems][:1] == ([kind] if kind else [])
    if document.mapping is not None:
        for entry in document.mapping.in_force().values():
            data(entry.value.node)


def test_parts_of_the_text_that_are_not_known() -> None:
    hole = Traced.hole("$X is not known", Span("f", 0, 2))
    traced = Traced.of_file("f", "a: ") + hole + Traced.of_file("f", "\nb: 1\n", 5)
    document = read_yaml("f", traced)
    assert document.mapping is not None
    assert [data(entry.value.node) for entry in document.mapping.entries] == [Unknown("$X is not known"), Known(1)]
    assert [one.kind for one in read_yaml("f", traced + Traced.of_file("f", "c: [", 20)).problems] == ["not-read"]
