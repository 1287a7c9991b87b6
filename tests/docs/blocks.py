"""The code blocks of a Markdown page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^ *(?P=fence)\s*$", re.M | re.S
)


@dataclass(frozen=True)
class Block:
    """One block: its page, the line it begins on, its language, its text."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(path: Path) -> list[Block]:
    """The code blocks of a page in their order."""
    text = path.read_text("utf-8")
    page = path.relative_to(ROOT).as_posix()
    return [
        Block(page, text.count("\n", 0, one.start()) + 1, one["language"], one["text"]) for one in _FENCE.finditer(text)
    ]


def pages() -> list[Path]:
    """README and the pages of docs that people write; those of the rules are generated from what is tested."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands(script: str) -> Iterator[str]:
    """The commands of a block, one by one: lines, with those they are continued on."""
    kept = ""
    for line in script.splitlines():
        kept += line
        if line.endswith("\\"):
            kept += "\n"
            continue
        if kept.split("#", 1)[0].strip():
            yield kept
        kept = ""


@dataclass(frozen=True)
class Told:
    """A command and what it is said to print; `…` stands for any text."""

    command: str
    output: str

    def pattern(self) -> re.Pattern[str]:
        """What the output has to look like, whatever the blanks and line ends."""
        parts = [" ".join(part.split()) for part in re.split(r"…", self.output)]
        return re.compile(r".*?".join(re.escape(part) for part in parts))


def told(console: str) -> Iterator[Told]:
    """The commands of a session in a terminal, each with its output."""
    for part in re.split(r"^\$ ", console, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield Told(command, output)
