"""Nothing of the user's is run: not while all cases are checked and fixed, and not because of what a folder holds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from tests.test_cases import CASES
from tools.run_cases import copy_input

ROOT = Path(__file__).parents[2]
TRAP = "open(__import__('os').environ['RAN'], 'a').write(__file__ + '\\n')\nraise SystemExit(99)\n"
"""A module that tells when it is run."""
NAMES = (
    "sitecustomize",
    "usercustomize",
    "conftest",
    "click",
    "packaging",
    "libcst",
    "tree_sitter",
    "torch",
    "yaml",
    "typing",
)
LAUNCH = "python -m openrlhf.cli.train_sft --no_such_flag 1\n"
COMMAND = Path(sysconfig.get_path("scripts"), "rlhflint")


def plant(folder: Path) -> None:
    """Put modules beside the user's files that bear the names of what rlhflint loads, and more that might be."""
    for name in NAMES:
        (folder / f"{name}.py").write_text(TRAP)
    for name in ("pydantic", "ruamel"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "__init__.py").write_text(TRAP)
    (folder / "trap.pth").write_text("import sitecustomize\n")


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the inputs of every case, each with traps beside them."""
    top = tmp_path_factory.mktemp("cases")
    for case in CASES:
        copy_input(case, top / case.name)
        plant(top / case.name)
    return top


def guarded(top: Path, words: Sequence[str], before: Sequence[str] = ()) -> dict[str, Any]:
    """What a command came to in every folder under guard."""
    program = [*before, sys.executable, "-P", str(Path(__file__).with_name("guarded.py"))]
    folders = sorted(path.name for path in top.iterdir() if not path.name.startswith("."))
    assert len(folders) > 100
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAN": str(top / ".ran")}
    done = subprocess.run(
        [*program, *folders],
        input="\n".join(words),
        cwd=top,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, Any] = json.loads(done.stdout)
    assert not (top / ".ran").exists(), (top / ".ran").read_text()
    return told


def test_all_cases_are_checked_and_nothing_of_them_is_run(cases: Path) -> None:
    told = guarded(cases, ["check", "."])
    assert told["tried"] == []
    assert told["foreign"] == []
    assert set(told["status"].values()) <= {0, 1, 2}
    assert sum(status == 1 for status in told["status"].values()) > 20


def test_all_cases_are_fixed_and_nothing_of_them_is_run(cases: Path, tmp_path: Path) -> None:
    top = tmp_path / "fixed"
    shutil.copytree(cases, top)
    told = guarded(top, ["fix", "--unsafe", "."])
    assert told["tried"] == []
    assert told["foreign"] == []
    assert any((top / case.name).exists() for case in CASES)


READING = (
    "show .",
    "plan {file}",
    "config {file}",
    "diff {file} {file}",
    "explain {file}",
    "explain --launch {file} CUDA out of memory",
    "explain --dry-run {file}",
    "explain --report {file}",
    "schema trl:grpo",
    "rule",
    "fix --to openrlhf=latest --to trl=latest --unsafe --diff .",
)
"""The other commands, which write nothing."""


@pytest.mark.parametrize("command", READING)
def test_whatever_is_asked_about_all_cases_nothing_of_them_is_run(cases: Path, command: str) -> None:
    told = guarded(cases, command.split())
    assert told["tried"] == []
    assert told["foreign"] == []
    assert set(told["status"].values()) <= {0, 1, 2}
    assert 0 in told["status"].values()


def test_a_configuration_is_begun_in_all_cases_and_nothing_of_them_is_run(cases: Path, tmp_path: Path) -> None:
    top = tmp_path / "begun"
    shutil.copytree(cases, top)
    told = guarded(top, ["init", "."])
    assert (told["tried"], told["foreign"]) == ([], [])
    assert 0 in told["status"].values()


def test_every_command_is_among_those_that_are_watched() -> None:
    from rlhflint.cli import rlhflint

    watched = {"check", "fix", "init", *(command.partition(" ")[0] for command in READING)}
    assert set(rlhflint.list_commands(click.Context(rlhflint))) == watched


PLANTED = {
    "subprocess": "import subprocess; subprocess.run(['true'])",
    "socket": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "shell": "import os; os.system('true')",
    "exec": "exec('1')",
    "eval": "eval('1')",
    "import of a framework": "import trl",
    "import from the folder": "import sys; sys.path.insert(0, '.'); import conftest",
    "run as a script": "import runpy; runpy.run_path('conftest.py')",
    "another process": "import os; os.posix_spawn('/bin/true', ['true'], {})",
    "a file elsewhere": "open('/etc/hostname').read()",
    "a file written": "open('written', 'w')",
}
"""Lines that a reader must not hold."""


@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_planted_in_a_reader_is_noticed(planted: str, tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / ".git").mkdir()
    (folder / "train.sh").write_text(LAUNCH)
    plant(folder)
    program = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import guarded\n"
        "import rlhflint.readers.shell as reader\n"
        "before = reader.read_script\n"
        "def read_script(*arguments, **named):\n"
        f"    {PLANTED[planted]}\n"
        "    return before(*arguments, **named)\n"
        "guarded.load_all()\n"
        "for module in list(sys.modules.values()):\n"
        "    if getattr(module, 'read_script', None) is before: module.read_script = read_script\n"
        "guarded.load_all = lambda: None\n"
        "guarded.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, str(Path(__file__).parent), folder.name],
        input="check\n.",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "RAN": str(tmp_path / "ran")},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout)["tried"], done.stdout
    assert not (tmp_path / "ran").exists()


def _without_network() -> bool:
    return (
        shutil.which("unshare") is not None and not subprocess.run(["unshare", "-rn", "true"], check=False).returncode
    )


@pytest.mark.skipif(not _without_network(), reason="no namespace without a network can be made here")
def test_all_cases_are_checked_where_there_is_no_network(cases: Path) -> None:
    told = guarded(cases, ["check", "."], before=("unshare", "-rn"))
    assert told["tried"] == []
    assert sum(status == 1 for status in told["status"].values()) > 20


def run(folder: Path, command: Sequence[str], *words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["RAN"] = str(folder.parent / "ran")
    return subprocess.run(
        [*command, *words], cwd=folder, capture_output=True, text=True, check=False, env=environment, timeout=120
    )


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A repository whose files would be run by a tool that is not careful."""
    folder = tmp_path / "repository"
    (folder / "rlhflint").mkdir(parents=True)
    (folder / ".git").mkdir()
    plant(folder)
    for name in ("__init__", "__main__", "cli"):
        (folder / "rlhflint" / f"{name}.py").write_text(TRAP)
    (folder / "train.sh").write_text(f"$(touch ran-by-shell)\n`touch ran-by-shell`\nsource ./sourced.sh\n{LAUNCH}")
    (folder / "sourced.sh").write_text("touch ran-by-shell\n")
    (folder / "train.py").write_text(f"import trl\n{TRAP}trl.GRPOConfig(no_such=1)\n")
    (folder / "setup.py").write_text(TRAP)
    (folder / "python").write_text("#!/bin/sh\ntouch ran-by-shell\n")
    (folder / "python").chmod(0o755)
    (folder / "rlhflint.toml").write_text('python = "./python"\n')
    (folder / "pyproject.toml").write_text('[project.entry-points."rlhflint"]\nx = "conftest:x"\n')
    return folder


@pytest.mark.parametrize("words", [("check",), ("fix", "--unsafe"), ("show",), ("check", "train.sh")], ids=" ".join)
def test_the_command_loads_nothing_from_the_folder_it_is_run_in(hostile: Path, words: tuple[str, ...]) -> None:
    done = run(hostile, [str(COMMAND)], *words)
    assert done.returncode in (0, 1), done.stderr
    assert not (hostile.parent / "ran").exists()
    assert not (hostile / "ran-by-shell").exists()


def test_as_a_module_it_loads_nothing_but_itself_from_there(hostile: Path) -> None:
    """`python -m` looks in the working directory first: that rlhflint itself is taken from there is Python's doing."""
    shutil.rmtree(hostile / "rlhflint")
    (hostile / "typing.py").unlink()  # loaded by Python before any of our lines
    done = run(hostile, [sys.executable, "-m", "rlhflint"], "check")
    assert done.returncode == 1, done.stderr
    assert not (hostile.parent / "ran").exists()


def test_the_guard_holds_back_what_it_should(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import guarded, builtins, os, socket, subprocess\n"
        "sys.addaudithook(guarded.hook)\n"
        "builtins.eval = guarded.never('eval'); builtins.compile = guarded.only_trees(compile)\n"
        "def attempt(work):\n"
        "    try: work()\n"
        "    except PermissionError: return\n"
        "    raise SystemExit(3)\n"
        "attempt(lambda: subprocess.run(['true']))\n"
        "attempt(lambda: os.system('true'))\n"
        "attempt(lambda: os.posix_spawn('/bin/true', ['true'], {}))\n"
        "attempt(os.fork)\n"
        "attempt(lambda: socket.socket().connect(('127.0.0.1', 9)))\n"
        "attempt(lambda: eval('1'))\n"
        "attempt(lambda: compile('1', 'a', 'exec'))\n"
        "attempt(lambda: exec(b'1'))\n"
        "attempt(lambda: __import__('torch'))\n"
        "attempt(lambda: open('written', 'w'))\n"
        "attempt(lambda: open('/etc/hostname'))\n"
        "print(len(guarded.tried))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(Path(__file__).parent)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "11", done.stderr
