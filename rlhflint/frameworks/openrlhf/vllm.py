"""The release of vLLM that a release of OpenRLHF wants, and the one it pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import Version as Release

from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

COMPARES_RELEASES = "0.8.8"
"""The first release that compares versions as versions (trainer/ray/vllm_engine.py@0.8.8)."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The release of vLLM that is asserted; `inclusive`: that release itself passes."""

    release: str
    inclusive: bool

    def passes(self, vllm: Release) -> bool:
        """Whether a release of vLLM is new enough."""
        return vllm >= Release(self.release) if self.inclusive else vllm > Release(self.release)

    def __str__(self) -> str:
        return f"{self.release} or newer" if self.inclusive else f"newer than {self.release}"


def floor(launch: TrainPPORay) -> Floor:
    """What OpenRLHF's own check wants of vLLM at the release in force.

    Source: trainer/ray/vllm_engine.py and vllm_engine_async.py of each release.
    """
    since = launch.session.since
    if since("0.9.1"):
        return Floor("0.8.5", inclusive=False)
    if since("0.8.1"):
        by_agent = not since(COMPARES_RELEASES) and filled(launch, "train.agent_func_path")
        return Floor("0.8.5" if by_agent else "0.8.2", inclusive=False)
    if since("0.6.3"):
        return Floor("0.8.1", inclusive=True)
    if since("0.6.0.post3"):
        return Floor("0.7.2", inclusive=True)
    if since("0.5.8"):
        return Floor("0.7.2" if launch.train.colocate_all else "0.7.0", inclusive=True)
    return Floor("0.4.2" if since("0.5.2") else "0.4.1", inclusive=True)


def pin(launch: TrainPPORay) -> str:
    """The release of vLLM that OpenRLHF's extra `vllm` pins at the release in force; empty if it pins none."""
    specifier = launch.session.companion("vllm")
    return specifier.removeprefix("==") if specifier.startswith("==") else ""


def pinned(launch: TrainPPORay, otherwise: str) -> str:
    """The vLLM to use: the one that is pinned, or `otherwise` where none is, as by a copy of OpenRLHF."""
    return f"vLLM {own}, its own pin" if (own := pin(launch)) else otherwise
