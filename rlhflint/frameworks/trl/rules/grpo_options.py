"""Options of GRPO and RLOO that do not go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import load_option, makers, shipped
from rlhflint.frameworks.trl.programs import GENERATING, GRPO, RLOO
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.frameworks.trl.vllm import COLOCATE, mode
from rlhflint.rule import ERROR, FIRST_STEP, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel

LEVEL, LOSS = "importance_sampling_level", "loss_type"
_TOKEN_WISE = ("bnpo", "dr_grpo", "dapo", "cispo")


@rule(
    "TR229", "loss-and-sampling-level", severity=WARNING, stage=SILENT, programs=GRPO, applies=">=0.26.0", fix="unsafe"
)
def loss_and_sampling_level(launch: GRPOModel) -> Iterator[Draft]:
    """Losses of whole answers want ratios of whole answers, losses of tokens ratios of tokens.

    What happens: a warning in the log at most, and another loss than the paper's. vespo with vLLM and the default
    vllm_importance_sampling_mode, and sapo without a temperature, are refused when the trainer is built; from 0.29 on
    the latter breaks off in the first step.

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
    temperatures = ("sapo_temperature_neg", "sapo_temperature_pos")
    given = [one for one in map(launch.session.setting, temperatures) if loss == "sapo" and one is not None]
    missing = [one.name.lstrip("-") for one in given if one.value == Known(None)]
    if missing:
        refused = not launch.session.since("0.29.0")
        does = "refuses that" if refused else "breaks off in the first step"
        yield launch.finding(
            missing[0],
            LOSS,
            message=f"the loss sapo with {' and '.join(missing)} None: TRL {release} {does}",
            help="leave the temperatures at their defaults",
            severity=ERROR,
            stage=STARTUP if refused else FIRST_STEP,
            proposal=remove(launch, missing[0]),
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
