"""A run that remembers tells what one without a memory tells, whatever became of the memory."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rlhflint import processes
from tests.remembered.conftest import Runs
from tests.test_cases import CASES, run_cases

SCRIPT = "python3 -m openrlhf.cli.train_sft \\\n   --learning_rate {n}e-6 \\\n   --zero_stage {n} --no_such_flag\n"
CONFIG = "from trl import GRPOConfig\n\nconfig = GRPOConfig('out', num_generations={n}, no_such_option=3)\n"


LOADED = """
import sys
from rlhflint.cli import rlhflint
try:
    rlhflint(["check", *sys.argv[1:]])
except SystemExit:
    assert not [name for name in sys.modules if name.startswith("rlhflint.remembered")]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twenty files with launches, one of them broken, one that sources another file."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for n in range(10):
        (tmp_path / f"sft-{n}.sh").write_text(SCRIPT.format(n=n))
        (tmp_path / f"grpo_{n}.py").write_text(CONFIG.format(n=n))
    (tmp_path / "sourcing.sh").write_text("source common.inc\npython -m openrlhf.cli.train_sft $FLAG\n")
    (tmp_path / "common.inc").write_text("FLAG=--packing_samples\n")
    (tmp_path / "broken.py").write_text("import trl\nGRPOConfig(\n")
    (tmp_path / "bytes.sh").write_bytes(b"openrlhf \xff\n")
    return tmp_path


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_cases_are_told_as_without(
    case: run_cases.Case, runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "case"
    run_cases.copy_input(case, folder)
    monkeypatch.chdir(folder)
    words = ("--verbose", "--output-format", "json", *case.args, ".")
    afresh = runs("--no-cache", *words)
    assert runs.given == 0
    assert runs(*words) == afresh
    assert runs.given == 0
    assert runs(*words) == afresh
    assert runs.given > 0 or "-ok-" in case.name or list(folder.glob("*.ipynb"))


@pytest.mark.parametrize("form", ["text", "concise", "json", "sarif", "gitlab", "github", "junit"])
def test_every_form_is_the_same(form: str, project: Path, runs: Runs) -> None:
    words = ("--output-format", form, "--statistics", "--verbose", "--color", "always")
    afresh = runs("--no-cache", *words)
    runs(*words)
    assert runs(*words) == afresh
    assert runs.given == 23


def test_one_process_remembers_what_several_found(project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "FEWEST", 5)
    afresh = runs("--no-cache", "--jobs", "1")
    assert runs("--jobs", "3") == afresh
    assert runs("--jobs", "1") == afresh
    assert runs.given == 23
    (project / "common.inc").write_text("FLAG=--no_such_flag_33\n")
    assert runs("--jobs", "3") == runs("--no-cache", "--jobs", "1") != afresh


def test_only_the_file_that_changed_is_checked_again(project: Path, runs: Runs) -> None:
    runs()
    (project / "sft-3.sh").write_text(SCRIPT.format(n=3).replace("no_such_flag", "another_flag"))
    assert "another_flag" in runs()[1]
    assert runs.given == 22
    runs()
    assert runs.given == 23


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("common.inc", "FLAG=--no_such_flag_2\n"),
        ("requirements.txt", "openrlhf==0.8.0\n"),
        ("pyproject.toml", "[tool.rlhflint]\nignore = ['OR101']\n"),
        ("openrlhf/cli/train_sft.py", "import argparse\n"),
        ("trl/__init__.py", "__version__ = '0.18.0'\n"),
    ],
)
def test_what_appears_and_goes_is_noticed(path: str, text: str, project: Path, runs: Runs) -> None:
    runs()
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text(text)
    (project / "trl" / "trainer").mkdir(parents=True, exist_ok=True)
    assert runs() == runs("--no-cache")
    runs()
    assert runs.given == 23
    (project / path).unlink()
    assert runs() == runs("--no-cache")
    assert runs.given == 0


def test_the_same_size_at_the_same_time_is_no_excuse(project: Path, runs: Runs) -> None:
    common = project / "common.inc"
    stat = common.stat()
    runs()
    common.write_text("FLAG=--packing_sampled\n")
    assert common.stat().st_size == stat.st_size
    os.utime(common, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert runs() == runs("--no-cache")
    assert "packing_sampled" in runs()[1]


def test_options_have_results_of_their_own(project: Path, runs: Runs) -> None:
    runs()
    for words in (("--ignore", "OR101"), ("--framework-version", "openrlhf=0.8.0"), ("--isolated",), ("sft-1.sh",)):
        assert runs(*words) == runs("--no-cache", *words)
    runs()
    assert runs.given == 23


def test_a_wrong_code_is_told_every_time(project: Path, runs: Runs) -> None:
    (project / "pyproject.toml").write_text("[tool.rlhflint]\nignore = ['OR999']\n")
    status, text = runs("--no-cache")
    assert (status, "OR999" in text) == (2, True)
    assert runs() == runs() == (status, text)
    assert runs.given == 23


def test_a_crash_is_not_remembered(project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object, **__: object) -> object:
        raise MemoryError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rlhflint.file_check.read_document", crash)
        assert runs()[0] == 2
    assert runs() == runs("--no-cache")


def test_a_change_during_the_run_is_not_remembered(project: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    from rlhflint.file_check import FileCheck

    run = FileCheck.run

    def changing(self: FileCheck) -> object:
        (project / "common.inc").write_text("FLAG=--gone\n")
        return run(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileCheck, "run", changing)
        runs()
    (project / "common.inc").write_text("FLAG=--packing_samples\n")
    assert runs() == runs("--no-cache")


@pytest.mark.parametrize("garbage", ["", "x", "[]", "{}", "[1,2]", '[{"file":{"a":"True"}},{"sft-1.sh":3}]', "\udcff"])
def test_garbage_is_no_memory(garbage: str, project: Path, runs: Runs) -> None:
    from rlhflint.remembered import folder

    afresh = runs()
    (kept,) = runs.kept.iterdir()
    for content in (garbage.encode(errors="surrogateescape"), kept.read_bytes()[:-7], kept.read_bytes() + b"\n"):
        kept.write_bytes(content)
        assert runs() == afresh
    folder.write(str(runs.kept), kept.name, garbage.encode(errors="surrogateescape"))
    assert runs() == afresh
    runs()
    assert runs.given == 23


def test_a_folder_that_cannot_be_written_to_changes_nothing(project: Path, runs: Runs) -> None:
    afresh = runs("--no-cache")
    runs.kept.rmdir()
    runs.kept.write_text("a file")
    assert runs() == runs() == afresh
    runs.kept.unlink()
    runs.kept.mkdir(mode=0o500)
    assert runs() == runs() == afresh


def test_a_place_of_the_users_alone(project: Path, runs: Runs) -> None:
    runs.kept.rmdir()
    runs()
    assert runs.kept.stat().st_mode & 0o777 == 0o700
    (kept,) = runs.kept.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(kept.read_bytes().partition(b"\n")[2])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="takes the right to mount")
def test_a_full_disk_changes_nothing(project: Path, runs: Runs) -> None:
    afresh = runs("--no-cache")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(runs.kept)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        assert runs() == runs() == afresh
        assert list(runs.kept.iterdir()) == []
    finally:
        subprocess.run(["umount", str(runs.kept)], check=True)


def test_runs_at_the_same_time_do_not_disturb_each_other(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kept = tmp_path_factory.mktemp("kept")

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "rlhflint", "check", "--output-format", "concise", *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "RLHFLINT_CACHE_DIR": str(kept)},
        )
        return done.returncode, done.stdout + done.stderr

    afresh = run("--no-cache")
    with ThreadPoolExecutor(4) as pool:
        assert {future.result() for future in [pool.submit(run) for _ in range(4)]} == {afresh}
    assert run() == afresh
    assert [path.name for path in kept.iterdir() if path.suffix] == []


def test_few_files_load_nothing_of_it(project: Path) -> None:
    few = [f"sft-{n}.sh" for n in range(10)]
    done = subprocess.run([sys.executable, "-c", LOADED, *few], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nothing_is_kept_in_the_project(project: Path, runs: Runs) -> None:
    before = sorted(project.rglob("*"))
    runs()
    assert sorted(project.rglob("*")) == before
    shutil.rmtree(runs.kept)
