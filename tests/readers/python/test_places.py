"""Every span is the very characters it claims, whatever the line ends and letters of the file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readers.python.reading import call, read, watch
from readers.python.reading import given as arguments
from rlhflint.call import Argument, Call
from rlhflint.readers.python import read_cells, read_module
from rlhflint.text import Piece, Span, Traced

TEXT = """\
from trl import SFTConfig as Konfig, SFTTrainer

GRÖSSE = 4096  # 长度 😀
base = {"ß": 1, 'run_name': "é"}
cfg = Konfig(output_dir="out/ü", max_length = GRÖSSE,   # 😀
    learning_rate=2e-5, **base)
cfg.beta = 0.1; cfg.loss = "ä"
SFTTrainer("模型", args=cfg)
"""


def everything(found: Call) -> Iterator[tuple[Argument, Span]]:
    """All spans of the arguments of a call and of what is in them."""
    waiting = [*found.arguments, *found.assigned]
    while waiting:
        one = waiting.pop()
        for span in (one.span, one.name_span, one.value_span, one.literal):
            if span is not None:
                yield one, span
        waiting += [*one.items, *one.assigned, *(one.made.assigned if one.made else ())]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("head", ["", "\ufeff", "\x0c\n", "# é\n\n"])
def test_spans_are_the_characters_they_claim(end: str, head: str) -> None:
    text = head + TEXT.replace("\n", end)
    module = read(text)
    assert module.problems == ()
    config, trainer = module.calls
    assert text[config.name_span.start : config.name_span.end] == "Konfig"
    assert text[trainer.span.start : trainer.span.end] == 'SFTTrainer("模型", args=cfg)'
    written = {
        one.name: (
            text[one.span.start : one.span.end],
            one.value_span and text[one.value_span.start : one.value_span.end],
        )
        for one in config.arguments
    }
    assert written == {
        "output_dir": ('output_dir="out/ü"', '"out/ü"'),
        "max_length": ("max_length = GRÖSSE", "GRÖSSE"),
        "learning_rate": ("learning_rate=2e-5", "2e-5"),
        "ß": ('"ß": 1', "1"),
        "run_name": ("'run_name': \"é\"", '"é"'),
    }
    literal = config.arguments[1].literal
    assert literal is not None
    assert text[literal.start : literal.end] == "4096"
    assert [text[one.span.start : one.span.end] for one in config.assigned] == ["cfg.beta = 0.1", 'cfg.loss = "ä"']
    for found in module.calls:
        for one, span in everything(found):
            if one.renamable and span == one.name_span:
                assert text[span.start : span.end] == one.name
            if span == one.literal:
                assert ast.literal_eval(text[span.start : span.end]) == getattr(one.value, "value", None)


def test_an_identifier_that_python_normalises_is_not_renamable() -> None:
    text = "from trl import SFTConfig\nSFTConfig(ﬁeld=1)\n"
    (argument,) = call(text).arguments
    assert argument.name == "field"
    assert not argument.renamable


def test_what_is_inside_an_f_string_has_the_place_of_the_whole() -> None:
    text = "from trl import SFTConfig\nx = f'ü {SFTConfig(a=1)} {2:>{3}}'\n"
    found = call(text)
    assert text[found.span.start : found.span.end] == "f'ü {SFTConfig(a=1)} {2:>{3}}'"


def test_a_text_made_of_pieces_keeps_their_places() -> None:
    file = 'run = """\nfrom trl import SFTConfig\nSFTConfig(a=\\"b\\", c=1)\n"""\n'
    start = file.index("from")
    body = file[start : file.index('\n"""')]
    pieces: list[Piece] = []
    place = start
    for n, part in enumerate(body.split("\\")):
        if n:
            pieces.append(Piece('"', Span("f", place, place + 2)))
            place, part = place + 2, part[1:]
        pieces.append(Piece(part, Span("f", place, place + len(part)), verbatim=True))
        place += len(part)
    (found,) = read_module("f", Traced(pieces), watch=watch).calls
    assert [file[one.span.start : one.span.end] for one in found.arguments] == ['a=\\"b\\"', "c=1"]


def test_names_flow_from_cell_to_cell_and_spans_stay_in_their_cell() -> None:
    file = "from trl import SFTConfig\n###\nn = 4\n###\nSFTConfig(n=n)"
    cells, place = [], 0
    for part in file.split("###\n"):
        cells.append(Traced.of_file("f", part, place))
        place += len(part) + 4
    module = read_cells("f", cells, watch=watch)
    (found,) = module.calls
    assert arguments(found) == {"n": 4}
    assert file[found.span.start : found.span.end] == "SFTConfig(n=n)"
    literal = found.arguments[0].literal
    assert literal is not None
    assert file[literal.start : literal.end] == "4"


def test_a_cell_that_cannot_be_parsed_leaves_the_others() -> None:
    parts = ["from trl import SFTConfig\n", "x = (\n", "SFTConfig(n=1)\n"]
    cells = [Traced.of_file("f", part, 100 * n) for n, part in enumerate(parts)]
    module = read_cells("f", cells, watch=watch)
    assert [arguments(one) for one in module.calls] == [{"n": 1}]
    (problem,) = module.problems
    assert (problem.kind, problem.span) == ("syntax", Span("f", 104, 105))


VALUES = st.recursive(
    st.one_of(
        st.integers(-(10**6), 10**6),
        st.floats(allow_nan=False, allow_infinity=False),
        st.booleans(),
        st.none(),
        st.text(st.characters(blacklist_categories=("Cs",)), max_size=8),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("aß\"'\\é", max_size=3), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.text("abcxyz_ßé", min_size=1, max_size=6).map(lambda name: f"k{name}").filter(str.isidentifier)


class Style:
    """Ways to write one call."""

    def __init__(self, data: st.DataObject) -> None:
        self.draw = data.draw

    def blank(self) -> str:
        return self.draw(st.sampled_from(["", " ", "\n", "\r\n    ", "  # ü 😀\n", "\\\n"]))

    def text(self, value: object) -> str:
        if isinstance(value, str):
            double = (
                '"'
                + value.replace("\\", "\\\\")
                .replace('"', '\\"')
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\x00", "\\0")
                + '"'
            )
            return self.draw(st.sampled_from([repr(value), double, f"(\n{value!r})"]))
        if isinstance(value, list):
            return "[" + self.join([self.text(one) for one in value]) + "]"
        if isinstance(value, dict):
            pairs = [f"{self.text(name)}{self.blank_in()}: {self.text(one)}" for name, one in value.items()]
            return "{" + self.join(pairs) + "}"
        return repr(value)

    def blank_in(self) -> str:
        return self.draw(st.sampled_from(["", " ", "\n"]))

    def join(self, parts: list[str]) -> str:
        comma = self.draw(st.sampled_from(["", ","])) if parts else ""
        return ",".join(self.blank() + part + self.blank() for part in parts) + comma


@settings(max_examples=150, deadline=None)
@given(wanted=st.dictionaries(NAMES, VALUES, max_size=4), data=st.data())
def test_however_a_call_is_written_its_arguments_are_the_same(wanted: dict[str, object], data: st.DataObject) -> None:
    style = Style(data)
    lines, keywords, table = [], [], {}
    for name, value in wanted.items():
        way = data.draw(st.sampled_from(["keyword", "constant", "table", "item"]))
        if way == "keyword":
            keywords.append(f"{name}{style.blank_in()}={style.text(value)}")
        elif way == "constant":
            lines.append(f"C_{name} = {style.text(value)}")
            keywords.append(f"{name}=C_{name}")
        elif way == "table":
            table[name] = style.text(value)
        else:
            lines.append(f"table[{name!r}] = {style.text(value)}")
    head = "table = {" + ", ".join(f"{name!r}: {value}" for name, value in table.items()) + "}\n"
    text = (
        "from trl import SFTConfig\n" + head + "\n".join(lines) + f"\nSFTConfig({style.join([*keywords, '**table'])})\n"
    )
    found = call(text)
    assert {name: repr(value) for name, value in arguments(found).items()} == {
        name: repr(value) for name, value in wanted.items()
    }
    for one, span in everything(found):
        cut = text[span.start : span.end]
        if one.renamable and span == one.name_span:
            assert cut == one.name
        elif span == one.literal:
            assert repr(ast.literal_eval(cut.replace("\\\n", ""))) == repr(getattr(one.value, "value", cut))


def holed(text: str) -> Traced:
    """A text in which each `?` is a part that is not known."""
    pieces: list[Piece] = []
    for n, part in enumerate(text.split("?")):
        if n:
            pieces += Traced.hole("$X is not known", Span("f", 0, 2)).pieces
        pieces.append(Piece(part, Span("f", 10 * n, 10 * n + len(part)), verbatim=True))
    return Traced(pieces)


def test_parts_of_the_text_that_are_not_known() -> None:
    text = "from trl import SFTConfig\nSFTConfig(a=?, b='out/?', c=1, d=f'?', e={'?': 1}, f=[x?, 2], ?y=3)\n"
    module = read_module("f", holed(text), watch=watch)
    (found,) = module.calls
    assert [one.name for one in found.arguments] == ["a", "b", "c", "d", "e", "f"]
    assert [str(value).startswith("?") for value in arguments(found).values()] == [True, True, False, True, True, True]
    assert "the name of a keyword" in found.more


def test_a_text_that_is_not_known_in_part_is_no_syntax_error() -> None:
    module = read_module("f", holed("from trl import SFTConfig\nSFTConfig(a=1?, b=2)\n? ?\n"), watch=watch)
    assert module.problems == ()


def test_a_text_without_an_origin_is_read() -> None:
    (found,) = read_module("f", Traced.made("import trl\ntrl.SFTConfig(a=1)\n", None), watch=watch).calls
    assert found.span == Span("f", 0, 0)
