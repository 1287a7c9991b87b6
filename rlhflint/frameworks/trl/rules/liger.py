"""Liger's fused losses, and what they cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rlhflint.frameworks.trl.conflicts import conflicts
from rlhflint.frameworks.trl.fused_losses import DPO_CONFLICTS, GRPO_CONFLICTS, KTO_CONFLICTS, SFT_CONFLICTS
from rlhflint.frameworks.trl.programs import DPO, GRPO, KTO, SFT
from rlhflint.frameworks.trl.proposals import put
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.kto import KTOModel
    from rlhflint.frameworks.trl.models.sft import SFTModel

KERNEL, OLD = "use_liger_kernel", "use_liger_loss"
_TABLES = {DPO: DPO_CONFLICTS, GRPO: GRPO_CONFLICTS, KTO: KTO_CONFLICTS, SFT: SFT_CONFLICTS}


@rule(
    "TR216",
    "liger-combination",
    severity=ERROR,
    stage=STARTUP,
    programs=(DPO, GRPO, KTO, SFT),
    applies=">=0.17.0",
    fix="unsafe",
)
def liger_combination(launch: DPOModel | GRPOModel | KTOModel | SFTModel) -> Iterator[Draft]:
    """Liger's fused losses go with some options only.

    What happens: ValueError or NotImplementedError when the configuration or the trainer is built. GRPO with vLLM runs
    before 0.29, but with gradients about a hundred times too large, since the loss leaves out the correction for what
    vLLM sampled.

    Why: they compute the loss without writing the logits out (trainer/dpo_trainer.py@0.29.0, @1.10.0,
    trainer/grpo_trainer.py@0.20.0, @0.29.0, trainer/kto_trainer.py@0.24.0, trainer/sft_trainer.py@1.4.0). Before 0.25
    the option of DPO, GRPO and KTO is use_liger_loss.

    Example:
        # trl 1.0.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", use_liger_kernel=True, precompute_ref_log_probs=True)

    Use instead:
        # trl 1.0.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", precompute_ref_log_probs=True)
    """
    program = launch.session.launch.program
    name = KERNEL if program == SFT or launch.session.since("0.25.0") else OLD
    if not getattr(launch, name):
        return
    if program == GRPO and not launch.session.since("0.29.0") and _uncorrected(launch):
        yield launch.finding(
            name,
            "use_vllm",
            message=f"{name} with vLLM: the fused loss of TRL {launch.session.release} leaves out the importance "
            "sampling correction, and the gradient norm grows about a hundredfold",
            help=f"leave {name} out, or use TRL 0.29 or later",
            severity=ADVICE,
            stage=SILENT,
            proposal=put(launch, name, False),
        )
    for one in conflicts(launch, _TABLES[program]):
        yield launch.finding(
            name,
            one.setting,
            message=f"{name} with {one.says}: TRL {launch.session.release} refuses that",
            help=f"leave {name} out, or {one.setting}",
            proposal=put(launch, name, False),
        )


def _uncorrected(launch: Any) -> bool:
    option = "vllm_importance_sampling_correction"
    return bool(launch.session.has(option) and launch.use_vllm and getattr(launch, option))


@rule(
    "TR225",
    "mask-dropped-by-liger",
    severity=WARNING,
    stage=SILENT,
    programs=SFT,
    applies=">=0.18.0,<0.22.0",
    fix="unsafe",
)
def mask_dropped_by_liger(launch: SFTModel) -> Iterator[Draft]:
    """Loss on answers alone does not go with Liger's kernel in 0.18 to 0.21.

    What happens: the loss is taken on all tokens, without a word.

    Why: the column of the mask is dropped before the loss: completion_mask in 0.18.0 to 0.19.1, assistant_masks in
    0.19.0 to 0.21.0 (trainer/sft_trainer.py@0.19.0).

    Example:
        # trl 0.19.1, transformers 4.52.4
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", use_liger_kernel=True, assistant_only_loss=True)

    Use instead:
        # trl 0.19.1, transformers 4.52.4
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", assistant_only_loss=True)
    """
    if not launch.use_liger_kernel:
        return
    since = launch.session.since
    wrong = None
    if since("0.19.0") and launch.assistant_only_loss:
        wrong = "assistant_only_loss"
    elif not since("0.20.0") and launch.completion_only_loss:
        wrong = "completion_only_loss"
    if wrong is not None:
        yield launch.finding(
            wrong,
            KERNEL,
            message=f"{KERNEL} with {wrong}: TRL {launch.session.release} drops the mask and takes the loss on all "
            "tokens, without a word",
            help=f"leave {KERNEL} out, or use TRL 0.22 or later",
            proposal=put(launch, KERNEL, False),
        )
