"""The sizes of generation and evaluation batches of GRPO and RLOO."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.batches import evaluation_batch, grouped, processes, steps_given
from rlhflint.frameworks.trl.programs import SIZED
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.rule import ERROR, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel

G, GENERATION, STEPS = "num_generations", "generation_batch_size", "steps_per_generation"


@rule(
    "TR303",
    "two-generation-sizes",
    severity=ERROR,
    stage=STARTUP,
    programs=SIZED,
    applies=">=0.18.0",
    fix="unsafe",
)
def two_generation_sizes(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """generation_batch_size and steps_per_generation say the same and are not given together.

    What happens: ValueError "can not be both configured at the same time" when the configuration is built.

    Why: each follows from the other: generation_batch_size is per_device_train_batch_size × processes ×
    steps_per_generation (trainer/grpo_config.py@0.18.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", generation_batch_size=64, steps_per_generation=4)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", steps_per_generation=4)
    """
    if not grouped(launch):
        return
    if launch.generation_batch_size is not None and steps_given(launch) is not None:
        yield launch.finding(
            GENERATION,
            STEPS,
            message=f"{GENERATION} and {STEPS} are both given: TRL {launch.session.release} refuses that",
            help=f"leave one of them out; {STEPS} does not depend on the number of processes",
            proposal=remove(launch, GENERATION),
        )


@rule(
    "TR304",
    "generation-batch-vs-global",
    severity=ERROR,
    stage=STARTUP,
    programs=SIZED,
    applies=">=0.18.0",
    fix="unsafe",
)
def generation_batch_vs_global(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """generation_batch_size has to be a multiple of what all processes take in one step.

    What happens: ValueError "must be divisible by the global batch size" when the configuration is built.

    Why: one generation serves whole steps of per_device_train_batch_size × processes completions. 0.18.0 to 0.19.0
    leave the processes out of the test by mistake (trainer/grpo_config.py@0.18.0, @0.19.1).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(
            output_dir="out", per_device_train_batch_size=16, generation_batch_size=40, num_generations=8
        )

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", per_device_train_batch_size=16, num_generations=8)
    """
    if not grouped(launch):
        return
    total = launch.generation_batch_size
    if total is None or steps_given(launch) is not None:
        return
    size = launch.per_device_train_batch_size
    if size < 1:
        return
    count = 1
    if total % size == 0:
        if not launch.session.since("0.19.1"):
            return
        count = processes(launch)
        if count < 1 or total % (size * count) == 0:
            return
    step = size * count
    best = max(round(total / step), 1) * step
    each = f"{count} processes × " if count > 1 else ""
    yield launch.finding(
        GENERATION,
        "per_device_train_batch_size",
        message=f"{GENERATION} {total} is no multiple of {each}per_device_train_batch_size {size}"
        + (f" = {step}" if count > 1 else ""),
        help=f"{best} works"
        + ("" if count > 1 else " on one process; on several it has to be a multiple of all of them"),
        proposal=put(launch, GENERATION, best),
    )


@rule(
    "TR305",
    "eval-batch-not-divisible",
    severity=ERROR,
    stage=STARTUP,
    programs=SIZED,
    applies=">=0.15.0",
    fix="unsafe",
)
def eval_batch_not_divisible(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """With evaluation on, its batch has to hold whole groups too.

    What happens: ValueError about the "global eval batch size" when the configuration (0.18 and later) or the trainer
    is built.

    Why: per_device_eval_batch_size counts completions on each process; groups are num_generations_eval (0.26 and
    later), or num_generations (trainer/grpo_config.py@0.18.0, trainer/grpo_trainer.py@0.15.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        accelerate launch --num_processes 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(
            output_dir="out", eval_strategy="steps", per_device_eval_batch_size=2, num_generations=8
        )
        GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None).train()

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        accelerate launch --num_processes 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(
            output_dir="out", eval_strategy="steps", per_device_eval_batch_size=4, num_generations=8
        )
        GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None).train()
    """
    if not grouped(launch) or launch.eval_strategy == "no":
        return
    name = "num_generations_eval" if launch.num_generations_eval else G
    group = launch.num_generations_eval or launch.num_generations
    if not group:
        return
    batch = evaluation_batch(launch, group)
    if batch is None or batch.total % group == 0:
        return
    count = batch.processes or 1
    least = next(one for one in range(1, group + 1) if one * count % group == 0)
    size = launch.per_device_eval_batch_size
    best = -(-size // least) * least
    yield launch.finding(
        "per_device_eval_batch_size",
        name,
        message=f"{batch.written} completions of an evaluation step make no whole groups of {name} {group}: TRL "
        f"{launch.session.release} refuses to start",
        help=f"set per_device_eval_batch_size to {best}",
        proposal=put(launch, "per_device_eval_batch_size", best),
    )
