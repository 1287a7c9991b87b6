"""The heads of a model over the tensor parallel processes of an engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches
from rlhflint.frameworks.openrlhf.model_paths import facts, model_of
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.model_paths import NamedModel
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("OR414", "engine-tp-does-not-divide-heads", severity=ERROR, stage=STARTUP, programs=PPO, fix="unsafe")
def engine_tp_does_not_divide_heads(launch: TrainPPORay) -> Iterator[Draft]:
    """`vllm.tensor_parallel_size` has to divide the model's attention heads.

    What happens: the engine refuses to start ("Total number of attention heads … must be divisible by tensor parallel
    size"), and the launch ends. More processes than key and value heads work: the heads are replicated, and so is
    their part of the cache.

    Why: vLLM verifies it when it reads the model's configuration. The heads are known from a `config.json` in the
    project or from the table of models.

    Example:
        --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct --vllm.num_engines 1 --vllm.tensor_parallel_size 8

    Use instead:
        --actor.model_name_or_path Qwen/Qwen2.5-7B-Instruct --vllm.num_engines 2 --vllm.tensor_parallel_size 4
    """
    size = launch.vllm.tensor_parallel_size
    if size <= 1 or not launch.vllm.num_engines:
        return
    model = model_of(launch, "actor")
    known = facts(launch, model)
    if known.heads is not None and known.heads % size:
        yield _refused(launch, model, known.heads)
    elif known.kv_heads is not None and size > known.kv_heads and size % known.kv_heads == 0:
        yield launch.finding(
            "vllm.tensor_parallel_size",
            model.setting,
            message=(
                f"{launch.session.spelling('vllm.tensor_parallel_size')} {size} is more than the {known.kv_heads} key "
                f"and value heads of {model.name}: they are replicated, and so is the cache"
            ),
            help=f"with {known.kv_heads} and more engines each token of the cache is kept once",
            severity=ADVICE,
        )


def _refused(launch: TrainPPORay, model: NamedModel, heads: int) -> Draft:
    size, engines = launch.vllm.tensor_parallel_size, launch.vllm.num_engines or 0
    spelt = launch.session.spelling
    fitting = [one for one in batches.divisors(heads) if one < size and (engines * size) % one == 0]
    best = fitting[-1] if fitting else 1
    more = engines * size // best
    written = (
        f"{spelt('vllm.tensor_parallel_size')} {best} {spelt('vllm.num_engines')} {more} for the same number of GPUs"
    )
    changes = (*put(launch, "vllm.tensor_parallel_size", best), *put(launch, "vllm.num_engines", more))
    return launch.finding(
        "vllm.tensor_parallel_size",
        "vllm.num_engines",
        model.setting,
        message=(
            f"{spelt('vllm.tensor_parallel_size')} {size} does not divide the {heads} attention heads of {model.name}: "
            "vLLM refuses to start the engine"
        ),
        help=f"write {written}; divisors of {heads} work",
        proposal=Proposal(f"Write {written}", UNSAFE, changes),
    )
