"""Notebooks: cells in order, magics taken out, every character with its place in the JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readers.python.reading import given as arguments
from readers.python.reading import watch
from rlhflint.readers.notebook import Notebook, read_notebook
from rlhflint.readers.python import read_cells
from rlhflint.text import HOLE


def notebook(
    *cells: str | tuple[str, str], indent: int | None = 1, as_text: bool = False, ascii_only: bool = False
) -> str:
    """The JSON of a notebook with code cells, or cells of another kind."""
    made = []
    for cell in cells:
        kind, source = cell if isinstance(cell, tuple) else ("code", cell)
        lines = source if as_text else source.splitlines(keepends=True)
        made.append({"cell_type": kind, "metadata": {}, "outputs": [{"text": ['"source"']}], "source": lines})
    metadata = {"language_info": {"name": "python"}}
    top = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(top, indent=indent, ensure_ascii=ascii_only)


def code(*cells: str) -> list[str]:
    """The Python of code cells."""
    return [part.text for part in read_notebook("n.ipynb", notebook(*cells)).python]


def read(*cells: str | tuple[str, str]) -> Notebook:
    return read_notebook("n.ipynb", notebook(*cells))


def test_names_flow_through_the_cells_and_findings_have_a_cell() -> None:
    text = notebook(
        "from trl import SFTConfig\nN = 4", ("markdown", "SFTConfig(n=1)"), '# ü 😀\ncfg = SFTConfig(n=N, s="x")'
    )
    book = read_notebook("n.ipynb", text)
    (call,) = read_cells("n.ipynb", book.python, watch=watch).calls
    assert arguments(call) == {"n": 4, "s": "x"}
    assert book.locate(call.span.start) == (3, 2, 7)
    assert text[call.span.start : call.span.end] == 'SFTConfig(n=N, s=\\"x\\")'
    literal = call.arguments[0].literal
    assert literal is not None
    assert book.locate(literal.start) == (1, 2, 5)


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("indent", [None, 1, 2])
def test_every_character_of_a_cell_is_located(as_text: bool, ascii_only: bool, indent: int | None) -> None:
    sources = ["a = \"é\t\"\n\n'\\'  # 😀\nb", "c\n", "", "\n\nd"]
    text = notebook(*sources, as_text=as_text, ascii_only=ascii_only, indent=indent)
    book = read_notebook("n.ipynb", text)
    assert [cell.text.text for cell in book.cells] == sources
    for cell, source in zip(book.cells, sources, strict=True):
        for n, sign in enumerate(source):
            span = cell.text.span_of(n, n + 1)
            assert span is not None
            assert json.loads(f'"{text[span.start : span.end]}"') == sign
            line = source.count("\n", 0, n) + 1
            assert book.locate(span.start) == (cell.number, line, n - (source.rfind("\n", 0, n) + 1) + 1)
    assert book.locate(0) is None
    assert book.locate(len(text) - 1) is None


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("!pip install trl\nx = 1", "_ = get_ipython()\nx = 1"),
        ("%pip install trl \\\n    peft \\\n    datasets\nx = 1", "_ = get_ipython()\n\n\nx = 1"),
        ("x = 1\n%matplotlib inline", "x = 1\n_ = get_ipython()"),
        (
            "if x:\n    !pip install trl\nelse:\n    %cd a\n",
            "if x:\n    _ = get_ipython()\nelse:\n    _ = get_ipython()\n",
        ),
        ("files = !ls\ny = %env HOME", "files = get_ipython()\ny = get_ipython()"),
        ("%time x = f(1,\n  2)", "x = f(1,\n  2)"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%%capture out\n!pip install trl\nx = 1", "\n_ = get_ipython()\nx = 1"),
        ("# note\n\n%%capture\nx = 1", "\n\n\nx = 1"),
        ("%%bash\nls", ""),
        ("%%html\n<b>x = (</b>", ""),
        ("%%writefile a.py\nx = (", ""),
        ("x?\ntrl.SFTConfig??\n?x\nx = 1", "_ = get_ipython()\n_ = get_ipython()\n_ = get_ipython()\nx = 1"),
        ("s = '''\n!not a command\n%nor this\n'''", "s = '''\n!not a command\n%nor this\n'''"),
        ("x = (a\n % b)\ny = [\n!= 3]", "x = (a\n % b)\ny = [\n!= 3]"),
        ("x = a \\\n % b", "x = a \\\n % b"),
        ("x = '(' # (\n!ls", "x = '(' # (\n_ = get_ipython()"),
        ("s = 'it\\'s'\n!ls", "s = 'it\\'s'\n_ = get_ipython()"),
        ('s = """a\\"""b"""\n!ls', 's = """a\\"""b"""\n_ = get_ipython()'),
        ("a != b\nc %= 2", "a != b\nc %= 2"),
        ("!echo a\\\\\nx = 1", "_ = get_ipython()\n"),
        ("await f()", "await f()"),
        ("!ls\r\nx = 1", "_ = get_ipython()\r\nx = 1"),
    ],
)
def test_what_is_no_python_is_taken_out_line_by_line(cell: str, python: str) -> None:
    assert code(cell) == [python]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "x = 1",
                "!pip install a",
                "%time y = 2",
                "%cd b",
                "s = '''",
                "'''",
                "f(",
                ")",
                "# !c",
                "if x:",
                "    !ls",
                "    pass",
                "z = !ls \\",
                "  more",
                "x?",
                "%%capture",
                "'\\'",
                '"""',
                "",
                "\\",
            ]
        ),
        max_size=8,
    )
)
def test_lines_stay_in_step_whatever_is_taken_out(lines: list[str]) -> None:
    cell = "\n".join(lines)
    (python,) = read(cell).python
    if python.text:
        assert python.text.count("\n") == cell.count("\n")
    for number, line in enumerate(python.text.split("\n"), 1):
        if line == "x = 1":
            assert lines[number - 1] == "x = 1"


def test_shell_lines_are_given_out_as_they_are() -> None:
    book = read(
        "!accelerate launch \\\n  --num_processes 2 train.py\n"
        "!{run} --lr {cfg.lr} '{\"a\": 1}' $X\n%run train.py --lr 1\n%sx ls\n!!ls"
    )
    shown = [text.text for text in book.shell]
    assert shown[0] == "accelerate launch \\\n  --num_processes 2 train.py"
    assert shown[1] == f"{HOLE} --lr {HOLE} '{{\"a\": 1}}' $X"
    assert "cfg.lr" in book.shell[1].because
    assert shown[2:] == ["python train.py --lr 1", "ls", "ls"]


def test_shell_cells_and_written_files() -> None:
    book = read(
        "%%bash\ntrl sft --config a.yaml\n",
        "%%script bash\nls\n",
        "%%writefile configs/a.yaml\nlearning_rate: 1e-6\n",
        "%%writefile -a 'run.sh'\nls\n",
        "%%script perl\nprint 1\n",
    )
    assert [text.text for text in book.shell] == ["trl sft --config a.yaml\n", "ls\n"]
    assert [(file.name, file.text.text, file.appended) for file in book.files] == [
        ("configs/a.yaml", "learning_rate: 1e-6\n", False),
        ("run.sh", "ls\n", True),
    ]


def test_a_written_file_keeps_the_places_of_the_notebook() -> None:
    text = notebook('%%writefile a.yaml\nkey: "v"\n')
    (file,) = read_notebook("n.ipynb", text).files
    start = file.text.text.index("key")
    span = file.text.span_of(start, start + 3)
    assert span is not None
    assert text[span.start : span.end] == "key"


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("!pip install trl==0.22.2", ["trl==0.22.2"]),
        (
            "!pip install -q -U \"trl>=0.20\" 'peft' transformers[torch]==4.56.2",
            ["trl>=0.20", "peft", "transformers[torch]==4.56.2"],
        ),
        ("%pip install trl==1.0.0 \\\n  datasets", ["trl==1.0.0", "datasets"]),
        ("!uv pip install --system trl==1.0.0", ["trl==1.0.0"]),
        ("!python -m pip install trl==1.0.0 && ls x", ["trl==1.0.0"]),
        ("!cd a; pip3 install trl==1.0.0 # not peft", ["trl==1.0.0"]),
        (
            "!pip install git+https://github.com/huggingface/trl.git@v0.9.6",
            ["git+https://github.com/huggingface/trl.git@v0.9.6"],
        ),
        ("!pip install -r requirements.txt -i https://x trl", ["trl"]),
        ("!pip install --index-url=https://x trl", ["trl"]),
        ("!pip install trl=={version} peft==$V a", ["a"]),
        ("!pip uninstall trl", []),
        ("!echo pip", []),
        ("!pip install", []),
        ("# !pip install trl", []),
        ("%%bash\npip install trl==1.0.0\n", ["trl==1.0.0"]),
        ("%%capture\n!pip install trl==1.0.0", ["trl==1.0.0"]),
        ("!pip install 'trl", []),
    ],
)
def test_what_pip_installs(command: str, found: list[str]) -> None:
    text = notebook(command)
    book = read_notebook("n.ipynb", text)
    assert [one.text.text for one in book.requirements] == found
    for one in book.requirements:
        span = one.text.span
        assert span is not None
        assert text[span.start : span.end] == one.text.text


def test_what_is_installed_in_a_branch_is_conditional() -> None:
    book = read("if colab:\n    !pip install trl==0.22.2\n!pip install peft==0.1\n")
    assert [(one.text.text, one.conditional) for one in book.requirements] == [
        ("trl==0.22.2", True),
        ("peft==0.1", False),
    ]


def test_environment_variables() -> None:
    book = read("%env A=b c\n%set_env D e\n%env\n%env HOME\n")
    assert [(name.text, value.text) for name, value in book.environment] == [("A", "b c"), ("D", "e")]


def test_a_cell_that_cannot_be_parsed_is_a_problem_in_that_cell() -> None:
    text = notebook("from trl import SFTConfig", "x = (", "SFTConfig(n=1)")
    book = read_notebook("n.ipynb", text)
    module = read_cells("n.ipynb", book.python, watch=watch)
    assert len(module.calls) == 1
    (problem,) = module.problems
    assert book.locate(problem.span.start) == (2, 1, 5)


def test_format_three_has_worksheets() -> None:
    cells = [
        {"cell_type": "heading", "source": "x"},
        {"cell_type": "code", "language": "python", "input": ["a = 1\n", "b"]},
    ]
    top = {
        "metadata": {},
        "nbformat": 3,
        "worksheets": [{"cells": cells}, {"cells": [{"cell_type": "code", "input": "c"}]}],
    }
    book = read_notebook("n.ipynb", json.dumps(top))
    assert [part.text for part in book.python] == ["a = 1\nb", "c"]
    assert [cell.number for cell in book.cells] == [1, 2, 3]


def test_a_notebook_of_another_language_has_no_python() -> None:
    text = notebook("x <- 1").replace('"python"', '"R"')
    book = read_notebook("n.ipynb", text)
    assert book.python == ()
    assert len(book.cells) == 1


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"cells": 1}', '{"cells": [}', "not json", '{"a": "\ud800"}', "\ufeff", "null"]
)
def test_a_file_that_is_no_notebook(text: str) -> None:
    (problem,) = read_notebook("n.ipynb", text).problems
    assert problem.kind == "syntax"
    assert 0 <= problem.span.start <= problem.span.end <= max(len(text), 1)


@pytest.mark.parametrize(
    "text",
    [
        '{"cells": []}',
        (
            '{"cells": [1, null, "a", {}, {"cell_type": "code"}, {"cell_type": "code", "source": {"a": 1}},'
            ' {"source": [1, "x"]}]}'
        ),
        (
            '{"cells": [{"cell_type": "code", "source": "a"}, {"cell_type": "code", "source": "b", "source": "c"}],'
            ' "metadata": 3}'
        ),
        '\ufeff{"cells": [{"cell_type": "code", "source": "a = 1"}]}',
    ],
)
def test_odd_notebooks_are_read_as_far_as_they_go(text: str) -> None:
    assert read_notebook("n.ipynb", text).problems == ()


@pytest.mark.parametrize(
    "cell",
    [
        "!" * 100_000,
        "%" * 100_000,
        "x = '''" + "\\'''" * 20_000,
        "(" * 50_000 + "\n!ls",
        "a = \\\n" * 20_000,
        "!ls \\\n" * 20_000,
        " " * 100_000 + "!ls",
        "#\n" * 50_000 + "%%bash\n",
        "!" + "{a" * 30_000,
        "!pip install " + "'" * 50_001,
        "a," * 50_000 + " = !ls",
        "?" * 50_000,
    ],
    ids=range(12),
)
def test_nothing_makes_it_hang(cell: str) -> None:
    book = read_notebook("n.ipynb", notebook(cell, as_text=True))
    assert len(book.cells) == 1


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text("!%?x='\"\\\n({[#)]} \tpip install", max_size=30), max_size=3))
def test_no_cells_make_it_fall_over(cells: list[str]) -> None:
    book = read(*cells)
    assert len(book.cells) == len(cells)
    assert len(book.python) == len(cells)


def test_a_large_output_costs_little() -> None:
    text = notebook("x = 1").replace('"\\"source\\""', json.dumps(["1,2," * 500_000] * 3)[1:-1])
    assert len(text) > 5_000_000
    assert [part.text for part in read_notebook("n.ipynb", text).python] == ["x = 1"]
