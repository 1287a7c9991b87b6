"""`rlhflint config`: what is in force, and who said it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.project.toml_text import toml_key, toml_value
from tests.cli.conftest import Run

TABLE = """\
fail-on = "error"
extend-ignore = ["OR7"]

[versions]
openrlhf = ">=0.9,<0.10"

[programs]
"recipes/my dpo/*.yaml" = "trl:dpo"

[[overrides]]
paths = ["old/*.sh"]
versions = { openrlhf = "0.4.0" }
"""


def test_without_a_file_the_defaults_are_shown(run: Run) -> None:
    result = run("config")
    assert result.exit_code == 0
    assert "# no configuration file" in result.output
    assert 'fail-on = "warning"  # default' in result.output
    assert "# select is not set" in result.output


def test_every_value_is_told_with_its_place(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text(TABLE)
    output = run("config", "--select", "OR2").output
    assert 'fail-on = "error"  # rlhflint.toml line 1' in output
    assert 'versions.openrlhf = ">=0.9,<0.10"  # rlhflint.toml line 5' in output
    assert 'select = ["OR2"]  # --select' in output
    assert 'programs."recipes/my dpo/*.yaml" = "trl:dpo"  # rlhflint.toml line 8' in output


def test_the_text_is_toml_that_means_the_same(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text(TABLE)
    shown = tomllib.loads(run("config").output)
    said = tomllib.loads(TABLE)
    assert {key: shown[key] for key in said} == said


def test_a_file_has_the_configuration_of_its_folder(run: Run, project: Path) -> None:
    (project / "a").mkdir()
    (project / "a" / "pyproject.toml").write_text('[tool.rlhflint]\nfail-on = "never"\n')
    (project / "a" / "train.sh").write_text("")
    assert 'fail-on = "never"  # a/pyproject.toml line 2' in run("config", "a/train.sh").output
    assert 'fail-on = "warning"' in run("config").output
    assert 'fail-on = "warning"' in run("config", "--isolated", "a").output


def test_json_holds_the_same_rows(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text(TABLE)
    found = json.loads(run("config", "--output-format", "json").output)
    assert found["file"] == "rlhflint.toml"
    rows = {row["key"]: (row["value"], row["source"]) for row in found["values"]}
    assert rows["fail-on"] == ("error", "rlhflint.toml line 1")
    assert rows["select"] == (None, "default")


@pytest.mark.parametrize("text", ["fail-on = 3", "fail_on = 'error'", "fail-on ="])
def test_a_file_that_cannot_be_used_is_wrong_usage(run: Run, project: Path, text: str) -> None:
    (project / "rlhflint.toml").write_text(text)
    result = run("config")
    assert result.exit_code == 2
    assert "rlhflint.toml line 1" in result.output


def test_a_path_that_is_not_there_is_wrong_usage(run: Run) -> None:
    assert run("config", "nowhere").exit_code == 2


TEXTS = st.text(st.characters(exclude_categories=("Cs",)))
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=10,
)


@given(TEXTS, VALUES)
def test_any_value_is_read_back_as_it_was(key: str, value: object) -> None:
    assert tomllib.loads(f"{toml_key(key)} = {toml_value(value)}") == {key: value}
