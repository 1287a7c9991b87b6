"""Bytes as text, and texts as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.content import decode, json_object, searched
from rlhflint.disk import Unreadable


@given(st.text().filter(lambda text: "\0" not in text))
def test_utf8_is_the_text_it_was(text: str) -> None:
    assert decode(text.encode("utf-8", "replace")) == text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize(
    ("data", "message", "offset"),
    [
        (b"ab\xff", "byte 0xff is not UTF-8 text", 2),
        ("é".encode() + b"\xc3", "byte 0xc3 is not UTF-8 text", 1),
        (b"a\0b", "a NUL character: this is no text file", 1),
        ("openrlhf".encode("utf-16"), "it is UTF-16 text: no shell, Python or trainer reads it as it is", 0),
        (b"\xfe\xff\0a", "it is UTF-16 text: no shell, Python or trainer reads it as it is", 0),
    ],
)
def test_what_is_no_text_is_told_with_its_place(data: bytes, message: str, offset: int) -> None:
    with pytest.raises(Unreadable) as refused:
        decode(data)
    assert (str(refused.value), refused.value.offset) == (message, offset)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_words_are_found_in_either_encoding(encoding: str) -> None:
    assert b"openrlhf" in searched("python -m openrlhf.cli é".encode(encoding))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        ("{}", {}),
        ("[1]", None),
        ("null", None),
        ("{", None),
        ('{"a": 1} x', None),
        ("[" * 200_000, None),
        ('{"a": "' + "x" * 2000 + '"}', None),
        (None, None),
    ],
    ids=range(9),
)
def test_the_object_in_a_text(text: str | None, found: object) -> None:
    assert json_object(text, most=1000) == found
    if text is not None and found is not None:
        assert found == json.loads(text)
