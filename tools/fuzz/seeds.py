"""Texts to begin with: those in `texts`, the inputs of the cases and of the cases of rules, by kind of reader.

A kind `fix-…` has those alone that hold launches, and launches of scripts wrapped as the kind of file has them, so that
there is something to fix.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from rlhflint.project.kinds import FileKind, kind_of_name
from rlhflint.registry import suspected
from tools.fuzz.mutation import FIXABLE

TESTS = Path(__file__).resolve().parents[2] / "tests"
TEXTS = Path(__file__).with_name("texts")
LONGEST = 3_000
"""Characters of a seed; of a longer text its beginning is taken."""

_FENCE = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_ENDINGS = {"sh": "a.sh", "bash": "a.sh", "python": "a.py", "py": "a.py", "yaml": "a.yaml", "yml": "a.yaml"}
_STATEMENTS = ("pyproject.toml", "requirements.txt", "uv.lock", "environment.yml", "setup.cfg", "setup.py")


@cache
def seeds(kind: str) -> tuple[str, ...]:
    """The texts to begin with for one kind of input, in an order that is always the same."""
    found = _fixable(kind.removeprefix(FIXABLE)) if kind.startswith(FIXABLE) else _found()[kind]
    return tuple(dict.fromkeys(text[:LONGEST] for text in (*own(kind), *found)))


def _fixable(kind: str) -> list[str]:
    file_kind = FileKind(kind)
    found = [text for text in seeds(kind) if suspected(text.encode("utf-8", "replace"), file_kind, "a")]
    if kind == "notebook":
        found += [_notebook(text) for text in own("fix-python")]
    if (wrap := _WRAPS.get(kind)) is not None:
        found += [wrap(text) for text in _fixable("shell")[::4]]
    return found


def _lines(text: str, before: str) -> str:
    return "".join(before + line for line in text.splitlines(keepends=True))


_WRAPS: Mapping[str, Callable[[str], str]] = {
    "yaml": lambda text: "run: |\n" + _lines(text, "  "),
    "dockerfile": lambda text: "FROM a\nRUN <<EOF\n" + text + "\nEOF\nRUN " + text.replace("\\\n", " "),
    "makefile": lambda text: "A = 1\nall:\n" + _lines(text.replace("$", "$$"), "\t"),
    "markdown": lambda text: "- A list:\n\n  ```bash\n" + _lines(text, "  ") + "\n  ```\n",
}
"""Scripts inside of other files."""


def own(kind: str) -> list[str]:
    """Texts with the rarer things that a language has, from the folder `texts`."""
    name = kind.replace(".", "-")
    return [path.read_text(encoding="utf-8") for path in sorted(TEXTS.glob(f"{name}*"))]


@cache
def _found() -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, text in (*_case_files(), *_fences()):
        kind = _kind(name)
        if kind is not None:
            found[kind].append(text)
    found["notebook"] += [_notebook(text) for text in found["python"][:30]]
    return found


def _kind(name: str) -> str | None:
    if name in _STATEMENTS:
        return {"requirements.txt": "requirements", "uv.lock": "locks", "environment.yml": "conda"}.get(
            name, name.removesuffix(".toml")
        )
    kind = kind_of_name(name)
    return None if kind in (None, FileKind.OTHER) else str(kind.value)


def _case_files() -> Iterator[tuple[str, str]]:
    for path in sorted((TESTS / "cases").rglob("*")):
        if path.is_file() and path.name not in ("case.toml", "README.md") and "after" not in path.parts:
            yield path.name, path.read_bytes().decode("utf-8", "replace")


def _fences() -> Iterable[tuple[str, str]]:
    for path in sorted((TESTS / "rules" / "cases").glob("*.md")):
        for language, name, text in _FENCE.findall(path.read_text(encoding="utf-8")):
            yield name if "." in name else _ENDINGS.get(language, ""), text


def _notebook(python: str) -> str:
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": part.splitlines(keepends=True)}
        for part in ("!pip install trl==0.20.0\n%env A=b\n", python, "%%bash\ntrl sft --config c.yaml\n")
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
