"""Changes of arguments in Python and of entries in YAML: what has to change does, all else stays byte for byte."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

import pytest

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.edits import applied
from rlhflint.fixing.proposals import anchored, edits_of
from rlhflint.launch import Launch, Setting
from rlhflint.mapping import data
from rlhflint.proposal import Add, Change, Move, Remove, Rename, Replace, SetValue
from rlhflint.readers.notebook import read_notebook
from rlhflint.readers.python import read_cells
from rlhflint.readers.yaml import read_yaml
from rlhflint.source import Source
from rlhflint.text import Span, Traced

Make = Callable[[dict[str, Setting]], Change]


def rename(old: str, *new: str) -> Make:
    return lambda settings: Rename(settings[old], new)


def put(name: str, value: object) -> Make:
    return lambda settings: SetValue(settings[name], value)


def remove(name: str) -> Make:
    return lambda settings: Remove(settings[name])


def replace(name: str, *by: tuple[str, tuple[object, ...] | None]) -> Make:
    return lambda settings: Replace(settings[name], by)


def add(name: str, value: object) -> Make:
    return lambda settings: Add(name, value)


def in_python(text: str, path: str = "train.py") -> Launch:
    whole = Traced.of_file(path, text)
    cells = [whole] if path == "train.py" else read_notebook(path, text).python
    module = read_cells(path, cells, watch=lambda name: name.startswith("trl"))
    settings = tuple(
        Setting(one.name, one.value, one.name_span or one.span, one.value_span, origin=one)
        for call in module.calls
        for one in (*call.arguments, *call.assigned)
    )
    return Launch("trl:sft", path, Span(path, 0, 0), settings)


def in_yaml(text: str, path: str = "sft.yaml") -> Launch:
    mapping = read_yaml(path, text).mapping
    assert mapping is not None
    settings = tuple(
        Setting(one.name, data(one.value.node), one.name_span, one.value.span, origin=one) for one in mapping.entries
    )
    return Launch("trl:sft", path, Span(path, 0, 0), settings)


def changed(launch: Launch, text: str, make: Make) -> str:
    changes = anchored([make({one.name: one for one in launch.settings})], launch, [launch])
    return applied(text, edits_of(changes, launch, {launch.path: Source(launch.path, text)}))


HEAD = "from trl import SFTConfig\n"


@pytest.mark.parametrize(
    ("before", "make", "after"),
    [
        ("SFTConfig(a = 1 , b=2)", rename("a", "c"), "SFTConfig(c = 1 , b=2)"),
        ("SFTConfig(**{'a': 1, 'b': 2})", rename("a", "c"), "SFTConfig(**{'c': 1, 'b': 2})"),
        ("args = SFTConfig(b=2)\nargs.a = 1", rename("a", "c"), "args = SFTConfig(b=2)\nargs.c = 1"),
        ("SFTConfig(a=1, b=2)", rename("a", "c", "d"), "SFTConfig(c=1, d=1, b=2)"),
        (
            "SFTConfig(\n    a=1,  # one\n    b=2,\n)",
            rename("a", "c", "d"),
            "SFTConfig(\n    c=1,  # one\n    d=1,\n    b=2,\n)",
        ),
        ("SFTConfig(a=1, b=2)", put("a", [0.5, "x"]), 'SFTConfig(a=[0.5, "x"], b=2)'),
        ("SFTConfig(a='x', b='y', c='z')", put("a", "new"), "SFTConfig(a='new', b='y', c='z')"),
        ("SFTConfig(a=1, b=2)", remove("a"), "SFTConfig(b=2)"),
        ("SFTConfig(a=1, b=2)", remove("b"), "SFTConfig(a=1)"),
        ("SFTConfig(a=1)", remove("a"), "SFTConfig()"),
        ("SFTConfig(\n    a=1,\n    b=2,\n)", remove("a"), "SFTConfig(\n    b=2,\n)"),
        ("SFTConfig(\n    a=1,\n    b=2\n)", remove("b"), "SFTConfig(\n    a=1\n)"),
        ("SFTConfig(\n    a=1,  # why\n    b=2,\n)", remove("a"), "SFTConfig(\n    # why\n    b=2,\n)"),
        ("SFTConfig(\r\n    a=1,\r\n    b=2,\r\n)", remove("b"), "SFTConfig(\r\n    a=1,\r\n)"),
        ('SFTConfig(**{"a": 1, "b": 2})', remove("b"), 'SFTConfig(**{"a": 1})'),
        ("SFTConfig(a=1)", add("c", True), "SFTConfig(a=1, c=True)"),
        ("SFTConfig(\n    a=1,\n)", add("c", "x"), 'SFTConfig(\n    a=1,\n    c="x",\n)'),
        ("SFTConfig(\n    a=1\n)", add("c", "x"), 'SFTConfig(\n    a=1,\n    c="x"\n)'),
        ("SFTConfig(\n    a=1  # one\n)", add("c", 2), "SFTConfig(\n    a=1,  # one\n    c=2\n)"),
        ("SFTConfig(a=1, b=2)", replace("a", ("c", None), ("d", ("x",))), 'SFTConfig(c=1, d="x", b=2)'),
        ("SFTConfig(a=1, b=2)", replace("a", ("c", (["sigmoid", "sft"],))), 'SFTConfig(c=["sigmoid", "sft"], b=2)'),
        ("SFTConfig(a=1, b=2)", replace("a", ("c", (1, "x")), ("d", (2, 3))), 'SFTConfig(c=[1, "x"], d=[2, 3], b=2)'),
        ("SFTConfig(a=1, b=2)", replace("a"), "SFTConfig(b=2)"),
        ("SFTConfig(a=1, b=2)", put("a", {"k": (1,), 2: None}), 'SFTConfig(a={"k": (1,), 2: None}, b=2)'),
        ("SFTConfig(a=1, b=2)", put("a", (True, 0.5)), "SFTConfig(a=(True, 0.5), b=2)"),
        ("SFTConfig(a=1, b=2)", put("a", "C:\\x"), "SFTConfig(a='C:\\\\x', b=2)"),
        ("SFTConfig(a=1, b=2)", put("a", 'say "x"'), "SFTConfig(a='say \"x\"', b=2)"),
        ("SFTConfig(a=1, b=2)", put("a", "one\ntwo"), "SFTConfig(a='one\\ntwo', b=2)"),
        ("SFTConfig('o', b=2)", rename("", "c"), "SFTConfig(c='o', b=2)"),
        ("SFTConfig('o', b=2)", remove(""), "SFTConfig(b=2)"),
        ("args = SFTConfig(b=2)\nargs.a = 1", put("a", 3), "args = SFTConfig(b=2)\nargs.a = 3"),
    ],
)
def test_in_python(before: str, make: Make, after: str) -> None:
    text = HEAD + before + "\n"
    assert changed(in_python(text), text, make) == HEAD + after + "\n"


@pytest.mark.parametrize(
    ("before", "make", "after"),
    [
        ('"a":   1   # one\nb: 2\n', rename("a", "c"), '"c":   1   # one\nb: 2\n'),
        ('"\\x61": "\\u0041\\n"  # one\nb: 2\n', rename("a", "c"), '"c": "\\u0041\\n"  # one\nb: 2\n'),
        ('"\\x61": "\\u0041"\n', rename("a", "c", "d"), '"c": "\\u0041"\n"d": "\\u0041"\n'),
        ('{"\\u0061": "x\\"y", b: 2}\n', put("a", 'z"ä'), '{"\\u0061": "z\\"ä", b: 2}\n'),
        ('{"\\u0061": "x\\"y", b: 2}\n', replace("a", ("c", (1,)), ("d", None)), '{"c": 1, "d": "x\\"y", b: 2}\n'),
        ('"\\x61": "x\\\n  y"\nb: 2\n', remove("a"), "b: 2\n"),
        ("'a': 'it''s'\n", rename("a", "c"), "'c': 'it''s'\n"),
        ("a: 1\nb: 2\n", rename("a", "c", "d"), "c: 1\nd: 1\nb: 2\n"),
        ("a: 'x'  # why\n", put("a", "yes"), 'a: "yes"  # why\n'),
        ("a: 1\n", put("a", 1e-6), "a: 1.0e-06\n"),
        ("a: 1\nb: 2\n", remove("a"), "b: 2\n"),
        ("a: 1\nb: 2", remove("b"), "a: 1\n"),
        ("a: 1   \nb: 2\n", remove("a"), "b: 2\n"),
        ("a: 1\nb: # two\n  - x\n  - y\nc: 3\n", remove("b"), "a: 1\nc: 3\n"),
        ("a: 1\nb: 2  # two\nc: 3\n", remove("b"), "a: 1\n# two\nc: 3\n"),
        ("{a: 1, b: 2}\n", remove("a"), "{b: 2}\n"),
        ("{a: 1, b: 2}\n", remove("b"), "{a: 1}\n"),
        ("a: 1\nb:\n  - x\n# end\n", add("c", True), "a: 1\nb:\n  - x\nc: true\n# end\n"),
        ('{"a": 1}\n', add("c", None), '{"a": 1, "c": null}\n'),
        ("a: 1\r\nb: 2\r\n", add("c", [1, "x"]), "a: 1\r\nb: 2\r\nc: [1, x]\r\n"),
        ("größe: ä\na: 1", replace("a", ("c", ("x y",)), ("d", None)), "größe: ä\nc: x y\nd: 1"),
        ("a: 1\nb: 2\n", replace("a"), "b: 2\n"),
        ("a: 1\nb: 2\n", replace("a", ("c", None)), "c: 1\nb: 2\n"),
        ("a: 1\nb: 2\n", replace("a", ("c", (1, "x"))), "c: [1, x]\nb: 2\n"),
        ("a: 1\n", put("a", {"k": [1, None], "no": "1e3"}), 'a: {k: [1, null], "no": "1e3"}\n'),
        ("a: 1\n", put("a", 2.5), "a: 2.5\n"),
        ("a: \nb: 2\n", rename("a", "c"), "c: \nb: 2\n"),
        ("a: 1\nb: &x 2\n", rename("b", "c"), "a: 1\nc: &x 2\n"),
        ("a: 1\nb: |\n  x\n  y\n\nc: 3\n", remove("b"), "a: 1\n\nc: 3\n"),
    ],
)
def test_in_yaml(before: str, make: Make, after: str) -> None:
    assert changed(in_yaml(before), before, make) == after


def notebook(*lines: str) -> str:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": list(lines)}
    content = {"cells": [cell], "metadata": {"größe": 1}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False)


@pytest.mark.parametrize(
    ("before", "make", "after"),
    [
        ('SFTConfig(a="x", b=2)', rename("a", "c"), 'SFTConfig(c="x", b=2)'),
        ('SFTConfig(a="x", b=2)', rename("a", "c", "d"), 'SFTConfig(c="x", d="x", b=2)'),
        ('SFTConfig(a="x", b=2)', put("a", "y"), 'SFTConfig(a="y", b=2)'),
        ('SFTConfig(**{"a": "x", "b": 2})', rename("a", "c", "d"), 'SFTConfig(**{"c": "x", "d": "x", "b": 2})'),
        ('SFTConfig(a="x", b=2)', remove("a"), "SFTConfig(b=2)"),
        ("SFTConfig(a=1)", add("c", "x"), 'SFTConfig(a=1, c="x")'),
    ],
)
def test_in_a_cell_of_a_notebook(before: str, make: Make, after: str) -> None:
    text = notebook(HEAD, before)
    assert changed(in_python(text, "sft.ipynb"), text, make) == notebook(HEAD, after)


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("SFTConfig(a=1, b=2)", rename("a", "b")),
        ("options = {'a': 1}\nSFTConfig(**options, b=2)\n", rename("a", "b")),
        ("SFTConfig(a=1)", add("a", 2)),
        ("args = SFTConfig(b=1)\nargs.a = 2\n", remove("a")),
        ("args = SFTConfig(b=1)\nargs.a = 2\n", rename("a", "c", "d")),
        ("args = SFTConfig(b=1)\nargs.a = 2\n", replace("a", ("c", None), ("d", (1,)))),
        ("SFTConfig('o', b=1)", rename("", "c", "d")),
        ("SFTConfig('o', b=1)", replace("", ("c", ("x",)))),
        ("SFTConfig(a=1)", put("a", object())),
        ("SFTConfig(a=1)", put("a", [1, {2}])),
        ("SFTConfig(**{'a' 'b': 1})", rename("ab", "c")),
    ],
)
def test_what_is_not_certain_is_not_done(text: str, make: Make) -> None:
    whole = HEAD + text
    with pytest.raises(Doubt):
        changed(in_python(whole), whole, make)


@pytest.mark.parametrize(
    ("text", "make", "because"),
    [
        ("a: 1\n", put("a", object()), "cannot be written on one line"),
        ("a: |\n  x\nb: 2\n", put("a", 1), "is not on one line"),
        ("a: [1, 2]\n", rename("a", "c", "d"), "is not on one line"),
        ("a: &x 1\nb: *x\n", put("b", 2), "is not on one line"),
        ("a:\nb: 2\n", put("a", 2), "is not on one line"),
        ("{a: 1}\n", remove("a"), "does not stand alone"),
        ("x: &k a\n*k : 1\n", rename("a", "c"), "is not written out"),
        ("? |-\n  a\n: 1\n", rename("a", "c"), "is not written out"),
    ],
)
def test_what_is_not_certain_is_not_done_in_yaml(text: str, make: Make, because: str) -> None:
    with pytest.raises(Doubt, match=because):
        changed(in_yaml(text), text, make)


def test_what_only_a_call_can_take_is_not_written_elsewhere() -> None:
    text = f"{HEAD}SFTConfig(b=1)\n"
    launch = in_python(text)
    (setting,) = launch.settings
    call = read_cells("train.py", [Traced.of_file("train.py", text)], watch=lambda name: True).calls[0]
    (entry,) = in_yaml("a: 1\n").settings
    with pytest.raises(Doubt, match="no edit is known for Move"):
        edits_of([Move(entry, "a", call)], launch, {one: Source(one, text) for one in ("sft.yaml", "train.py")})
    with pytest.raises(Doubt, match="b is given as well"):
        edits_of([Add("b", 2, into=call)], launch, {"train.py": Source("train.py", text)})
    with pytest.raises(Doubt, match="file that was not read"):
        edits_of([Remove(setting)], launch, {})
    with pytest.raises(Doubt, match="no launch"):
        edits_of([Remove(setting)], None, {"train.py": Source("train.py", text)})
    with pytest.raises(Doubt, match="no setting to write it beside"):
        edits_of([Add("c", 2)], launch, {"train.py": Source("train.py", text)})


def test_what_is_neither_an_argument_nor_an_entry_is_not_edited() -> None:
    text = f"{HEAD}SFTConfig(a=1)\n"
    launch = in_python(text)
    strange = dataclasses.replace(launch.settings[0], origin="somewhere")
    with pytest.raises(Doubt, match="it is not known how a is written"):
        edits_of([Remove(strange)], launch, {"train.py": Source("train.py", text)})


def test_a_name_that_is_given_already_in_yaml() -> None:
    text = "a: 1\nb: 2\n"
    with pytest.raises(Doubt, match="b is given as well"):
        changed(in_yaml(text), text, rename("a", "b"))


@pytest.mark.parametrize(
    ("before", "make", "after"),
    [
        (
            ["SFTConfig(\n", "    a=1,\n", '    b="ä\\n",\n', ")"],
            remove("a"),
            ["SFTConfig(\n", '    b="ä\\n",\n', ")"],
        ),
        (
            ["SFTConfig(\n", "    a=1,  # one\n", "    b=2,\n", ")\n", "x = 1"],
            remove("a"),
            ["SFTConfig(\n", "    # one\n", "    b=2,\n", ")\n", "x = 1"],
        ),
        (["SFTConfig(\n", "    b=2\n", ")\n"], add("c", "x"), ["SFTConfig(\n", "    b=2,\n", '    c="x"\n', ")\n"]),
        (["SFTConfig(\n", "    a=1,\n", ")"], remove("a"), ["SFTConfig()"]),
        (
            ["!pip install trl\n", "SFTConfig(a=[\n", "  1,\n", "], b=2)\n", "%time x = 1\n"],
            rename("a", "c", "d"),
            ["!pip install trl\n", "SFTConfig(c=[\n", "  1,\n", "], d=[\n", "  1,\n", "], b=2)\n", "%time x = 1\n"],
        ),
    ],
)
def test_lines_of_a_cell_are_lines_of_the_notebook(before: list[str], make: Make, after: list[str]) -> None:
    text = notebook(HEAD, *before)
    assert changed(in_python(text, "sft.ipynb"), text, make) == notebook(HEAD, *after)


def test_a_cell_that_is_one_text() -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": HEAD + "SFTConfig(\n    a='\"',\n    b=2,\n)"}
    text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert changed(in_python(text, "sft.ipynb"), text, remove("b")) == text.replace("    b=2,\\n", "")
    made = changed(in_python(text, "sft.ipynb"), text, rename("a", "c", "d"))
    assert made == text.replace("    a='\\\"',\\n", "    c='\\\"',\\n    d='\\\"',\\n")
