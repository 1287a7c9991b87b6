"""The release of vLLM beside OpenRLHF: floors, the trap of comparing releases as text, pins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from packaging.version import Version as Release

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.vllm import COMPARES_RELEASES, floor, pin, pinned
from rlhflint.rule import ADVICE, ERROR, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("VE201", "vllm-below-floor", severity=ERROR, stage=STARTUP, programs=PPO)
def vllm_below_floor(launch: TrainPPORay) -> Iterator[Draft]:
    """vLLM has to be as new as OpenRLHF's own check wants.

    What happens: an assertion while the engines are created, when Ray has given out the GPUs.

    Why: each release tests the installed vLLM: above 0.8.5 from 0.9.1 on, above 0.8.2 from 0.8.1, 0.8.1 from 0.6.3,
    0.7.2 or 0.7.0 before (trainer/ray/vllm_engine.py@0.6.3, @0.9.1).

    Example:
        # openrlhf 0.9.5, vllm 0.8.4
        --vllm.num_engines 4

    Use instead:
        # openrlhf 0.9.5, vllm 0.17.0
        --vllm.num_engines 4
    """
    vllm = launch.session.stated("vllm")
    least = floor(launch)
    if not least.passes(vllm):
        yield launch.finding(
            message=f"OpenRLHF {launch.session.release} wants vLLM {least}, and {vllm} is stated "
            f"({launch.session.version('vllm').source}): an assertion ends the launch while the engines are created",
            help=f"use {pinned(launch, 'a newer vLLM')}",
        )


@rule("VE202", "vllm-compared-as-string", severity=ERROR, stage=STARTUP, programs=PPO, applies="<0.8.8")
def vllm_compared_as_string(launch: TrainPPORay) -> Iterator[Draft]:
    """OpenRLHF before 0.8.8 cannot be used with vLLM 0.10 or newer.

    What happens: an assertion says that vLLM is too old, while the engines are created.

    Why: releases are compared as text, and as text "0.10" comes before "0.7" and "0.8"
    (trainer/ray/vllm_engine.py@0.8.7).

    Example:
        # openrlhf 0.8.5, vllm 0.10.0
        --vllm.num_engines 4

    Use instead:
        # openrlhf 0.8.5, vllm 0.9.1
        --vllm.num_engines 4
    """
    vllm = launch.session.stated("vllm")
    least = floor(launch)
    text = str(vllm)
    refused = text < least.release if least.inclusive else text <= least.release
    if least.passes(vllm) and refused:
        yield launch.finding(
            message=f"OpenRLHF {launch.session.release} compares releases as text, so that vLLM {vllm} counts as older "
            f"than {least.release}: an assertion ends the launch while the engines are created",
            help=f"use {pinned(launch, 'vLLM up to 0.9')}, or OpenRLHF 0.8.8 and newer",
        )


@rule("VE203", "vllm-not-the-pin", severity=ADVICE, stage=STARTUP, programs=PPO)
def vllm_not_the_pin(launch: TrainPPORay) -> Iterator[Draft]:
    """vLLM is best the release that OpenRLHF pins.

    What happens: often nothing; engines and weight synchronisation use inner parts of vLLM, which change.

    Why: every release of OpenRLHF is developed against one vLLM, which its extra `vllm` pins.

    Example:
        # openrlhf 0.9.5, vllm 0.15.0
        --vllm.num_engines 4

    Use instead:
        # openrlhf 0.9.5, vllm 0.17.0
        --vllm.num_engines 4
    """
    vllm, wanted = launch.session.stated("vllm"), pin(launch)
    text_trap = not launch.session.since(COMPARES_RELEASES) and vllm >= Release("0.10")
    if wanted and vllm != Release(wanted) and floor(launch).passes(vllm) and not text_trap:
        yield launch.finding(
            message=f"OpenRLHF {launch.session.release} is made for vLLM {wanted}, and {vllm} is stated "
            f"({launch.session.version('vllm').source})",
            help=f"install openrlhf[vllm], or vLLM {wanted}",
        )
