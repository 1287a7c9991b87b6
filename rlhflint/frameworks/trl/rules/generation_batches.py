"""Whole groups of answers in the batches of GRPO and RLOO."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.batches import Batch, divisors, generation_batch, grouped, nearest, steps_given
from rlhflint.frameworks.trl.programs import GROUPED, GRPO, SIZED
from rlhflint.frameworks.trl.proposals import put
from rlhflint.rule import ADVICE, ERROR, FIRST_STEP, SILENT, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel

G = "num_generations"
_SHOWN = 12
"""How many values that work are named."""


@rule(
    "TR301",
    "generation-batch-not-divisible",
    severity=ERROR,
    stage=STARTUP,
    programs=SIZED,
    applies=">=0.15.0",
    fix="unsafe",
)
def generation_batch_not_divisible(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """The batch of completions has to hold whole groups of num_generations.

    What happens: ValueError "… must be divisible by num_generations", on the node, when the configuration (0.18 and
    later) or the trainer is built.

    Why: per_device_train_batch_size counts completions since 0.15. The batch is that number on every process (0.15,
    0.16), times gradient_accumulation_steps (0.17), or times steps_per_generation, which is
    gradient_accumulation_steps unless it is given (trainer/grpo_trainer.py@0.15.0, @0.17.0,
    trainer/grpo_config.py@0.18.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        accelerate launch --num_processes 3 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", per_device_train_batch_size=4, num_generations=16)
        GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None).train()

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        accelerate launch --num_processes 4 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", per_device_train_batch_size=4, num_generations=16)
        GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None).train()
    """
    if not grouped(launch):
        return
    group = launch.num_generations
    if group is None or group < 2:
        return
    if launch.session.since("0.18.0") and None not in (launch.generation_batch_size, steps_given(launch)):
        return  # TR303 says it
    batch = generation_batch(launch)
    if batch is None or batch.total % group == 0:
        return
    works = divisors(batch.total)
    best = nearest(works, group)
    yield launch.finding(
        G,
        *batch.settings,
        message=f"{batch.written} completions make no whole groups of {G} {group}: TRL {launch.session.release} "
        "refuses to start",
        help=_help(batch, group, works),
        proposal=put(launch, G, best) if best is not None else None,
    )


def _help(batch: Batch, group: int, works: tuple[int, ...]) -> str:
    named = ", ".join(map(str, works[:_SHOWN])) + (", …" if len(works) > _SHOWN else "")
    parts = [f"with this batch num_generations can be {named}"] if works else []
    if batch.local is None:
        parts.append(f"or make generation_batch_size a multiple of {group}")
    elif batch.processes is not None:
        name, value = batch.factors[0]
        rest = batch.total // max(value, 1)
        larger = next((one for one in range(value + 1, value + group + 1) if one * rest % group == 0), None)
        if larger is not None:
            parts.append(f"or set {name} to {larger}")
    return ", ".join(parts)


@rule("TR302", "group-below-two", severity=ERROR, stage=STARTUP, programs=GROUPED, applies=">=0.14.0", fix="unsafe")
def group_below_two(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """A group has at least two answers, better eight.

    What happens: ValueError "requires at least 2 generations per prompt" when the configuration is built; in 0.14 the
    advantages are NaN from the first step.

    Why: the advantage of an answer is measured against the other answers of its group
    (trainer/grpo_config.py@0.18.0, trainer/grpo_trainer.py@0.15.0).

    Example:
        # trl 0.22.2, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", num_generations=1)

    Use instead:
        # trl 0.22.2, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", num_generations=8)
    """
    if not grouped(launch):
        return
    group, release = launch.num_generations, launch.session.release
    if group is None or group >= 4:
        return
    if group < 2:
        refused = launch.session.since("0.15.0")
        yield launch.finding(
            G,
            message=f"{G} is {group}: "
            + (
                f"TRL {release} refuses a group of fewer than two answers, which has no advantage"
                if refused
                else f"the standard deviation of one reward is NaN, and so are all advantages of TRL {release}"
            ),
            help="8 is the default of GRPO; 2 is the least",
            stage=STARTUP if refused else FIRST_STEP,
            proposal=put(launch, G, 8),
        )
    elif launch.session.launch.program == GRPO and launch.given(G):
        yield launch.finding(
            G,
            message=f"{G} is {group}: with so few answers most groups have equal rewards, which teach nothing",
            help="8 is the default; more answers make the baseline better",
            severity=ADVICE,
            stage=SILENT,
            proposal=put(launch, G, 8),
        )
