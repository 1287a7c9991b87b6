"""Values that are of the wrong kind for their option."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.annotations import parts_of
from rlhflint.conversion import WrongType
from rlhflint.frameworks.trl.catalog.changes import accepted
from rlhflint.frameworks.trl.given import by_words, set_to, settings_with_fields
from rlhflint.frameworks.trl.programs import EVERY, GRPO
from rlhflint.frameworks.trl.refused_words import missing_values
from rlhflint.frameworks.trl.session import details_of
from rlhflint.proposal import SAFE, UNSAFE
from rlhflint.rule import ERROR, FIRST_STEP, PARSE, SILENT, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Field
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.model import ProgramModel

_NONE = ("none", "null")
_KINDS = {"int": "a whole number", "float": "a number"}


@rule("TR105", "value-type", severity=ERROR, stage=PARSE, programs=EVERY, fix="unsafe")
def value_type(launch: ProgramModel) -> Iterator[Draft]:
    """A value has to be of the kind that its option takes.

    What happens: the parser ends with exit status 2 where a word is no number. Python checks nothing: text for a number
    gets as far as the first comparison. In YAML only text is converted; what is no text passes as it is.

    Why: configurations are dataclasses, whose annotations nobody enforces; TrlParser hands values of a YAML file to the
    parser as defaults, and argparse converts those alone that are text (scripts/utils.py@1.9.0).

    Example:
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", learning_rate="2e-5")

    Use instead:
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", learning_rate=2e-5)
    """
    yield from _refused_words(launch)
    yield from missing_values(launch)
    python = details_of(launch).form == "python"
    for setting, field in settings_with_fields(launch):
        kind = _number(field)
        if kind is None or by_words(setting, launch) or not isinstance(setting.value, Known):
            continue
        value = setting.value.value
        if python and isinstance(value, str):
            number = _as_number(value, kind)
            yield launch.finding(
                *setting.canonical,
                message=f"{setting.name} takes {_KINDS[kind]}, and this is text: nothing checks it until training "
                "compares it with a number and fails",
                help=f"write {number!r} without quotes" if number is not None else f"write {_KINDS[kind]}",
                stage=FIRST_STEP,
                proposal=set_to(setting, number, UNSAFE) if number is not None else None,
            )
        elif not python and _passes_wrongly(value, kind):
            yield launch.finding(
                *setting.canonical,
                message=f"{setting.name} takes {_KINDS[kind]}, and YAML reads {value!r}: only text is converted, so "
                "this is handed on as it is",
                help=f"write {_KINDS[kind]}",
                severity=WARNING,
                stage=SILENT,
            )


def _refused_words(launch: ProgramModel) -> Iterator[Draft]:
    for refused in launch.session.refused:
        setting = launch.session.setting(refused.canonical)
        cause = refused.cause
        if not isinstance(cause, WrongType) or setting is None or "command line" in refused.message:
            continue
        if cause.word.lower() in _NONE and not launch.session.since("1.6.0"):
            continue  # TR110 says it
        if refused.canonical == "packing":
            continue  # TR114 says it
        yield launch.finding(
            refused.canonical,
            message=f"{setting.name} {refused.message}: the parser ends with exit status 2",
        )


def _number(field: Field) -> str | None:
    """`int` or `float` for an option that takes a number and nothing but None besides."""
    kinds = [part for part in parts_of(field.type) if part != "None"]
    if kinds in (["int"], ["float"]):
        return kinds[0]
    return "float" if sorted(kinds) == ["float", "int"] else None


def _as_number(text: str, kind: str) -> int | float | None:
    try:
        return int(text) if kind == "int" else float(text)
    except ValueError:
        return None


def _passes_wrongly(value: object, kind: str) -> bool:
    if isinstance(value, (bool, list, dict)):
        return True
    return kind == "int" and isinstance(value, float)


@rule("TR110", "none-word", severity=ERROR, stage=PARSE, programs=EVERY, applies="<1.6.0")
def none_word(launch: ProgramModel) -> Iterator[Draft]:
    """A number cannot be switched off with the word None before TRL 1.6.

    What happens: "invalid int value: 'None'", and exit status 2.

    Why: the parser takes the words none and null for None from 1.6 on (scripts/_hf_argparser.py@1.6.0).

    Example:
        # trl 1.0.0
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/sft.py --model_name_or_path m --dataset_name d --max_length None

    Use instead:
        # trl 1.0.0
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/sft.py --model_name_or_path m --dataset_name d --max_length 4096
    """
    for refused in launch.session.refused:
        setting = launch.session.setting(refused.canonical)
        if setting is not None and isinstance(refused.cause, WrongType) and refused.cause.word.lower() in _NONE:
            yield launch.finding(
                refused.canonical,
                message=f"{setting.name} {refused.message}: TRL {launch.session.release} knows no word for None, "
                "and the parser ends with exit status 2",
                help="write null in a YAML file" if by_words(setting, launch) else "write null without quotes",
            )


@rule("TR106", "boolean-as-string", severity=ERROR, stage=FIRST_STEP, programs=GRPO, applies=">=0.22.0", fix="safe")
def boolean_as_string(launch: GRPOModel) -> Iterator[Draft]:
    """True and false as text are no way of scaling rewards.

    What happens: an error in the first training step, after a whole generation.

    Why: scale_rewards is text since 0.22: group, batch or none. Real booleans are mapped, the words True and False are
    not, and on a command line everything is a word (trainer/grpo_config.py@0.22.2, trainer/grpo_trainer.py@0.22.2).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/grpo.py --model_name_or_path m --dataset_name d \\
          --reward_funcs accuracy_reward --scale_rewards False

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/grpo.py --model_name_or_path m --dataset_name d \\
          --reward_funcs accuracy_reward --scale_rewards none
    """
    setting, details = launch.session.setting("scale_rewards"), details_of(launch)
    if setting is None or not isinstance(setting.value, Known) or not details.config:
        return
    value = setting.value.value
    if setting.value == Known(True) and not setting.text and by_words(setting, launch):
        return  # the flag alone, which the parser refuses
    if isinstance(value, str) and value.lower() in ("true", "false"):
        known = accepted(details.config, "scale_rewards", details.trl)
        meant = "group" if value.lower() == "true" else "none"
        if known is not None and meant in known.values:
            yield launch.finding(
                "scale_rewards",
                message=f"scale_rewards is {value!r} as text, which TRL {launch.session.release} does not know: "
                "training fails in its first step",
                help=f'write "{meant}", which is what {value.lower()} came to',
                proposal=set_to(setting, meant, SAFE),
            )
