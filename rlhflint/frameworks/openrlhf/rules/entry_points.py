"""Programs that a release does not have, programs that do not work, and flags that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.catalog.changes import Broken
from rlhflint.finding import Severity, Stage
from rlhflint.frameworks.openrlhf.programs import EVERY
from rlhflint.frameworks.openrlhf.session import details_of
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, Proposal, Remove
from rlhflint.rule import ERROR, FIRST_STEP, SILENT, STARTUP, WARNING, Draft, rule


@rule("OR113", "entry-point-unknown", severity=ERROR, stage=STARTUP, programs=EVERY)
def entry_point_unknown(launch: ProgramModel) -> Iterator[Draft]:
    """The module that is launched has to exist in the release in force.

    What happens: Python prints "No module named openrlhf.cli.…" and ends; with Ray the job has been submitted by then.

    Why: 0.9.6 removed train_kto, train_prm, train_kd, batch_inference and interactive_chat, 0.6.2 train_ppo;
    serve_rm came with 0.4.0, train_prm with 0.4.5, lora_combiner with 0.5.6 (openrlhf/cli of each release).

    Example:
        # openrlhf 0.11.2
        deepspeed --module openrlhf.cli.train_kto --pretrain models/sft

    Use instead:
        # openrlhf 0.9.5
        deepspeed --module openrlhf.cli.train_kto --pretrain models/sft
    """
    edition = details_of(launch).edition
    if edition.options or edition.newer:
        return
    known, release = edition.program, launch.session.release
    if edition.copy:
        yield launch.finding(
            message=f"the copy of OpenRLHF in {edition.copy} has no entry point {edition.name}",
            help="name one of the modules below its folder cli",
        )
        return
    if known is None:
        programs = ", ".join(details_of(launch).catalog.programs_at(edition.release))
        yield launch.finding(
            message=f"OpenRLHF {release} has no entry point {edition.name}",
            help=f"it has {programs}",
        )
        return
    lives = " and ".join(f"{life.since} to {life.until}" if life.until else f"{life.since} on" for life in known.life)
    gone = known.ended is not None and known.releases.position(edition.release) > known.releases.position(known.last)
    instead = f"; {known.ended.instead}" if gone and known.ended is not None and known.ended.instead else ""
    yield launch.finding(
        message=f"OpenRLHF {release} has no entry point {edition.name}: "
        + (f"{known.last} was the last release with it" if gone else f"it came with {known.life[0].since}"),
        help=f"use a release that has it ({lives}){instead}",
    )


@rule("OR114", "entry-point-broken", severity=ERROR, stage=FIRST_STEP, programs=EVERY)
def entry_point_broken(launch: ProgramModel) -> Iterator[Draft]:
    """The program has to work in the release in force.

    What happens: depends on the release, and the message says it: the launch crashes at once, at the first
    experience, or when the trained model is saved.

    Why: some releases shipped entry points that cannot finish, whatever the flags: train_kto 0.5.9.post1 to 0.6.4
    (reads an option that is registered too late), train_kto 0.7.5 to 0.9.5 below ZeRO-3 (fails when saving), train_ppo
    0.5.8 to 0.6.1.post1 (cli/*.py and trainer of each release).

    Example:
        # openrlhf 0.6.0
        deepspeed --module openrlhf.cli.train_kto --pretrain models/sft --dataset data/kto.jsonl

    Use instead:
        # openrlhf 0.7.0
        deepspeed --module openrlhf.cli.train_kto --pretrain models/sft --dataset data/kto.jsonl
    """
    edition = details_of(launch).edition
    if edition.program is None or edition.copy:
        return
    for broken in edition.program.broken(edition.release):
        if _holds(broken, launch):
            until = broken.until or "now"
            yield launch.finding(
                *([] if broken.when is None else edition.names(broken.when.flag)),
                message=f"{edition.name} of OpenRLHF {launch.session.release} does not work: {broken.what}",
                help=f"this holds for {broken.since} to {until}; use another release"
                + (f", or another value of {broken.when.flag}" if broken.when is not None else ""),
                stage=Stage(broken.stage),
                severity=Severity.WARNING if broken.stage == "silent" else Severity.ERROR,
            )


def _holds(broken: Broken, launch: ProgramModel) -> bool:
    if broken.when is None:
        return True
    field = next(iter(details_of(launch).edition.accepted.fields(broken.when.flag)), None)
    return broken.when.holds(None if field is None else launch.held(field))


@rule("OR110", "dead-flag", severity=WARNING, stage=SILENT, programs=EVERY, fix="safe")
def dead_flag(launch: ProgramModel) -> Iterator[Draft]:
    """A flag that nothing reads should go.

    What happens: the program accepts it and does the same as without.

    Why: the option is still registered, and no code of the release reads its value (openrlhf/ of each release).

    Example:
        # train_ppo_ray, openrlhf 0.9.5
        --ptx_coef 0.05

    Use instead:
        # train_ppo_ray, openrlhf 0.9.5
        --ds.packing_samples
    """
    edition = details_of(launch).edition
    if edition.program is None or edition.copy:
        return
    for setting in launch.session.launch.settings:
        option = edition.options.get(setting.name)
        dead = edition.program.dead(option.flag, edition.release) if option is not None else None
        if dead is not None:
            yield launch.finding(
                *setting.canonical,
                at=setting.name_span,
                message=f"{edition.name} of OpenRLHF {launch.session.release} accepts {setting.name} "
                "and never reads it",
                help=f"remove {setting.name}" + (f": {dead.text}" if dead.text else ""),
                proposal=Proposal(f"Remove {setting.name}", SAFE, (Remove(setting),)),
            )
