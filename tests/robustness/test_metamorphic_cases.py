"""The cases, changed as a whole without a change of meaning: the same is found where things stand now."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.robustness.weaving import SEEN, Place
from tests.test_cases import CASES
from tools.run_cases import Case, copy_input

BROKEN_LINES = "LA104"
"""Carriage returns behind the backslashes of a script, told besides the rest."""


@dataclass(frozen=True)
class Change:
    """A text with stretches replaced: begin, end and what stands there instead, in the order of the text."""

    edits: tuple[tuple[int, int, str], ...]

    def made(self, text: str) -> str:
        """The changed text."""
        out, at = [], 0
        for start, end, new in self.edits:
            out += [text[at:start], new]
            at = end
        return "".join([*out, text[at:]])

    def start(self, offset: int) -> int:
        """Where the character at an offset is afterwards; the first of what replaces it."""
        return offset + sum(len(new) - (end - start) for start, end, new in self.edits if end <= offset)

    def end(self, offset: int) -> int:
        """Where what ends at an offset ends afterwards: before what is put in there."""
        edits = [edit for edit in self.edits if edit[1] <= offset and edit[0] < offset]
        return offset + sum(len(new) - (end - start) for start, end, new in edits)


def _head(text: str) -> int:
    """The end of the first comments (`#!`, `#SBATCH`)."""
    at = 0
    for line in text.splitlines(keepends=True):
        if not line.startswith("#"):
            break
        at += len(line)
    return at


def _put(*edits: tuple[int, str]) -> Change:
    return Change(tuple((at, at, new) for at, new in edits))


def _above(text: str, name: str) -> Change:
    return _put((0, "# rlhf\n\n")) if name.endswith(".py") else _put((_head(text), "# --no_such_flag 1\n\n"))


def _below(text: str, name: str) -> Change:
    return _put((len(text), ("" if text.endswith("\n") else "\n") + "\n# --no_such_flag 1\n"))


def _carriage_returns(text: str, name: str) -> Change:
    return _put(*((one.start(), "\r") for one in re.finditer(r"(?<!\r)\n", text)))


def _in_function(text: str, name: str) -> Change:
    if not name.endswith(".sh"):
        return Change(())
    return _put((_head(text), "main() {\n"), (len(text), '\n}\nmain "$@"\n'))


def _in_group(text: str, name: str) -> Change:
    if not name.endswith(".sh") or text.startswith("#"):
        return Change(())
    return _put((0, "{\n"), (len(text), "\n}\n"))


def _in_branch(text: str, name: str) -> Change:
    if not name.endswith(".sh"):
        return Change(())
    return _put((_head(text), "if true; then\n"), (len(text), "\nfi\n"))


_NAME = re.compile(r"^(?:local )?([A-Z][A-Z_0-9]*)=", re.MULTILINE)
_MEANT = re.compile(
    r"export|source |^\. |MASTER|NCCL|CUDA|RAY|SLURM|GPUS|NODES|WORLD|PYTHON|VLLM|HF_|TOKEN|declare|read "
)


def _renamed(text: str, name: str) -> Change:
    """Variables that mean nothing to other programs, by other names."""
    if not name.endswith(".sh") or _MEANT.search(text):
        return Change(())
    names = "|".join(sorted(set(_NAME.findall(text)), key=len, reverse=True))
    found = re.finditer(rf"(?<![\w-])(?:{names})(?![\w-])", text) if names else ()
    return Change(tuple((one.start(), one.end(), f"my_{one[0]}") for one in found))


CHANGES: dict[str, Callable[[str, str], Change]] = {
    "a comment above": _above,
    "a comment below": _below,
    "carriage returns": _carriage_returns,
    "a function around it": _in_function,
    "braces around it": _in_group,
    "a branch around it": _in_branch,
    "variables renamed": _renamed,
}
Told = tuple[str, str, str, Place, tuple[str, ...]]
"""File, code, message, place in it, settings."""


def _files(case: Case) -> Iterator[Path]:
    for path in sorted(case.folder.rglob("*")):
        if path.suffix in (".sh", ".py", ".yaml") and "after" not in path.parts:
            yield path.relative_to(case.folder)


def found_in(case: Case, folder: Path, changed: str, text: str) -> list[Told]:
    """What a case comes to with another text in one of its files."""
    copy_input(case, folder)
    (folder / changed).write_bytes(text.encode())
    from rlhflint.cli import rlhflint
    from tests.runner import runner

    with chdir(folder):
        done = runner().invoke(rlhflint, ["check", "--output-format", "json", *case.args, "."], catch_exceptions=False)
        told = []
        for one in json.loads(done.stdout)["findings"]:
            if one["code"].startswith(SEEN) and one["code"] != BROKEN_LINES:
                place = 0, 0
                if "cell" not in one:
                    lines = Path(one["path"]).read_bytes().decode().split("\n")
                    place = (
                        _offset(lines, one["line"], one["column"]),
                        _offset(lines, one["end_line"], one["end_column"]),
                    )
                told.append((one["path"], one["code"], one["message"], place, tuple(one["settings"])))
    return sorted(told)


def _offset(lines: Sequence[str], line: int, column: int) -> int:
    return sum(len(one) + 1 for one in lines[: line - 1]) + column - 1


def _after(change: Change, one: Told) -> Told:
    """A finding at the place where it is after a change of its file."""
    file, code, message, (start, end), of = one
    return file, code, message, (change.start(start), change.end(end)), of


SAMPLE: Sequence[tuple[Case, Path]] = [(case, path) for case in CASES for path in _files(case)]


def test_there_are_files_to_change() -> None:
    assert len(SAMPLE) > 120
    for name, change in CHANGES.items():
        texts = [((case.folder / path).read_bytes().decode(), path.name) for case, path in SAMPLE]
        assert sum(bool(change(text, path).edits) for text, path in texts) >= 10, name


@pytest.mark.parametrize(("case", "path"), SAMPLE, ids=[f"{case.name}/{path}" for case, path in SAMPLE])
def test_a_case_changed_without_a_change_of_meaning(case: Case, path: Path, tmp_path: Path) -> None:
    text = (case.folder / path).read_bytes().decode()
    before = found_in(case, tmp_path / "before", str(path), text)
    for number, (name, make) in enumerate(CHANGES.items()):
        change = make(text, path.name)
        if change.edits:
            after = found_in(case, tmp_path / str(number), str(path), change.made(text))
            wanted = [
                (
                    file,
                    code,
                    message,
                    (change.start(place[0]), change.end(place[1])) if file == str(path) else place,
                    of,
                )
                for file, code, message, place, of in before
            ]
            assert after == sorted(wanted), name
