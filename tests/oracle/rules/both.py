"""One launch put before upstream's own code and before the linter."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from rlhflint.finding import Finding
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from tests.oracle.openrlhf import Verdict, run
from tests.rules.launches import script
from tests.rules.running import run_files
from tests.sample import sampled

CATALOG = openrlhf()
RELEASES = sampled(
    (
        *("0.4.4", "0.5.0", "0.5.3", "0.5.7", "0.6.4", "0.7.0.post1", "0.7.5"),
        *("0.8.1", "0.8.3", "0.8.9.post1", "0.9.1", "0.9.8", "0.10.4", "0.11.2"),
    ),
    list(CATALOG.releases),
)
"""Releases that are asked."""


@dataclass(frozen=True)
class Launch:
    """A base launch of `tests/rules/launches.py`, changed by `flags`, without the settings named in `without`."""

    flags: str
    program: str = "train_ppo_ray"
    without: tuple[str, ...] = ()

    def text(self, release: str) -> str:
        """The script, as a release spells it.

        Of the base launch, the estimator came with 0.6.0; a reward model stands for the remote reward of 0.4.0.post2.
        """
        old = ("algo.advantage.estimator",) if not holds(release, "0.6.0") else ()
        flags = self.flags
        if (
            self.program == "train_ppo_ray"
            and not holds(release, "0.4.0.post2")
            and "reward.remote_url" not in self.without
        ):
            flags += " --reward.model_name_or_path models/reward"
        return script(self.program, release, flags, (*self.without, *old))

    def words(self, release: str) -> list[str]:
        """The words behind the program's name."""
        words = shlex.split(self.text(release).replace("\\\n", " "))
        return words[next(at for at, word in enumerate(words) if word.startswith("openrlhf.cli.")) + 1 :]

    def understood(self, release: str) -> bool:
        """Whether the release has the program, all of its flags, and what they are to choose."""
        program, words = CATALOG.program(self.program), self.words(release)
        if not program.exists(release):
            return False
        options = program.options(release)
        for flag, value in pairwise([*words, ""]):
            option = options.get(flag)
            if flag.startswith("--") and (option is None or (option.choices and value not in option.choices)):
                return False
        return True

    def upstream(self, wheel: Path, release: str, *, train_body: bool = False) -> Verdict:
        """What the release itself says."""
        return run(wheel, self.program, self.words(release), train_body=train_body)

    def findings(self, release: str, code: str, folder: Path, **stated: str) -> list[Finding]:
        """What a rule says; `stated` are releases of other packages."""
        facts = {"openrlhf": release, **stated}
        result = run_files({"train.sh": self.text(release)}, facts, folder)
        return [finding for finding in result.findings if finding.code == code]


def holds(release: str, since: str = "", until: str = "") -> bool:
    """Whether a release lies between two, both included; an empty one leaves that side open."""
    position = CATALOG.releases.position
    at = position(release)
    return (not since or position(since) <= at) and (not until or at <= position(until))
