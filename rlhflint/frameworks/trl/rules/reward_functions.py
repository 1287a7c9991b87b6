"""Reward functions of GRPO and RLOO, and rollouts and environments of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rlhflint.frameworks.trl.policy import shipped
from rlhflint.frameworks.trl.programs import GENERATING, GRPO
from rlhflint.frameworks.trl.session import Present, details_of
from rlhflint.rule import ADVICE, ERROR, STARTUP, Draft, rule
from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel

FUNCTIONS = "reward_funcs"
_SILENCE = "TRL_EXPERIMENTAL_SILENCE"


@rule("TR228", "reward-lists-length", severity=ERROR, stage=STARTUP, programs=GENERATING, applies=">=0.14.0")
def reward_lists_length(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """Each reward function has one weight, and one processing class where any is given.

    What happens: ValueError "Number of reward weights … must match number of reward functions" when the trainer is
    built.

    Why: the lists are paired (trainer/grpo_trainer.py@0.15.0, @0.14.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import GRPOConfig, GRPOTrainer

        def right(completions, **kwargs):
            return [1.0] * len(completions)

        def short(completions, **kwargs):
            return [0.0] * len(completions)

        args = GRPOConfig(output_dir="out", reward_weights=[1.0])
        trainer = GRPOTrainer("m", reward_funcs=[right, short], args=args, train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import GRPOConfig, GRPOTrainer

        def right(completions, **kwargs):
            return [1.0] * len(completions)

        def short(completions, **kwargs):
            return [0.0] * len(completions)

        args = GRPOConfig(output_dir="out", reward_weights=[1.0, 0.2])
        trainer = GRPOTrainer("m", reward_funcs=[right, short], args=args, train_dataset=None)
    """
    weights = launch.reward_weights if launch.session.since("0.15.0") else None
    classes = None if shipped(launch) else launch.reward_processing_classes
    if weights is None and classes is None:
        return
    count = _count(launch.reward_funcs)
    if weights is not None and len(weights) != count:
        yield launch.finding(
            "reward_weights",
            FUNCTIONS,
            message=f"{len(weights)} of reward_weights for {count} of {FUNCTIONS}: TRL {launch.session.release} "
            "refuses that",
            help="give one weight for each function, or leave reward_weights out: each counts 1 then",
        )
    if classes is not None and (given := _listed(classes)) is not None and given != count:
        yield launch.finding(
            "reward_processing_classes",
            FUNCTIONS,
            message=f"{given} of reward_processing_classes for {count} of {FUNCTIONS}: TRL {launch.session.release} "
            "refuses that",
            help="give one for each function, None for those that are no models",
        )


def _count(functions: object) -> int:
    """How many reward functions are given: a list of them, or one."""
    if functions is None:
        raise Undetermined(FUNCTIONS, "none is given here")
    number = _listed(functions)
    return 1 if number is None else number


def _listed(given: object) -> int | None:
    """The length of a list, None for something else. Raises `Undetermined` where it is not known."""
    if isinstance(given, (list, tuple)):
        return len(given)
    argument = given.argument if isinstance(given, Present) else None
    if argument is None or argument.made is not None or argument.named is not None:
        return None
    if argument.items and argument.complete and not isinstance(argument.value, Known):
        return len(argument.items)
    raise Undetermined(FUNCTIONS, "how many there are is not known")


@rule("TR265", "tools-without-data", severity=ADVICE, stage=STARTUP, programs=GRPO, applies=">=0.25.0")
def tools_without_data(launch: GRPOModel) -> Iterator[Draft]:
    """Rollouts and environments of your own are experimental, and environments by name need data.

    What happens: a warning that the feature may change; a dictionary of environments without train_dataset is refused
    from 1.9 on.

    Why: the warning goes away with TRL_EXPERIMENTAL_SILENCE=1, and with no other value (trainer/grpo_trainer.py@0.25.0,
    @1.9.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig, GRPOTrainer

        def rollout(prompts, trainer):
            return {}

        trainer = GRPOTrainer("m", reward_funcs=len, args=GRPOConfig(output_dir="out"), rollout_func=rollout)

    Use instead:
        # trl 1.9.0
        import os
        from trl import GRPOConfig, GRPOTrainer

        trainer = GRPOTrainer("m", reward_funcs=len, args=GRPOConfig(output_dir="out"), train_dataset=None)
    """
    if shipped(launch):
        return
    environments: Any = launch.environment_factory
    if isinstance(environments, dict) and launch.session.since("1.9.0") and launch.train_dataset is None:
        yield launch.finding(
            "environment_factory",
            "train_dataset",
            message=f"environment_factory by name without train_dataset: TRL {launch.session.release} refuses that",
            help="pass a data set that names the environment of each row",
            severity=ERROR,
        )
    given = next((name for name in ("rollout_func", "environment_factory") if getattr(launch, name) is not None), None)
    if given is not None and not _silenced(launch):
        yield launch.finding(
            given,
            message=f"{given} is experimental at TRL {launch.session.release} and may change without notice",
            help='TRL_EXPERIMENTAL_SILENCE="1" silences the warning; other values do not',
        )


def _silenced(launch: GRPOModel) -> bool:
    """Whether the variable that silences the warning has the one value that does, in the shell or in the script."""
    own = [one.value for one in details_of(launch).variables if one.name == _SILENCE]
    if not own:
        return launch.session.environment(_SILENCE) == "1"
    if isinstance(own[-1], Known):
        return own[-1].value == "1"
    raise Undetermined(_SILENCE, own[-1].because)
