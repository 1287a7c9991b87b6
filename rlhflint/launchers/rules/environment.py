"""Environment variables of a launch: unread, retired, malformed, costly, or kept from the workers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rlhflint.finding import Severity, Stage
from rlhflint.launchers.environment import environment_of
from rlhflint.launchers.ray_job import ray_job_of
from rlhflint.model import ProgramModel
from rlhflint.rule import ADVICE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.text import Span
from rlhflint.value import Undetermined

_PPO = "openrlhf:train_ppo_ray"
_FOR_WORKERS = re.compile(
    r"NCCL_\w+|HF_\w+|HUGGINGFACE_\w+|\w+_PROXY|WANDB_\w+|VLLM_\w+|TORCH_\w+|CUDA_LAUNCH_BLOCKING"
)
_VERBOSITY = ("debug", "info", "warning", "error", "critical", "detail")


def _place(launch: ProgramModel, name: str) -> Span | None:
    """Where a variable is set, if the script sets it."""
    session = launch.session
    if session.start is None or session.launch.command is None:
        return None
    variables = environment_of(session.start, session.launch.command, session.launch.script).variables
    return variables[name].value.span if name in variables else None


@rule("VE101", "env-var-unread", severity=WARNING, stage=SILENT, programs="*")
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
        if name not in launch.session.launch.environment:
            continue
        minutes = 60 if not openrlhf or launch.session.since("0.5.5") else 30
        fixed = f"OpenRLHF {launch.session.release} sets the time-out to {minutes} minutes itself"
        yield launch.finding(
            at=_place(launch, name),
            message=f"nothing reads {name}: " + (fixed if openrlhf else "the time-out stays as it is"),
            help="remove it" if openrlhf else "write ddp_timeout (seconds) into the configuration",
        )


@rule("VE102", "env-var-retired", severity=WARNING, stage=SILENT, programs=_PPO, applies=">=0.8.0")
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
                at=_place(launch, name),
                message=f"OpenRLHF {launch.session.release} does not read {name}",
                help=f"write {flag}" if name.endswith("SIZE") else "remove it",
            )
        elif getattr(getattr(launch, "train"), "async_enable"):  # noqa: B009
            yield launch.finding(
                at=_place(launch, name),
                message=f"OpenRLHF {launch.session.release} uses {name} as text where a number is due: the run ends "
                "with a TypeError",
                help="remove it: the default is 1",
                severity=Severity.ERROR,
                stage=Stage.STARTUP,
            )


@rule("VE103", "nccl-debug-overwritten", severity=WARNING, stage=SILENT, programs=_PPO, applies=">=0.7.5,<0.9.10")
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
            at=_place(launch, "NCCL_DEBUG"),
            message=f"OpenRLHF {launch.session.release} overwrites NCCL_DEBUG with WARN in all workers",
            help="use OpenRLHF 0.9.10 or newer to see NCCL's log",
        )


@rule("VE104", "env-value-malformed", severity=WARNING, stage=STARTUP, programs="*")
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
    for name, wrong, wanted in _FORMS:
        if name not in launch.session.launch.environment:
            continue
        try:
            value = launch.session.environment(name)
        except Undetermined:
            continue
        if value and wrong(value):
            yield launch.finding(
                at=_place(launch, name), message=f"{name}={value} is not {wanted}", help=f"write {wanted}"
            )


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


@rule("VE106", "build-time-env", severity=ADVICE, stage=SILENT, programs="*")
def build_time_env(launch: ProgramModel) -> Iterator[Draft]:
    """TORCH_CUDA_ARCH_LIST is read where something is compiled, not where it runs.

    What happens: nothing, but for kernels that DeepSpeed compiles on their first use.

    Why: a finished wheel is not compiled again at launch.

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export TORCH_CUDA_ARCH_LIST="8.0;9.0"
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    script = launch.session.launch.script
    if "TORCH_CUDA_ARCH_LIST" not in launch.session.launch.environment or script is None:
        return
    installs = any(
        word.text in ("install", "sync", "build") for command in script.commands for word in command.words[1:4]
    )
    if not installs:
        yield launch.finding(
            at=_place(launch, "TORCH_CUDA_ARCH_LIST"),
            message="TORCH_CUDA_ARCH_LIST is read by compilations only, and this script installs nothing; what it can "
            "still affect are kernels that DeepSpeed compiles on first use",
            help="set it where flash-attn and DeepSpeed are installed",
        )


@rule("VE107", "debug-env-left-on", severity=ADVICE, stage=SILENT, programs="*", on=False)
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
                    at=_place(launch, name), message=f"{name}={value} slows the whole run", help="remove it when done"
                )


@rule("VE109", "vllm-use-v1-gone", severity=ADVICE, stage=SILENT, programs="*")
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
    from packaging.version import Version

    if launch.session.stated("vllm") >= Version("0.29"):
        yield launch.finding(
            at=_place(launch, "VLLM_USE_V1"),
            message=f"vLLM {launch.session.stated('vllm')} does not read VLLM_USE_V1 any more",
            help="remove it",
        )


@rule("VE220", "ray-override-devices", severity=ADVICE, stage=STARTUP, programs=_PPO, applies=">=0.5.0")
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
        if re.fullmatch(r"RAY_EXPERIMENTAL_NOSET_\w*VISIBLE_DEVICES", name):
            yield launch.finding(
                at=_place(launch, name),
                message=f"{name} changes how OpenRLHF numbers devices in every worker",
                help="set it on all machines before `ray start`, or on none",
            )


@rule("LA202", "env-not-forwarded", severity=WARNING, stage=SILENT, programs=_PPO)
def env_not_forwarded(launch: ProgramModel) -> Iterator[Draft]:
    """Variables that the workers need have to reach Ray, not only the shell that submits.

    What happens: the workers run without them, and nobody says so.

    Why: workers inherit the environment of the `ray start` on their machine; a submitted job gets what its runtime
    environment names.

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
    if session.start is None or session.launch.command is None or ray_job_of(session.start) is None:
        return
    lost = environment_of(session.start, session.launch.command, session.launch.script).lost
    for name, variable in lost.items():
        if _FOR_WORKERS.fullmatch(name.upper()):
            yield launch.finding(
                at=variable.variable.value.span,
                message=f"{name} is set for the shell that submits the job, and does not reach Ray's workers",
                help="put it into env_vars of the runtime environment, or set it before `ray start` on every machine",
            )
