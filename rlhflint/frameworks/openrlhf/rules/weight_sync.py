"""From the trainer to the vLLM engines: what the sync of the weights can take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.model_paths import facts, trained
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import bf16_setting, written
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, FIRST_STEP, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.finding import Applicability, Severity, Stage
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

_BACKEND = "vllm.sync_backend"


@rule(
    "OR216",
    "sync-backend-not-nccl",
    severity=ERROR,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.5.8",
    fix="safe",
)
def sync_backend_not_nccl(launch: TrainPPORay) -> Iterator[Draft]:
    """`vllm.sync_backend` is best left at nccl, which every release but 0.5.8 can use on shared GPUs.

    What happens: it depends on the release. From 0.8.9 on any other word breaks a launch whose engines share the
    actor's GPUs, when the group for the sync is set up; elsewhere it is ignored. In 0.5.9 to 0.8.8 gloo works and is
    slow. In 0.5.8 it is nccl that cannot be used on shared GPUs.

    Why: since 0.5.9 nccl on shared GPUs stands for handing weights over in place; since 0.8.9 all else is one NCCL
    group over actor and engines, which NCCL refuses for two processes on one GPU (trainer/ray/ppo_actor.py@0.5.8,
    @0.5.9, @0.8.9, @0.11.2; OpenRLHF#726). `vllm.sync_with_ray` passes the word on to Ray instead.

    Example:
        --vllm.sync_backend gloo --train.colocate_all

    Use instead:
        --vllm.sync_backend nccl --train.colocate_all
    """
    effect = _effect_of_backend(launch)
    if effect is None:
        return
    severity, stage, what = effect
    session, backend = launch.session, launch.session.spelling(_BACKEND)
    better = "nccl" if session.since("0.5.9") else "gloo"
    yield launch.finding(
        _BACKEND,
        *(("train.colocate_all",) if severity is ERROR else ()),
        message=f"{backend} {launch.vllm.sync_backend}: {what} at OpenRLHF {session.release}",
        help=f"write {backend} {better}" + (", the default" if better == "nccl" else ""),
        severity=severity,
        stage=stage,
        proposal=Proposal(
            f"Write {backend} {better}",
            SAFE if session.since("0.8.9") else UNSAFE,
            put(launch, _BACKEND, better),
        ),
    )


def _effect_of_backend(launch: TrainPPORay) -> tuple[Severity, Stage, str] | None:
    """What is wrong with the backend at the release in force; None if nothing is."""
    backend, since = launch.vllm.sync_backend, launch.session.since
    if not since("0.5.9"):
        if backend == "nccl" and roles.shares_with_engines(launch):
            return ERROR, STARTUP, "NCCL finds actor and engine on the same GPU and refuses to set the group up"
    elif backend == "nccl":
        return None
    elif since("0.8.9"):
        if launch.vllm.sync_with_ray:
            return None if backend == "gloo" else (WARNING, STARTUP, "Ray knows nccl and gloo")
        if roles.shares_with_engines(launch):
            return ERROR, STARTUP, "weights cannot be handed over in place, and NCCL refuses two processes on one GPU"
        return WARNING, SILENT, "the word is ignored, and NCCL is used"
    if backend == "gloo":
        return (
            (ADVICE, FIRST_STEP, "weights go through the CPU at every sync, which is slow") if since("0.5.9") else None
        )
    return None if backend == "nccl" else (WARNING, STARTUP, "neither nccl nor gloo, which are what it is written for")


@rule("OR240", "lora-with-vllm", severity=ERROR, stage=FIRST_STEP, programs=PPO, applies=">=0.3.6")
def lora_with_vllm(launch: TrainPPORay) -> Iterator[Draft]:
    """PPO with vLLM engines trains neither adapters nor models in 4 bits.

    What happens: a KeyError or ValueError from vLLM at the first sync of the weights, after a whole rollout and
    training step: no module or parameter of such a name.

    Why: the sync sends the parameters under the names that PEFT or bitsandbytes give them, and vLLM loads them by the
    model's own (trainer/ray/ppo_actor.py@0.11.2; OpenRLHF#546, #991, #1081, #1349). Since 0.7.1 there is no PPO
    without vLLM.

    Example:
        --ds.lora.rank 32

    Use instead:
        --ds.lora.rank 0
    """
    options = []
    if launch.ds.lora.rank > 0:
        options.append(("ds.lora.rank", "the adapter's"))
    if launch.ds.load_in_4bit:
        options.append(("ds.load_in_4bit", "the quantised"))
    if not options or not (launch.session.since("0.7.1") or launch.vllm.num_engines):
        return
    for name, whose in options:
        yield launch.finding(
            name,
            message=f"{launch.session.spelling(name)} in PPO: vLLM refuses {whose} parameters at the first weight sync "
            f"of OpenRLHF {launch.session.release}, after a whole rollout and training step",
            help=f"train all weights (remove {launch.session.spelling(name)}); ZeRO-3, "
            f"{launch.session.spelling('ds.adam_offload')} and gradient checkpointing save memory"
            + ("" if launch.session.since("0.7.1") else ", or generate without vLLM"),
        )


@rule("OR241", "fp16-with-vllm", severity=ERROR, stage=FIRST_STEP, programs=PPO, fix="safe")
def fp16_with_vllm(launch: TrainPPORay) -> Iterator[Draft]:
    """PPO with vLLM trains in bfloat16, because the engines do.

    What happens: an assertion about mismatched dtypes in the engine at the first sync of the weights, after a whole
    rollout and training step.

    Why: the engines are made with dtype bfloat16, whatever the trainer has (trainer/ray/vllm_engine.py@0.11.2,
    trainer/ray/vllm_worker_wrap.py@0.11.2). Up to 0.9.1.post1 a model trains in the type it is stored in unless
    `--bf16` is given.

    Example:
        --ds.param_dtype fp16

    Use instead:
        --ds.param_dtype bf16
    """
    session, wanted = launch.session, written(launch, bf16_setting(launch))
    if session.since("0.9.2"):
        if launch.ds.param_dtype == "fp16":
            yield _of_other_type(launch, f"{session.spelling('ds.param_dtype')} fp16", SAFE)
    elif not launch.bf16 and (session.since("0.7.1") or launch.vllm.num_engines):
        stored = facts(launch, trained(launch)).dtype
        if stored is None:
            raise Undetermined("actor.model_name_or_path", "nothing says in which type the model is stored")
        if stored != "bfloat16":
            yield _of_other_type(launch, f"a model that is stored in {stored}, without {wanted}", UNSAFE)


def _of_other_type(launch: TrainPPORay, what: str, applicability: Applicability) -> Draft:
    session, wanted = launch.session, written(launch, bf16_setting(launch))
    return launch.finding(
        *(("ds.param_dtype",) if session.since("0.9.2") else ("actor.model_name_or_path", "ds.param_dtype")),
        message=f"{what} in PPO: vLLM engines are bfloat16 at OpenRLHF {session.release} and refuse other weights at "
        "the first sync, after a whole rollout and training step",
        help=f"write {wanted}" + (", the default" if session.since("0.9.2") else ""),
        proposal=Proposal(f"Write {wanted}", applicability, put(launch, *bf16_setting(launch))),
    )
