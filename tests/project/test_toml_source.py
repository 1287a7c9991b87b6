"""Lines of the keys of a TOML document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.project.toml_source import TomlError, TomlSource

TEXT = '''# settings
title = "a # no comment"

[project]
name.first = "x"
dependencies = [
  "trl==0.24.0",  # pinned
  # "vllm",
  "peft",
]

["tool"."rlhflint"]
cluster = { nodes = 2, "gpus-per-node" = 8 }
text = """
[no.table]
key = ""quoted"" \\"""
"""
other = \'\'\'it's''\'\'\'

[[tool.rlhflint.overrides]]
paths = ["a"]
[[tool.rlhflint.overrides]]
paths = ["b",
  "c"]
versions.trl = "1"
[tool.rlhflint.overrides.deep]
x = [[1, 2], [
3]]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("project",), 4),
        (("project", "name", "first"), 5),
        (("project", "dependencies"), 6),
        (("project", "dependencies", 0), 7),
        (("project", "dependencies", 1), 9),
        (("tool", "rlhflint"), 12),
        (("tool", "rlhflint", "cluster", "gpus-per-node"), 13),
        (("tool", "rlhflint", "text"), 14),
        (("tool", "rlhflint", "other"), 18),
        (("tool", "rlhflint", "overrides", 0, "paths", 0), 21),
        (("tool", "rlhflint", "overrides", 1), 22),
        (("tool", "rlhflint", "overrides", 1, "paths", 1), 24),
        (("tool", "rlhflint", "overrides", 1, "versions", "trl"), 25),
        (("tool", "rlhflint", "overrides", 1, "deep", "x", 1, 0), 28),
        (("tool", "rlhflint", "absent", "deeper"), 12),
        (("nothing",), 1),
    ],
)
def test_each_key_is_found_on_its_line(path, line):
    assert TomlSource(TEXT).line(*path) == line


def test_line_ends_of_windows_count_once():
    assert TomlSource(TEXT.replace("\n", "\r\n")).line("project", "dependencies", 1) == 9


@pytest.mark.parametrize(
    ("text", "line"),
    [("a = 1\nb = \n", 2), ("a = 1\na = 2\n", 2), ('x = """\n\n', 3), ("a = " + "[" * 5000, 1), ("[a\n", 1)],
)
def test_a_broken_document_is_told_with_its_line(text, line):
    with pytest.raises(TomlError) as error:
        TomlSource(text)
    assert error.value.line == line


def test_bytes_that_are_not_utf_8_are_told_with_their_line():
    with pytest.raises(TomlError) as error:
        TomlSource.from_bytes(b"a = 1\nb = '\xff'\n")
    assert (error.value.message, error.value.line) == ("not UTF-8", 2)


def test_a_byte_order_mark_is_no_part_of_the_document():
    assert TomlSource.from_bytes(b"\xef\xbb\xbfa = 1\n").data == {"a": 1}


# Documents written at random, with the line of every key known from the writing.

KEYS = st.one_of(st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True), st.text(max_size=4))
SPACE = st.sampled_from(["", " ", "\t", "  "])
BREAK = st.sampled_from(["", " ", "\n", ' # it\'s "x" [a]\n', "\n\n  "])


def quoted(text):
    plain = set(" #[]{}=',")
    return '"' + "".join(c if (c.isascii() and c.isalnum()) or c in plain else f"\\U{ord(c):08x}" for c in text) + '"'


@st.composite
def values(draw, depth=2):
    """Lines of text of a value, and (path, line) of what is in it."""
    kinds = ["scalar", "string"] + (["array", "table"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "scalar":
        return draw(st.sampled_from(["1", "true", "-1.5e3", "1979-05-27T07:32:00Z", "0x1F"])), []
    if kind == "string":
        inner = draw(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="'\"\\"), max_size=5))
        return draw(st.sampled_from(["'{}'", '"{}"', "'''{}\n'''", '"""\n[x]\n{}"" """', '"a\\"{}"'])).format(inner), []
    text, found = ("[", []) if kind == "array" else ("{", [])
    for position in range(draw(st.integers(0, 3))):
        if position:
            text += ","
        if kind == "array":
            text += draw(BREAK)
            head, key = "", position
        else:
            key = f"k{position}"
            head = draw(SPACE) + key + draw(SPACE) + "=" + draw(SPACE)
        line = text.count("\n")
        text += head
        value, inner = draw(values(depth=depth - 1))
        found.append(((key,), line))
        found += [((key, *path), line + below) for path, below in inner]
        text += value
    return text + (draw(BREAK) + "]" if kind == "array" else draw(SPACE) + "}"), found


@given(st.data())
def test_every_key_of_any_document_is_found_where_it_was_written(data):
    text, found = data.draw(BREAK).lstrip(" "), []
    text += "" if text.endswith("\n") or not text else "\n"
    tables = data.draw(st.lists(KEYS, max_size=3, unique=True))
    for table in [None, *tables]:
        prefix = ()
        if table is not None:
            many = data.draw(st.booleans())
            for position in range(data.draw(st.integers(1, 2)) if many else 1):
                found.append(((table, position) if many else (table,), text.count("\n") + 1))
                space = data.draw(SPACE)
                text += f"[[{space}{quoted(table)}]]\n" if many else f"[{quoted(table)}{space}] # c\n"
                prefix = (table, position) if many else (table,)
        for position in range(data.draw(st.integers(0, 3))):
            key = f"key{position}" if table is not None else f"top{position}"
            line = text.count("\n") + 1
            value, inner = data.draw(values())
            found.append(((*prefix, key), line))
            found += [((*prefix, key, *path), line + below) for path, below in inner]
            text += data.draw(SPACE) + key + data.draw(SPACE) + "=" + data.draw(SPACE) + value + data.draw(SPACE) + "\n"
    tables_named_like_keys = any(table is not None and table.startswith("top") for table in tables)
    if tables_named_like_keys:
        return
    source = TomlSource(text)
    for path, line in found:
        assert source.line(*path) == line, (path, text)


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\n" + ".".join("a" * 5000) + " = 1",
        "[" + " . ".join("a" * 5000) + "]",
        "a = {" + ".".join("a" * 5000) + "=1}",
    ],
)
def test_a_key_of_thousands_of_parts_is_refused_before_it_costs_anything(text):
    with pytest.raises(TomlError, match="a key of too many parts"):
        TomlSource(text)


def test_many_dots_elsewhere_are_fine():
    text = f'a = "{"x." * 500}"\n# {"." * 500}\nb = """\n{"a. " * 500}\n"""\n"{"." * 50}" = 1\n'
    assert set(TomlSource(text).data) == {"a", "b", "." * 50}
