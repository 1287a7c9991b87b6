"""vLLM engines that share GPUs with training: what they keep, and what they leave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import memory, roles
from rlhflint.frameworks.openrlhf.model_paths import facts, model_of
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.memory import gib, largest_matrix
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ADVICE, FIRST_STEP, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

_SHARE = "vllm.gpu_memory_utilization"
_AWAKE, _ASLEEP = 0.5, 0.8
"""The largest share of a GPU that leaves room for training beside an engine that never sleeps, and one that does."""
_SPARE = 1e9
"""Bytes beside the two copies of a matrix that a weight sync needs at least."""


@rule("OR501", "colocate-without-sleep", severity=ADVICE, stage=STARTUP, programs=PPO, applies=">=0.5.8", fix="unsafe")
def colocate_without_sleep(launch: TrainPPORay) -> Iterator[Draft]:
    """Engines that share GPUs with training should sleep while it trains.

    What happens: vLLM keeps its share of every GPU during training, and what is left has to hold weights, optimizer
    and activations. Often CUDA runs out of memory in the first training step.

    Why: without `vllm.enable_sleep` the engines stay as they are (ppo_train and broadcast_to_vllm in
    trainer/ppo_trainer.py@0.11.2). Asleep, their weights lie in main memory: 2 bytes for each parameter and engine.

    Example:
        --train.colocate_all --vllm.num_engines 4

    Use instead:
        --train.colocate_all --vllm.num_engines 4 --vllm.enable_sleep --ds.enable_sleep
    """
    if not roles.shares_with_engines(launch) or launch.vllm.enable_sleep:
        return
    spelt, session = launch.session.spelling, launch.session
    whole = session.since("0.6.0.post1") and launch.ds.zero_stage == 3 and not launch.ds.enable_sleep
    added = ("vllm.enable_sleep", "ds.enable_sleep") if whole else ("vllm.enable_sleep",)
    written = " and ".join(map(spelt, added))
    changes = tuple(change for name in added for change in put(launch, name, True))
    yield launch.finding(
        "train.colocate_all",
        "vllm.enable_sleep",
        message=(
            f"without {spelt('vllm.enable_sleep')}, vLLM keeps {launch.vllm.gpu_memory_utilization:.0%} of every GPU "
            "while the models on it train"
        ),
        help=f"add {written}; it takes 2 bytes of main memory for each parameter and engine",
        proposal=Proposal(f"Add {written}", UNSAFE, changes),
    )


@rule("OR502", "colocated-memory-share", severity=ADVICE, stage=STARTUP, programs=PPO, applies=">=0.5.8", fix="unsafe")
def colocated_memory_share(launch: TrainPPORay) -> Iterator[Draft]:
    """An engine that shares its GPU must not take most of it.

    What happens: CUDA runs out of memory when the models are loaded, or in the first step. Up to 0.6.0 a share of 0.9
    and more is lowered to 0.4, with no word of it in the settings.

    Why: the default is made for engines with GPUs of their own: 0.9, and 0.95 since 0.6.4; the lowering went with
    0.6.0.post1 (cli/train_ppo_ray.py@0.5.8, @0.6.0.post1). Upstream's scripts with shared GPUs use 0.5 to 0.75.

    Example:
        --train.colocate_all --vllm.num_engines 4 --vllm.enable_sleep

    Use instead:
        --train.colocate_all --vllm.num_engines 4 --vllm.enable_sleep --vllm.gpu_memory_utilization 0.6
    """
    if not roles.shares_with_engines(launch):
        return
    share, spelt = launch.vllm.gpu_memory_utilization, launch.session.spelling
    given = launch.session.setting(_SHARE) is not None
    if not launch.session.since("0.6.0.post1"):
        if share >= 0.9 and given:
            yield launch.finding(
                _SHARE,
                "train.colocate_all",
                message=(
                    f"{spelt(_SHARE)} {share:g} is lowered to 0.4 at OpenRLHF {launch.session.release}, because the "
                    "engines share their GPUs"
                ),
                help="write the share you want, below 0.9",
                severity=WARNING,
                stage=SILENT,
                proposal=Proposal(f"Write {spelt(_SHARE)} 0.4", UNSAFE, put(launch, _SHARE, 0.4)),
            )
        return
    sleeps = launch.vllm.enable_sleep
    if share <= (_ASLEEP if sleeps else _AWAKE):
        return
    yield launch.finding(
        _SHARE,
        "train.colocate_all",
        message=(
            f"vLLM takes {share:.0%} of every GPU that it shares with training"
            + ("" if given else f", the default of {spelt(_SHARE)}")
            + ("" if sleeps else ", and never sleeps")
        ),
        help=f"write {spelt(_SHARE)} 0.5: upstream's scripts with shared GPUs use 0.5 to 0.75, with sleep",
        proposal=Proposal(f"Write {spelt(_SHARE)} 0.5", UNSAFE, put(launch, _SHARE, 0.5)),
    )


@rule("OR508", "weight-sync-headroom", severity=ADVICE, stage=FIRST_STEP, programs=PPO, applies=">=0.5.9", fix="unsafe")
def weight_sync_headroom(launch: TrainPPORay) -> Iterator[Draft]:
    """Sending weights to an engine on the same GPU takes room beside its share.

    What happens: CUDA runs out of memory at the first weight sync, after a whole rollout and training step.

    Why: the largest matrix, the embedding, is gathered and copied for the engine, twice 2 bytes × vocabulary × hidden
    size, outside vLLM's share (trainer/ray/ppo_actor.py@0.11.2). Said where the card and the model are known.

    Example:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 40
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path Qwen/Qwen2.5-32B --reward.remote_url rm.py \\
           --algo.advantage.estimator reinforce --train.colocate_all --vllm.num_engines 2 \\
           --vllm.tensor_parallel_size 4 --vllm.enable_sleep --vllm.gpu_memory_utilization 0.92

    Use instead:
        --- rlhflint.toml
        [cluster]
        nodes = 1
        gpus-per-node = 8
        gpu-memory = 40
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path Qwen/Qwen2.5-32B --reward.remote_url rm.py \\
           --algo.advantage.estimator reinforce --train.colocate_all --vllm.num_engines 2 \\
           --vllm.tensor_parallel_size 4 --vllm.enable_sleep --vllm.gpu_memory_utilization 0.6
    """
    if not roles.shares_with_engines(launch):
        return
    size, share = memory.card(launch), launch.vllm.gpu_memory_utilization
    model = model_of(launch, "actor")
    matrix = largest_matrix(facts(launch, model, certain=False))
    if matrix is None:
        raise Undetermined(model.setting, f"the shape of {model.name} is not known")
    left, needed = (1 - share) * size, 2 * matrix + _SPARE
    if left >= needed:
        return
    spelt, better = launch.session.spelling, max(int((1 - needed / size) * 20) / 20, 0.1)
    yield launch.finding(
        _SHARE,
        "train.colocate_all",
        model.setting,
        message=(
            f"{spelt(_SHARE)} {share:g} leaves {gib(left)} of a GPU of {gib(size)}, and a weight sync needs "
            f"{gib(needed)}: two copies of the largest matrix of {model.name}"
        ),
        help=f"write {spelt(_SHARE)} {better:g} or less",
        proposal=Proposal(f"Write {spelt(_SHARE)} {better:g}", UNSAFE, put(launch, _SHARE, better)),
    )
