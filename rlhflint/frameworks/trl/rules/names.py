"""Names that a configuration or a trainer does not take: misspelt, renamed, removed, moved, too new."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.python_strays import class_of, python_strays, removed_draft, renamed_draft
from rlhflint.frameworks.trl.session import Stray, TRLSession, details_of
from rlhflint.frameworks.trl.strays import StrayFacts
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Rename
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined


@rule("TR101", "unknown-option", severity=ERROR, stage=STARTUP, programs=EVERY, fix="unsafe")
def unknown_option(launch: ProgramModel) -> Iterator[Draft]:
    """An option has to be one that its configuration class takes, at the releases of TRL and transformers in force.

    What happens: "got an unexpected keyword argument", when the script is run.

    Why: configurations are dataclasses; their keywords are their own fields and those of TrainingArguments of the
    installed transformers (trainer/grpo_config.py@1.16.0).

    Example:
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", num_generation=8)

    Use instead:
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", num_generations=8)
    """
    for stray, known in python_strays(launch, trainer=False):
        if isinstance(launch.session, TRLSession) and launch.session.nightly and known.since and not known.base:
            raise Undetermined(stray.setting.name, f"it comes with {known.since}, and a version before may have it")
        if known.rename is None and known.removal is None and not (known.base and known.last):
            yield _unknown(launch, stray, known)


def _unknown(launch: ProgramModel, stray: Stray, known: StrayFacts) -> Draft:
    setting, owner, session = stray.setting, class_of(stray), launch.session
    release = f"TRL {session.release}"
    if session.newer:
        return launch.finding(
            *setting.canonical,
            at=setting.name_span,
            message=f"TRL {session.newest}, the newest release that rlhflint knows, has no option {setting.name} in "
            f"{owner}; {release} may have it",
            help=f"did you mean {' or '.join(known.alike)}?" if known.alike else "use a newer rlhflint",
            severity=ADVICE,
        )
    if known.since:
        others = f"{'transformers' if known.base else 'TRL'} has it from {known.since} on"
        if known.last:
            others = f"{'transformers' if known.base else 'TRL'} has it from {known.since} to {known.last} only"
        return launch.finding(
            *setting.canonical,
            at=setting.name_span,
            message=f"{owner} of {release} has no option {setting.name}: {others}",
            help="leave it out",
        )
    meant = known.alike
    sure = SAFE if known.exact else UNSAFE
    return launch.finding(
        *(meant[:1] or setting.canonical),
        at=setting.name_span,
        message=f"{owner} of {release} has no option {setting.name}",
        help=f"did you mean {' or '.join(meant)}?" if meant else "leave it out",
        proposal=Proposal(f"Write {meant[0]}", sure, (Rename(setting, meant[:1]),)) if meant else None,
    )


@rule("TR131", "unknown-attribute-assigned", severity=WARNING, stage=SILENT, programs=EVERY, fix="unsafe")
def unknown_attribute_assigned(launch: ProgramModel) -> Iterator[Draft]:
    """An attribute set on a configuration has to be one of its options.

    What happens: Python takes it, and no trainer ever reads it.

    Why: instances of dataclasses take any attribute (trainer/dpo_config.py@1.16.0).

    Example:
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out")
        args.max_lenght = 512
        trainer = SFTTrainer(model="m", args=args, train_dataset=None)

    Use instead:
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out")
        args.max_length = 512
        trainer = SFTTrainer(model="m", args=args, train_dataset=None)
    """
    for stray, known in python_strays(launch, trainer=False, assigned=True):
        setting = stray.setting
        meant = (known.rename.new,) if known.rename is not None else known.alike[:1]
        yield launch.finding(
            *(meant or setting.canonical),
            at=setting.name_span,
            message=f"{class_of(stray)} of TRL {launch.session.release} has no option {setting.name}: Python sets the "
            "attribute, and nothing reads it",
            help=f"did you mean {meant[0]}?" if meant else "leave it out",
            proposal=Proposal(f"Write {meant[0]}", UNSAFE, (Rename(setting, meant),)) if meant else None,
        )


@rule("TR606", "option-renamed", severity=ERROR, stage=STARTUP, programs=EVERY, fix="safe")
def option_renamed(launch: ProgramModel) -> Iterator[Draft]:
    """An option has to be written by the name it has at the release in force.

    What happens: "got an unexpected keyword argument", when the script is run.

    Why: old names are mapped with a warning for some releases at most, and then go: max_seq_length of SFTConfig became
    max_length in 0.20, use_liger became use_liger_kernel in 0.18 (trainer/sft_config.py@0.20.0).

    Example:
        # trl 0.24.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", max_seq_length=4096)

    Use instead:
        # trl 0.24.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", max_length=4096)
    """
    for stray, known in python_strays(launch, trainer=False):
        if known.rename is not None and not known.base:
            yield renamed_draft(launch, stray, known.rename, f"TRL {launch.session.release}")


@rule("TR607", "option-removed", severity=ERROR, stage=STARTUP, programs=EVERY, fix="unsafe")
def option_removed(launch: ProgramModel) -> Iterator[Draft]:
    """An option that the class no longer has must go.

    What happens: "got an unexpected keyword argument", when the script is run.

    Why: some options ended without a successor: max_prompt_length of GRPOConfig in 0.28, generate_during_eval of
    DPOConfig in 0.29 (trainer/grpo_config.py@0.28.0).

    Example:
        # trl 0.28.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", max_prompt_length=512)

    Use instead:
        # trl 0.28.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out")
    """
    for stray, known in python_strays(launch, trainer=False):
        if known.removal is not None and not known.base:
            yield removed_draft(launch, stray, known, f"TRL {launch.session.release}")


@rule("TR610", "training-argument-gone", severity=ERROR, stage=STARTUP, programs=EVERY, fix="safe")
def training_argument_gone(launch: ProgramModel) -> Iterator[Draft]:
    """An option of transformers' TrainingArguments has to be one of the release of transformers in force.

    What happens: "got an unexpected keyword argument", when the script is run.

    Why: every configuration of TRL takes the options of the installed transformers, which removed many:
    evaluation_strategy in 4.51, some two dozen in 5.0 (training_args.py@5.0.0).

    Example:
        # trl 0.19.1, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", evaluation_strategy="steps")

    Use instead:
        # trl 0.19.1, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", eval_strategy="steps")
    """
    for stray, known in python_strays(launch, trainer=False):
        if not known.base:
            continue
        package = f"transformers {launch.session.version('transformers').value}"
        if known.rename is not None:
            yield renamed_draft(launch, stray, known.rename, package)
        elif known.removal is not None:
            yield removed_draft(launch, stray, known, package)
        elif known.last:
            yield launch.finding(
                *stray.setting.canonical,
                at=stray.setting.name_span,
                message=f"{stray.setting.name} ended with transformers {known.last}; {package} does not accept it",
                help="leave it out",
            )


@rule("TR117", "trainer-keyword", severity=ERROR, stage=STARTUP, programs=EVERY, fix="safe")
def trainer_keyword(launch: ProgramModel) -> Iterator[Draft]:
    """A trainer has to be given keywords that it takes at the release in force.

    What happens: "got an unexpected keyword argument", when the trainer is built.

    Why: `tokenizer` became `processing_class` in 0.12 and its old name went later; options of DPO and SFT moved from
    the trainer into its configuration in 0.13 (trainer/dpo_trainer.py@0.13.0).

    Example:
        # trl 0.19.1
        from trl import DPOConfig, DPOTrainer

        trainer = DPOTrainer(model, args=DPOConfig(output_dir="out"), tokenizer=tokenizer)

    Use instead:
        # trl 0.19.1
        from trl import DPOConfig, DPOTrainer

        trainer = DPOTrainer(model, args=DPOConfig(output_dir="out"), processing_class=tokenizer)
    """
    for stray, known in python_strays(launch, trainer=True):
        setting = stray.setting
        release = f"TRL {launch.session.release}"
        if known.config:
            name = known.rename.new if known.rename is not None else setting.name
            yield launch.finding(
                name,
                at=setting.name_span,
                message=f"{class_of(stray)} of {release} takes no {setting.name}: it is an option of its configuration",
                help=f"give {name} to {details_of(launch).config.rpartition(':')[2]}",
            )
        elif known.rename is not None:
            yield renamed_draft(launch, stray, known.rename, release)
        else:
            meant = known.alike[:1]
            yield launch.finding(
                *(meant or setting.canonical),
                at=setting.name_span,
                message=f"{class_of(stray)} of {release} takes no {setting.name}",
                help=f"did you mean {meant[0]}?" if meant else "leave it out",
                proposal=Proposal(f"Write {meant[0]}", UNSAFE, (Rename(setting, meant),)) if meant else None,
            )
