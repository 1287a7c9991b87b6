"""Environment variables that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from packaging.version import Version

from rlhflint.launchers.set_variables import place_of, taken_out
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, Proposal
from rlhflint.rule import ADVICE, SILENT, WARNING, Draft, rule


@rule("VE101", "env-var-unread", severity=WARNING, stage=SILENT, programs="*", fix="safe")
def env_var_unread(launch: ProgramModel) -> Iterator[Draft]:
    """NCCL_TIMEOUT changes nothing, and neither does DEEPSPEED_TIMEOUT for OpenRLHF.

    What happens: the time-out stays as it is.

    Why: nothing reads NCCL_TIMEOUT. OpenRLHF sets the time-out of its process groups itself: 60 minutes from 0.5.5 on,
    30 before (utils/deepspeed/deepspeed.py@0.5.5); TRL takes ddp_timeout of TrainingArguments, in seconds.

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export NCCL_TIMEOUT=3600
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        export NCCL_DEBUG=INFO
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    openrlhf = launch.session.framework == "openrlhf"
    for name in ("NCCL_TIMEOUT", *(("DEEPSPEED_TIMEOUT",) if openrlhf else ())):
        if name not in launch.session.launch.environment and place_of(launch, name) is None:
            continue
        minutes = 60 if not openrlhf or launch.session.since("0.5.5") else 30
        fixed = f"OpenRLHF {launch.session.release} sets the time-out to {minutes} minutes itself"
        yield launch.finding(
            at=place_of(launch, name),
            message=f"nothing reads {name}: " + (fixed if openrlhf else "the time-out stays as it is"),
            help="remove it" if openrlhf else "write ddp_timeout (seconds) into the configuration",
            proposal=_removal(launch, name) if name == "NCCL_TIMEOUT" else None,
        )


def _removal(launch: ProgramModel, name: str) -> Proposal | None:
    changes = taken_out(launch, name)
    return Proposal(f"Remove {name}", SAFE, changes) if changes else None


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
        changes = taken_out(launch, "VLLM_USE_V1")
        yield launch.finding(
            at=place_of(launch, "VLLM_USE_V1"),
            message=f"vLLM {launch.session.stated('vllm')} does not read VLLM_USE_V1 any more",
            help="remove it",
            proposal=Proposal("Remove VLLM_USE_V1", SAFE, changes) if changes else None,
        )
