"""Flags that the program in force does not have: misspelt, invented, of another program, too new."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.frameworks.openrlhf.programs import EVERY
from rlhflint.frameworks.openrlhf.session import details_of, settings_by_word
from rlhflint.frameworks.openrlhf.strangers import Stranger, Why
from rlhflint.launch import Setting
from rlhflint.launchers.unwrapping.misplaced import misplaced_options
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Change, Proposal, Rename, Replace
from rlhflint.rule import ADVICE, ERROR, PARSE, Draft, rule
from rlhflint.wording import listed


@rule("OR101", "unknown-flag", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def unknown_flag(launch: ProgramModel) -> Iterator[Draft]:
    """Every flag has to be one that the program knows at the release in force.

    What happens: the program prints "unrecognized arguments" and ends with exit status 2, after the job has waited in
    the queue. Nothing is trained.

    Why: every entry point calls `parse_args()`; no release has aliases or reads old names
    (cli/train_ppo_ray.py@0.11.2). The beginning of a name is enough where it is the beginning of one flag only.

    Example:
        --train.micro_bacth_size 2

    Use instead:
        --train.micro_batch_size 2
    """
    details = details_of(launch)
    edition = details.edition
    start = launch.session.start
    misplaced = {option.flag.text for option in misplaced_options(start)} if start is not None else set()
    settings = settings_by_word(launch.session.launch) if details.strangers else {}
    for stranger in details.strangers:
        if stranger.flag in misplaced and stranger.why is not Why.OTHER_PROGRAM:
            continue  # LA103 says it
        if stranger.why is Why.UNKNOWN:
            yield _unknown(launch, stranger, settings.get(id(stranger.name)))
        elif stranger.why is Why.INVENTED:
            yield _invented(launch, stranger, settings.get(id(stranger.name)))
        elif stranger.why is Why.LATER:
            yield launch.finding(
                at=stranger.name.span,
                message=f"{edition.name} of OpenRLHF {launch.session.release} does not know {stranger.flag}: "
                f"{_when(stranger)}",
                help=f"use a release that has it, or leave {stranger.flag} out",
            )


def _when(stranger: Stranger) -> str:
    if stranger.since == stranger.until:
        return f"only {stranger.since} has it"
    return f"releases {stranger.since} to {stranger.until} have it"


def _unknown(launch: ProgramModel, stranger: Stranger, setting: Setting | None) -> Draft:
    details = details_of(launch)
    edition = details.edition
    doubtful = edition.newer or bool(edition.accepted.open)
    suggestion = stranger.suggestions[0] if stranger.suggestions else ""
    meant = f"did you mean {' or '.join(stranger.suggestions)}?" if suggestion else ""
    if edition.newer:
        newest = details.catalog.newest
        message = f"{stranger.flag} is no flag of {edition.name} as far as rlhflint knows, which is up to {newest}"
    elif edition.accepted.open:
        message = f"{stranger.flag} was not found in the parser of {edition.copy}, which cannot be read in full"
    elif edition.copy:
        message = f"the copy of OpenRLHF in {edition.copy} has no flag {stranger.flag} for {edition.name}"
    else:
        message = f"{edition.name} of OpenRLHF {launch.session.release} has no flag {stranger.flag}"
    proposal = None
    if suggestion and setting is not None and not doubtful:
        proposal = Proposal(f"Write {suggestion}", UNSAFE, (Rename(setting, (suggestion,)),))
    return launch.finding(
        *_canonical(launch, suggestion),
        at=stranger.name.span,
        message=message,
        help=meant or f"leave it out; `rlhflint show` lists what {edition.name} was given",
        severity=ADVICE if doubtful else ERROR,
        proposal=proposal,
    )


def _invented(launch: ProgramModel, stranger: Stranger, setting: Setting | None) -> Draft:
    details = details_of(launch)
    edition, invented, instead = details.edition, stranger.invented, stranger.instead
    changes: tuple[Change, ...] = ()
    written = ""
    if instead is not None and instead.words:
        written = " ".join(instead.words)
        if setting is not None:
            changes = (Replace(setting, _pairs(instead.words)),)
    elif instead is not None and instead.flags:
        written = " and ".join(instead.flags)
        if setting is not None:
            changes = (Rename(setting, instead.flags),)
    elif instead is not None:
        written = " or ".join(instead.any_of)
    note = invented.note if invented is not None else ""
    fix = invented.fix if invented is not None else "none"
    proposal = None
    if changes and fix != "none":
        proposal = Proposal(f"Write {written}", SAFE if fix == "safe" else UNSAFE, changes)
    return launch.finding(
        *_canonical(launch, *stranger.suggestions[:1]),
        at=stranger.name.span,
        message=f"no release of OpenRLHF has a flag {stranger.flag} for {edition.name}" + (f": {note}" if note else ""),
        help=f"write {written}" if written else "leave it out",
        proposal=proposal,
    )


def _pairs(words: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Words as flags, each with its values."""
    pairs: list[tuple[str, tuple[str, ...]]] = []
    for word in words:
        if word.startswith("--"):
            pairs.append((word, ()))
        elif pairs:
            name, values = pairs[-1]
            pairs[-1] = (name, (*values, word))
    return tuple(pairs)


@rule("OR102", "flag-of-another-program", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def flag_of_another_program(launch: ProgramModel) -> Iterator[Draft]:
    """A flag has to belong to the program that is launched, not to another one of OpenRLHF.

    What happens: the program prints "unrecognized arguments" and ends with exit status 2.

    Why: every entry point has a parser of its own. `--actor.…` exists for train_ppo_ray only, `--model.…` for
    train_sft, train_rm and train_dpo; a chat template can be given to those three and not to train_ppo_ray
    (cli/*.py@0.11.2).

    Example:
        # train_sft, openrlhf 0.11.2
        --actor.gradient_checkpointing_enable

    Use instead:
        # train_sft, openrlhf 0.11.2
        --model.gradient_checkpointing_enable
    """
    details = details_of(launch)
    settings = settings_by_word(launch.session.launch) if details.strangers else {}
    for stranger in details.strangers:
        if stranger.why is not Why.OTHER_PROGRAM:
            continue
        instead = stranger.suggestions
        setting = settings.get(id(stranger.name))
        yield launch.finding(
            *_canonical(launch, *instead[:1]),
            at=stranger.name.span,
            message=f"{stranger.flag} is a flag of {listed(stranger.programs, 'and')}, not of {details.edition.name}, "
            f"at OpenRLHF {launch.session.release}",
            help=f"{details.edition.name} calls it {' and '.join(instead)}"
            if instead
            else f"leave it out: {details.edition.name} has nothing like it",
            proposal=Proposal(f"Write {' '.join(instead)}", SAFE, (Rename(setting, instead),))
            if instead and setting is not None
            else None,
        )


def _canonical(launch: ProgramModel, *flags: str) -> tuple[str, ...]:
    edition = details_of(launch).edition
    return tuple(dict.fromkeys(name for flag in flags if flag for name in edition.accepted.canonical(flag)))
