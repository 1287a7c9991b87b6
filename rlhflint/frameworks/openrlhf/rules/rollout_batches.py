"""Pieces of a rollout and the processes they are dealt out to."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd, lcm
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, FIRST_STEP, PARSE, WARNING, Draft, rule
from rlhflint.value import Undetermined, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.batches import Crew
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule(
    "OR304",
    "fewer-chunks-than-actors",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.7.2",
    fix="unsafe",
)
def fewer_chunks_than_actors(launch: TrainPPORay) -> Iterator[Draft]:
    """A rollout has to be cut into at least one micro batch for each process of every model.

    What happens: for the actor an assertion ends the launch while its arguments are checked; for critic, reference and
    reward model the first rollout fails with "Insufficient batch size" (an assertion before 0.9.1).

    Why: cli/train_ppo_ray.py@0.7.2 and later assert samples ÷ `rollout.micro_batch_size` against the actor's GPUs ÷
    ring (÷ DeepSpeed tensor parallel since 0.8.1); the others are only counted when work is dealt out to them
    (async_run_method_batch in trainer/ray/launcher.py@0.7.2, @0.11.2).

    Example:
        --rollout.batch_size 4 --rollout.n_samples_per_prompt 2 --rollout.micro_batch_size 2 --train.batch_size 8
        --train.micro_batch_size 1

    Use instead:
        --rollout.batch_size 4 --rollout.n_samples_per_prompt 2 --rollout.micro_batch_size 1 --train.batch_size 8
        --train.micro_batch_size 1
    """
    micro = launch.rollout.micro_batch_size
    if micro <= 0:
        return
    made = batches.samples(launch)
    for crew in batches.crews(launch):
        if crew.name == "actor":
            needed = crew.gpus // _asserted_duplicates(launch)
            if made // micro < needed:
                yield _too_few(launch, crew, made // micro, needed)
                return
        elif not launch.train.dynamic_batch_enable:
            needed = batches.parallel(crew.gpus, roles.duplicates(launch))
            if batches.chunks(launch) < needed:
                yield _too_few(launch, crew, batches.chunks(launch), needed)


def _asserted_duplicates(launch: TrainPPORay) -> int:
    """What upstream's assertion divides the actor's GPUs by; it forgets tensor parallelism before 0.8.1."""
    if launch.session.since("0.8.1"):
        return roles.duplicates(launch)
    return max(launch.ds.ring_attn_size, 1)


def _too_few(launch: TrainPPORay, crew: Crew, pieces: int, needed: int) -> Draft:
    spelt, made = launch.session.spelling, batches.samples(launch)
    micro = launch.rollout.micro_batch_size
    refused = crew.name == "actor"
    best = made // needed if made >= needed else None
    even = made // needed if made % needed == 0 else None
    name = spelt("rollout.micro_batch_size")
    return launch.finding(
        "rollout.micro_batch_size",
        "rollout.batch_size",
        "rollout.n_samples_per_prompt",
        *crew.settings,
        message=(
            f"{made} samples of a rollout make {pieces} micro batches of {micro}, fewer than the {needed} that work at "
            f"a time on {crew.said}: "
            + ("an assertion ends the launch" if refused else "the first rollout fails when they are dealt out")
        ),
        help=(
            f"write {name} {even or best} or less, or make more samples: at least {needed * micro}"
            if best
            else f"make at least {needed * micro} samples a rollout"
        ),
        stage=PARSE if refused else FIRST_STEP,
        proposal=Proposal(f"Write {name} {even or best}", UNSAFE, put(launch, "rollout.micro_batch_size", even or best))
        if best
        else None,
    )


@rule(
    "OR306",
    "uneven-chunks",
    severity=WARNING,
    stage=FIRST_STEP,
    programs=PPO,
    applies=">=0.7.1",
    fix="unsafe",
)
def uneven_chunks(launch: TrainPPORay) -> Iterator[Draft]:
    """The micro batches of a rollout have to be the same number for every process of a model.

    What happens: some processes get fewer than others or none. Those that train take a different number of steps, and
    the ones with more wait for the others in the next collective operation, without a message.

    Why: micro batches are dealt out in pieces of the rounded-up quotient, so that the last processes go short
    (async_run_method_batch in trainer/ray/launcher.py@0.7.1, @0.11.2). Dynamic batches are made in a number that
    fits. Models that only compute, reference and reward model, need the same number where ZeRO-3 gathers their weights.

    Example:
        --rollout.batch_size 100 --rollout.n_samples_per_prompt 1 --rollout.micro_batch_size 2 --train.batch_size 100
        --actor.num_gpus_per_node 8 --algo.advantage.estimator reinforce

    Use instead:
        --rollout.batch_size 96 --rollout.n_samples_per_prompt 1 --rollout.micro_batch_size 2 --train.batch_size 96
        --actor.num_gpus_per_node 8 --algo.advantage.estimator reinforce
    """
    if launch.rollout.micro_batch_size <= 0 or launch.train.dynamic_batch_enable:
        return
    pieces, duplicates = batches.chunks(launch), roles.duplicates(launch)
    wrong: list[Crew] = []
    missing: Undetermined | None = None
    try:
        for crew in batches.crews(launch):
            at_once = batches.parallel(crew.gpus, duplicates)
            if at_once <= 0 or pieces < at_once or pieces % at_once == 0:
                continue
            if crew.trains or launch.ds.zero_stage == 3:
                wrong.append(crew)
    except Undetermined as undetermined:
        missing = undetermined
    if wrong:
        yield _uneven(launch, wrong, pieces, duplicates)
    elif missing is not None:
        raise missing


def _for_all(launch: TrainPPORay, duplicates: int) -> int:
    """The number of micro batches, and its multiples, that spreads evenly over every crew it matters for."""
    stage = launch.ds.zero_stage
    at_once = [batches.parallel(crew.gpus, duplicates) for crew in batches.crews(launch) if crew.trains or stage == 3]
    return lcm(*filter(None, at_once))


def _uneven(launch: TrainPPORay, wrong: list[Crew], pieces: int, duplicates: int) -> Draft:
    spelt = launch.session.spelling
    of_wrong = lcm(*(batches.parallel(crew.gpus, duplicates) for crew in wrong))
    even = if_known(lambda: _for_all(launch, duplicates)) or of_wrong
    prompts = _prompts_for(launch, even)
    over = " and ".join(
        f"the {batches.parallel(gpus, duplicates)} that work at a time on {said} "
        f"({_dealt(pieces, batches.parallel(gpus, duplicates))})"
        for gpus, said in batches.by_size(wrong).items()
    )
    return launch.finding(
        "rollout.batch_size",
        "rollout.micro_batch_size",
        *(setting for crew in wrong for setting in crew.settings),
        message=(
            f"{pieces} micro batches of a rollout do not spread evenly over {over}: those with more wait for the others"
        ),
        help=(
            f"make samples ÷ {spelt('rollout.micro_batch_size')} a multiple of {even}"
            + (f", with {spelt('rollout.batch_size')} {batches.alternatives(prompts)}" if prompts else "")
        ),
        proposal=_spreading(launch, prompts[-1]) if prompts else None,
    )


def _spreading(launch: TrainPPORay, prompts: int) -> Proposal | None:
    """Another number of prompts, with a batch of the whole rollout if it was one; None if a part would be left over."""
    made, batch = prompts * launch.rollout.n_samples_per_prompt, if_known(lambda: launch.train.batch_size)
    sizes = {"rollout.batch_size": prompts}
    if batch == batches.samples(launch):
        sizes["train.batch_size"] = made
    elif batch is not None and batch > 0 and made % batch:
        return None
    title = " and ".join(f"{launch.session.spelling(name)} {size}" for name, size in sizes.items())
    changes = [change for name, size in sizes.items() for change in put(launch, name, size)]
    return Proposal(f"Write {title}", UNSAFE, tuple(changes))


def _dealt(pieces: int, at_once: int) -> str:
    """How many micro batches the processes get."""
    each = -(-pieces // at_once)
    return f"the first get {each}, the last {max(pieces - each * (at_once - 1), 0)}"


def _prompts_for(launch: TrainPPORay, at_once: int) -> tuple[int, ...]:
    """The numbers of prompts next to the one asked for whose samples make a multiple of `at_once` micro batches."""
    whole, each = launch.rollout.micro_batch_size * at_once, launch.rollout.n_samples_per_prompt
    if each <= 0:
        return ()

    return batches.nearest(launch.rollout.batch_size, whole // gcd(whole, each))
