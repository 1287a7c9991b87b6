"""vLLM engines: that there are some, and what is asked of them in vain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.finding import Stage
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.rule import ERROR, FIRST_STEP, PARSE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("OR202", "vllm-engines-missing", severity=ERROR, stage=FIRST_STEP, programs=PPO, applies=">=0.3.2")
def vllm_engines_missing(launch: TrainPPORay) -> Iterator[Draft]:
    """`vllm.num_engines` has to be given, and since 0.7.1 it has to be at least 1.

    What happens: up to 0.7.0.post1 a missing number is compared with 0, a TypeError while arguments are checked, and
    0 means generation without vLLM. From 0.7.1 on there is no such generation: the run fails at the first rollout, in
    0.9.8 to 0.10.4 already when it starts.

    Why: the option has no default, and its help text "0 to disable" is out of date. 0.7.1 raises
    NotImplementedError (trainer/ppo_utils/experience_maker.py@0.7.1), 0.9.8 leaves a name unset without engines
    (cli/train_ppo_ray.py@0.9.8), 0.11.0 takes an engine from an empty heap
    (trainer/ppo_utils/samples_generator.py@0.11.0).

    Example:
        --vllm.num_engines 0

    Use instead:
        --vllm.num_engines 4
    """
    engines, session = launch.vllm.num_engines, launch.session
    if engines or (engines == 0 and not session.since("0.7.1")):
        return
    session.as_upstream("vllm.num_engines")
    stage, then = _without_engines(launch)
    engines_flag = session.spelling("vllm.num_engines")
    yield launch.finding(
        "vllm.num_engines",
        message=f"{engines_flag} is {'missing' if engines is None else 0}: OpenRLHF {session.release} {then}",
        help=f"give {engines_flag}, at least 1"
        + ("" if session.since("0.7.1") else "; 0 generates without vLLM, with ZeRO stages below 3"),
        stage=stage,
    )


def _without_engines(launch: TrainPPORay) -> tuple[Stage, str]:
    """When a launch without engines fails, and with what."""
    since = launch.session.since
    if not since("0.7.1"):
        return PARSE, "compares it with 0 and ends with a TypeError"
    if not since("0.8.0"):
        return FIRST_STEP, "no longer generates without vLLM and ends with a NotImplementedError at the first rollout"
    if not since("0.9.8"):
        return FIRST_STEP, "generates with vLLM only and finds no engine at the first rollout"
    if not since("0.11.0"):
        return STARTUP, "ends with an UnboundLocalError before any model is loaded"
    return FIRST_STEP, "generates with vLLM only and finds no engine at the first rollout"


@rule(
    "OR255",
    "zero3-without-vllm",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.3.6,<0.7.1",
)
def zero3_without_vllm(launch: TrainPPORay) -> Iterator[Draft]:
    """ZeRO stage 3 needs vLLM engines.

    What happens: an assertion ends the launch while its arguments are checked.

    Why: generation without vLLM is not done under ZeRO-3 (cli/train_ppo_ray.py@0.3.7, @0.7.0.post1). From 0.7.1 on
    vLLM is needed in any case.

    Example:
        # train_ppo_ray, openrlhf 0.6.4
        --ds.zero_stage 3 --vllm.num_engines 0

    Use instead:
        # train_ppo_ray, openrlhf 0.6.4
        --ds.zero_stage 2 --vllm.num_engines 0
    """
    if all_hold(lambda: launch.vllm.num_engines == 0, lambda: launch.ds.zero_stage == 3):
        spelt = launch.session.spelling
        yield launch.finding(
            "ds.zero_stage",
            "vllm.num_engines",
            message=f"OpenRLHF {launch.session.release} refuses {spelt('ds.zero_stage')} 3 with "
            f"{spelt('vllm.num_engines')} 0: an assertion ends the launch",
            help="give at least one engine, or a stage below 3",
        )


@rule(
    "OR250",
    "prefix-caching-dropped",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.4.6,<0.5.8",
)
def prefix_caching_dropped(launch: TrainPPORay) -> Iterator[Draft]:
    """`vllm.enable_prefix_caching` has no effect in the releases 0.4.6 to 0.5.6, and in 0.5.7 with an old vLLM.

    What happens: the switch is turned off with a printed line, and the run goes on.

    Why: engines of that time kept cached values of older weights (cli/train_ppo_ray.py@0.4.6, @0.5.6); 0.5.7 keeps
    the switch from vLLM 0.7.0 on, compared as text, so that 0.10 counts as older (cli/train_ppo_ray.py@0.5.7).

    Example:
        # train_ppo_ray, openrlhf 0.5.5
        --vllm.enable_prefix_caching

    Use instead:
        # train_ppo_ray, openrlhf 0.6.0
        --vllm.enable_prefix_caching
    """
    if not all_hold(lambda: launch.vllm.enable_prefix_caching, lambda: launch.vllm.num_engines):
        return
    session = launch.session
    because = ""
    if session.since("0.5.7"):
        installed = session.stated("vllm")
        if str(installed) >= "0.7.0":
            return
        because = f" with vLLM {installed}"
    switch = session.spelling("vllm.enable_prefix_caching")
    yield launch.finding(
        "vllm.enable_prefix_caching",
        message=f"OpenRLHF {session.release} turns {switch} off{because}",
        help=f"remove {switch}, or use OpenRLHF 0.5.8 or newer",
    )
