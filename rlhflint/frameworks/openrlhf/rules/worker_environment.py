"""Environment variables of OpenRLHF's workers: gone by, overwritten, set where Ray does not see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.frameworks.openrlhf.programs import EVERY, PPO
from rlhflint.launchers.environment import environment_of
from rlhflint.launchers.ray.cluster import ray_starts
from rlhflint.launchers.ray.forwarding import forwarding
from rlhflint.launchers.ray.job import SUBMIT, ray_job_of
from rlhflint.launchers.set_variables import is_set, place_of, removal, taken_out
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Add, Proposal
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.command import Command
    from rlhflint.launchers.unwrapping.start import Start

_DEVICES_KEPT = expression(r"RAY_EXPERIMENTAL_NOSET_\w*VISIBLE_DEVICES")
_SAME_MACHINE = ("python", "env", "nohup", "nice", "time", "timeout", "stdbuf")
_FOR_WORKERS = expression(
    r"NCCL_(?!TIMEOUT$)\w+|HF_\w+|HUGGINGFACE_\w+|\w+_PROXY|WANDB_\w+|VLLM_\w+|TORCH_\w+|CUDA_LAUNCH_BLOCKING"
)


@rule("VE101", "env-var-unread", severity=WARNING, stage=SILENT, programs=EVERY, fix="safe")
def env_var_unread(launch: ProgramModel) -> Iterator[Draft]:
    """NCCL_TIMEOUT changes nothing, and neither does DEEPSPEED_TIMEOUT for OpenRLHF.

    What happens: the time-out stays as it is.

    Why: nothing reads NCCL_TIMEOUT. OpenRLHF sets the time-out of its process groups itself: 60 minutes from 0.5.5 on,
    30 before (utils/deepspeed/deepspeed.py@0.5.5).

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
    minutes = 60 if launch.session.since("0.5.5") else 30
    for name in ("NCCL_TIMEOUT", "DEEPSPEED_TIMEOUT"):
        if is_set(launch, name):
            yield launch.finding(
                at=place_of(launch, name),
                message=f"nothing reads {name}: OpenRLHF {launch.session.release} sets the time-out to {minutes} "
                "minutes itself",
                help="remove it",
                proposal=removal(launch, name, SAFE) if name == "NCCL_TIMEOUT" else None,
            )


@rule("VE102", "env-var-retired", severity=WARNING, stage=SILENT, programs=PPO, applies=">=0.8.0", fix="unsafe")
def env_var_retired(launch: ProgramModel) -> Iterator[Draft]:
    """The queue of asynchronous training is set by a flag, not by the environment.

    What happens: from 0.9.1 on OPENRLHF_ASYNC_QUEUE_SIZE and OPENRLHF_ASYNC_NUM_TASKS are ignored. In 0.8.0 to 0.9.0
    they were used as text, and the run ended with a TypeError.

    Why: trainer/ppo_trainer_async.py@0.8.0, @0.9.1 (by reading).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export OPENRLHF_ASYNC_QUEUE_SIZE=2
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4 --train.async_enable

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4 --train.async_enable \\
           --train.async_queue_size 2
    """
    for name in ("OPENRLHF_ASYNC_QUEUE_SIZE", "OPENRLHF_ASYNC_NUM_TASKS"):
        if name not in launch.session.launch.environment:
            continue
        if launch.session.since("0.9.1"):
            flag = launch.session.spelling("train.async_queue_size")
            yield launch.finding(
                at=place_of(launch, name),
                message=f"OpenRLHF {launch.session.release} does not read {name}",
                help=f"write {flag}" if name.endswith("SIZE") else "remove it",
                proposal=_as_flag(launch, name, flag) if name.endswith("SIZE") else None,
            )
        elif launch.held("train.async_enable"):
            yield launch.finding(
                at=place_of(launch, name),
                message=f"OpenRLHF {launch.session.release} uses {name} as text where a number is due: the run ends "
                "with a TypeError",
                help="remove it: the default is 1",
                severity=ERROR,
                stage=STARTUP,
            )


def _as_flag(launch: ProgramModel, name: str, flag: str) -> Proposal | None:
    """The option in place of the variable; unsafe, since the queue has had its default size so far."""
    value, changes = launch.session.launch.environment.get(name), taken_out(launch, name)
    given = launch.session.setting("train.async_queue_size") is not None
    if not changes or given or not isinstance(value, Known) or not str(value.value).isdigit():
        return None
    return Proposal(f"Write {flag} {value.value}", UNSAFE, (Add(flag, value.value), *changes))


@rule("VE103", "nccl-debug-overwritten", severity=WARNING, stage=SILENT, programs=PPO, applies=">=0.7.5,<0.9.10")
def nccl_debug_overwritten(launch: ProgramModel) -> Iterator[Draft]:
    """NCCL_DEBUG reaches the workers from 0.9.10 on only.

    What happens: the workers run with NCCL_DEBUG=WARN, whatever the shell says.

    Why: train() hands WARN to every worker in 0.7.5 to 0.9.9 (cli/train_ppo_ray.py@0.7.5, @0.9.10).

    Example:
        # openrlhf 0.9.5
        --- train.sh
        export NCCL_DEBUG=INFO
        python3 -m openrlhf.cli.train_ppo_ray --pretrain m --vllm_num_engines 4

    Use instead:
        # openrlhf 0.9.10
        --- train.sh
        export NCCL_DEBUG=INFO
        python3 -m openrlhf.cli.train_ppo_ray --pretrain m --vllm_num_engines 4
    """
    value = launch.session.environment("NCCL_DEBUG")
    if value is not None and value.upper() != "WARN":
        yield launch.finding(
            at=place_of(launch, "NCCL_DEBUG"),
            message=f"OpenRLHF {launch.session.release} overwrites NCCL_DEBUG with WARN in all workers",
            help="use OpenRLHF 0.9.10 or newer to see NCCL's log",
        )


@rule("VE220", "ray-override-devices", severity=ADVICE, stage=STARTUP, programs=PPO, applies=">=0.5.0")
def ray_override_devices(launch: ProgramModel) -> Iterator[Draft]:
    """RAY_EXPERIMENTAL_NOSET_…_VISIBLE_DEVICES changes how OpenRLHF counts devices.

    What happens: with it on some machines only, processes take the wrong GPU.

    Why: OpenRLHF reads it in every worker and numbers devices by it (trainer/ray/utils.py@0.11.2).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES=1
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    for name in launch.session.launch.environment:
        if _DEVICES_KEPT.fullmatch(name):
            yield launch.finding(
                at=place_of(launch, name),
                message=f"{name} changes how OpenRLHF numbers devices in every worker",
                help="set it on all machines before `ray start`, or on none",
            )


@rule("LA202", "env-not-forwarded", severity=WARNING, stage=SILENT, programs=PPO, fix="unsafe")
def env_not_forwarded(launch: ProgramModel) -> Iterator[Draft]:
    """Variables that the workers need have to reach Ray, not only the shell that submits.

    What happens: the workers run without them, and nobody says so.

    Why: workers inherit the environment of the `ray start` on their machine; a submitted job gets what its runtime
    environment names, and a program that joins a running Ray hands on very little (ray.init in
    cli/train_ppo_ray.py@0.7.5, @0.11.2).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export NCCL_SOCKET_IFNAME=eth0
        ray job submit --address=http://127.0.0.1:8265 --runtime-env-json='{"working_dir": "/job"}' \\
           -- python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        ray job submit --address=http://127.0.0.1:8265 \\
           --runtime-env-json='{"working_dir": "/job", "env_vars": {"NCCL_SOCKET_IFNAME": "eth0"}}' \\
           -- python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    session = launch.session
    start, command = session.start, session.launch.command
    if start is None or command is None:
        return
    job = ray_job_of(start)
    if job is None:
        yield from _behind_the_head(launch, start, command)
        return
    every = environment_of(start, command, session.launch.script).lost
    lost = {name: one for name, one in every.items() if _FOR_WORKERS.fullmatch(name.upper())}
    named = forwarding(job, {name: one.variable.value for name, one in lost.items()})
    for name, one in lost.items():
        around = "the shell that submits the job" if one.through == SUBMIT else f"`{one.through}`"
        yield launch.finding(
            at=one.variable.value.span,
            message=f"{name} is set for {around}, and does not reach Ray's workers",
            help="put it into env_vars of the runtime environment, or set it before `ray start` on every machine",
            proposal=Proposal("Put it into env_vars", UNSAFE, (named,)) if named is not None else None,
        )


def _behind_the_head(launch: ProgramModel, start: Start, command: Command) -> Iterator[Draft]:
    """Variables of a program that joins the Ray of this machine, set when that was up already."""
    script = launch.session.launch.script
    if script is None or not all(wrapper.name in _SAME_MACHINE for wrapper in start.wrappers):
        return
    heads = [
        one
        for one in ray_starts(script, command)
        if one.head and one.span.path == command.span.path and one.span.end <= command.span.start
    ]
    if not heads or not all(wrapper.name in _SAME_MACHINE for wrapper in heads[-1].start.wrappers):
        return
    there = environment_of(heads[-1].start, heads[-1].command, script).variables
    for name, variable in environment_of(start, command, script).variables.items():
        known = there.get(name)
        same = known is not None and known.value.text == variable.value.text
        if same or not _FOR_WORKERS.fullmatch(name.upper()) or _handed_on(launch, name):
            continue
        yield launch.finding(
            at=variable.value.span,
            message=f"{name} is set when Ray is up already: its workers have the environment of `ray start`",
            help="set it before `ray start`, on every machine",
        )


def _handed_on(launch: ProgramModel, name: str) -> bool:
    """Whether the program itself gives a variable to the workers, or another one instead (VE103)."""
    return name == "NCCL_DEBUG" and launch.session.since("0.7.5")
