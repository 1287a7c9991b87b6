import json

import pytest

from rlhflint.command import Command, Script
from rlhflint.document import Document
from rlhflint.readers.notebook import read_notebook
from rlhflint.source import Source
from rlhflint.suppress.find import directives
from rlhflint.text import Span

MARK = "# rlhflint: ignore[OR203, LA111] why"


def covers(text: str, kind: str = "shell", document=None) -> list[str | None]:
    """What each suppression of a file covers; None for the whole file."""
    source = Source("x", text)
    found = directives(source, kind, document)
    for one in found:
        assert text[one.span.start : one.span.end] == one.text
        assert [text[span.start : span.end] for span in one.code_spans] == list(one.codes)
    return [text[one.covers.start : one.covers.end] if one.covers else None for one in found]


def without(text: str, kind: str = "shell") -> str:
    """The file with all suppressions taken out."""
    for one in reversed(directives(Source("x", text), kind)):
        text = text[: one.removal.start] + text[one.removal.end :]
    return text


@pytest.mark.parametrize(
    ("kind", "text", "covered"),
    [
        ("shell", f"{MARK}\npython x.py \\\n  --a 1\nb\n", "python x.py \\\n  --a 1"),
        ("python", f"{MARK}\nf(\n  a=1)\nb\n", "f(\n  a=1)"),
        ("python", f"\ufeff{MARK}\nf(\n  a=1)\nb\n", "f(\n  a=1)"),
        ("yaml", f"{MARK}\na:\n  b: 1\nc: 2\n", "a:\n  b: 1"),
        ("dockerfile", f"{MARK}\nRUN a \\\n  b\nUSER x\n", "RUN a \\\n  b"),
        ("makefile", f"{MARK}\na:\n\tb\nc:\n", "a:\n\tb"),
    ],
)
def test_each_language_has_its_own_comments(kind, text, covered):
    assert covers(text, kind) == [covered]


def test_suppression_of_the_whole_file_may_stand_anywhere():
    assert covers("a\nb  # rlhflint: ignore-file[OR203]\n") == [None]


def test_file_without_suppressions_is_not_looked_at():
    assert directives(Source("x", "# a\nb\n"), "shell") == ()


@pytest.mark.parametrize("kind", ["yaml", "dockerfile", "makefile", "markdown"])
def test_script_in_another_file_has_comments_of_its_own(kind):
    script = f"python x.py \\\n    --a 1  {MARK}\n"
    text = f"run: |\n    {script}"
    at = text.index("python")
    document = Document(Source("x", text), kind, (Script("x", Span("x", at, len(text))),))
    assert covers(text, kind, document)[-1] == "    --a 1  "


@pytest.mark.parametrize(
    "text",
    [
        f"bash -c '\n{MARK}\npython x.py\n'\n",
        f'bash -c "\n{MARK}\npython x.py\n"\n',
        f"ssh host <<EOF\n{MARK}\npython x.py\nEOF\n",
        f"srun bash -c 'a\nsh -c \"\n{MARK}\npython x.py\n\"'\n",
    ],
)
def test_script_in_quotes_has_comments_where_commands_were_read_from_it(text):
    at = text.index("python")
    command = Command((), Span("x", at, at + 11), within=((),))
    script = Script("x", Span("x", 0, len(text)), (command,))
    assert covers(text, "shell", Document(Source("x", text), "shell", (script,))) == ["python x.py"]
    assert covers(text, "shell") == []


def test_text_of_a_here_document_that_became_arguments_is_no_comment():
    text = f"python x.py $(cat <<EOF\n--a 1\n{MARK}\nEOF\n)\n"
    command = Command((), Span("x", 0, len(text)))
    script = Script("x", Span("x", 0, len(text)), (command,))
    assert covers(text, "shell", Document(Source("x", text), "shell", (script,))) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"a\n  {MARK}\nb\n", "a\nb\n"),
        (f"a\r\n  {MARK}\r\nb\r\n", "a\r\nb\r\n"),
        (f"a\n{MARK}", "a\n"),
        (f"a  {MARK}\nb\n", "a\nb\n"),
        (f"a\t{MARK}\r\nb\r\n", "a\r\nb\r\n"),
        (f"a\n# tuned {MARK}\nb\n", "a\n# tuned\nb\n"),
        (f"a\n{MARK} # tuned\nb\n", "a\n # tuned\nb\n"),
        (f"a\n{MARK}  {MARK}\nb\n", "a\n\nb\n"),
    ],
)
def test_suppression_is_taken_out_with_its_line_or_the_blanks_before_it(text, left):
    assert without(text) == left


def notebook(*cells: list[str], **layout) -> tuple[str, Document]:
    """A notebook of code cells, and what its reader makes of it."""
    made = [{"cell_type": "code", "source": lines} for lines in cells]
    text = json.dumps({"cells": made, "metadata": {}, "nbformat": 4}, **({"indent": 1} | layout))
    return text, Document(Source("x", text), "notebook", notebook=read_notebook("x", text))


@pytest.mark.parametrize("layout", [{"indent": 1}, {"indent": None}])
def test_cell_of_a_notebook_has_comments_of_its_own(layout):
    text, document = notebook(["a = 1"], ["f(\n", f"  a=1,  {MARK}\n", ")\n", f"{MARK}\n", "g('é')"], **layout)
    assert covers(text, "notebook", document) == ["  a=1,  ", "g('\\u00e9')"]


def test_command_in_a_cell_is_covered_from_above_and_behind():
    cell = f"x = 1\n{MARK}\n!python x.py \\\n  --a 1\n!trl sft --b 2  {MARK}\ny"
    text, document = notebook(cell.splitlines(keepends=True))
    first, second = covers(text, "notebook", document)
    assert first.startswith("!python x.py ")
    assert "--a 1" in first
    assert second == "trl sft --b 2  "


def test_script_of_a_cell_has_comments_of_a_shell():
    text, document = notebook(["%%bash\n", f"{MARK}\n", "python x.py"])
    assert covers(text, "notebook", document) == ["python x.py"]


def test_script_that_a_cell_writes_has_comments_of_a_shell():
    text, document = notebook(["%%writefile run.sh\n", "python x.py --it\\'s \\\n", f"  --a 1  {MARK}\n"])
    assert covers(text, "notebook", document) == ["  --a 1  "]


def test_line_of_a_cell_is_taken_out_with_its_line_of_the_file():
    text, document = notebook(["a = 1\n", f"{MARK}\n", f"b = 2  {MARK}\n", "c = 3"])
    expected, _ = notebook(["a = 1\n", "b = 2\n", "c = 3"])
    for one in reversed(directives(Source("x", text), "notebook", document)):
        text = text[: one.removal.start] + text[one.removal.end :]
    assert text == expected


def test_line_of_a_cell_in_one_string_is_taken_out_of_it():
    text, document = notebook([f"a = 1\n{MARK}\nb = 2"], indent=None)
    (one,) = directives(Source("x", text), "notebook", document)
    text = text[: one.removal.start] + text[one.removal.end :]
    assert json.loads(text)["cells"][0]["source"] == ["a = 1\nb = 2"]
