"""A case of a rule, run through the whole pipeline in a folder of its own."""

from __future__ import annotations

import os
from contextlib import chdir
from pathlib import Path

from rlhflint.check import Checker
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.project.settings import Settings
from rlhflint.registry import names
from rlhflint.result import Result
from rlhflint.rule import registered

from .case_file import RuleCase
from .launches import BASE, script

NEWEST = openrlhf().newest


def run(case: RuleCase, folder: Path) -> Result:
    """What the linter finds in the case's files, every rule selected."""
    return run_files(files_of(case), facts_of(case), folder)


def run_files(files: dict[str, str], facts: dict[str, str], folder: Path) -> Result:
    """What the linter finds in some files; `facts` are releases by package, and `cluster`."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (folder / ".git").mkdir(exist_ok=True)
    with chdir(folder):
        return checker(facts).check(["."])


def checker(facts: dict[str, str], *codes: str) -> Checker:
    """A checker for what `facts` state, with the rules of `codes`, or all; experimental frameworks are looked at."""
    versions = {name: value for name, value in facts.items() if name not in ("cluster", "program")}
    return Checker(
        Settings(
            select=codes or ("ALL",),
            framework_versions=versions,
            cluster=facts.get("cluster"),
            experimental=names(),
        )
    )


def facts_of(case: RuleCase) -> dict[str, str]:
    """Releases by package, `program` and `cluster`; OpenRLHF's newest release where none is said of a launch of it."""
    facts: dict[str, str] = {}
    for fact in case.facts:
        name, _, value = fact.partition(" ")
        if value and name != "without":
            facts[name] = value
        elif fact in BASE:
            facts["program"] = fact
    if case.flags:
        facts.setdefault("openrlhf", NEWEST)
        facts.setdefault("program", "train_ppo_ray")
    return facts


def files_of(case: RuleCase) -> dict[str, str]:
    """The files of a case; a script for one that gives flags only."""
    if not case.flags:
        return case.files
    facts = facts_of(case)
    without = tuple(fact.partition(" ")[2] for fact in case.facts if fact.startswith("without "))
    return {"train.sh": script(facts["program"], facts["openrlhf"], case.flags, without), **case.files}


def known_codes() -> set[str]:
    """The codes of all rules of all frameworks."""
    from rlhflint.rules import load_all

    load_all()
    return {rule.code for rule in registered()}


def relative(path: str) -> str:
    """A path with `/`."""
    return path.replace(os.sep, "/")
