"""Words that stand for a loss, a mode or a strategy, and are none that the release knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.fields import Fields
from rlhflint.conversion import NotAChoice
from rlhflint.frameworks.trl.catalog.changes import accepted, accepting
from rlhflint.frameworks.trl.choosing import among, nearest
from rlhflint.frameworks.trl.given import by_words, set_to, settings_with_fields
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.session import Details, details_of
from rlhflint.proposal import SAFE, UNSAFE
from rlhflint.rule import ERROR, FIRST_STEP, PARSE, STARTUP, Draft, rule
from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.changes import Accepted
    from rlhflint.model import ProgramModel


@rule("TR108", "enum-value", severity=ERROR, stage=STARTUP, programs=EVERY, fix="unsafe")
def enum_value(launch: ProgramModel) -> Iterator[Draft]:
    """Options that stand for an enumeration take its values alone.

    What happens: ValueError "… is not a valid …" when the configuration is built; on a command line the parser refuses
    the word. In YAML a bare `no` is false, which is no strategy either.

    Why: TrainingArguments turns eval_strategy, save_strategy, lr_scheduler_type, optim and others into enumerations
    while it is built (transformers/training_args.py@4.56.2).

    Example:
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", lr_scheduler_type="cosin")

    Use instead:
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", lr_scheduler_type="cosine")
    """
    for setting, field in settings_with_fields(launch):
        if not field.accepts or not isinstance(setting.value, Known):
            continue
        value = setting.value.value
        if value is None or value in field.accepts or not isinstance(value, (str, bool, int, float)):
            continue
        text = "no" if value is False and "no" in field.accepts else str(value)
        meant = text if text in field.accepts else nearest(text, field.accepts)
        quoted = value is False and meant == "no"
        words = by_words(setting, launch)
        yield launch.finding(
            *setting.canonical,
            message=f"{setting.name} takes {among(field.accepts)}, not {value!r}"
            + (": a bare no is false in YAML" if quoted and not isinstance(setting.value.value, str) else ""),
            help=(f'write "{meant}"' + (" with its quotes" if quoted else "")) if meant else "",
            stage=PARSE if words else STARTUP,
            proposal=set_to(setting, meant, UNSAFE) if meant and not quoted else None,
        )


@rule("TR107", "value-validated-late", severity=ERROR, stage=FIRST_STEP, programs=EVERY, fix="safe")
def value_validated_late(launch: ProgramModel) -> Iterator[Draft]:
    """A loss, mode or strategy has to be one that the release in force knows.

    What happens: the configuration takes any text. It fails when the trainer is built, or in the first training step,
    after the model was loaded and a whole generation was made.

    Why: the trainer looks at these values where it uses them (trainer/grpo_trainer.py, trainer/dpo_trainer.py@1.9.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", loss_type="dr-grpo")

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", loss_type="dr_grpo")
    """
    yield from _refused_choices(launch)
    yield from _late(launch)


def _refused_choices(launch: ProgramModel) -> Iterator[Draft]:
    """Words that the parser refuses for they are none of an option's choices."""
    fields = details_of(launch).fields or Fields({})
    for refused in launch.session.refused:
        setting, cause = launch.session.setting(refused.canonical), refused.cause
        if setting is None or not isinstance(cause, NotAChoice):
            continue
        field = fields.get(setting.name.lstrip("-").replace("-", "_"))
        if (field is not None and field.accepts) or cause.value == "bfd-requeue":
            continue  # TR108, TR603 say it
        choices = [str(choice) for choice in cause.choices]
        meant = nearest(str(cause.value), choices)
        yield launch.finding(
            refused.canonical,
            message=f"{setting.name} {refused.message}: the parser ends with exit status 2",
            help=f"did you mean {meant}?" if meant else "",
            stage=PARSE,
            proposal=set_to(setting, meant, UNSAFE) if meant and len(setting.text) < 2 else None,
        )


def _looks_at_values_itself(details: Details) -> bool:
    """Whether the trainer is another one than its configuration was made for, which may know more values."""
    if details.trainer_call is not None and details.trainer_call.subclass:
        return True
    return (
        bool(details.trainer and details.config)
        and details.trainer.partition(":")[0] != details.config.partition(":")[0]
    )


def _late(launch: ProgramModel) -> Iterator[Draft]:
    details = details_of(launch)
    if _looks_at_values_itself(details):
        return
    missing: Undetermined | None = None
    for setting, field in settings_with_fields(launch):
        if not details.own_config or not isinstance(setting.value, Known):
            continue
        known = accepted(details.own_config, field.name, details.trl)
        if known is None:
            continue
        given = setting.value.value
        values = given if isinstance(given, list) and known.lists else [given]
        wrong = [one for one in values if one not in known.values and not _also(one, known.bools)]
        if not wrong or _told_elsewhere(field.name, wrong[0], known.values):
            continue
        try:
            if not _looked_at(launch, known):
                continue
        except Undetermined as reason:
            missing = missing or reason
            continue
        others = accepting(field.name, str(wrong[0]), details.trl)
        # What another class takes is no slip of the pen, however near a value of this one is.
        meant = nearest(str(wrong[0]), known.values) if not others else None
        sure = SAFE if meant and _distance(str(wrong[0]), meant) <= 2 else UNSAFE
        when = "in the first training step" if known.stage == "first-step" else "when the trainer is built"
        yield launch.finding(
            *setting.canonical,
            message=f"{setting.name} of TRL {launch.session.release} is {among(known.values)}, not {wrong[0]!r}: the "
            f"configuration takes it, and it fails {when}",
            help=f"did you mean {meant}?" if meant else f"it is one of {' and '.join(others)}" if others else "",
            stage=FIRST_STEP if known.stage == "first-step" else STARTUP,
            proposal=set_to(setting, meant, sure) if meant and not isinstance(given, list) else None,
        )
    if missing is not None:
        raise missing


def _looked_at(launch: ProgramModel, known: Accepted) -> bool:
    """Whether the trainer comes to look at a value. Raises `Undetermined` where what that hangs on is not known."""
    if not all(getattr(launch, name) == value for name, value in known.when.items()):
        return False
    return all(getattr(launch, name) is not None for name in known.set)


def _also(value: object, bools: bool) -> bool:
    return value is None or (bools and isinstance(value, bool))


def _told_elsewhere(name: str, value: object, values: tuple[str, ...]) -> bool:
    """True and false as text are TR106's."""
    return name == "scale_rewards" and isinstance(value, str) and value.lower() in ("true", "false") and bool(values)


def _distance(left: str, right: str) -> int:
    """How many characters have to be put in, taken out or replaced."""
    left, right = left[:64], right[:64]
    row = list(range(len(right) + 1))
    for at, one in enumerate(left, 1):
        before, row[0] = row[0], at
        for to, other in enumerate(right, 1):
            before, row[to] = row[to], min(row[to] + 1, row[to - 1] + 1, before + (one != other))
    return row[-1]
