"""Where words begin and end in the text of a script, and which quote they stand in."""

from __future__ import annotations

import pytest

from rlhflint.fixing.shell_words import enclosing, plain, word_at

HERE = "@"
"""Marks the place that is asked for, and is taken out."""


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("@", ""),
        ("a @", ""),
        ('"@', '"'),
        (' "@', '"'),
        ('a "@', '"'),
        ("a 'b@", "'"),
        ("a 'b' @", ""),
        ("'it\"s@", "'"),
        ("\"it's@", '"'),
        ("'a\\' @", ""),
        ('"a\\" @', '"'),
        ("a\\' @", ""),
        ("it's\n@", ""),
        ('x"\n@', ""),
        ('a\nx"\nb @', ""),
        ("a 'b \\\n c @", "'"),
        ("a 'b \\\r\n c @", "'"),
        ("a 'b \\\n c \\\n d @", "'"),
        ("a 'b \n c \\\n d @", ""),
        ("a # it's @", ""),
        ("# it's @", ""),
        ("a# 'b @", "'"),
        ("# it's \\\n 'b @", "'"),
        ("a \\\n# it's \\\n b @", ""),
        ("a\t# it's @", ""),
    ],
)
def test_the_quote_around_a_place(text: str, quote: str) -> None:
    at = text.index(HERE)
    assert enclosing(text.replace(HERE, ""), at) == quote


@pytest.mark.parametrize(
    ("text", "around", "word"),
    [
        ("abc def", "", "abc"),
        ("abc", "", "abc"),
        ("'a b'c d", "", "'a b'c"),
        ("\"a b\"'c d'e f", "", "\"a b\"'c d'e"),
        ('abc" d', '"', "abc"),
        ('\\"a b\\" c"', '"', '\\"a b\\"'),
        ("a\\ b c", "", "a\\ b"),
        ("${A:-b c}d e", "", "${A:-b c}d"),
        ("$(a (b) c)d e", "", "$(a (b) c)d"),
        ("`a b`c d", "", "`a b`c"),
        ("${{ a.b }}/c d", "", "${{ a.b }}/c"),
        ("a;b", "", "a"),
        ("a)b", "", "a"),
        ("a,b", "", "a"),
        ("a]b", "", "a"),
        ("a>b", "", "a"),
        ("a|b", "", "a"),
        ("a&b", "", "a"),
        ("$B", "", "$B"),
        (" a", "", None),
        ("'a\nb'", "", None),
        ("'a", "", None),
        ("", "", None),
        ("x'a\nb'", "", "x"),
    ],
)
def test_a_word_from_its_beginning(text: str, around: str, word: str | None) -> None:
    found = word_at(f"--a {text}", 4, around)
    assert found == (None if word is None else (4, 4 + len(word)))


def test_words_without_quotes() -> None:
    assert plain(["a-b_c./d:e,f=g@h%i+1", "2"]) == "a-b_c./d:e,f=g@h%i+1 2"
