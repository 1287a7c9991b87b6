"""What Python says of a source while its syntax tree is made stays unsaid."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from rlhflint.python_syntax import TooDeep, syntax_tree
from rlhflint.versions.setup_files import read_setup_py

DOUBTFUL = "from setuptools import setup\nx = 1if 1else 2\nsetup(install_requires=['trl==0.20.0'])\n"


def test_what_python_warns_of_is_read_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [one.specifier for one in read_setup_py("setup.py", DOUBTFUL.encode()).requirements] == ["==0.20.0"]
        tree = syntax_tree("x = '\\d' if 1else 2\n")
    assert len(tree.body) == 1


def test_a_source_nested_beyond_the_parser_says_so() -> None:
    with pytest.raises(TooDeep):
        syntax_tree("x = " + "-" * 100_000 + "1")


def test_a_project_whose_sources_python_warns_of_is_checked_in_silence(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import trl\ntrl.GRPOConfig(beta=1if 1else 2)\n")
    (tmp_path / "setup.py").write_text(
        "from setuptools import setup\nsetup(install_requires=['trl==0.20.0'][0if 1else 0:])\n"
    )
    command = [sys.executable, "-W", "always", "-m", "rlhflint", "check", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "SyntaxWarning" not in done.stderr
    assert done.returncode in (0, 1)
