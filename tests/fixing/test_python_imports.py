"""Imports moved to other modules: whatever the statement looks like, and nothing else of the file changes."""

from __future__ import annotations

import json

import pytest

from rlhflint.call import Import
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.edits import applied
from rlhflint.fixing.structure.imports import importing
from rlhflint.proposal import ImportBehind, ImportBeside, Importing, Reimport, Requalify
from rlhflint.readers.notebook import read_notebook
from rlhflint.readers.python import read_cells
from rlhflint.source import Source
from rlhflint.text import Traced


def imports(text: str, path: str = "train.py") -> list[Import]:
    """The imports of a file."""
    cells = read_notebook(path, text).python if path.endswith(".ipynb") else [Traced.of_file(path, text)]
    return list(read_cells(path, cells, watch=lambda name: name.startswith("trl")).imports)


def made(text: str, *changes: Importing, path: str = "train.py") -> str:
    return applied(text, importing(changes, Source(path, text)))


def moved(text: str, path: str = "train.py", **homes: str) -> str:
    """A text with names imported from elsewhere, each from its module."""
    changes = [
        Reimport(one, f"{homes[name]}.{name}")
        for one in imports(text, path)
        if (name := one.path.rpartition(".")[2]) in homes and not one.path.startswith(homes[name])
    ]
    assert changes
    return made(text, *changes, path=path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from trl import C\n", "from trl.x import C\n"),
        ("from trl import C", "from trl.x import C"),
        ("from trl import C as D  # why\n", "from trl.x import C as D  # why\n"),
        ("from   trl  import   C\n", "from   trl.x  import   C\n"),
        ("from trl import C, B\n", "from trl import B\nfrom trl.x import C\n"),
        ("from trl import B, C", "from trl import B\nfrom trl.x import C"),
        ("from trl import B, C  # why\nB()\n", "from trl import B  # why\nfrom trl.x import C\nB()\n"),
        ("from trl import A, C as D, B\n", "from trl import A, B\nfrom trl.x import C as D\n"),
        ("from trl import B, \\\n    C\n", "from trl import B\nfrom trl.x import C\n"),
        ("from trl import (C)\n", "from trl.x import (C)\n"),
        ("from trl import (B, C)\n", "from trl import (B)\nfrom trl.x import C\n"),
        ("from trl import (\n    B,\n    C,\n)\n", "from trl import (\n    B,\n)\nfrom trl.x import C\n"),
        ("from trl import (\n    C,\n    B\n)\n", "from trl import (\n    B\n)\nfrom trl.x import C\n"),
        ("from trl import (\n    C,  # one\n)\n", "from trl.x import (\n    C,  # one\n)\n"),
        (
            "from trl import (\n    # above\n    C,  # one\n    B,  # two\n)  # end\n",
            "from trl import (\n    # above\n    # one\n    B,  # two\n)  # end\nfrom trl.x import C\n",
        ),
        ("from trl import B, C\r\nB()\r\n", "from trl import B\r\nfrom trl.x import C\r\nB()\r\n"),
        ("import os; from trl import B, C; B()\n", "import os; from trl import B; from trl.x import C; B()\n"),
        ("import os; from trl import B, C\n", "import os; from trl import B; from trl.x import C\n"),
        ("if x: from trl import B, C\n", "if x: from trl import B; from trl.x import C\n"),
        (
            "def f():\n    from trl import B, C\n    return B\n",
            "def f():\n    from trl import B\n    from trl.x import C\n    return B\n",
        ),
        ("def f():\n\tfrom trl import B, C\n", "def f():\n\tfrom trl import B\n\tfrom trl.x import C\n"),
        (
            "class A:\n    if x:\n        pass\n    else:\n        from trl import B, C\n",
            "class A:\n    if x:\n        pass\n    else:\n        from trl import B\n        from trl.x import C\n",
        ),
        (
            '"""Größe."""\n\nfrom __future__ import annotations\n\nfrom trl import B, C\n\nB()\n',
            '"""Größe."""\n\nfrom __future__ import annotations\n\nfrom trl import B\nfrom trl.x import C\n\nB()\n',
        ),
        ("#!/usr/bin/env python\n# ä\n\nfrom trl import C\n", "#!/usr/bin/env python\n# ä\n\nfrom trl.x import C\n"),
        ("from trl.trainer.c import C\n", "from trl.x import C\n"),
    ],
)
def test_a_name_imported_from_another_module(before: str, after: str) -> None:
    assert moved(before, C="trl.x") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from trl.x import D\nfrom trl import B, C\n", "from trl.x import C, D\nfrom trl import B\n"),
        ("from trl.x import D\nfrom trl import C\n\nC()\n", "from trl.x import C, D\n\nC()\n"),
        ("from trl import C\nfrom trl.x import D\n\nC()\n", "from trl.x import C, D\n\nC()\n"),
        ("from trl import C  # why\nfrom trl.x import D\n", "# why\nfrom trl.x import C, D\n"),
        ("# above\nfrom trl import C\nfrom trl.x import D\n", "# above\nfrom trl.x import C, D\n"),
        ("from trl.x import C\nfrom trl import C\n\nC()\n", "from trl.x import C\n\nC()\n"),
        ("from trl.x import D\nfrom trl import C as E\nE()\n", "from trl.x import C as E, D\nE()\n"),
        (
            "from trl.x import (\n    D,  # four\n    E\n)\nfrom trl import B, C\n",
            "from trl.x import (\n    C,\n    D,  # four\n    E\n)\nfrom trl import B\n",
        ),
        ("from trl.x import E, D\nfrom trl import C\nC()\n", "from trl.x import E, D, C\nC()\n"),
        ("from trl import C\nC()\nfrom trl.x import D\n", "from trl.x import C\nC()\nfrom trl.x import D\n"),
        (
            "def f():\n    from trl.x import D\n\nfrom trl import C\n",
            "def f():\n    from trl.x import D\n\nfrom trl.x import C\n",
        ),
        ("from trl.x import *\nfrom trl import C\n", "from trl.x import *\nfrom trl.x import C\n"),
        ("from trl.x import D\nfrom trl import C\n", "from trl.x import D\nfrom trl.x import C\n"),
        ("import os\n\nfrom trl import C\nfrom trl.x import D\n", "import os\n\nfrom trl.x import C, D\n"),
        ("from trl import C\n\nfrom trl.x import D\n", "from trl.x import C, D\n"),
    ],
)
def test_a_module_that_is_imported_from_already(before: str, after: str) -> None:
    assert moved(before, C="trl.x") == after


def test_names_that_go_to_several_modules() -> None:
    text = "from trl import A, B, C\n"
    assert moved(text, A="trl.x", C="trl.y") == "from trl import B\nfrom trl.x import A\nfrom trl.y import C\n"
    assert moved(text, A="trl.x", B="trl.y", C="trl.x") == "from trl.x import A, C\nfrom trl.y import B\n"
    assert moved(text, A="trl.x", B="trl.x", C="trl.x") == "from trl.x import A, B, C\n"


def test_a_name_that_is_another_one_there_stays_the_same_in_the_file() -> None:
    (one,) = imports("from trl import C\n")
    assert made("from trl import C\n", Reimport(one, "trl.x.D")) == "from trl.x import D as C\n"
    (one,) = imports("from trl import C as K\n")
    assert made("from trl import C as K\n", Reimport(one, "trl.x.D")) == "from trl.x import D as K\n"


def test_many_names_stand_in_brackets() -> None:
    names = [f"Configuration{letter}" for letter in "ABCDEF"]
    text = f"if x:\n    from trl import Base, {', '.join(names)}\n"
    lines = "".join(f"        {name},\n" for name in names)
    after = f"if x:\n    from trl import Base\n    from trl.x import (\n{lines}    )\n"
    assert moved(text, **dict.fromkeys(names, "trl.x")) == after


def test_what_is_imported_for_type_checkers_moves_along() -> None:
    text = "from typing import TYPE_CHECKING\n\nfrom trl import B, C\n\nif TYPE_CHECKING:\n    from trl import A, C\n"
    after = (
        "from typing import TYPE_CHECKING\n\nfrom trl import B\nfrom trl.x import C\n\n"
        "if TYPE_CHECKING:\n    from trl import A\n    from trl.x import C\n"
    )
    assert moved(text, C="trl.x") == after


def qualified(text: str, old: str, new: str, path: str = "train.py") -> str:
    package = next(one for one in imports(text, path) if one.path == "trl")
    return made(text, Requalify(package, old, new), path=path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import trl\nx = trl.C(a=1)\n", "import trl\nimport trl.x\nx = trl.x.C(a=1)\n"),
        ("import trl as t\nclass A(t.C): pass\n", "import trl as t\nimport trl.x\nclass A(t.x.C): pass\n"),
        ("import os, trl\ntrl.C.D\n", "import os, trl\nimport trl.x\ntrl.x.C.D\n"),
        ("import trl\nimport trl.x\n(trl . C)\ntrl.CD\n", "import trl\nimport trl.x\n(trl.x.C)\ntrl.CD\n"),
        ("import trl; trl.C()\n", "import trl; import trl.x; trl.C()\n".replace("trl.C", "trl.x.C")),
        ("def f():\n    import trl\n    trl.C\n", "def f():\n    import trl\n    import trl.x\n    trl.x.C\n"),
        (
            "import trl\nfrom trl import C\na.trl.C\n'trl.C'\n",
            "import trl\nimport trl.x\nfrom trl import C\na.trl.C\n'trl.C'\n",
        ),
    ],
)
def test_what_is_reached_through_the_package(before: str, after: str) -> None:
    assert qualified(before, "trl.C", "trl.x.C") == after


@pytest.mark.parametrize("other", ["trl = 1", "def f(trl): pass", "from lab import trl", "import lab as trl"])
def test_a_package_whose_name_is_something_else_as_well(other: str) -> None:
    with pytest.raises(Doubt, match="trl is something else as well"):
        qualified(f"import trl\nx = trl.C\n{other}\n", "trl.C", "trl.x.C")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from trl import *", "from trl import *\nfrom trl.x import C, D"),
        (
            "import os\nfrom trl import *  # all\nC()\n",
            "import os\nfrom trl import *  # all\nfrom trl.x import C, D\nC()\n",
        ),
        ("from trl import *; C()\n", "from trl import *; from trl.x import C, D; C()\n"),
        ("from trl import *\nfrom trl.x import B\n", "from trl import *\nfrom trl.x import B, C, D\n"),
        (
            "from trl.x import B\nfrom trl import *\n",
            "from trl.x import B\nfrom trl import *\nfrom trl.x import C, D\n",
        ),
    ],
)
def test_names_imported_behind_a_star(before: str, after: str) -> None:
    (star,) = (one for one in imports(before) if one.path == "trl.*")
    assert made(before, ImportBehind(star, "trl.x.C"), ImportBehind(star, "trl.x.D")) == after


def test_a_package_under_another_name_that_is_bound_again() -> None:
    with pytest.raises(Doubt, match="t is something else as well"):
        qualified("import trl as t\nimport t.x\nx = t.C\n", "trl.C", "trl.x.C")
    text = "import trl as t\nimport trl.y\nx = t.C\n"
    assert qualified(text, "trl.C", "trl.x.C") == text.replace("t.C", "t.x.C").replace("t\n", "t\nimport trl.x\n", 1)


def test_what_is_reached_in_one_module_takes_one_import() -> None:
    text = "import trl\ntrl.C(trl.D)\n"
    package = imports(text)[0]
    changes = [Requalify(package, f"trl.{name}", f"trl.x.{name}") for name in "CD"]
    assert made(text, *changes) == "import trl\nimport trl.x\ntrl.x.C(trl.x.D)\n"


def test_a_name_added_to_a_statement() -> None:
    def added(text: str, name: str) -> str:
        return made(text, ImportBeside(imports(text)[0], name))

    assert added("from trl import T\n", "C") == "from trl import C, T\n"
    assert added("from trl import B, T  # why\n", "C") == "from trl import B, C, T  # why\n"
    assert added("from trl import T, B\n", "C") == "from trl import T, B, C\n"
    by_kind = "from trl import ONE, TWO, Able, Cab, a, d\n"
    for name, before in (("THREE", "TWO"), ("B", "Cab"), ("b", "d")):
        assert added(by_kind, name) == by_kind.replace(f" {before},", f" {name}, {before},").replace(
            f" {before}\n", f" {name}, {before}\n"
        )
    assert added("from trl import (\n    T,  # t\n)\n", "C") == "from trl import (\n    C,\n    T,  # t\n)\n"
    assert (
        added("from trl import (  # all\n    # t\n    T\n)\n", "U")
        == "from trl import (  # all\n    # t\n    T,\n    U\n)\n"
    )
    assert added("from trl import C\n", "C") == "from trl import C\n"


def notebook(*cells: list[str], indent: int = 1) -> str:
    made = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": lines}
        for lines in cells
    ]
    content = {"cells": made, "metadata": {"größe": 1}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=indent, ensure_ascii=False)


def test_in_a_notebook_a_new_line_is_one_of_its_own() -> None:
    before = notebook(["!pip install trl\n", "from trl import B, C\n", "B('ä\\n')"], ["C()"])
    after = notebook(["!pip install trl\n", "from trl import B\n", "from trl.x import C\n", "B('ä\\n')"], ["C()"])
    assert moved(before, "train.ipynb", C="trl.x") == after
    before = notebook(["from trl import (\n", "    B,\n", "    C,\n", ")"])
    assert moved(before, "train.ipynb", C="trl.x") == notebook(
        ["from trl import (\n", "    B,\n", ")\n", "from trl.x import C"]
    )
    before = notebook(["import trl\n"], ["x = trl.C()"])
    assert qualified(before, "trl.C", "trl.x.C", "train.ipynb") == notebook(
        ["import trl\n", "import trl.x\n"], ["x = trl.x.C()"]
    )


def test_a_statement_cannot_go_where_nothing_follows() -> None:
    text = "if x:\n    from trl.x import D\n    from trl import B, C\n"
    assert moved(text, C="trl.x") == "if x:\n    from trl.x import C, D\n    from trl import B\n"
    assert moved(text.replace("B, C", "C"), C="trl.x") == "if x:\n    from trl.x import D\n    from trl.x import C\n"


def test_comments_between_names_that_all_move_stay() -> None:
    text = "from trl.x import D\nfrom trl import (  # all\n    A,  # one\n    C,  # two\n)\nA()\n"
    assert moved(text, A="trl.x", C="trl.y") == (
        "from trl.x import D\nfrom trl.x import (  # all\n    A,  # one\n    # two\n)\nfrom trl.y import C\nA()\n"
    )
    assert moved(text, A="trl.y", C="trl.x") == (
        "from trl.x import C, D\nfrom trl.y import (  # all\n    A,  # one\n    # two\n)\nA()\n"
    )


def test_what_stands_behind_a_colon_is_not_taken_out_of_there() -> None:
    text = "from trl.x import D\nif x: from trl import C\n"
    assert moved(text, C="trl.x") == "from trl.x import D\nif x: from trl.x import C\n"
