"""Options of GRPO and RLOO that do not go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rlhflint.frameworks.trl.policy import load_option, makers, shipped
from rlhflint.frameworks.trl.programs import GENERATING, GRPO, RLOO
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.frameworks.trl.session import Present
from rlhflint.frameworks.trl.vllm import COLOCATE, mode
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel

LEVEL, LOSS = "importance_sampling_level", "loss_type"
_TOKEN_WISE = ("bnpo", "dr_grpo", "dapo", "cispo")
FUNCTIONS = "reward_funcs"


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


@rule(
    "TR229", "loss-and-sampling-level", severity=WARNING, stage=SILENT, programs=GRPO, applies=">=0.26.0", fix="unsafe"
)
def loss_and_sampling_level(launch: GRPOModel) -> Iterator[Draft]:
    """Losses of whole answers want ratios of whole answers, losses of tokens ratios of tokens.

    What happens: a warning in the log at most, and another loss than the paper's. vespo with vLLM and the default
    vllm_importance_sampling_mode, and sapo without a temperature, are refused when the trainer is built.

    Why: luspo weighs sequences, vespo tokens; from 1.7 on upstream warns of importance_sampling_level "sequence" with
    bnpo, dr_grpo, dapo and cispo (trainer/grpo_trainer.py@0.28.0, @1.0.0, @1.7.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", importance_sampling_level="sequence")

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", importance_sampling_level="sequence", loss_type="grpo")
    """
    loss, level, release = launch.loss_type, launch.importance_sampling_level, launch.session.release
    wanted = {"luspo": "sequence", "vespo": "token"}.get(loss)
    if wanted is not None and level != wanted:
        yield launch.finding(
            LEVEL if launch.given(LEVEL) else LOSS,
            LOSS,
            LEVEL,
            message=f'the loss {loss} is made for {LEVEL} "{wanted}", and it is "{level}"',
            help=f'set {LEVEL}="{wanted}"',
            proposal=put(launch, LEVEL, wanted),
        )
    if level == "sequence" and loss in _TOKEN_WISE and launch.session.since("1.7.0"):
        default = "" if launch.given(LOSS) else " (the default)"
        yield launch.finding(
            LEVEL,
            LOSS,
            message=f'{LEVEL} "sequence" with the loss {loss}{default}, which averages over tokens: long answers weigh '
            "more than the ratio of their sequence should",
            help='set loss_type="grpo" or "luspo"',
            proposal=put(launch, LOSS, "grpo"),
        )
    if loss == "vespo" and launch.use_vllm and launch.vllm_importance_sampling_correction:
        used = launch.vllm_importance_sampling_mode
        if not used.startswith("token_"):
            yield launch.finding(
                LOSS,
                "vllm_importance_sampling_mode",
                message=f'the loss vespo with vLLM needs a vllm_importance_sampling_mode of tokens, not "{used}": TRL '
                f"{release} refuses that",
                help='set vllm_importance_sampling_mode="token_truncate"',
                severity=ERROR,
                stage=STARTUP,
                proposal=put(launch, "vllm_importance_sampling_mode", "token_truncate"),
            )


@rule("TR230", "eight-bit-colocate", severity=ERROR, stage=STARTUP, programs=GENERATING, applies=">=0.26.0")
def eight_bit_colocate(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """A model in 8 bits cannot be handed to vLLM in the same process.

    What happens: ValueError when the trainer is built.

    Why: vLLM cannot take over weights of bitsandbytes in 8 bits (trainer/grpo_trainer.py@0.26.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl grpo --model_name_or_path m --dataset_name d --load_in_8bit --use_peft --use_vllm --vllm_mode colocate

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl grpo --model_name_or_path m --dataset_name d --load_in_4bit --use_peft --use_vllm --vllm_mode colocate
    """
    if mode(launch) == COLOCATE and _eight_bit(launch):
        yield launch.finding(
            "load_in_8bit" if shipped(launch) else "model",
            "vllm_mode",
            message=f"a model in 8 bits with vLLM in the same process: TRL {launch.session.release} refuses that",
            help="load it in 4 bits or 16, or run vLLM as a server",
        )


def _eight_bit(launch: GRPOModel | RLOOModel) -> bool:
    if shipped(launch):
        return launch.load_in_8bit
    if load_option(launch, "load_in_8bit") is True:
        return True
    quantised = load_option(launch, "quantization_config")
    return any(
        one.name == "load_in_8bit" and one.value == Known(True) for call in makers(quantised) for one in call.arguments
    )


@rule("TR262", "missing-eos-penalty-ignored", severity=WARNING, stage=SILENT, programs=RLOO, applies=">=0.22.0,<0.25.0")
def missing_eos_penalty_ignored(launch: RLOOModel) -> Iterator[Draft]:
    """RLOO has no penalty for answers without an end any more.

    What happens: it is accepted and has no effect.

    Why: the trainer was written anew; the old option is taken and dropped with a warning
    (trainer/rloo_config.py@0.22.2).

    Example:
        # trl 0.22.2, transformers 4.56.2
        from trl import RLOOConfig

        args = RLOOConfig(output_dir="out", missing_eos_penalty=1.0)

    Use instead:
        # trl 0.22.2, transformers 4.56.2
        from trl import RLOOConfig

        args = RLOOConfig(output_dir="out", mask_truncated_completions=True)
    """
    if launch.session.setting("missing_eos_penalty") is not None:
        yield launch.finding(
            "missing_eos_penalty",
            message=f"missing_eos_penalty has no effect at TRL {launch.session.release}: RLOO drops it",
            help="mask_truncated_completions=True leaves answers without an end out of the loss",
            proposal=remove(launch, "missing_eos_penalty"),
        )


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
    if given is not None and launch.session.environment("TRL_EXPERIMENTAL_SILENCE") != "1":
        yield launch.finding(
            given,
            message=f"{given} is experimental at TRL {launch.session.release} and may change without notice",
            help='TRL_EXPERIMENTAL_SILENCE="1" silences the warning; other values do not',
        )
