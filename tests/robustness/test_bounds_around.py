"""Hostile files around a launch: what states releases, what configures rlhflint, a baseline, and logs to explain."""

from __future__ import annotations

import json
import os
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from .limited import limited

SHELL = "python -m openrlhf.cli.train_sft --no_such_flag 1\n"
MILLION = 1_000_000
LOG = (60 if os.environ.get("RLHFLINT_LARGE") else 6) * MILLION
"""Bytes of a long log."""
HOSTILE: dict[str, bytes] = {
    "a line of ten megabytes": b"x" * 10 * MILLION,
    "ten megabytes of words": b"trl==1 " * (10 * MILLION // 7),
    "ten megabytes of short lines": b"trl>=0.1,\n" * MILLION,
    "nested square brackets": b"a = " + b"[" * 100_000 + b"]" * 100_000,
    "nested braces": b"a = " + b"{a=" * 100_000 + b"}" * 100_000,
    "nested JSON": b'{"default": ' * 100_000,
    "nested tables": b"[" + b"a." * 100_000 + b"b]\nx = 1\n",
    "indented ever more": b"".join(b" " * depth + b"a:\n" for depth in range(3_000)),
    "nested parentheses": b"setup(" * 100_000,
    "quotes": b"'" * 100_000,
    "three quotes": b'"""' * 100_000,
    "aliases that multiply": b"a0: &a0 [x]\n"
    + b"".join(b"a%d: &a%d [*a%d, *a%d, *a%d]\n" % (n, n, n - 1, n - 1, n - 1) for n in range(1, 60))
    + b"dependencies: *a59\n",
    "keys by the hundred thousand": b"".join(b"k%d = 1\n" % n for n in range(100_000)),
    "lines that go on": b"trl \\\n" * 300_000,
    "no text": b"\xff\xfe\x00\x80" * 100_000,
    "NUL bytes": b"\0" * MILLION,
    "a file that includes itself": b"-r requirements.txt\n-c pyproject.toml\n" * 1_000,
    "a long number": b"trl==" + b"9" * 100_000 + b"\n",
    "a long specifier": b"trl" + b">=0.1," * 100_000 + b"<2\n",
    "a long marker": b"trl; " + b"(" * 20_000 + b"python_version>'3'" + b")" * 20_000 + b"\n",
}
AROUND = (
    *("requirements.txt", "pyproject.toml", "rlhflint.toml", "uv.lock", "poetry.lock", "Pipfile", "Pipfile.lock"),
    *("environment.yml", "setup.py", "setup.cfg", ".python-version", ".gitignore", "Dockerfile", "package.json"),
)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path) -> object:
    (tmp_path / ".git").mkdir()
    with chdir(tmp_path):
        yield


@pytest.fixture(autouse=True, scope="module")
def _loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is loaded when it is needed is loaded before processes are split off."""
    with chdir(tmp_path_factory.mktemp("loaded")):
        Path(".git").mkdir()
        Path("a.sh").write_text(SHELL)
        for name in AROUND:
            Path(name).write_text("trl==0.20.0\n")
            command("check", "--no-cache", "a.sh")
            Path(name).unlink()
        command("explain", "out of memory")


def command(*words: str) -> Result:
    from rlhflint.cli import rlhflint

    return CliRunner().invoke(rlhflint, words, catch_exceptions=False)


def checked() -> tuple[int, str]:
    """The exit status of a check, and what it says."""
    done = command("check", "--no-cache", "a.sh")
    return done.exit_code, done.output


def test_there_is_something_to_read_and_to_say() -> None:
    Path("a.sh").write_text(SHELL)
    assert "OR101" in command("check", "a.sh").stdout


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_launch_is_judged_whatever_lies_around_it(hostile: str) -> None:
    Path("a.sh").write_text(SHELL)
    for name in AROUND:
        Path(name).write_bytes(HOSTILE[hostile])
        status, output = limited(checked)
        # A configuration that cannot be read is told of, and nothing is checked without it.
        assert "OR101" in output or name in ("rlhflint.toml", "pyproject.toml"), (name, output)
        assert status in (1, 2)
        assert "RL003" not in output, (name, output)
        Path(name).unlink()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_log_or_a_baseline_is_read_to_its_end(hostile: str) -> None:
    Path("a.sh").write_text(SHELL)
    Path("run.log").write_bytes(HOSTILE[hostile])
    assert limited(lambda: command("explain", "run.log").exit_code) in (0, 1)
    assert limited(lambda: command("check", "--baseline", "run.log", "a.sh").exit_code) == 2


def test_logs_as_long_as_they_get() -> None:
    lines = {
        "progress.log": b"\rstep 1: kl=0.1 reward=nan loss=1e999" * (LOG // 38),
        "metrics.jsonl": b'{"loss": NaN, "kl": 100.0, "step": 1}\n' * (LOG // 40),
        "state.json": json.dumps({"log_history": [{"loss": 0.0, "step": n} for n in range(500_000)]}).encode(),
    }
    for name, content in lines.items():
        Path(name).write_bytes(content)
        assert limited(lambda name=name: command("explain", name).exit_code) in (0, 1)  # type: ignore[misc]
