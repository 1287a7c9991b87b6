"""What a trainer cannot be built without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.session import details_of, newest_name
from rlhflint.rule import ERROR, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel


@rule("TR118", "required-argument-missing", severity=ERROR, stage=STARTUP, programs=EVERY)
def required_argument_missing(launch: ProgramModel) -> Iterator[Draft]:
    """A trainer has to be given all that it cannot do without.

    What happens: "missing 1 required positional argument", when the trainer is built.

    Why: PPO needs a value_model from 0.18 on, GRPO reward_funcs up to 1.7, DPO a model from 0.19 on
    (trainer/ppo_trainer.py@0.18.0, trainer/grpo_trainer.py@1.7.1, trainer/dpo_trainer.py@0.19.0).

    Example:
        # trl 1.0.0
        from trl import GRPOConfig, GRPOTrainer

        trainer = GRPOTrainer(model="m", args=GRPOConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 1.0.0
        from trl import GRPOConfig, GRPOTrainer

        trainer = GRPOTrainer(model="m", reward_funcs=len, args=GRPOConfig(output_dir="out"), train_dataset=None)
    """
    details = details_of(launch)
    call, parameters = details.trainer_call, details.parameters
    if call is None or parameters is None or call.subclass or call.guards or parameters.unseen:
        return
    given = {name for setting in launch.session.launch.settings for name in (*setting.canonical, setting.name)}
    missing = [
        name
        for name, parameter in parameters.items()
        if parameter.required and name != "args" and newest_name(details.trainer, name, details.trl) not in given
    ]
    if not missing or any(argument.name == "" and argument.position is None for argument in call.arguments):
        return
    if call.more or any(launch.session.given(newest_name(details.trainer, name, details.trl)) for name in missing):
        return
    yield launch.finding(
        at=call.name_span,
        message=f"{details.trainer.rpartition(':')[2]} of TRL {launch.session.release} cannot be built without "
        f"{' and '.join(missing)}",
        help=f"give it {' and '.join(missing)}",
    )
