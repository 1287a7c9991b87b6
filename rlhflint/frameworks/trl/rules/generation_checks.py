"""What the configurations of trainers that generate check of their own options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.programs import DISTILLATION, GROUPED, GRPO, RLOO
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.sharding import parallel_size
from rlhflint.rule import ERROR, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.distillation import DistillationModel
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel

_DERIVED = tuple(program for program in GROUPED if program != RLOO)
"""GRPO, and what is derived from it."""


@rule("TR238", "auto-find-batch-size", severity=ERROR, stage=STARTUP, programs=GROUPED, applies=">=1.9.0")
def auto_find_batch_size(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """Groups of answers need a batch that stays as it is.

    What happens: ValueError when the configuration is built.

    Why: a batch that is halved after an out-of-memory error need not hold whole groups (trainer/grpo_config.py@1.9.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", auto_find_batch_size=True)

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", per_device_train_batch_size=4, gradient_accumulation_steps=2)
    """
    if launch.auto_find_batch_size:
        yield launch.finding(
            "auto_find_batch_size",
            message=f"auto_find_batch_size: TRL {launch.session.release} refuses it for groups of answers",
            help="leave it out and set per_device_train_batch_size",
        )


@rule(
    "TR239", "context-parallel", severity=ERROR, stage=STARTUP, programs=(GRPO, RLOO, DISTILLATION), applies=">=1.4.0"
)
def context_parallel(launch: GRPOModel | RLOOModel | DistillationModel) -> Iterator[Draft]:
    """Trainers that generate do not divide sequences among processes.

    What happens: ValueError when the configuration is built.

    Why: batches are made inside the trainer, behind the place where sequences would be divided
    (trainer/grpo_config.py@1.4.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", parallelism_config={"cp_size": 2})

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out")
    """
    given = launch.parallelism_config
    if given is None:
        return
    sizes = {name: parallel_size(given, name) for name in ("cp_size", "sp_size")}
    wrong = [f"{name} {size}" for name, size in sizes.items() if size > 1]
    if wrong:
        yield launch.finding(
            "parallelism_config",
            message=f"parallelism_config with {' and '.join(wrong)}: TRL {launch.session.release} refuses that",
            help="set cp_size and sp_size to 1",
        )


@rule(
    "TR240",
    "completions-repo-without-log",
    severity=ERROR,
    stage=STARTUP,
    programs=_DERIVED,
    applies=">=0.28.0",
    fix="unsafe",
)
def completions_repo_without_log(launch: GRPOModel) -> Iterator[Draft]:
    """Completions are uploaded only where they are logged.

    What happens: ValueError when the configuration is built.

    Why: trainer/grpo_config.py@0.28.0.

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", log_completions_hub_repo="org/completions")

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", log_completions_hub_repo="org/completions", log_completions=True)
    """
    if launch.log_completions_hub_repo is not None and not launch.log_completions:
        yield launch.finding(
            "log_completions_hub_repo",
            "log_completions",
            message=f"log_completions_hub_repo without log_completions: TRL {launch.session.release} refuses that",
            help="set log_completions=True",
            proposal=put(launch, "log_completions", True),
        )


@rule("TR241", "importance-clip-bounds", severity=ERROR, stage=STARTUP, programs=_DERIVED, applies=">=1.6.0")
def importance_clip_bounds(launch: GRPOModel) -> Iterator[Draft]:
    """The lower bound of vLLM's importance ratios is below the upper one.

    What happens: ValueError when the configuration is built.

    Why: trainer/grpo_config.py@1.6.0.

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(
            output_dir="out", vllm_importance_sampling_clip_min=2.0, vllm_importance_sampling_clip_max=1.5
        )

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(
            output_dir="out", vllm_importance_sampling_clip_min=0.5, vllm_importance_sampling_clip_max=1.5
        )
    """
    low, high = launch.vllm_importance_sampling_clip_min, launch.vllm_importance_sampling_clip_max
    names = ("vllm_importance_sampling_clip_min", "vllm_importance_sampling_clip_max")
    if low is not None and high is not None and low >= high:
        yield launch.finding(
            *names,
            message=f"the lower bound {low} is not below the upper bound {high}: TRL {launch.session.release} refuses "
            "that",
        )
    if low is None and high is None and launch.vllm_importance_sampling_mode.endswith("_truncate"):
        yield launch.finding(
            "vllm_importance_sampling_mode",
            *names,
            message=f"vllm_importance_sampling_mode {launch.vllm_importance_sampling_mode} with both bounds None has "
            f"nothing to cut: TRL {launch.session.release} refuses that",
            help="give vllm_importance_sampling_clip_max",
        )
