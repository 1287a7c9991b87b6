"""Options of transformers' TrainingArguments that do not go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from packaging.version import Version as Release

from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.proposal import SAFE
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.shared import TrainerModel
    from rlhflint.model import ProgramModel

_NO = "no"


def _trains(launch: ProgramModel) -> bool:
    """Whether the program takes the options of transformers' TrainingArguments."""
    return "eval_strategy" in type(launch).model_fields


@rule("TR249", "half-precision-both", severity=ERROR, stage=STARTUP, programs=EVERY, fix="unsafe")
def half_precision_both(launch: TrainerModel) -> Iterator[Draft]:
    """fp16 and bf16 exclude each other.

    What happens: ValueError "At most one of fp16 and bf16 can be True" when the configuration is built.

    Why: one precision is used for the whole training (transformers/training_args.py@4.56.2). bf16 is on by default
    from TRL 0.19 on unless fp16 is.

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", fp16=True, bf16=True)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", bf16=True)
    """
    if not _trains(launch):
        return
    for one, other in (("fp16", "bf16"), ("fp16_full_eval", "bf16_full_eval")):
        if getattr(launch, one) and getattr(launch, other):
            yield launch.finding(
                one,
                other,
                message=f"{one} and {other} are both true: transformers refuses that",
                help=f"keep {other} on GPUs that have it (Ampere and later), {one} on older ones",
                proposal=remove(launch, one),
            )


@rule("TR250", "evaluation-schedule", severity=ERROR, stage=STARTUP, programs=EVERY)
def evaluation_schedule(launch: TrainerModel) -> Iterator[Draft]:
    """Evaluation, logging and saving in steps have a number of steps.

    What happens: ValueError when the configuration or the optimizer's schedule is built.

    Why: transformers/training_args.py@4.56.2: evaluation in steps takes logging_steps where eval_steps is not given;
    numbers above 1 are whole; reduce_lr_on_plateau needs a metric.

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", eval_strategy="steps", logging_steps=0)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", eval_strategy="steps", eval_steps=100)
    """
    if not _trains(launch):
        return
    strategy = launch.eval_strategy
    if strategy == "steps" and not launch.eval_steps and launch.logging_steps == 0:
        yield launch.finding(
            "eval_strategy",
            "eval_steps",
            "logging_steps",
            message='eval_strategy "steps" without eval_steps, and logging_steps is 0: transformers refuses that',
            help="give eval_steps",
        )
    logged = launch.logging_strategy
    if logged == "steps" and launch.logging_steps == 0:
        yield launch.finding(
            "logging_steps",
            "logging_strategy",
            message='logging_strategy is "steps" and logging_steps 0: transformers refuses that',
            help='set logging_strategy="no" to log nothing',
        )
    schedules = (("eval_steps", strategy), ("save_steps", launch.save_strategy), ("logging_steps", logged))
    for name, strategies in schedules:
        steps = getattr(launch, name)
        if strategies == "steps" and steps is not None and steps > 1 and steps != int(steps):
            yield launch.finding(
                name,
                message=f"{name} is {steps}: above 1 it counts steps and has to be whole",
                help="below 1 it is a share of all steps",
            )
    if launch.lr_scheduler_type == "reduce_lr_on_plateau" and strategy == _NO:
        yield launch.finding(
            "lr_scheduler_type",
            "eval_strategy",
            message='lr_scheduler_type "reduce_lr_on_plateau" without evaluation: transformers refuses that',
            help='set eval_strategy="steps"',
        )


@rule("TR251", "best-model-schedule", severity=ERROR, stage=STARTUP, programs=EVERY, fix="unsafe")
def best_model_schedule(launch: TrainerModel) -> Iterator[Draft]:
    """To load the best model at the end, models are saved when they are evaluated.

    What happens: ValueError "--load_best_model_at_end requires the save and eval strategy to match" when the
    configuration is built.

    Why: transformers/training_args.py@4.56.2. save_strategy "best" (4.48 and later) needs no match.

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", load_best_model_at_end=True, eval_strategy="epoch", save_strategy="steps")

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", load_best_model_at_end=True, eval_strategy="epoch", save_strategy="epoch")
    """
    if not _trains(launch) or not launch.load_best_model_at_end:
        return
    evaluates, saves = launch.eval_strategy, launch.save_strategy
    if saves == "best":
        return
    if evaluates != saves:
        yield launch.finding(
            "load_best_model_at_end",
            "save_strategy",
            "eval_strategy",
            message=f'load_best_model_at_end with save_strategy "{saves}" and eval_strategy "{evaluates}": '
            "transformers refuses strategies that differ",
            help=f'set both to "{saves if evaluates == _NO else evaluates}"',
            proposal=put(launch, "save_strategy", evaluates) if evaluates != _NO else None,
        )
    elif evaluates == "steps":
        every = launch.eval_steps or launch.logging_steps
        if every and launch.save_steps >= 1 and every >= 1 and launch.save_steps % every != 0:
            best = max(round(launch.save_steps / every), 1) * every
            yield launch.finding(
                "save_steps",
                "eval_steps",
                "load_best_model_at_end",
                message=f"save_steps {launch.save_steps:g} is no multiple of eval_steps {every:g}, which "
                "load_best_model_at_end needs: transformers refuses that",
                help=f"set save_steps to {best:g}",
                proposal=put(launch, "save_steps", int(best)),
            )


@rule("TR252", "loader-options", severity=ERROR, stage=STARTUP, programs=EVERY, fix="safe")
def loader_options(launch: TrainerModel) -> Iterator[Draft]:
    """Batches are fetched ahead by workers.

    What happens: ValueError "--dataloader_prefetch_factor can only be set when data is loaded in a different process"
    when the configuration is built.

    Why: without workers nobody fetches ahead (transformers/training_args.py@4.56.2).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", dataloader_prefetch_factor=2)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", dataloader_prefetch_factor=2, dataloader_num_workers=4)
    """
    if not _trains(launch):
        return
    if launch.dataloader_prefetch_factor is not None and launch.dataloader_num_workers == 0:
        yield launch.finding(
            "dataloader_prefetch_factor",
            "dataloader_num_workers",
            message="dataloader_prefetch_factor without workers: transformers refuses that",
            help="give dataloader_num_workers, or leave dataloader_prefetch_factor out",
            proposal=remove(launch, "dataloader_prefetch_factor", SAFE),
        )


@rule("TR253", "warmup-twice", severity=WARNING, stage=SILENT, programs=EVERY, fix="unsafe")
def warmup_twice(launch: TrainerModel) -> Iterator[Draft]:
    """The warm-up is given as a share or as a number of steps.

    What happens: up to transformers 4.57 warmup_ratio is ignored where warmup_steps is above 0; a ratio outside [0, 1]
    is refused.

    Why: transformers/training_args.py@4.56.2.

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", warmup_ratio=0.1, warmup_steps=100)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", warmup_ratio=0.1)
    """
    if not _trains(launch) or not launch.given("warmup_ratio"):
        return
    ratio = launch.warmup_ratio
    if ratio is None:
        return
    if not 0 <= ratio <= 1:
        yield launch.finding(
            "warmup_ratio",
            message=f"warmup_ratio is {ratio}: transformers refuses what is not between 0 and 1",
            help="a number of steps is given as warmup_steps",
            severity=ERROR,
            stage=STARTUP,
            proposal=None,
        )
    elif ratio > 0 and launch.warmup_steps > 0 and _transformers(launch) < Release("5.0.0"):
        yield launch.finding(
            "warmup_ratio",
            "warmup_steps",
            message=f"warmup_ratio {ratio} is ignored: warmup_steps {launch.warmup_steps:g} counts",
            help="leave one of them out",
            proposal=remove(launch, "warmup_ratio"),
        )


def _transformers(launch: TrainerModel) -> Release:
    return Release(launch.session.version("transformers").value)
