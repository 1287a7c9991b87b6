"""Two rules whose fixes meet in one file: whichever goes first, the launch says the same in the end."""

from __future__ import annotations

from contextlib import chdir
from itertools import combinations
from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.fixing.fixer import Fixer
from rlhflint.fixing.guard import launches_of
from rlhflint.fixing.intended import Said, said
from rlhflint.project.settings import Settings
from tests.rules import case_file, running
from tests.rules.case_file import RuleCase

CASES = [
    case
    for file in sorted((Path(__file__).parents[1] / "rules" / "cases").glob("*.md"))
    for case in case_file.read(file)
    if case.finds
]

CONFLICTS = {
    frozenset(pair.split(" and ")): reason
    for pair, reason in {
        "OR203 and OR204": "either may give way to the GPUs of its own that asynchronous training wants",
        "OR303 and OR306": "the number of prompts takes along the batch, which the other brings to its next multiple",
        "OR305 and OR310": "both choose a batch that divides, by different numbers",
        "TR301 and TR304": "groups are made to divide the batch, or the batch to fit the processes",
        "TR112 and TR503": "what is written for one gives the configuration file that the other is about",
        "TR112 and TR604": "what is written for one gives the configuration file that the other is about",
        "TR503 and TR604": "both write the type of the model's weights",
        "TR205 and TR705": "a reference is synchronised, or brought in, only while there is a weight for it",
        "TR255 and TR601": "vLLM is switched on, or its settings are taken out",
        **{
            f"{one} and TR604": "the old default is written out while an old name tells of the older release"
            for one in ("TR101", "TR102", "TR117", "TR606", "TR607", "TR610")
        },
        "TR260 and TR266": "padding-free batches are for the packing that the other replaces",
    }.items()
}
"""Rules of which each asks for something else, with the reason; their order matters."""


def settings_after(folder: Path, case: RuleCase, *orders: str) -> set[Said]:
    """What the launches say after the fixes of some rules were made, one rule after the other."""
    facts = running.facts_of(case)
    held = {str(folder / name): text for name, text in running.files_of(case).items()}
    versions = {name: value for name, value in facts.items() if name not in ("cluster", "program")}
    for code in orders:
        settings = Settings(select=(code,), framework_versions=versions, cluster=facts.get("cluster"))
        outcome = Fixer(Checker(settings).holding(held), unsafe=True).fix(["."])
        held |= {str(folder / one.path): one.after for one in outcome.changed}
    result = Checker(Settings(framework_versions=versions)).holding(held).check(["."])
    return {said(launch) for file in result.files for launch in launches_of(file)}


@pytest.mark.parametrize("part", range(4))
def test_the_order_of_rules_does_not_matter(part: int, tmp_path: Path) -> None:
    met: set[frozenset[str]] = set()
    for number, case in enumerate(CASES[part::4]):
        folder = tmp_path / str(number)
        folder.mkdir()
        result = running.run(case, folder)
        codes = sorted({finding.code for finding in result.findings if finding.fix is not None})
        pairs = {frozenset(pair) for pair in combinations(codes, 2)} - met - set(CONFLICTS)
        met |= pairs
        with chdir(folder):
            for one, other in map(sorted, pairs):
                assert commutes(folder, case, one, other), (case.place, one, other)
    assert met


def commutes(folder: Path, case: RuleCase, one: str, other: str) -> bool:
    return settings_after(folder, case, one, other) == settings_after(folder, case, other, one)
