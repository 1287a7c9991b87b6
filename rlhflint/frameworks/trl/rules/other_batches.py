"""Batches and lengths of PPO, of distillation, and of trainers derived from GRPO."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.batches import divisors
from rlhflint.frameworks.trl.programs import DISTILLATION, GOLD, NASH_MD, ONLINE_DPO, PPO, XPO
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.session import details_of
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.gfpo import GFPOModel
    from rlhflint.frameworks.trl.models.gold import GOLDModel
    from rlhflint.frameworks.trl.models.online_dpo import OnlineDPOModel
    from rlhflint.frameworks.trl.models.ppo import PPOModel

GFPO, IW_OPD = "trl:gfpo", "trl:iw_opd"
B, A = "per_device_train_batch_size", "gradient_accumulation_steps"
_ONLINE = (ONLINE_DPO, NASH_MD, XPO)
_WHITENED = 8
_PARTITIONS = {GOLD: "1.0.0", IW_OPD: "1.10.0", DISTILLATION: "1.1.0"}


@rule("TR307", "ppo-batches", severity=ERROR, stage=STARTUP, programs=PPO, applies=">=0.9.3,<1.13.0", fix="unsafe")
def ppo_batches(launch: PPOModel) -> Iterator[Draft]:
    """The batch of PPO is cut into num_mini_batches equal parts.

    What happens: ValueError "`local_batch_size` must be a multiple of `num_mini_batches`" when the trainer is built;
    AssertionError where rewards are whitened in parts of fewer than 8 samples.

    Why: local_batch_size is per_device_train_batch_size × gradient_accumulation_steps, batch_size that times the
    processes (trainer/ppov2_trainer.py@0.9.3, trainer/ppo_trainer.py@0.12.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import PPOConfig

        args = PPOConfig(output_dir="out", per_device_train_batch_size=6, num_mini_batches=4)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import PPOConfig

        args = PPOConfig(output_dir="out", per_device_train_batch_size=8, num_mini_batches=4)
    """
    if not launch.session.since("0.12.0") and "v2" not in details_of(launch).config:
        return  # the older PPOTrainer has no such parts
    local = launch.per_device_train_batch_size * launch.gradient_accumulation_steps
    parts = launch.num_mini_batches
    if parts < 1:
        return
    if local % parts:
        works = [1, *divisors(local)]
        count = if_known(lambda: launch.session.world.total.number)
        yield launch.finding(
            "num_mini_batches",
            B,
            A,
            message=f"num_mini_batches {parts} does not divide {B} {launch.per_device_train_batch_size} × {A} "
            f"{launch.gradient_accumulation_steps} = {local}"
            + (f" on each of {count} processes" if count else "")
            + f": TRL {launch.session.release} refuses that",
            help=f"divisors of {local} work: {', '.join(map(str, works))}",
            proposal=put(launch, "num_mini_batches", max(one for one in works if one <= parts)),
        )
    elif launch.whiten_rewards and local // parts < _WHITENED:
        yield launch.finding(
            "whiten_rewards",
            B,
            "num_mini_batches",
            message=f"whiten_rewards with parts of {local // parts} samples: TRL {launch.session.release} wants at "
            f"least {_WHITENED}",
            help=f"make {B} × {A} ÷ num_mini_batches at least {_WHITENED}",
        )


@rule(
    "TR308",
    "distillation-batches",
    severity=ERROR,
    stage=STARTUP,
    programs=(GOLD, IW_OPD, DISTILLATION),
    applies=">=1.0.0",
)
def distillation_batches(launch: GOLDModel) -> Iterator[Draft]:
    """Prompts times answers make the batch of one optimizer step on each process.

    What happens: ValueError when the configuration is built.

    Why: generation_batch_size × num_generations has to be per_device_train_batch_size × gradient_accumulation_steps
    (experimental/gold/gold_config.py@1.0.0).

    Example:
        # trl 1.9.0
        from trl.experimental.gold import GOLDConfig

        args = GOLDConfig(
            output_dir="out", per_device_train_batch_size=4, gradient_accumulation_steps=2, num_generations=3
        )

    Use instead:
        # trl 1.9.0
        from trl.experimental.gold import GOLDConfig

        args = GOLDConfig(
            output_dir="out", per_device_train_batch_size=4, gradient_accumulation_steps=2, num_generations=4
        )
    """
    program = launch.session.launch.program
    if not launch.session.since(_PARTITIONS[program]) or not details_of(launch).config.startswith("experimental."):
        return
    local = launch.per_device_train_batch_size * launch.gradient_accumulation_steps
    group = launch.num_generations
    if group < 1:
        return
    prompts = launch.generation_batch_size or local // group
    if prompts * group != local:
        works = ", ".join(map(str, (1, *divisors(local))))
        yield launch.finding(
            "generation_batch_size" if launch.given("generation_batch_size") else "num_generations",
            "num_generations",
            B,
            A,
            message=f"{prompts} prompts × num_generations {group} are not {B} {launch.per_device_train_batch_size} × "
            f"{A} {launch.gradient_accumulation_steps} = {local}: TRL {launch.session.release} refuses that",
            help=f"num_generations can be {works}; leave generation_batch_size out",
        )


@rule("TR309", "gfpo-remains", severity=ERROR, stage=STARTUP, programs=GFPO, applies=">=0.24.0,<1.8.0")
def gfpo_remains(launch: GFPOModel) -> Iterator[Draft]:
    """GFPO keeps fewer answers of a group than it samples.

    What happens: ValueError when the configuration is built.

    Why: it drops the others (experimental/gfpo/gfpo_config.py@0.25.0).

    Example:
        # trl 1.0.0
        from trl.experimental.gfpo import GFPOConfig

        args = GFPOConfig(output_dir="out", num_generations=8, num_remains_in_group=8)

    Use instead:
        # trl 1.0.0
        from trl.experimental.gfpo import GFPOConfig

        args = GFPOConfig(output_dir="out", num_generations=8, num_remains_in_group=4)
    """
    kept, group = launch.num_remains_in_group, launch.num_generations
    if kept is not None and group is not None and kept >= group:
        yield launch.finding(
            "num_remains_in_group",
            "num_generations",
            message=f"num_remains_in_group {kept} is not below num_generations {group}: TRL {launch.session.release} "
            "refuses that",
        )


@rule(
    "TR310",
    "new-tokens-fill-context",
    severity=ERROR,
    stage=STARTUP,
    programs=(*_ONLINE, GOLD, IW_OPD, DISTILLATION),
    applies=">=0.24.0",
    fix="unsafe",
)
def new_tokens_fill_context(launch: OnlineDPOModel | GOLDModel) -> Iterator[Draft]:
    """Answers leave room for their prompts.

    What happens: GOLD, IW-OPD and experimental distillation refuse it with a ValueError; OnlineDPO, NashMD and XPO cut
    or drop the prompts, with a warning, and end in a TypeError where max_length is None.

    Why: max_length bounds prompt and answer together (experimental/gold/gold_config.py@0.25.0,
    trainer/online_dpo_config.py@0.24.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import OnlineDPOConfig

        args = OnlineDPOConfig(output_dir="out", max_new_tokens=512, max_length=512)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import OnlineDPOConfig

        args = OnlineDPOConfig(output_dir="out", max_new_tokens=512, max_length=1024)
    """
    online = launch.session.launch.program in _ONLINE
    if not online and not details_of(launch).config.startswith("experimental."):
        return
    name = "max_new_tokens" if online else "max_completion_length"
    answer = int(getattr(launch, name))
    bound = launch.session.setting("max_length")
    if online and bound is not None and bound.value == Known(None):
        yield launch.finding(
            "max_length",
            name,
            message=f"max_length is None, and TRL {launch.session.release} compares it with {name}: TypeError when the "
            "configuration is built",
            help=f"set it to {answer + 512}",
            proposal=put(launch, "max_length", answer + 512),
        )
        return
    total = launch.max_length
    if total is not None and answer >= total:
        does = "the prompts are cut or dropped" if online else "TRL refuses that"
        yield launch.finding(
            name,
            "max_length",
            message=f"{name} {answer} is not below max_length {total}: {does}",
            help=f"raise max_length to {answer + 512}",
            severity=WARNING if online else ERROR,
            stage=SILENT if online else STARTUP,
            proposal=put(launch, "max_length", answer + 512),
        )
