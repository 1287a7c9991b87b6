"""What is built carries all that a run reads, and works the same as the checkout."""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

from tools.distributions import COMMANDS, ROOT, build, differences, told

CARRIED = ("rlhflint", "schemas")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution of the checkout and the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, "sdist", folder)
    build(ROOT, "wheel", folder)
    return folder


def wheel_of(folder: Path) -> Path:
    (found,) = folder.glob("*.whl")
    return found


def content(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def files(folder: Path) -> dict[str, bytes]:
    """The files below a folder of the checkout, without what Python and editors leave there."""
    return {
        str(file.relative_to(ROOT)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".pyc", ".swp")
    }


def test_the_wheel_holds_the_package_with_its_data_and_nothing_else(built: Path) -> None:
    held = content(wheel_of(built))
    expected = files(ROOT / "rlhflint")
    expected |= {f"rlhflint/{name}": text for name, text in files(ROOT / "schemas").items()}
    assert {name: text for name, text in held.items() if ".dist-info/" not in name} == expected
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in held)


def test_the_source_distribution_makes_the_same_wheel(built: Path, tmp_path: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    assert {"tests", "tools", "docs", "README.md", "LICENSE"} <= {file.name for file in source.iterdir()}
    again = build(source, "wheel", tmp_path / "dist")
    assert content(again) == content(wheel_of(built))


def test_the_wheel_works_as_the_checkout_does(built: Path, tmp_path: Path) -> None:
    place = tmp_path / "site"
    with zipfile.ZipFile(wheel_of(built)) as archive:
        archive.extractall(place)
    found = {}
    for way, path in {"checkout": ROOT, "wheel": place}.items():
        (tmp_path / way).mkdir()
        environment = os.environ | {"PYTHONPATH": str(path)}
        found[way] = told([sys.executable, "-m", "rlhflint"], tmp_path / way, environment)
    assert differences(found) == []
    assert set(found["wheel"]) == {" ".join(words) for words in COMMANDS}


def test_ci_installs_each_and_tests_the_lowest_versions_of_the_dependencies() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"]
    run = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
    assert ".venv/bin/python tools/distributions.py" in run
    asked = "--isolated --no-project --resolution lowest-direct --with-editable '.[test]' pytest -n 2"
    assert f".venv/bin/uv run {asked}" in run
    assert f"uv run {asked}" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_a_wheel_without_its_data_would_be_seen(built: Path, tmp_path: Path) -> None:
    place = tmp_path / "site"
    with zipfile.ZipFile(wheel_of(built)) as archive:
        archive.extractall(place)
    shutil.rmtree(place / "rlhflint" / "schemas" / "trl")
    environment = os.environ | {"PYTHONPATH": str(place)}
    found = told([sys.executable, "-m", "rlhflint"], tmp_path, environment, [("schema", "trl:grpo")])
    assert any("schema trl:grpo ends with" in wrong for wrong in differences({"wheel": found}))
