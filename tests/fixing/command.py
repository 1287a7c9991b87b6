"""`rlhflint fix` run in a folder of its own."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from rlhflint.cli import rlhflint
from tests.runner import runner


@dataclass(frozen=True)
class Ran:
    """What a command printed, its exit status, and the files as they are behind it."""

    exit_code: int
    output: str
    errors: str
    files: dict[str, str]


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Put files into a folder that is a repository of its own."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def read(folder: Path) -> dict[str, str]:
    """The files of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run(folder: Path, *arguments: str, text: str | None = None) -> Ran:
    """Run a command of rlhflint in a folder."""
    with chdir(folder):
        result = runner().invoke(rlhflint, list(arguments), input=text, catch_exceptions=False)
    return Ran(result.exit_code, result.stdout, result.stderr, read(folder))


def fix(folder: Path, files: Mapping[str, str], *arguments: str) -> Ran:
    """Write files and fix them."""
    write(folder, files)
    return run(folder, "fix", *arguments, "--output-format", "concise")


def fixed(folder: Path, text: str, *arguments: str) -> str:
    """The text of one shell script after it was fixed."""
    return fix(folder, {"train.sh": text}, *arguments).files["train.sh"]
