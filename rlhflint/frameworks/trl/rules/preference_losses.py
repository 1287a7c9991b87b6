"""Losses of DPO, and what goes with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.fused_losses import losses
from rlhflint.frameworks.trl.programs import DPO
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel

LOSS, WEIGHTS, SMOOTHING, DIVERGENCE = "loss_type", "loss_weights", "label_smoothing", "f_divergence_type"
_SMOOTHED = ("sigmoid", "exo_pair", "robust", "aot", "aot_unpaired", "aot_pair")
_DIVERGING = ("sigmoid", "sigmoid_norm", "hinge", "ipo", "exo_pair", "robust", "discopop", "sft")


@rule("TR213", "loss-weights-length", severity=ERROR, stage=STARTUP, programs=DPO, applies=">=0.20.0")
def loss_weights_length(launch: DPOModel) -> Iterator[Draft]:
    """Each loss has one weight.

    What happens: ValueError "Length of loss_weights list … must match number of loss types" when the configuration is
    built.

    Why: losses and weights are paired (trainer/dpo_config.py@0.20.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type=["sigmoid", "bco_pair"], loss_weights=[1.0])

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type=["sigmoid", "bco_pair"], loss_weights=[1.0, 0.2])
    """
    weights = launch.loss_weights
    if weights is None:
        return
    names = losses(launch)
    if len(weights) != len(names):
        yield launch.finding(
            WEIGHTS,
            LOSS,
            message=f"{len(weights)} of {WEIGHTS} for {len(names)} of {LOSS} ({', '.join(names)}): TRL "
            f"{launch.session.release} refuses that",
            help="give one weight for each loss, or leave loss_weights out: each counts 1 then",
        )


@rule("TR211", "label-smoothing-ignored", severity=WARNING, stage=SILENT, programs=DPO, fix="unsafe")
def label_smoothing_ignored(launch: DPOModel) -> Iterator[Draft]:
    """Label smoothing is for losses that use it.

    What happens: it has no effect; up to 0.28 a warning in the log says so, from 0.29 on nothing does.

    Why: sigmoid, exo_pair, robust, aot and aot_unpaired use it, no other loss (trainer/dpo_trainer.py@0.28.0, @1.9.0).

    Example:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type="ipo", label_smoothing=0.1)

    Use instead:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type="sigmoid", label_smoothing=0.1)
    """
    if launch.label_smoothing <= 0:
        return
    names = losses(launch)
    if not any(name in _SMOOTHED for name in names):
        quiet = ", without a word" if launch.session.since("0.29.0") else ""
        yield launch.finding(
            SMOOTHING,
            LOSS,
            message=f"{SMOOTHING} {launch.label_smoothing} has no effect on the loss {', '.join(names)} at TRL "
            f"{launch.session.release}{quiet}",
            help="sigmoid, exo_pair, robust, aot and aot_unpaired use it",
            proposal=remove(launch, SMOOTHING),
        )


@rule("TR212", "label-smoothing-range", severity=ERROR, stage=STARTUP, programs=DPO, applies=">=0.29.0", fix="unsafe")
def label_smoothing_range(launch: DPOModel) -> Iterator[Draft]:
    """exo_pair needs label smoothing above 0, robust below one half.

    What happens: ValueError for exo_pair with 0.0, the default, when the trainer is built; for robust outside [0, 0.5)
    a warning, and a loss that is not what it is meant to be.

    Why: exo_pair takes the logarithm of it; before 0.29 a small number was put in its place
    (trainer/dpo_trainer.py@0.29.0).

    Example:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type="exo_pair")

    Use instead:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type="exo_pair", label_smoothing=0.001)
    """
    names, release = losses(launch), launch.session.release
    if "exo_pair" in names and launch.label_smoothing == 0:
        yield launch.finding(
            LOSS,
            SMOOTHING,
            message=f"the loss exo_pair needs {SMOOTHING} above 0, which is {launch.label_smoothing}: TRL {release} "
            "refuses that",
            help=f"set {SMOOTHING}=0.001, which is what TRL used up to 0.28",
            proposal=put(launch, SMOOTHING, 0.001),
        )
    if "robust" in names and not 0 <= launch.label_smoothing < 0.5:
        yield launch.finding(
            SMOOTHING,
            LOSS,
            message=f"the loss robust wants {SMOOTHING} in [0, 0.5), not {launch.label_smoothing}",
            help="0.1 stands for one pair in ten with the wrong label",
            severity=WARNING,
            stage=SILENT,
            proposal=put(launch, SMOOTHING, 0.1),
        )


@rule("TR214", "divergence-with-loss", severity=ERROR, stage=STARTUP, programs=DPO, applies=">=0.14.0", fix="unsafe")
def divergence_with_loss(launch: DPOModel) -> Iterator[Draft]:
    """Another divergence than reverse_kl goes with losses of pairs of log-ratios only.

    What happens: ValueError when the trainer is built, from 1.10 on; before, the divergence has no effect on such a
    loss, without a word.

    Why: sigmoid, sigmoid_norm, hinge, ipo, exo_pair, robust, discopop and sft go through the divergence
    (trainer/dpo_trainer.py@1.10.0).

    Example:
        # trl 1.10.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type="apo_zero", f_divergence_type="js_divergence")

    Use instead:
        # trl 1.10.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type="sigmoid", f_divergence_type="js_divergence")
    """
    if not launch.given(DIVERGENCE) or launch.f_divergence_type in (None, "reverse_kl"):
        return
    wrong = [name for name in losses(launch) if name not in _DIVERGING]
    if wrong:
        refused = launch.session.since("1.10.0")
        yield launch.finding(
            DIVERGENCE,
            LOSS,
            message=f"{DIVERGENCE} {launch.f_divergence_type} with the loss {', '.join(wrong)}: TRL "
            f"{launch.session.release} " + ("refuses that" if refused else "ignores the divergence, without a word"),
            help=f"these losses take one: {', '.join(_DIVERGING)}",
            severity=ERROR if refused else WARNING,
            stage=STARTUP if refused else SILENT,
            proposal=remove(launch, DIVERGENCE),
        )


@rule("TR215", "weighting-with-aot", severity=ERROR, stage=STARTUP, programs=DPO, applies=">=0.29.0", fix="unsafe")
def weighting_with_aot(launch: DPOModel) -> Iterator[Draft]:
    """use_weighting does not go with the losses aot and aot_unpaired.

    What happens: NotImplementedError when the trainer is built.

    Why: these losses sort the batch, so that weights no longer belong to pairs (trainer/dpo_trainer.py@0.29.0).

    Example:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type="aot", use_weighting=True)

    Use instead:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", loss_type="sigmoid", use_weighting=True)
    """
    if not launch.use_weighting:
        return
    wrong = [name for name in losses(launch) if name in ("aot", "aot_unpaired")]
    if wrong:
        yield launch.finding(
            "use_weighting",
            LOSS,
            message=f"use_weighting with the loss {', '.join(wrong)}: TRL {launch.session.release} does not implement "
            "that",
            help="leave use_weighting out, or take another loss",
            proposal=remove(launch, "use_weighting"),
        )
