"""Environment variables whose values are malformed, gone by, or costly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from packaging.version import Version

from rlhflint.launchers.set_variables import place_of, removal
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Rewrite
from rlhflint.rule import ADVICE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined, all_hold

_VERBOSITY = ("debug", "info", "warning", "error", "critical", "detail")


@rule("VE104", "env-value-malformed", severity=WARNING, stage=STARTUP, programs="*", fix="unsafe")
def env_value_malformed(launch: ProgramModel) -> Iterator[Draft]:
    """Variables of the hub and of the log levels take certain forms.

    What happens: HF_ENDPOINT without its scheme fails at the first download; unknown levels are ignored.

    Why: huggingface_hub, transformers and torch read them.

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export HF_ENDPOINT=hf-mirror.example.org
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        export HF_ENDPOINT=https://hf-mirror.example.org
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    missing: Undetermined | None = None
    for name, wrong, wanted in _FORMS:
        if name not in launch.session.launch.environment:
            continue
        try:
            value = launch.session.environment(name)
        except Undetermined as undetermined:
            missing = missing or undetermined
            continue
        if value and wrong(value):
            yield launch.finding(
                at=place_of(launch, name),
                message=f"{name}={value} is not {wanted}",
                help=f"write {wanted}",
                proposal=_addressed(launch, value) if name == "HF_ENDPOINT" else None,
            )
    if missing is not None:
        raise missing


def _addressed(launch: ProgramModel, value: str) -> Proposal | None:
    """The address with its scheme and without a path."""
    found, place = re.match(r"(?:(https?)://)?([\w.-]+(?::\d+)?)(?:/|$)", value), place_of(launch, "HF_ENDPOINT")
    if found is None or place is None:
        return None
    address = f"{found[1] or 'https'}://{found[2]}"
    return Proposal(f"Write {address}", UNSAFE, (Rewrite(place, address),))


_FORMS: tuple[tuple[str, Callable[[str], bool], str], ...] = (
    (
        "HF_ENDPOINT",
        lambda value: not re.fullmatch(r"https?://[^/]+/?", value),
        "an address without a path, such as https://huggingface.co",
    ),
    ("TRANSFORMERS_VERBOSITY", lambda value: value.lower() not in _VERBOSITY, f"one of {', '.join(_VERBOSITY)}"),
    (
        "TORCH_DISTRIBUTED_DEBUG",
        lambda value: value.upper() not in ("OFF", "INFO", "DETAIL"),
        "one of OFF, INFO, DETAIL",
    ),
    (
        "TORCH_CUDA_ARCH_LIST",
        lambda value: (
            not re.fullmatch(
                r"(?:\d+\.\d+[a-z]?|[A-Z][A-Za-z+]+)(?:\+PTX)?(?:[; ](?:\d+\.\d+[a-z]?|[A-Z][A-Za-z+]+)(?:\+PTX)?)*",
                value,
            )
        ),
        "a list such as 8.0;9.0+PTX",
    ),
)


@rule("VE105", "infiniband-switched-off", severity=ADVICE, stage=SILENT, programs="*", fix="unsafe")
def infiniband_switched_off(launch: ProgramModel) -> Iterator[Draft]:
    """NCCL_IB_DISABLE=1 keeps the traffic between machines off InfiniBand.

    What happens: gradients, gathered parameters and new weights go over sockets, at a small part of the bandwidth.

    Why: NCCL uses InfiniBand or RoCE where there is any, unless it is told not to (NCCL's own documentation of its
    environment variables). The line often stays behind from a search for an error.

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export NCCL_IB_DISABLE=1
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 8 --actor.num_nodes 2

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        export NCCL_DEBUG=INFO
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 8 --actor.num_nodes 2
    """
    name = "NCCL_IB_DISABLE"
    if name not in launch.session.launch.environment:
        return
    if not all_hold(lambda: _number(launch.session.environment(name)), launch.session.on_several_machines):
        return
    place = place_of(launch, name)
    digit = place if place is not None and place.end - place.start == 1 else None
    yield launch.finding(
        at=place,
        message=f"with {name}={launch.session.environment(name)} the traffic between the machines goes over sockets, "
        "not over InfiniBand",
        help="remove it where the machines have InfiniBand: without it NCCL takes what there is",
        proposal=Proposal(f"Write {name}=0", UNSAFE, (Rewrite(digit, "0"),)) if digit is not None else None,
    )


def _number(value: str | None) -> int:
    """A variable's whole number as NCCL reads it; 0 where it has none."""
    found = re.match(r"\s*([+-]?\d+)", value or "")
    return int(found[1]) if found else 0


@rule("VE107", "debug-env-left-on", severity=ADVICE, stage=SILENT, programs="*", on=False, fix="unsafe")
def debug_env_left_on(launch: ProgramModel) -> Iterator[Draft]:
    """Switches for debugging cost time in a long run.

    What happens: every collective or kernel launch is slower.

    Why: ACCELERATE_DEBUG_MODE checks shapes before collectives, TORCH_DISTRIBUTED_DEBUG=DETAIL checks each of them,
    CUDA_LAUNCH_BLOCKING=1 waits for every kernel.

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export CUDA_LAUNCH_BLOCKING=1
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    for name, values in (
        ("ACCELERATE_DEBUG_MODE", ("1", "true", "yes", "on")),
        ("TORCH_DISTRIBUTED_DEBUG", ("detail",)),
        ("CUDA_LAUNCH_BLOCKING", ("1",)),
        ("NCCL_DEBUG", ("trace",)),
    ):
        if name in launch.session.launch.environment:
            value = launch.session.environment(name)
            if value is not None and value.lower() in values:
                yield launch.finding(
                    at=place_of(launch, name),
                    message=f"{name}={value} slows the whole run",
                    help="remove it when done",
                    proposal=removal(launch, name, UNSAFE),
                )


@rule("VE109", "vllm-use-v1-gone", severity=ADVICE, stage=SILENT, programs="*", fix="safe")
def vllm_use_v1_gone(launch: ProgramModel) -> Iterator[Draft]:
    """VLLM_USE_V1 is gone from vLLM 0.29.

    What happens: nothing, the variable is not read.

    Why: vLLM 0.29 removed its older engine together with the variable.

    Example:
        # openrlhf 0.11.2, vllm 0.29.0
        --- train.sh
        export VLLM_USE_V1=1
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2, vllm 0.29.0
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    if "VLLM_USE_V1" not in launch.session.launch.environment:
        return
    if launch.session.stated("vllm") >= Version("0.29"):
        yield launch.finding(
            at=place_of(launch, "VLLM_USE_V1"),
            message=f"vLLM {launch.session.stated('vllm')} does not read VLLM_USE_V1 any more",
            help="remove it",
            proposal=removal(launch, "VLLM_USE_V1", SAFE),
        )
