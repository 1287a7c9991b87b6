"""Dockerfiles: base images and the packages that are installed on top."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import field

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.versions.collecting import Collector
from rlhflint.versions.commands import Include, read_command
from rlhflint.versions.images import add_image
from rlhflint.versions.requirement import Origin, Statements

LARGEST = 1 << 20
"""Bytes of a Dockerfile that are read."""

_INSTRUCTION = expression(r"\s*(?P<name>[A-Za-z]+)\s+(?P<rest>.*)", re.DOTALL)
_FROM = expression(r"(?:--\S+\s+)*(?P<image>\S+)(?:\s+as\s+(?P<stage>\S+))?\s*", re.IGNORECASE)
_ENV = expression(r"(?<!\S)(?P<name>[A-Za-z_]\w*)=(?P<value>\"[^\"$]*\"|[^\s\"'$\\]*)(?=\s|$)")
_OLD_ENV = expression(r"(?P<name>[A-Za-z_]\w*)[ \t]+(?P<value>[^\s\"'$\\]+)\s*")
_VARIABLE = expression(r"\$(?:\{(?P<braced>\w+)\}|(?P<plain>\w+))")
_INSTALLS = expression(r"\b(?:pip|uv|conda|mamba|micromamba)")
_MOST_STAGES = 200
_LONGEST_RUN = 100_000


@dataclass(slots=True, eq=False, repr=False)
class _Stage:
    base: str
    line: int
    runs: list[tuple[int, str]] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)


def read_dockerfile(path: str, raw: bytes, include: Include) -> Statements:
    """What the last stage of the Dockerfile at `path` says, with the stages it is built on.

    A build argument (`ARG`) may be given another value, so what it holds says nothing; `ENV` counts.
    """
    collector = Collector(path)
    stages = _stages(raw.decode("utf-8", errors="replace"))
    chain: list[_Stage] = []
    names = {name: stage for name, stage in stages if name}
    stage = stages[-1][1] if stages else None
    while stage is not None and stage not in chain:
        chain.insert(0, stage)
        stage = names.get(stage.base.lower())
    for stage in chain:
        if stage.base.lower() not in names:
            add_image(collector, stage.line, stage.base)
    for stage in chain:
        for line, command in stage.runs:
            for words in _commands(command):
                read_command(collector, line, words, Origin.DOCKERFILE, include)
    return collector.statements()


def _stages(text: str) -> list[tuple[str, _Stage]]:
    """The stages in their order, each with its name in lower case or ""."""
    stages: list[tuple[str, _Stage]] = []
    for line, name, rest in _instructions(text):
        if name == "from":
            if len(stages) >= _MOST_STAGES:
                break
            found = _FROM.fullmatch(rest)
            if found is None:
                continue
            stage = _Stage(found["image"], line)
            alias = (found["stage"] or "").lower()
            below = next((known for named, known in reversed(stages) if named == stage.base.lower()), None)
            if below is not None:
                stage.environment.update(below.environment)
            stages.append((alias, stage))
        elif stages:
            stage = stages[-1][1]
            if name == "env":
                for pair in _ENV.finditer(rest):
                    stage.environment[pair["name"]] = pair["value"].strip('"')
                if pair_of_words := _OLD_ENV.fullmatch(rest):
                    stage.environment[pair_of_words["name"]] = pair_of_words["value"]
            elif name == "arg":
                stage.environment.pop(re.split(r"[=\s]", rest, maxsplit=1)[0], None)
            elif name == "run":
                stage.runs.append((line, _expanded(rest, stage.environment)))
    return stages


def _expanded(text: str, environment: dict[str, str]) -> str:
    """A command with the variables put in that the Dockerfile itself sets."""
    return _VARIABLE.sub(lambda use: environment.get(use["braced"] or use["plain"], use[0]), text)[:_LONGEST_RUN]


def _instructions(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, name in lower case and text of each instruction, its continued lines and here-documents joined."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        start = at
        parts: list[str] = []
        while at < len(lines):
            line = lines[at]
            at += 1
            if line.lstrip().startswith("#") or (parts and not line.strip()):
                continue
            continued = line.rstrip().endswith("\\")
            parts.append(line.rstrip()[:-1] if continued else line)
            if not continued:
                break
        found = _INSTRUCTION.match(" ".join(parts)[:_LONGEST_RUN])
        if found is None:
            continue
        rest = found["rest"]
        if found["name"].lower() == "run" and (document := re.search(r"<<-?\s*['\"]?(\w+)['\"]?", rest)):
            body: list[str] = []
            while at < len(lines) and lines[at].strip() != document[1]:
                body.append(lines[at])
                at += 1
            at += 1
            rest = rest[: document.start()] + "\n" + "\n".join(body)
        yield start + 1, found["name"].lower(), rest


def _commands(text: str) -> Iterator[list[str]]:
    """The words of each command of a RUN instruction."""
    text = re.sub(r"^(?:\s*--\S+)+\s", "", text)
    if text.lstrip().startswith("["):
        words = re.findall(r"\"((?:[^\"\\]|\\.)*)\"", text)
        yield words
        return
    for line in re.sub(r"\\\r?\n", " ", text).split("\n"):
        if not _INSTALLS.search(line):
            continue
        lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|()")
        lexer.whitespace_split = True
        lexer.commenters = ""
        words = []
        try:
            for word in lexer:
                if word and set(word) <= set(";&|()"):
                    yield words
                    words = []
                else:
                    words.append(word)
        except ValueError:  # a quote that does not end
            continue
        yield words
