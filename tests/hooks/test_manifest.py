"""What the hooks say of themselves."""

from __future__ import annotations

import pytest
import yaml

from rlhflint.project.kinds import kind_of_name
from tests.hooks.conftest import ROOT, run

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def test_manifest_is_valid(tool, tmp_path):
    run(tool("pre-commit"), "validate-manifest", ROOT / ".pre-commit-hooks.yaml", cwd=tmp_path)


def test_there_is_one_hook_to_check_and_one_to_fix():
    assert {hook["id"]: hook["entry"] for hook in HOOKS} == {
        "rlhflint": "rlhflint check --force-exclude",
        "rlhflint-fix": "rlhflint fix --force-exclude",
    }


NAMES = ["a.sh", "a.bash", "a.py", "a.ipynb", "a.yaml", "a.yml", "Dockerfile", "Dockerfile.train", "Makefile", "a.mk"]


@pytest.mark.parametrize("name", NAMES)
def test_files_that_are_read_are_handed_over(name):
    identify = pytest.importorskip("identify.identify")
    assert kind_of_name(name) is not None
    for hook in HOOKS:
        assert identify.tags_from_filename(name) & set(hook["types_or"])
