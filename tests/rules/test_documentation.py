"""The documentation of every rule is whole, and its examples are what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.page import Example, Page, page
from rlhflint.rule import Rule
from rlhflint.rules import load_all

from . import running
from .launches import BASE, script

RULES = load_all()
EXAMPLES = [
    (rule, kind, example)
    for rule in RULES
    if rule.programs
    for kind, example in (("wrong", page(rule.documentation).wrong), ("right", page(rule.documentation).right))
    if example is not None
]


def test_there_are_rules_and_examples() -> None:
    assert len(RULES) > 0
    assert len(EXAMPLES) > 0


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.code}-{rule.programs[:1]}")
def test_documentation_has_its_parts(rule: Rule) -> None:
    content: Page = page(rule.documentation)
    assert content.summary.endswith(".")
    parts = {"What happens": content.what_happens, "Why": content.why}
    if rule.programs:
        parts |= {"Example": content.wrong, "Use instead": content.right}
    assert [f"{rule.code}: no {name}" for name, part in parts.items() if not part] == []


@pytest.mark.parametrize(
    ("rule", "kind", "example"), EXAMPLES, ids=lambda value: getattr(value, "code", str(value)[:40])
)
def test_example_is_found_and_its_better_form_is_not(rule: Rule, kind: str, example: Example, tmp_path: Path) -> None:
    files, facts = launch_of(rule, example)
    result = running.run_files(files, facts, tmp_path)
    codes = [finding.code for finding in result.findings]
    assert "RL003" not in codes
    assert (rule.code in codes) == (kind == "wrong"), [finding.message for finding in result.findings]


def launch_of(rule: Rule, example: Example) -> tuple[dict[str, str], dict[str, str]]:
    """The files and facts of an example: its own, else the rule's first program at the newest release it holds for."""
    facts: dict[str, str] = {}
    without: list[str] = []
    name = ""
    for said in filter(None, (part.strip() for part in example.target.split(","))):
        key, _, value = said.partition(" ")
        if key == "without":
            without.append(value)
        elif value:
            facts[key] = value
        elif said in BASE:
            facts["program"] = said
        else:
            name = said
    first = next(iter(rule.programs))
    states = "requirements.txt" in example.files
    if not states and (first.startswith("openrlhf:") or first == "script" or first == "*"):
        facts.setdefault("openrlhf", newest(rule))
    if example.files:
        return example.files, facts
    if not name and example.text.lstrip().startswith("--"):
        program = facts.get("program") or (
            first.partition(":")[2] if first.partition(":")[2] in BASE else "train_ppo_ray"
        )
        flags = " ".join(example.text.split())
        return {"train.sh": script(program, facts["openrlhf"], flags, tuple(without))}, facts
    return {name or default_name(example.text): example.text + "\n"}, facts


def newest(rule: Rule) -> str:
    """The newest release of OpenRLHF that a rule holds for."""
    specifiers = [SpecifierSet(text) for text in rule.applies] or [SpecifierSet("")]
    return next(
        release
        for release in reversed(openrlhf().releases)
        if any(one.contains(release, prereleases=True) for one in specifiers)
    )


def default_name(text: str) -> str:
    """The kind of file an example without a name is."""
    if text.lstrip().startswith(("from ", "import ")):
        return "train.py"
    return "train.sh"
