"""Distillation: shares and ranges, vocabularies of student and teacher, adapters that cannot be trained so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.model_facts import model_facts
from rlhflint.frameworks.trl.conflicts import conflicts
from rlhflint.frameworks.trl.distillation_ranges import RANGES
from rlhflint.frameworks.trl.policy import model_name, name_of, prompt_learning, shipped
from rlhflint.frameworks.trl.programs import DISTILLATION
from rlhflint.frameworks.trl.session import details_of
from rlhflint.rule import ERROR, STARTUP, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.distillation import DistillationModel


@rule("TR247", "distillation-checks", severity=ERROR, stage=STARTUP, programs=tuple(RANGES))
def distillation_checks(launch: DistillationModel) -> Iterator[Draft]:
    """Distillation mixes by shares between 0 and 1, and compares distributions over one vocabulary.

    What happens: ValueError when the configuration is built, such as "beta must be in the range [0.0, 1.0]"; for a
    teacher of another vocabulary (1.9 and later) and for prompt learning (1.10 and later) when the trainer is built.

    Why: beta mixes the two directions of the divergence, lmbda the data of the student and of the data set; the other
    ranges are those of weights, temperatures and counts (experimental/gold/gold_config.py@0.25.0,
    experimental/iw_opd/iw_opd_config.py@1.9.0, experimental/sdpo/sdpo_config.py@1.6.0,
    trainer/distillation_trainer.py@1.10.0).

    Example:
        # trl 1.9.0
        from trl.experimental.gold import GOLDConfig

        args = GOLDConfig(output_dir="out", beta=2.0)

    Use instead:
        # trl 1.9.0
        from trl.experimental.gold import GOLDConfig

        args = GOLDConfig(output_dir="out", beta=0.5)
    """
    release, fields = launch.session.release, details_of(launch).fields
    refused = [one for one in RANGES[launch.session.launch.program] if fields is None or one.setting in fields]
    for one in conflicts(launch, refused):
        yield launch.finding(
            one.setting,
            message=f"{one.says}: TRL {release} refuses that; it is {getattr(launch, one.setting)!r}",
            help="0.5 weighs both the same" if one.setting in ("beta", "lmbda") else "",
        )
    if launch.session.launch.program == DISTILLATION:
        yield from _with_trainer(launch)


def _with_trainer(launch: DistillationModel) -> Iterator[Draft]:
    """What the trainer refuses: prompt learning, and a teacher of another vocabulary."""
    release = launch.session.release
    if shipped(launch):
        teacher = launch.teacher_model_name_or_path
    else:
        if launch.session.since("1.10.0") and prompt_learning(launch):
            yield launch.finding(
                "peft_config",
                message=f"the adapter learns a prompt: TRL {release} refuses that in distillation",
                help="use LoRA",
            )
        teacher = name_of(launch.teacher_model)
    student = model_name(launch)
    if not launch.session.since("1.9.0") or teacher is None or student is None:
        return
    sizes = [_vocabulary(launch, name) for name in (student, teacher)]
    if sizes[0] != sizes[1]:
        yield launch.finding(
            "teacher_model_name_or_path" if shipped(launch) else "teacher_model",
            "model_name_or_path" if shipped(launch) else "model",
            message=f"{student} has a vocabulary of {sizes[0]} and its teacher {teacher} one of {sizes[1]}: TRL "
            f"{release} refuses that",
            help="take a teacher with the same vocab_size, or GOLD, which compares across vocabularies",
        )


def _vocabulary(launch: DistillationModel, name: str) -> int:
    facts = model_facts(name, launch.session.file)
    if facts is None or not facts.certain or facts.vocab is None:
        raise Undetermined("teacher_model", f"the vocabulary of {name} is not known")
    return facts.vocab
