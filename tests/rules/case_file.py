r"""Cases of a rule, in Markdown that people read who write no Python.

    # OR203 async-with-colocate-all

    ## vLLM gets GPUs of its own

    openrlhf 0.11.2, train_ppo_ray, cluster 1x8

        --train.async_enable --train.colocate_all

    finds warning at `--train.colocate_all`: 8 further GPUs

    ## without asynchronous training

        --train.colocate_all

    silent

A case is a `##` heading, then a line of facts (packages with releases, a program, `cluster NxG`, `without NAME`, all
optional), one block of flags (indented; the base launch of `tests/rules/launches.py` changed by them, in canonical
names) or fenced files (```` ```sh train.sh ````), and what the rule has to say:

    finds SEVERITY[ at `TEXT`][ (STAGE)]: part of the message or help    one finding of the rule, at that text
    silent                                                               no finding of the rule
    undecided                                                            no finding, and the check is counted undecided

`decided` beside `silent` says that nothing was missing to decide it.

A fenced block marked `fixed` (```` ```sh fixed ````) is the changed file after the fix of the rule's findings,
`fixed: TEXT`, any number of times, what has to be in it. `not fixed` says that the finding has no fix.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_FENCE = re.compile(r"^```(\S*)\s*(\S*)\s*$")
_FINDS = re.compile(
    r"finds (?P<severity>error|warning|advice)(?: at `(?P<at>[^`]+)`)?(?: \((?P<stage>[a-z-]+)\))?(?:: (?P<says>.*))?$"
)
_HEAD = re.compile(r"# (?P<code>[A-Z]{2}\d{3}) (?P<name>[a-z0-9-]+)$")


@dataclass
class Expected:
    """A finding that has to be there."""

    severity: str
    at: str | None
    stage: str | None
    says: str


@dataclass
class RuleCase:
    """One situation and what the rule says of it."""

    code: str
    title: str
    place: str
    facts: list[str] = field(default_factory=list)
    flags: str = ""
    files: dict[str, str] = field(default_factory=dict)
    finds: list[Expected] = field(default_factory=list)
    silent: bool = False
    undecided: bool = False
    decided: bool = False
    fixed: list[str] = field(default_factory=list)
    fixed_file: str | None = None
    not_fixed: bool = False

    def __str__(self) -> str:
        return f"{self.code}: {self.title}"


def read(path: Path) -> list[RuleCase]:
    """The cases of one file. Raises ValueError where it is not in the form above."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head = _HEAD.match(lines[0])
    if head is None or head["code"] != path.stem.partition("-")[0]:
        raise ValueError(f"{path.name}: the first line is not '# CODE name' of the file's own code")
    cases: list[RuleCase] = []
    index = 1
    while index < len(lines):
        line = lines[index]
        if line.startswith("## "):
            cases.append(RuleCase(head["code"], line[3:].strip(), f"{path.name}:{index + 1}"))
        elif cases:
            index = _line(cases[-1], lines, index)
        index += 1
    for case in cases:
        if not (case.finds or case.silent or case.undecided):
            raise ValueError(f"{case.place}: {case.title!r} expects nothing")
        if not (case.flags or case.files):
            raise ValueError(f"{case.place}: {case.title!r} has no launch")
    return cases


def _line(case: RuleCase, lines: list[str], index: int) -> int:
    line = lines[index]
    if fence := _FENCE.match(line):
        end = next(at for at in range(index + 1, len(lines)) if lines[at].rstrip() == "```")
        body = "\n".join(lines[index + 1 : end]) + "\n"
        if fence[2] == "fixed":
            case.fixed_file = body
        else:
            case.files[fence[2] or "train.sh"] = body
        return end
    if line.startswith("    "):
        case.flags = f"{case.flags} {line.strip()}".strip()
    elif found := _FINDS.match(line):
        case.finds.append(Expected(found["severity"], found["at"], found["stage"], found["says"] or ""))
    elif line == "silent":
        case.silent = True
    elif line == "undecided":
        case.undecided = True
    elif line == "decided":
        case.decided = True
    elif line == "not fixed":
        case.not_fixed = True
    elif line.startswith("fixed: "):
        case.fixed.append(line.removeprefix("fixed: ").strip("`"))
    elif line.strip():
        case.facts += [fact.strip() for fact in line.split(",")]
    return index
