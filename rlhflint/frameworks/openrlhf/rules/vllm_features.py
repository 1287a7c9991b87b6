"""What OpenRLHF asks of vLLM for single features: sleep, correction, partial rollout, asynchronous training."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from packaging.version import Version as Release

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.training import correction_setting, corrects_rollouts
from rlhflint.frameworks.openrlhf.vllm import COMPARES_RELEASES, floor, pin, pinned
from rlhflint.rule import ADVICE, ERROR, FIRST_STEP, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("VE205", "sleep-mode-on-old-vllm", severity=WARNING, stage=STARTUP, programs=PPO, applies=">=0.5.8")
def sleep_mode_on_old_vllm(launch: TrainPPORay) -> Iterator[Draft]:
    """Sleep mode is best used with vLLM 0.9 or newer.

    What happens: below the floor of the OpenRLHF release an assertion ends the launch while the engines are created.
    Between that floor and 0.9 it starts, and sleep works; the OpenRLHF guide asks for 0.9 all the same.

    Why: upstream has no test of its own for sleep mode, only the general floors: 0.7.0 or 0.7.2 up to 0.6.2, 0.8.1 up
    to 0.8.0.post1, above 0.8.2 up to 0.9.0, above 0.8.5 from 0.9.1 (trainer/ray/vllm_engine.py of each).

    Example:
        # openrlhf 0.8.0, vllm 0.8.5
        --train.colocate_all --vllm.enable_sleep --vllm.num_engines 4 --vllm.tensor_parallel_size 2

    Use instead:
        # openrlhf 0.8.6, vllm 0.9.2
        --train.colocate_all --vllm.enable_sleep --vllm.num_engines 4 --vllm.tensor_parallel_size 2
    """
    if not launch.vllm.enable_sleep:
        return
    version = launch.session.version("vllm")
    if version.specifier:
        raise Undetermined("vllm", f"only a range is stated: {version.specifier}")
    vllm = Release(version.value)
    if vllm >= Release("0.9"):
        return
    least = floor(launch)
    below = not least.passes(vllm)
    release = launch.session.release
    name = launch.session.spelling("vllm.enable_sleep")
    starts = "and is refused while the engines are created" if below else "so this starts"
    severity = ERROR if below else WARNING if version.stated else ADVICE
    own = pin(launch)
    up = f"OpenRLHF {release} pins vLLM {own}; " if own else ""
    trap = "" if launch.session.since(COMPARES_RELEASES) else "do not go to 0.10 or newer with this release; "
    memory = launch.session.spelling("vllm.gpu_memory_utilization")
    yield launch.finding(
        "vllm.enable_sleep",
        message=f"{name} with vLLM {vllm} ({version.source}): the OpenRLHF guide asks for 0.9; OpenRLHF {release} "
        f"accepts vLLM {least}, {starts}",
        help=f"{up}{trap}without sleep, lower {memory}",
        severity=severity,
    )


@rule("VE206", "correction-needs-vllm", severity=ERROR, stage=STARTUP, programs=PPO, applies=">=0.8.9")
def correction_needs_vllm(launch: TrainPPORay) -> Iterator[Draft]:
    """The correction for rollout probabilities needs vLLM newer than 0.10.0.

    What happens: an assertion while the engines are created.

    Why: it sets logprobs_mode, which came after 0.10.0 (trainer/ray/vllm_engine.py@0.8.9, @0.11.2).

    Example:
        # openrlhf 0.8.9, vllm 0.10.0
        --enable_vllm_is_correction

    Use instead:
        # openrlhf 0.8.10, vllm 0.10.1.1
        --enable_vllm_is_correction
    """
    vllm = launch.session.stated("vllm")
    if vllm <= Release("0.10.0") and corrects_rollouts(launch):
        yield launch.finding(
            correction_setting(launch)[0],
            message=f"the correction for rollout probabilities needs vLLM newer than 0.10.0, and {vllm} is stated: an "
            "assertion ends the launch while the engines are created",
            help=f"use {pinned(launch, 'a newer vLLM')}",
        )


@rule("VE207", "partial-rollout-needs-vllm", severity=ERROR, stage=FIRST_STEP, programs=PPO, applies=">=0.9.7")
def partial_rollout_needs_vllm(launch: TrainPPORay) -> Iterator[Draft]:
    """Partial rollout needs a vLLM that can pause and keep its requests.

    What happens: an AttributeError or TypeError at the first weight synchronisation, after a whole rollout.

    Why: it calls `pause_generation(mode="keep")`, which came in early 2026, and nothing tests for it
    (trainer/ray/vllm_engine.py@0.9.7, @0.11.2); 0.9.7 pins vLLM 0.18.0.

    Example:
        # openrlhf 0.9.7, vllm 0.15.0
        --async_train --partial_rollout

    Use instead:
        # openrlhf 0.9.7, vllm 0.18.0
        --async_train --partial_rollout
    """
    if not launch.train.partial_rollout_enable:
        return
    vllm = launch.session.stated("vllm")
    if vllm < Release("0.18"):
        sure = vllm < Release("0.16")
        yield launch.finding(
            "train.partial_rollout_enable",
            message=f"{launch.session.spelling('train.partial_rollout_enable')} calls a pause of vLLM that {vllm} "
            + ("does not have" if sure else "may not have")
            + ": the first weight synchronisation fails, after a whole rollout",
            help=f"use {pinned(launch, 'vLLM 0.18 or newer')}",
            severity=ERROR if sure else WARNING,
        )


@rule("VE208", "async-with-newer-vllm", severity=ERROR, stage=FIRST_STEP, programs=PPO, applies=">=0.8.0,<0.9.5")
def async_with_newer_vllm(launch: TrainPPORay) -> Iterator[Draft]:
    """Asynchronous training with vLLM 0.16 or newer needs OpenRLHF 0.9.5.

    What happens: the first weight synchronisation fails in a collective call (issue 1193 of OpenRLHF).

    Why: NCCL_CUMEM_ENABLE=0 was set whatever the vLLM (trainer/ray/ppo_actor.py@0.9.5 skips it from 0.16 on).

    Example:
        # openrlhf 0.9.4, vllm 0.16.0
        --async_train

    Use instead:
        # openrlhf 0.9.5, vllm 0.16.0
        --async_train
    """
    if launch.train.async_enable and launch.session.stated("vllm") >= Release("0.16"):
        yield launch.finding(
            "train.async_enable",
            message=f"asynchronous training of OpenRLHF {launch.session.release} fails at the first weight "
            f"synchronisation with vLLM {launch.session.stated('vllm')}",
            help="use OpenRLHF 0.9.5 or newer",
        )
