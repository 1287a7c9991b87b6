"""The table beside other linters: each tick of ours is backed by a test that exists."""

from __future__ import annotations

import ast
import re

import pytest

from rlhflint.reports.links import HOME
from tests.docs.blocks import ROOT

ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in (ROOT / "docs/features.md").read_text("utf-8").splitlines()
    if line.startswith("| ")
]
HEAD, ROWS = ROWS[0], [row for row in ROWS[1:] if not row[0].startswith("---")]


def test_the_linters_compared_are_the_ones_named() -> None:
    assert HEAD == ["feature", "rlhflint", "ruff", "zizmor", "actionlint", "shellcheck", "cfn-lint", "shown by"]
    assert len(ROWS) > 20
    assert all(len(row) == len(HEAD) for row in ROWS)
    assert all(cell in ("✓", "(✓)", "–") for row in ROWS for cell in row[1:-1])


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_tick_names_a_test(row: list[str]) -> None:
    named = re.fullmatch(rf"\[test\]\({re.escape(HOME)}/blob/main/([\w/]+\.py) \"(\w+)\"\)", row[-1])
    if row[1] == "–":
        assert row[-1] == ""
        return
    assert named is not None
    tree = ast.parse((ROOT / named[1]).read_text("utf-8"))
    assert named[2] in [one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
