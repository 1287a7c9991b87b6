"""Texts to begin with: those in `texts`, the inputs of the cases and of the cases of rules, by kind of reader."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from rlhflint.project.kinds import FileKind, kind_of_name

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
    return tuple(dict.fromkeys(text[:LONGEST] for text in (*_own(kind), *_found()[kind])))


def _own(kind: str) -> list[str]:
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
