"""How much memory training and generation take, by formula: bytes on one GPU, bytes of a machine's main memory.

The formulas are those of DeepSpeed's mixed-precision Adam (2 bytes of weight, 2 of gradient and 12 of optimizer state
for each parameter, divided among processes by ZeRO stage; runtime/zero/stage_1_and_2.py and stage3.py), of
transformer layers with gated feed-forward parts, and of logits in 32 bits. They leave out what is small and what
cannot be known (fragmentation, workspaces of kernels), so that an estimate is rather too low than too high.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rlhflint.records import dataclass
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.catalog.model_facts import ModelFacts
    from rlhflint.machines import Machines

MIB, GIB = 2**20, 2**30
TIGHT, FULL = 0.80, 0.95
"""Shares of a card's memory: up to the first an estimate likely fits, beyond the second it likely does not."""

_BUCKET = 5e8
"""Elements of a reduction bucket unless the configuration says otherwise (DeepSpeed runtime/zero/config.py)."""
_LIVE = 1e9
"""Parameters that ZeRO-3 keeps gathered at a time, at most (the same file)."""
_SUB_GROUP = 1e9
"""Parameters that ZeRO-3 updates at a time (the same file)."""

CARDS: dict[str, float] = {
    "h100": 80,
    "h800": 80,
    "h200": 141,
    "h20": 96,
    "b200": 180,
    "a100-80gb": 80,
    "a100_80gb": 80,
    "a100-40gb": 40,
    "a100_40gb": 40,
    "a800": 80,
    "a40": 48,
    "a6000": 48,
    "rtxa6000": 48,
    "l40": 48,
    "l40s": 48,
    "a10": 24,
    "a10g": 24,
    "l4": 24,
    "rtx4090": 24,
    "rtx3090": 24,
    "t4": 16,
}
"""GiB of the cards that come in one size, by the name a cluster gives them."""


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a sum: what it is, its bytes, and the canonical name of the setting that moves it."""

    what: str
    size: float
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """A moment of a run at which one GPU holds these terms together."""

    name: str
    terms: tuple[Term, ...]

    @property
    def total(self) -> float:
        """Bytes."""
        return sum(term.size for term in self.terms)

    def largest(self, count: int = 3) -> tuple[Term, ...]:
        """The largest terms, the largest first."""
        return tuple(sorted(self.terms, key=lambda term: -term.size)[:count])


@dataclass(frozen=True, slots=True)
class Engine:
    """What a vLLM engine takes on each of its GPUs, in bytes.

    `share` is the part of the card that it may take, `budget` that part in bytes; `weights` lie within it. `per_token`
    are the bytes of one token's keys and values, None where the shape of the model is not known.
    """

    share: float
    budget: float
    weights: float
    per_token: float | None = None

    @property
    def cache(self) -> float:
        """What is left for keys and values at most; below 0 where not even the weights fit."""
        return self.budget - self.weights

    @property
    def tokens(self) -> int | None:
        """Tokens that an engine keeps at most, over all its requests; None where that is not known."""
        return int(max(self.cache, 0) // self.per_token) if self.per_token else None


def engine(facts: ModelFacts, share: float, card: float, parallel: int) -> Engine:
    """The engine of a model in 16 bits with a share of each of its `parallel` cards.

    Heads are repeated where there are more GPUs than heads for keys and values.
    """
    split = min(max(parallel, 1), facts.kv_heads or max(parallel, 1))
    per_token = facts.kv_bytes_per_token / split if facts.kv_bytes_per_token else None
    return Engine(share, share * card, 2.0 * (facts.params or 0) / max(parallel, 1), per_token)


def worst(stages: Iterable[Stage]) -> Stage | None:
    """The stage that takes most."""
    return max(stages, key=lambda stage: stage.total, default=None)


@dataclass(frozen=True, slots=True)
class Zero:
    """How DeepSpeed divides a model: ZeRO stage, processes it is divided among, optimizer on the CPU or not."""

    stage: int
    shards: int
    offload: bool = False

    def _divided(self, since: int) -> int:
        return max(self.shards, 1) if self.stage >= since else 1

    def weights(self, params: float) -> float:
        """Bytes of the weights in 16 bits."""
        return 2 * params / self._divided(3)

    def gradients(self, trainable: float) -> float:
        """Bytes of the gradients in 16 bits; on the CPU they take no room."""
        return 0.0 if self.offload and self.stage >= 2 else 2 * trainable / self._divided(2)

    def optimizer(self, trainable: float) -> float:
        """Bytes of Adam's two moments and the weights in 32 bits."""
        return 0.0 if self.offload else 12 * trainable / self._divided(1)

    def step(self, trainable: float) -> float:
        """Bytes that an optimizer step takes for a moment: gradients in 32 bits."""
        if self.offload:
            return 0.0
        part = trainable / self._divided(1)
        return 4 * (min(part, _SUB_GROUP) if self.stage >= 3 else part)

    def buffers(self, params: float) -> float:
        """Bytes of buckets and, with ZeRO-3, of gathered weights."""
        if self.stage == 0:
            return 0.0
        bucket = 2 * min(_BUCKET, params)
        return 2 * bucket + 2 * min(_LIVE, params) if self.stage >= 3 else bucket

    def main_memory(self, trainable: float) -> float:
        """Bytes of main memory that each process takes with the optimizer on the CPU."""
        return 16 * trainable / self._divided(1) if self.offload else 0.0


def logits(tokens: float, vocab: int, *, training: bool, entropy: bool = False) -> float:
    """Bytes of the logits of some tokens: in 16 and 32 bits, in training their gradient too; a softmax for entropy."""
    return tokens * vocab * ((10 if training else 6) + (4 if entropy else 0))


def layer(facts: ModelFacts, tokens: float) -> float:
    """Bytes that one layer keeps of some tokens for its backward pass; 0 where its shape is not known."""
    if not (facts.hidden and facts.heads and facts.kv_heads and facts.head_dim and facts.ffn):
        return 0.0
    query, cached = facts.heads * facts.head_dim, facts.kv_heads * facts.head_dim
    elements = 5 * facts.hidden + 2 * query + 2 * cached + 4 * facts.ffn
    return tokens * (2 * elements + 8 * facts.hidden)


def activations(facts: ModelFacts, tokens: float, *, checkpointing: bool) -> float:
    """Bytes that all layers keep of some tokens; with checkpointing their inputs and one layer."""
    one = layer(facts, tokens)
    if not (facts.layers and facts.hidden):
        return one
    return facts.layers * tokens * facts.hidden * 2 + one if checkpointing else facts.layers * one


def scores(facts: ModelFacts, samples: float, length: float) -> float:
    """Bytes of one layer's attention scores where they are written out, as eager attention does."""
    return 6.0 * (facts.heads or 0) * samples * length * length


def largest_matrix(facts: ModelFacts) -> float | None:
    """Bytes of the largest matrix of a model in 16 bits, its embedding; None where its shape is not known."""
    return 2.0 * facts.vocab * facts.hidden if facts.vocab and facts.hidden else None


def card_size(machines: Machines) -> float:
    """Bytes of one GPU. Raises `Undetermined` where neither its memory nor a type of one size is known."""
    size = machines.gpu_memory_gib or CARDS.get(machines.gpu.replace(" ", "").removeprefix("nvidia-"))
    if size is None:
        raise Undetermined("gpu", "nothing says how much memory a GPU has")
    return size * GIB


def gib(size: float) -> str:
    """Bytes in words: "12.3 GiB", "102 GiB"."""
    number = size / GIB
    return f"{number:.0f} GiB" if number >= 100 else f"{number:.1f} GiB"
