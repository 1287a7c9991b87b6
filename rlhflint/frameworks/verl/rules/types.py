"""Values of another type than the setting's default."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.frameworks.verl.overrides import kind_of
from rlhflint.frameworks.verl.session import session_of
from rlhflint.model import ProgramModel
from rlhflint.rule import SILENT, STARTUP, WARNING, Draft, rule

_REFUSED = {
    "int": ("str", "list", "dict"),
    "float": ("str", "list", "dict"),
    "bool": ("str", "list", "dict"),
    "group": ("str", "int", "float", "bool", "list"),
}
"""Kind of a default → kinds of values that cannot stand for it."""
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "group": "a group of settings",
    "str": "text",
    "list": "a list",
    "dict": "a mapping",
}


@rule("VL111", "value-of-another-type", severity=WARNING, stage=STARTUP, programs="verl:main_ppo")
def value_of_another_type(launch: ProgramModel) -> Iterator[Draft]:
    """A value has to be of the type that the setting has.

    What happens: Hydra passes any value on. Text where a number is due fails where it is first used, once the workers
    are up; text where true or false is due counts as true, whatever it says.

    Why: the configuration is plain YAML without types; Hydra's grammar knows `true` and `false` only, so that `no` and
    `off` are text (trainer/config/ppo_trainer.yaml@0.9.1).

    Example:
        python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_kl_loss=no

    Use instead:
        python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_kl_loss=false
    """
    session = session_of(launch)
    for override, _ in session.details.given:
        if override.value is None or not override.value.known:
            continue
        name, text = override.setting, override.value.text
        due, given = session.kinds.get(name, "any"), kind_of(text)
        if given not in _REFUSED.get(due, ()):
            continue
        counts_as_true = due == "bool" and bool(text.strip("'\"[]{} "))
        yield launch.finding(
            name,
            message=f"{name} is {_WORDS[due]} in verl {session.release}, and {text!r} is {_WORDS[given]}"
            + (", which counts as true" if counts_as_true else ""),
            help=f"write {_WORDS[due]}",
            stage=SILENT if due == "bool" else STARTUP,
        )
