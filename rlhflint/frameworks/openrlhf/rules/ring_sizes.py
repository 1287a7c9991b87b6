"""Ring attention and DeepSpeed's tensor parallelism against the processes and heads they divide."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, roles
from rlhflint.frameworks.openrlhf.model_paths import all_models, facts
from rlhflint.frameworks.openrlhf.programs import TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, FIRST_STEP, STARTUP, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.batches import Crew
    from rlhflint.frameworks.openrlhf.model_paths import NamedModel
    from rlhflint.frameworks.openrlhf.training import Living


@rule(
    "OR301",
    "ring-size-does-not-divide-world",
    severity=ERROR,
    stage=STARTUP,
    programs=TRAINING,
    applies=">=0.4.3",
)
def ring_size_does_not_divide_world(launch: Living) -> Iterator[Draft]:
    """`ds.ring_attn_size` times `ds.tensor_parallel_size` has to divide the GPUs of every model.

    What happens: the processes that are left over belong to no ring and fail while they set up, or wait; the others
    wait for them. Nothing says what the reason is.

    Why: nothing checks it. Since 0.7.4 a mesh of (GPUs ÷ ring ÷ tensor parallel) × ring × tensor parallel processes
    is built for each model (utils/deepspeed/deepspeed.py@0.7.4, @0.11.2); before, rings were cut by integer division
    (utils/deepspeed.py@0.4.3). In PPO that holds for actor, reference, critic and reward model, each with its own
    size, which is 1 × 8 GPUs where nothing is said.

    Example:
        --ds.ring_attn_size 3 --ds.packing_samples

    Use instead:
        --ds.ring_attn_size 4 --ds.packing_samples
    """
    size = roles.duplicates(launch)
    if size <= 1:
        return
    wrong: list[Crew] = []
    fitting = 0
    missing: Undetermined | None = None
    try:
        for crew in batches.crews(launch):
            fitting = gcd(fitting, crew.gpus)
            if crew.gpus % size:
                wrong.append(crew)
    except Undetermined as undetermined:
        missing = undetermined
    if wrong:
        yield _draft(launch, size, wrong, fitting)
    elif missing is not None:
        raise missing


def _draft(launch: Living, size: int, wrong: list[Crew], fitting: int) -> Draft:
    names, spelt = _split(launch), launch.session.spelling
    sizes = batches.alternatives(one for one in batches.divisors(fitting) if one <= 64)
    product = "the product" if len(names) > 1 else spelt(names[0])
    fate = (
        "processes that are left over have no ring group and fail, and the others wait for them"
        if launch.session.since("0.7.4")
        else "processes that are left over belong to no ring, and the run fails or hangs"
    )
    remedy = f"{product} can be {sizes} here, or start a multiple of {size} processes"
    if wrong[0].name:
        remedy = (
            f"{product} can be {sizes} for these groups; or give every group a multiple of {size} GPUs. "
            f"{spelt('train.batch_size')} × ring × tensor parallel must divide as well"
        )
    groups = " and ".join(batches.by_size(wrong).values())
    return launch.finding(
        *names,
        *(setting for crew in wrong for setting in crew.settings),
        message=f"{_named(launch, names, size)} does not divide {groups}: {fate}",
        help=remedy,
    )


def _split(launch: Living) -> tuple[str, ...]:
    """The settings that make more than one process work on the same data."""
    names = ["ds.ring_attn_size"] if launch.ds.ring_attn_size > 1 else []
    if launch.session.since("0.7.4") and launch.ds.tensor_parallel_size > 1:
        names.append("ds.tensor_parallel_size")
    return tuple(names)


def _named(launch: Living, names: tuple[str, ...], size: int) -> str:
    values = {"ds.ring_attn_size": launch.ds.ring_attn_size, "ds.tensor_parallel_size": launch.ds.tensor_parallel_size}
    parts = " × ".join(f"{launch.session.spelling(name)} {values[name]}" for name in names)
    return parts if len(names) == 1 else f"{parts} = {size}"


@rule(
    "OR302",
    "ring-head-stride",
    severity=ERROR,
    stage=FIRST_STEP,
    programs=TRAINING,
    applies=">=0.4.3",
    fix="unsafe",
)
def ring_head_stride(launch: Living) -> Iterator[Draft]:
    """`ds.ring_attn_head_stride` has to divide the model's key and value heads.

    What happens: an assertion inside ring-flash-attn ends the run at the first forward pass, after all models are
    loaded.

    Why: so many heads are sent round the ring at a time, and none may be left over
    (llama3_flash_attn_varlen.py@0.1.8 of ring-flash-attn). With `ds.tensor_parallel_size` each process has only its
    share of the heads.

    Example:
        # train_sft, openrlhf 0.11.2
        --model.model_name_or_path Qwen/Qwen2.5-7B --ds.ring_attn_size 2 --ds.packing_samples
        --ds.ring_attn_head_stride 3

    Use instead:
        # train_sft, openrlhf 0.11.2
        --model.model_name_or_path Qwen/Qwen2.5-7B --ds.ring_attn_size 2 --ds.packing_samples
        --ds.ring_attn_head_stride 2
    """
    stride = launch.ds.ring_attn_head_stride
    if stride <= 1 or launch.ds.ring_attn_size <= 1:
        return
    tensor = launch.ds.tensor_parallel_size if launch.session.since("0.7.4") else 1
    missing: Undetermined | None = None
    for model in all_models(launch):
        try:
            heads = facts(launch, model).kv_heads
        except Undetermined as undetermined:
            missing = missing or undetermined
            continue
        if heads is not None and heads % max(tensor, 1) == 0 and heads // max(tensor, 1) % stride:
            yield _stride_draft(launch, model, heads, max(tensor, 1))
            return
    if missing is not None:
        raise missing


def _stride_draft(launch: Living, model: NamedModel, heads: int, tensor: int) -> Draft:
    stride, own = launch.ds.ring_attn_head_stride, heads // tensor
    spelt = launch.session.spelling
    share = f", {own} on each of {tensor} tensor parallel processes" if tensor > 1 else ""
    return launch.finding(
        "ds.ring_attn_head_stride",
        model.setting,
        message=(
            f"{spelt('ds.ring_attn_head_stride')} {stride} does not divide the {heads} key and value heads of "
            f"{model.name}{share}: ring attention ends the first forward pass with an assertion"
        ),
        help=f"it can be {batches.alternatives(batches.divisors(own))}; 1 always works",
        proposal=Proposal(
            f"Write {spelt('ds.ring_attn_head_stride')} 1", UNSAFE, put(launch, "ds.ring_attn_head_stride", 1)
        ),
    )
