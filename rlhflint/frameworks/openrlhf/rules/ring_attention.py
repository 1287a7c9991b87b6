"""Ring attention: the attention under it, tensor parallelism beside it, packing before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.programs import DPO, PPO, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import (
    asks_for_flash_attention,
    attention,
    attention_setting,
    is_ppo,
    packs,
    sees_images,
    written,
)
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, PARSE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import all_hold, if_known

if TYPE_CHECKING:
    from rlhflint.finding import Severity
    from rlhflint.frameworks.openrlhf.training import Living
    from rlhflint.proposal import Change


@rule(
    "OR205",
    "ring-without-flash-attention",
    severity=WARNING,
    stage=SILENT,
    programs=TRAINING,
    applies=">=0.4.3",
    fix="safe",
)
def ring_without_flash_attention(launch: Living) -> Iterator[Draft]:
    """Ring attention runs on flash attention 2.

    What happens: mostly another attention is replaced, with a printed line, so that what was chosen is not what runs.
    Without packing, train_sft, train_rm and train_dpo refuse the launch, and train_ppo_ray of 0.6.0 to 0.8.3 ignores
    the ring. With flash_attention_3, and in train_dpo of 0.4.3, nothing is replaced and every rank attends to its own
    piece of a sample only.

    Why: a ring needs packed samples, and packing replaces every attention whose name lacks "flash_attention"
    (cli/train_ppo_ray.py@0.8.4, @0.8.10, @0.11.2; cli/train_dpo.py@0.4.4). ring-flash-attn 0.1.8 puts itself in the
    place of flash_attention_2 alone.

    Example:
        --ds.ring_attn_size 2 --ds.packing_samples --ds.attn_implementation eager

    Use instead:
        --ds.ring_attn_size 2 --ds.packing_samples --ds.attn_implementation flash_attention_2
    """
    if not all_hold(lambda: attention(launch) != "flash_attention_2", lambda: launch.ds.ring_attn_size > 1):
        return
    session = launch.session
    named = session.since("0.8.10")
    wanted = written(launch, attention_setting(launch))
    effect, replaced, severity = _instead_of_asked(launch)
    asked = f"{session.spelling('ds.attn_implementation')} {attention(launch)}" if named else f"no {wanted}"
    yield launch.finding(
        *(("ds.attn_implementation",) if named else ()),
        "ds.ring_attn_size",
        *(() if named else ("ds.attn_implementation",)),
        message=f"ring attention with {asked} at OpenRLHF {session.release}: {effect}",
        help=f"write {wanted}" + (", the default" if named else ""),
        severity=severity,
        proposal=Proposal(f"Write {wanted}", SAFE if replaced else UNSAFE, put(launch, *attention_setting(launch))),
    )


def _instead_of_asked(launch: Living) -> tuple[str, bool, Severity]:
    """What runs instead of the attention that is asked for, whether upstream replaces it itself, and how bad it is."""
    session = launch.session
    if asks_for_flash_attention(launch):
        return (
            "the ring takes the place of flash_attention_2 alone, so attention stays inside each piece",
            False,
            WARNING,
        )
    if session.launch.program == DPO and not session.since("0.4.4"):
        return "the ring is never reached, and every rank attends to its own piece only", False, ERROR
    if _packed(launch):
        return "upstream replaces it by flash_attention_2, with a printed line", True, WARNING
    if session.launch.program == PPO:
        return "without packed samples the ring has no effect, and its GPUs repeat the same work", False, WARNING
    return "it would be replaced by flash_attention_2, but without packed samples the launch is refused", False, WARNING


def _packed(launch: Living) -> bool:
    """Whether samples are packed, by request or because of the ring."""
    return packs(launch) if is_ppo(launch) else launch.ds.packing_samples


@rule(
    "OR206",
    "ring-with-tensor-parallel",
    severity=WARNING,
    stage=STARTUP,
    programs=TRAINING,
    applies=">=0.7.4",
)
def ring_with_tensor_parallel(launch: Living) -> Iterator[Draft]:
    """Ring attention and DeepSpeed's tensor parallelism together are an untested combination.

    What happens: the launch is accepted, and every role splits its GPUs into data, ring and tensor parallel ranks. It
    can work only where ring times tensor parallel size divides the GPUs of every group, with bfloat16, with batches
    that divide by what is left for data parallelism, and with a head stride that divides the heads left after the
    split.

    Why: since 0.7.4 each role builds such a mesh itself; no option describes it, nothing tests the pair, and none of
    upstream's example scripts uses it (utils/deepspeed/deepspeed.py@0.7.4, @0.11.2). vLLM's tensor parallelism is
    another matter and does not count.

    Example:
        --ds.ring_attn_size 2 --ds.tensor_parallel_size 2 --ds.packing_samples

    Use instead:
        --ds.ring_attn_size 4 --ds.tensor_parallel_size 1 --ds.packing_samples
    """
    if not all_hold(lambda: launch.ds.tensor_parallel_size > 1, lambda: launch.ds.ring_attn_size > 1):
        return
    ring, tensor = launch.ds.ring_attn_size, launch.ds.tensor_parallel_size
    spelt = launch.session.spelling
    data = _data_parallel(launch)
    yield launch.finding(
        "ds.tensor_parallel_size",
        "ds.ring_attn_size",
        message=f"ring attention and DeepSpeed tensor parallelism together: OpenRLHF {launch.session.release} builds a "
        f"{f'{data} × ' if data else 'data × '}{ring} × {tensor} mesh itself, an untested combination upstream",
        help=f"for long samples use the ring with ZeRO-3 and {spelt('ds.tensor_parallel_size')} 1; for a model too "
        f"wide use tensor parallelism with {spelt('ds.ring_attn_size')} 1",
    )


def _data_parallel(launch: Living) -> int | None:
    """Data parallel ranks of the mesh, in PPO of the actor's; None where they are not known or not whole."""
    world = if_known(lambda: roles.role(launch, "actor").gpus) if is_ppo(launch) else launch.session.world.total.number
    together = launch.ds.ring_attn_size * launch.ds.tensor_parallel_size
    return world // together if world and world % together == 0 else None


@rule(
    "OR207",
    "ring-without-packing",
    severity=ERROR,
    stage=PARSE,
    programs=TRAINING,
    applies=">=0.4.3",
    fix="safe",
)
def ring_without_packing(launch: Living) -> Iterator[Draft]:
    """Ring attention needs packed samples.

    What happens: train_sft, train_rm and train_dpo end with an assertion. train_ppo_ray switches packing on with a
    printed line since 0.8.4; from 0.6.0 to 0.8.3 it does not, and the ring's GPUs repeat the same work.

    Why: only the packed forward pass splits a sample over the ring (cli/train_dpo.py@0.4.3, cli/train_sft.py@0.11.2,
    cli/train_ppo_ray.py@0.8.4, @0.11.2).

    Example:
        # train_sft, openrlhf 0.11.2
        --ds.ring_attn_size 2

    Use instead:
        # train_sft, openrlhf 0.11.2
        --ds.ring_attn_size 2 --ds.packing_samples
    """
    if not all_hold(lambda: not launch.ds.packing_samples, lambda: launch.ds.ring_attn_size > 1):
        return
    session, packing = launch.session, launch.session.spelling("ds.packing_samples")
    ppo, switched = session.launch.program == PPO, session.since("0.8.4")
    if not ppo:
        then, severity, stage = "an assertion ends the launch", ERROR, PARSE
    elif switched:
        then, severity, stage = "it is switched on with a printed line", ADVICE, SILENT
    else:
        then, severity, stage = "the ring has no effect, and its GPUs repeat the same work", WARNING, SILENT
    obstacle = _obstacle(launch)
    yield launch.finding(
        "ds.ring_attn_size",
        "ds.packing_samples",
        message=f"{session.spelling('ds.ring_attn_size')} {launch.ds.ring_attn_size} without {packing} at OpenRLHF "
        f"{session.release}: {then}",
        help=f"add {packing}{f', which goes {obstacle}' if obstacle else ''}",
        severity=severity,
        stage=stage,
        proposal=None if obstacle else Proposal(f"Add {packing}", SAFE, _packing(launch)),
    )


def _packing(launch: Living) -> tuple[Change, ...]:
    """Packing, with the attention that upstream takes for it in place of another."""
    changes = put(launch, "ds.packing_samples", True)
    if if_known(lambda: asks_for_flash_attention(launch)) is False:
        changes += put(launch, *attention_setting(launch))
    return changes


def _obstacle(launch: Living) -> str:
    """What is known to forbid packing; empty if nothing is."""
    if not is_ppo(launch):
        return ""
    spelt = launch.session.spelling
    if if_known(lambda: sees_images(launch)):
        return f"without {spelt('data.max_images_per_prompt')} only"
    if if_known(lambda: not launch.vllm.num_engines):
        return f"with {spelt('vllm.num_engines')} only"
    if not launch.session.since("0.7.1") and if_known(lambda: filled(launch, "pretrain_data")):
        return f"without {spelt('pretrain_data')} only"
    return ""
