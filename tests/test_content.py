"""Bytes as text, and texts as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint import content
from rlhflint.content import decode, encode, json_object, searched
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


TEXTS = ("é", "Ж", "猫", "한", "Ω", "ğ", "€", "ő", "א", "ش", "ễ")


@pytest.mark.parametrize("name", sorted(content._ENCODINGS))
def test_python_source_is_read_in_the_encoding_that_it_states_as_python_reads_it(name: str) -> None:
    held = [text for text in TEXTS if text.encode(name, "ignore")]
    data = f"# -*- coding: {name} -*-\nx = {held!r}  # openrlhf \\ {{}}[]|~\n".encode(name)
    scope: dict[str, object] = {}
    exec(compile(data, "a.py", "exec"), scope)
    text = decode(data, "a.py")
    assert text == data.decode(name)
    assert scope["x"] == held
    assert repr(held) in text
    assert encode(text, "a.py") == data


@pytest.mark.parametrize(
    ("data", "name", "text"),
    [
        (b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n#\xe9", "a.py", "#é"),
        (b"\n#coding=latin-1\n#\xe9", "a.py", "#é"),
        (b"# coding: latin-1\n# coding: ascii\n#\xe9", "a.py", "#é"),
        (b"# coding: latin-1\r\n#\xe9", "a/b.pyw", "#é"),
        (b"# coding: LATIN_1\n#\xe9", "a.py", "#é"),
        (b"# coding: iso-latin-1-unix\n#\xe9", "a.py", "#é"),
        (b"# coding: utf-8-unix\n#\xc3\xa9", "a.py", "#é"),
        (b"\xef\xbb\xbf# coding: utf8\n#\xc3\xa9", "a.py", "#é"),
    ],
)
def test_where_an_encoding_is_stated(data: bytes, name: str, text: str) -> None:
    read = decode(data, name)
    assert read.splitlines()[-1] == text
    assert encode(read, name) == data


@pytest.mark.parametrize(
    ("data", "name", "message", "offset"),
    [
        (b"# coding: latin-1\n#\xe9", "a.sh", "byte 0xe9 is not UTF-8 text", 19),
        (b"x = 1\n# coding: latin-1\n#\xe9", "a.py", "byte 0xe9 is not UTF-8 text", 25),
        (b"\n\n# coding: latin-1\n#\xe9", "a.py", "byte 0xe9 is not UTF-8 text", 21),
        (b"# coding: ascii\n#\xe9", "a.py", "byte 0xe9 is not ASCII text", 17),
        (b"# coding: no-such\n", "a.py", "it states the encoding no-such, which is not read", 10),
        (b"# coding: utf-7\n", "a.py", "it states the encoding utf-7, which is not read", 10),
        (b"# coding: rot13\n", "a.py", "it states the encoding rot13, which is not read", 10),
    ],
)
def test_what_is_not_read_of_a_stated_encoding(data: bytes, name: str, message: str, offset: int) -> None:
    with pytest.raises(Unreadable) as refused:
        decode(data, name)
    assert (str(refused.value), refused.value.offset) == (message, offset)


def test_a_character_that_an_encoding_lacks_is_not_written() -> None:
    with pytest.raises(Unreadable, match="猫 is no character of LATIN-1") as refused:
        encode("# coding: latin-1\n# 猫", "a.py")
    assert refused.value.offset == 20
