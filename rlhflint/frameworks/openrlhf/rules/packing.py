"""Packed samples: the attention they need, and what they exclude."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.programs import PPO, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import (
    asks_for_flash_attention,
    attention,
    attention_setting,
    packs,
    written,
)
from rlhflint.proposal import SAFE, Proposal
from rlhflint.rule import ERROR, PARSE, SILENT, WARNING, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living


@rule(
    "OR208",
    "packing-without-flash-attention",
    severity=WARNING,
    stage=SILENT,
    programs=TRAINING,
    applies=">=0.4.4",
    fix="safe",
)
def packing_without_flash_attention(launch: Living) -> Iterator[Draft]:
    """Packed samples run with flash attention 2, whatever attention is asked for.

    What happens: the attention that was chosen is replaced, with a printed line.

    Why: packing needs kernels that keep the samples of a pack apart. From 0.8.10 on a name without "flash_attention"
    in it is replaced by flash_attention_2, also kernels-community/vllm-flash-attn3, which upstream's own help
    recommends; before, a missing `--flash_attn` is set (cli/train_sft.py@0.4.4, cli/train_ppo_ray.py@0.8.10,
    @0.11.2).

    Example:
        --ds.packing_samples --ds.attn_implementation sdpa

    Use instead:
        --ds.packing_samples --ds.attn_implementation flash_attention_2
    """
    if not all_hold(lambda: launch.ds.packing_samples, lambda: not asks_for_flash_attention(launch)):
        return
    session, wanted = launch.session, written(launch, attention_setting(launch))
    asked = f"{session.spelling('ds.attn_implementation')} {attention(launch)}"
    yield launch.finding(
        *(("ds.attn_implementation",) if session.since("0.8.10") else ()),
        "ds.packing_samples",
        message=(
            f"{asked} is replaced by flash_attention_2: {session.spelling('ds.packing_samples')} needs it at "
            f"OpenRLHF {session.release}"
            if session.since("0.8.10")
            else f"{session.spelling('ds.packing_samples')} turns {wanted} on at OpenRLHF {session.release}, "
            "which is not asked for"
        ),
        help=f"write {wanted}, or train without {session.spelling('ds.packing_samples')}",
        proposal=Proposal(f"Write {wanted}", SAFE, put(launch, *attention_setting(launch))),
    )


@rule(
    "OR209",
    "packing-without-vllm",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.4.4",
)
def packing_without_vllm(launch: TrainPPORay) -> Iterator[Draft]:
    """Packed samples in PPO need vLLM engines.

    What happens: an assertion ends the launch while its arguments are checked; where the number of engines is not
    given at all it is a TypeError.

    Why: generation without vLLM does not pack (cli/train_ppo_ray.py@0.4.4, @0.11.2). Ring attention (0.8.4) and
    dynamic batches (0.8.6) turn packing on before this is tested.

    Example:
        --ds.packing_samples --vllm.num_engines 0

    Use instead:
        --ds.packing_samples --vllm.num_engines 4
    """
    if not all_hold(lambda: not launch.vllm.num_engines, lambda: packs(launch)):
        return
    spelt, missing = launch.session.spelling, launch.vllm.num_engines is None
    engines, packing = spelt("vllm.num_engines"), spelt("ds.packing_samples")
    yield launch.finding(
        "vllm.num_engines",
        "ds.packing_samples",
        message=f"OpenRLHF {launch.session.release} refuses packed samples without vLLM engines: "
        + (f"{engines} is missing, a TypeError" if missing else f"{engines} is 0, an assertion"),
        help=f"give {engines} of at least 1"
        + (f", or leave {packing} out" if launch.ds.packing_samples else "; packing is switched on by another option"),
    )


@rule(
    "OR249",
    "packing-excludes",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.4.4,<0.7.1",
)
def packing_excludes(launch: TrainPPORay) -> Iterator[Draft]:
    """Packed samples exclude remote rewards in 0.4.4, and data of pre-training up to 0.7.0.post1.

    What happens: an assertion ends the launch while its arguments are checked.

    Why: both were not written for packed samples then (cli/train_ppo_ray.py@0.4.4, @0.7.0.post1).

    Example:
        # train_ppo_ray, openrlhf 0.6.4
        --ds.packing_samples --pretrain_data data/books

    Use instead:
        # train_ppo_ray, openrlhf 0.6.4
        --ds.packing_samples
    """
    if not launch.ds.packing_samples:
        return
    spelt, packing = launch.session.spelling, launch.session.spelling("ds.packing_samples")
    excluded = {"pretrain_data": f"leave it or {packing} out"}
    if not launch.session.since("0.4.5"):
        newer = f"leave {packing} out, or use OpenRLHF 0.4.5 or newer"
        excluded["reward.remote_url"] = newer
    for name, instead in excluded.items():
        if filled(launch, name):
            yield launch.finding(
                name,
                "ds.packing_samples",
                message=f"OpenRLHF {launch.session.release} refuses {spelt(name)} with {packing}: an assertion ends "
                "the launch",
                help=instead,
            )
