"""What a run loads: heavy packages only where a file at hand needs them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("pydantic", "libcst", "ruamel.yaml", "tree_sitter", "packaging")
UNRELATED = {
    "settings.yaml": "a: 1\nb:\n  - x\n",
    "tool.py": "import os\n\nprint(os.getcwd())\n",
    "build.sh": "set -e\nmake all\n",
    "Makefile": "all:\n\techo done\n",
    "Dockerfile": "FROM scratch\nCOPY tool /tool\n",
    "notebook.ipynb": '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n',
    ".gitignore": "*.log\n",
}
LAUNCH = "python3 -m openrlhf.cli.train_ppo_ray \\\n   --pretrain org/model \\\n   --zero_stage 2\n"

_PROGRAM = """
import sys
from rlhflint.__main__ import main
try:
    main()
except SystemExit:
    pass
print(*sys.modules, sep="\\n", file=sys.stderr)
"""


def loaded(folder: Path, *words: str) -> set[str]:
    """The modules that a run with these arguments ends with."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    modules = set(done.stderr.split("\n"))
    assert "rlhflint.cli" in modules
    return modules


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("check", "--help"), ("check",)])
def test_a_run_without_a_launch_loads_nothing_heavy(tmp_path: Path, words: tuple[str, ...]) -> None:
    for name, text in UNRELATED.items():
        (tmp_path / name).write_text(text)
    assert loaded(tmp_path, *words).isdisjoint(HEAVY)


@pytest.mark.parametrize("name", UNRELATED)
def test_a_named_file_without_a_launch_loads_no_reader(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(UNRELATED[name])
    modules = loaded(tmp_path, "check", name)
    assert modules.isdisjoint({*HEAVY, "rlhflint.text", "rlhflint.launch", "rlhflint.rule", "rlhflint.file_check"})
    assert not any(module.startswith("rlhflint.readers") for module in modules)


def test_a_project_with_requirements_and_no_launch_does_not_read_them(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("trl==1.0.0\n")
    (tmp_path / "build.sh").write_text(UNRELATED["build.sh"])
    assert loaded(tmp_path, "check").isdisjoint({*HEAVY, "rlhflint.versions.search"})


def test_a_shell_launch_loads_no_reader_of_other_languages(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text(LAUNCH)
    modules = loaded(tmp_path, "check", "train.sh")
    assert "rlhflint.frameworks.openrlhf.framework" in modules
    assert modules.isdisjoint({"libcst", "ruamel.yaml", "rlhflint.frameworks.trl.framework"})
    assert "pydantic" not in modules, "every value of this launch is what its field holds"


def test_a_launch_loads_the_typed_model_of_its_program_alone(tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text(LAUNCH)
    prefix = "rlhflint.frameworks.openrlhf.models.train_"
    modules = loaded(tmp_path, "check", "train.sh")
    assert [module for module in modules if module.startswith(prefix)] == [f"{prefix}ppo_ray"]


def test_a_python_file_with_a_config_loads_no_pydantic_and_nothing_of_the_other_framework(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("from trl import SFTConfig\n\nconfig = SFTConfig('out', learning_rate=1e-5)\n")
    modules = loaded(tmp_path, "check", "train.py")
    assert "rlhflint.frameworks.trl.framework" in modules
    assert modules.isdisjoint({"pydantic", "libcst", "rlhflint.frameworks.openrlhf.framework"})


def test_data_classes_and_expressions_are_those_that_cost_little() -> None:
    """The standard library's own are left for sessions, which extend each other, and for what users of the API hold."""
    package = Path(__file__).parents[1] / "rlhflint"
    found = {path.relative_to(package).as_posix(): path.read_text("utf-8") for path in package.rglob("*.py")}
    assert len(found) > 100
    written = {name for name, text in found.items() if re.search(r"(?m)^from dataclasses import .*\bdataclass\b", text)}
    assert {name for name in written if not name.endswith("session.py")} == {"api.py", "reports/records.py"}
    compiled = {name for name, text in found.items() if re.search(r"(?m)^\w+(?:: [^=\n]+)? = re\.compile\(", text)}
    assert compiled == set()
