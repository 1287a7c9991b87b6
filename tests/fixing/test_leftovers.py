"""Imports that a fix leaves unused go with what used them, where that is certain."""

from __future__ import annotations

import json

import pytest

from rlhflint.fixing.edits import applied
from rlhflint.fixing.leftovers import left_unused
from rlhflint.source import Source


def cleaned(before: str, now: str, path: str = "train.py") -> str:
    """A text behind the fix of another one, without the imports that nothing needs any more."""
    planned = left_unused({path: Source(path, before)}, {path: Source(path, now)})
    return applied(now, [edit for one in planned for edit in one.edits])


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("from t import A\nimport os\n", "import os\n"),
        ("from t import A, B\n", "from t import B\n"),
        ("from t import B, A as C, A\n", "from t import B\n"),
        ("from t import (\n    A,\n    B,  # two\n)\n", "from t import (\n    B,  # two\n)\n"),
        ("import os\n\nfrom t import A\n\nimport sys\n", "import os\n\nimport sys\n"),
        ("# about\nfrom t import A  # why\nimport os\n", "# about\n# why\nimport os\n"),
        ("import A\nimport os\n", "import os\n"),
        ("import A, os\n", "import os\n"),
        ("import os; from t import A; import sys\n", "import os; import sys\n"),
        ('"""Größe."""\r\n\r\nfrom t import A\r\nimport os\r\n', '"""Größe."""\r\n\r\nimport os\r\n'),
        ("def f():\n    from t import A\n    return 1\n", "def f():\n    return 1\n"),
        ("from t import A\nfrom t import A\nimport os\n", "import os\n"),
        ("from t import A  # one\nfrom t import A  # two\nimport os\n", "# one\n# two\nimport os\n"),
        ("# A is gone\nfrom t import A\nimport os\n", "# A is gone\nimport os\n"),
    ],
)
def test_an_import_that_is_left_unused(head: str, after: str) -> None:
    assert cleaned(f"{head}A()\nC()\nx = 1\n", f"{head}x = 1\n") == f"{after}x = 1\n"


@pytest.mark.parametrize(
    ("head", "rest"),
    [
        ("from t import A\n", "x: 'A' = 1\n"),
        ("from t import A\n", "x = []  # type: list[A]\n"),
        ("from t import A\n", "__all__ = ['A']\n"),
        ("from t import A\n", "def f(x: A): pass\n"),
        ("from t import A\n", "print(f'{A}')\n"),
        ("from t import A  # noqa: F401\n", "x = 1\n"),
        ("from t import A as A\n", "x = 1\n"),
        ("try:\n    from t import A\n    B = 1\nexcept ImportError:\n    pass\n", "x = 1\n"),
        ("if B:\n    from t import A\n    B = 1\n", "x = 1\n"),
        ("class B:\n    from t import A\n    x = 1\n", "x = 1\n"),
        ("from t import *\n", "x = 1\n"),
        ("def f():\n    from t import A\n\n", "x = 1\n"),
    ],
)
def test_an_import_that_something_may_need(head: str, rest: str) -> None:
    before, now = (Source("train.py", f"{head}{used}{rest}") for used in ("A()\n", ""))
    assert left_unused({"train.py": before}, {"train.py": now}) == []


def test_an_import_that_was_not_used_before_either() -> None:
    text = "from t import A\nimport os\nx = {}\n"
    assert cleaned(text.format(1), text.format(2)) == text.format(2)


def test_an_import_of_a_package() -> None:
    assert (
        cleaned("from t import A\nA()\n", "from t import A\nx = 1\n", "lab/__init__.py") == "from t import A\nx = 1\n"
    )


def test_a_file_that_is_no_python_any_more() -> None:
    assert cleaned("from t import A\nA()\n", "from t import A\n(") == "from t import A\n("


def notebook(*sources: str, kind: str = "code") -> str:
    """A notebook with cells, the last of which is of a kind."""
    kinds = ["code"] * (len(sources) - 1) + [kind]
    cells = [
        {"cell_type": one, "metadata": {}, "source": text.splitlines(keepends=True)}
        for one, text in zip(kinds, sources, strict=True)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


USING = "!pip install t\nfrom t import A, B\nimport os"


def test_an_import_in_a_cell_of_a_notebook_that_no_cell_needs() -> None:
    now = notebook(USING, "B()\n%time x = 1", "text about it", kind="markdown")
    after = notebook(USING.replace("A, ", ""), "B()\n%time x = 1", "text about it", kind="markdown")
    assert cleaned(notebook(USING, "A()", "B()"), now, "train.ipynb") == after


def test_a_statement_of_imports_in_a_cell_goes_with_its_line() -> None:
    now = notebook("import os\nfrom t import A\nimport sys\n", "x = 1")
    assert cleaned(notebook("from t import A", "A()"), now, "train.ipynb") == notebook(
        "import os\nimport sys\n", "x = 1"
    )


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        ("A()", "code"),
        ("x = 1  # type: A", "code"),
        ("!python eval.py {A.name}", "code"),
        ("%env X=$A", "code"),
        ("%%bash\necho {A}", "code"),
        ("%%writefile a.py\nA()", "code"),
        ("what `A` does", "markdown"),
        ("A", "raw"),
    ],
)
def test_an_import_that_something_in_a_notebook_may_need(last: str, kind: str) -> None:
    now = notebook(USING, last, kind=kind)
    assert cleaned(notebook(USING, "A()", last, kind=kind), now, "train.ipynb") == now


def test_a_notebook_whose_cells_are_no_python() -> None:
    now = notebook(USING, "(")
    assert cleaned(notebook(USING, "A()"), now, "train.ipynb") == now
    assert cleaned(notebook(USING, "A()"), now[:-9], "train.ipynb") == now[:-9]
