"""Scripts that bring up Ray and submit to it: addresses, ports, folders, and heads started twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.frameworks.openrlhf.programs import PPO, SUPERVISED
from rlhflint.launchers.ray.cluster import CLIENT_PORT, DASHBOARD_PORT, GCS_PORT, ray_starts, ray_stops
from rlhflint.launchers.ray.job import ray_job_of
from rlhflint.proposal import UNSAFE, Proposal, Rewrite
from rlhflint.rule import ADVICE, ERROR, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.command import Command
    from rlhflint.launchers.ray.cluster import RayStart
    from rlhflint.model import ProgramModel
    from rlhflint.text import Traced

_PACKAGE = expression(
    r".*(?:(?i:openrlhf)[^/]*|site-packages|dist-packages)/openrlhf(?:/(?:cli|trainer|models|datasets|utils)\b.*)?/?"
    r"|.*(?:^|/)openrlhf/(?:cli|trainer|models|datasets|utils)(?:/.*)?"
)
_OTHER_MACHINES = ("srun", "ssh", "mpirun", "kubectl exec")


@rule("LA105", "job-address-port", severity=WARNING, stage=STARTUP, programs=PPO, fix="unsafe")
def job_address_port(launch: ProgramModel) -> Iterator[Draft]:
    """A job is submitted to the port of the dashboard.

    What happens: `ray job submit` cannot connect.

    Why: the job server listens on the dashboard's port, 8265 unless it is changed; 6379 is Ray's own port, 10001 that
    of its client (ray/dashboard/modules/job/cli.py@2.60.0).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        ray job submit --address=http://127.0.0.1:6379 -- python3 -m openrlhf.cli.train_ppo_ray \\
           --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        ray job submit --address=http://127.0.0.1:8265 -- python3 -m openrlhf.cli.train_ppo_ray \\
           --actor.model_name_or_path m --vllm.num_engines 4
    """
    start = launch.session.start
    job = ray_job_of(start) if start is not None else None
    if job is None or job.address is None or job.scheme == "ray" or job.port not in (GCS_PORT, CLIENT_PORT):
        return
    what = "Ray's own port" if job.port == GCS_PORT else "the port of Ray's client"
    yield launch.finding(
        at=job.address.span,
        message=f"{job.port} is {what}: jobs are submitted to the dashboard, at {DASHBOARD_PORT} by default",
        help=f"write {job.scheme or 'http'}://{job.host}:{DASHBOARD_PORT}",
        proposal=_another_port(job.address, job.port, DASHBOARD_PORT, launch.session.launch.command),
    )


def _another_port(address: Traced, port: int | None, other: int, command: Command | None) -> Proposal | None:
    """Another port in an address that stands in the command itself: one in a variable may be meant for others too."""
    at, whole = address.text.rfind(f":{port}") + 1, address.verbatim_span
    span = address.span_of(at, at + len(str(port)))
    if command is None or whole is None or span is None or not at or not command.says(whole):
        return None
    return Proposal(f"Write {other}", UNSAFE, (Rewrite(span, str(other)),))


@rule("LA106", "launcher-for-other-program", severity=WARNING, stage=STARTUP, programs=(PPO, *SUPERVISED))
def launcher_for_other_program(launch: ProgramModel) -> Iterator[Draft]:
    """train_ppo_ray is started once, with Python; train_sft, train_rm and train_dpo by a launcher of processes.

    What happens: several drivers ask Ray for the same GPUs; or a single process uses one GPU of many.

    Why: train_ppo_ray starts its processes through Ray; the others are what deepspeed starts on each GPU
    (cli/train_ppo_ray.py@0.11.2, cli/train_sft.py@0.11.2).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        deepspeed --module openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    start = launch.session.start
    if start is None:
        return
    launcher = start.launcher
    if launch.session.launch.program == PPO:
        if launcher is not None:
            yield launch.finding(
                at=launcher.words[0].span,
                message=f"{launcher.name} starts train_ppo_ray once for each GPU, and each asks Ray for all GPUs",
                help="start it once: python3 -m openrlhf.cli.train_ppo_ray",
            )
    elif launcher is None and start.wrapper("python") is not None and launch.session.world.tasks.number == 1:
        gpus = launch.session.machines.gpus_per_node.need("cluster")
        if gpus > 1 and launch.session.world.per_node.number == 1:
            yield launch.finding(
                at=start.span,
                message=f"Python alone starts one process, which uses one of {gpus} GPUs "
                f"({launch.session.machines.what})",
                help=f"start it with deepspeed --module openrlhf.cli.{launch.session.launch.program.partition(':')[2]}",
            )


@rule("LA201", "working-dir-in-package", severity=ERROR, stage=STARTUP, programs=PPO)
def working_dir_in_package(launch: ProgramModel) -> Iterator[Draft]:
    """The working folder of a job must not lie inside the package openrlhf.

    What happens: "cannot import name … (most likely due to a circular import)", when the job starts.

    Why: the working folder comes first on the path of modules, and inside the package `datasets` and `models` are those
    of OpenRLHF (issues 556 and 603 of OpenRLHF).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        ray job submit --working-dir /root/OpenRLHF/openrlhf -- python3 -m openrlhf.cli.train_ppo_ray \\
           --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        ray job submit --working-dir /root/OpenRLHF -- python3 -m openrlhf.cli.train_ppo_ray \\
           --actor.model_name_or_path m --vllm.num_engines 4
    """
    start = launch.session.start
    job = ray_job_of(start) if start is not None else None
    folder = job.working_dir if job is not None else None
    if folder is not None and folder.known and _PACKAGE.fullmatch(folder.text[:1000]):
        yield launch.finding(
            at=folder.span,
            message=f"{folder.text} lies inside the package openrlhf, whose modules then hide others of the same name",
            help="name the folder above the package",
        )


@rule("LA206", "ray-head-started-twice", severity=ADVICE, stage=STARTUP, programs=PPO)
def ray_head_started_twice(launch: ProgramModel) -> Iterator[Draft]:
    """A head of Ray is started once.

    What happens: the second `ray start --head` refuses to start.

    Why: its port is taken by the first (ray/scripts/scripts.py@2.60.0).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        ray start --head --num-gpus 8
        ray start --head --num-gpus 8
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        ray start --head --num-gpus 8
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    script, command = launch.session.launch.script, launch.session.launch.command
    if script is None or command is None:
        return
    heads = [one for one in ray_starts(script, command) if one.head and not _moved(one)]
    heads = list({(one.span.path, one.span.start): one for one in heads}.values())
    stops = [one.span.start for one in ray_stops(script) if one.span.path == script.path]
    for first, second in pairwise(heads):
        between = any(first.span.start < stop < second.span.start for stop in stops)
        here = first.span.path == second.span.path == script.path
        if here and not between and first.port.known and first.port.number == second.port.number:
            yield launch.finding(
                at=second.span,
                message="a head of Ray is started before, and nothing stops it: the second refuses to start",
                help="start workers with --address, or stop Ray in between",
            )


@rule("LA207", "ray-address-mismatch", severity=ERROR, stage=STARTUP, programs=PPO, fix="unsafe")
def ray_address_mismatch(launch: ProgramModel) -> Iterator[Draft]:
    """Workers of Ray join at the port of their head.

    What happens: they try to connect, and give up.

    Why: the head listens at the port that --port says, 6379 unless it is given (ray/scripts/scripts.py@2.60.0).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        ray start --head --port 6380 --num-gpus 8
        ssh worker ray start --address head:6379 --num-gpus 8
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        ray start --head --port 6380 --num-gpus 8
        ssh worker ray start --address head:6380 --num-gpus 8
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    script, command = launch.session.launch.script, launch.session.launch.command
    lines = ray_starts(script, command) if script is not None and command is not None else ()
    heads = {one.port.number for one in lines if one.head}
    port = heads.pop() if len(heads) == 1 else None
    if port is None:
        return
    for one in lines:
        if not one.head and one.address is not None and one.port.known and one.port.number != port:
            yield launch.finding(
                at=one.address.span,
                message=f"the worker looks for its head at port {one.port.number}, and the head listens at {port}",
                help=f"write port {port} in both",
                proposal=_another_port(one.address, one.port.number, port, one.command),
            )


def _moved(one: RayStart) -> bool:
    """Whether it may be started on another machine."""
    return any(wrapper.name in _OTHER_MACHINES or not wrapper.name for wrapper in one.start.wrappers)
