"""What a loader refuses is told as wrong, what it takes is not; what loaders differ about is said not to be read."""

from __future__ import annotations

import pytest
import yaml

from rlhflint.readers.yaml import read_yaml

REFUSED = [
    # tags
    "a: !x y\n",
    "a: !!python/tuple [1]\n",
    "a: !!int x\n",
    "a: !!bool maybe\n",
    "a: !!timestamp x\n",
    "a: 2020-13-45\n",
    "a: =\n",
    "a: !!\n",
    "%TAG ! x\n---\na: !y 1\n",
    # anchors
    "a: &x 1\nb: &x 2\n",
    "a: *x\n",
    # keys
    "? [a]\n: 1\n",
    "? {a: 1}\n: 1\n",
    "<<: 1\n",
    "<<: [1]\n",
    # documents
    "a: 1\n---\nb: 2\n",
    "a: 1\n...\nb\n",
    # characters
    "a: \x01\n",
    'a: "\\q"\n',
    'a: "\\U00110000"\n',
    "a: \t1\n",
    "\ta: 1\n",
    "a: @b\n",
    "a: `b\n",
    # structure
    "a: 'x\n",
    "a: [1\n",
    "a: }\n",
    "- 1\n-2\n",
    "a: b: c\n",
    "a:\n  - b\n c\n",
]
TAKEN = [
    "a: !!seq [1]\n",
    "a: !!map {b: 1}\n",
    "a: ! [1]\n",
    "a: !!str 1\n",
    "a: !<tag:yaml.org,2002:str> 1\n",
    "a: !!null x\n",
    "a: !!binary aGk=\n",
    "--- !!map {a: 1}\n",
    "!!map\na: 1\n",
    "%YAML 1.2\n---\na: 1\n",
    "a: &x [*x]\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n",
    "<<: {a: 1}\nb: 2\n",
    "<<: [{a: 1}, {c: 1}]\nb: 2\n",
    "=: 1\n",
    "? a\n? b\n",
    "{a: 1, a: 2}\n",
    "a: 1_000\nb: 0o7\nc: 1:30\nd: 0b2\n",
    "a: >\n\n b\n",
    "a: |\n",
    "# nothing\n",
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_the_loader_refuses_is_wrong(text: str) -> None:
    with pytest.raises((yaml.YAMLError, ValueError, KeyError, AttributeError)):
        yaml.safe_load(text)
    problems = read_yaml("f", text).problems
    assert "syntax" in {problem.kind for problem in problems}
    assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in problems)


@pytest.mark.parametrize("text", TAKEN)
def test_what_the_loader_takes_is_right(text: str) -> None:
    yaml.safe_load(text)
    assert read_yaml("f", text).problems == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        # sets and lists of pairs, which no setting is
        ("a: !!set {b}\n", "not-read"),
        ("a: !!omap [b: 1]\n", "not-read"),
        # names that one loader takes and another refuses
        ("a: &b.c 1\n", "not-read"),
        ("a: &é 1\nb: *é\n", "not-read"),
        ("a: " + "[" * 300 + "]" * 300 + "\n", "too-deep"),
    ],
)
def test_what_is_not_read_is_said_to_be(text: str, kind: str) -> None:
    document = read_yaml("f", text)
    assert {problem.kind for problem in document.problems} == {kind}
    assert document.mapping is None
