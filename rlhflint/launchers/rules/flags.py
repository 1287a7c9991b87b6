"""Flags of launchers: behind the module, where the program gets them, and such as the launcher does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rlhflint.expressions import expression
from rlhflint.launchers.unwrapping.misplaced import misplaced_options
from rlhflint.launchers.unwrapping.start import ACCELERATE
from rlhflint.model import ProgramModel
from rlhflint.proposal import UNSAFE, Proposal, Remove, Rewrite
from rlhflint.rule import ERROR, PARSE, Draft, rule
from rlhflint.text import HOLE, Span
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.launchers import LauncherOption

_PLAIN = expression(r"[\w./:,@%+= -]*")
"""What may follow a flag and needs no quotes."""


@rule("LA103", "launcher-flag-after-module", severity=ERROR, stage=PARSE, programs="openrlhf:*", fix="unsafe")
def launcher_flag_after_module(launch: ProgramModel) -> Iterator[Draft]:
    """Flags of a launcher stand in front of the module or script.

    What happens: the program gets them, prints "unrecognized arguments" and ends with exit status 2.

    Why: deepspeed, torchrun and accelerate hand everything behind the module on to it.

    Example:
        --- train.sh
        deepspeed --module openrlhf.cli.train_sft --num_gpus 8 --model.model_name_or_path m --data.dataset d

    Use instead:
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d
    """
    start = launch.session.start
    if start is None or start.launcher is None:
        return
    refused = {setting.name for setting in launch.session.launch.refused}
    for option in misplaced_options(start):
        if option.flag.text in refused:
            yield launch.finding(
                at=option.flag.span,
                message=f"{option.flag.text} is a flag of {start.launcher.name}; behind the module the program gets it "
                "and refuses it",
                help=f"put {option.flag.text} in front of the module",
                proposal=_in_front(launch.session.launch, option),
            )


def _in_front(launch: Launch, option: LauncherOption) -> Proposal | None:
    """A flag of the launcher moved in front of the module, where both stand as they are in the command."""
    command, flag = launch.command, option.flag.span
    # What a variable or the caller of a function gives may concern other commands.
    if command is None or flag is None or not command.says(flag):
        return None
    words = command.words
    at = next((at for at, word in enumerate(words) if launch.start and word is launch.start.target), 0)
    if at > 1 and words[at - 1].text in ("-m", "--module"):
        at -= 1
    setting = next((one for one in launch.refused if one.name_span == flag), None)
    before, module = (words[at - 1].verbatim_span, words[at].verbatim_span) if at else (None, None)
    if setting is None or before is None or module is None or len(setting.text) != (option.value is not None):
        return None
    # More than a blank between them may be a quote.
    together = before.path == module.path == flag.path and module.start == before.end + 1
    value = "".join(f"{'=' if option.joined else ' '}{text.text}" for text in setting.text)
    if not together or not _PLAIN.fullmatch(value):
        return None
    moved = Rewrite(Span(module.path, module.start, module.start), f"{setting.name}{value} ")
    return Proposal(f"Put {setting.name} in front of the module", UNSAFE, (moved, Remove(setting)))


@rule("LA113", "launcher-flag-unknown", severity=ERROR, stage=PARSE, programs="*", fix="unsafe")
def launcher_flag_unknown(launch: ProgramModel) -> Iterator[Draft]:
    """Flags in front of the script are flags of `accelerate launch`, at the release of accelerate in force.

    What happens: accelerate prints "unrecognized arguments" and ends with exit status 2; nothing is started.

    Why: its parser takes no abbreviations, and flags come and go: --use_xpu and --ipex are gone, --fsdp_version is new
    in 1.6, and before 0.28 --num-processes is not --num_processes (accelerate/commands/launch.py@1.15.0, 0.27.2).
    Where nothing states the release of accelerate, a flag is told that none has.

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_proceses 4 trl/scripts/sft.py --model_name_or_path m --dataset_name d

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 4 trl/scripts/sft.py --model_name_or_path m --dataset_name d
    """
    start = launch.session.start
    launcher = start.launcher if start is not None else None
    if launcher is None or launcher.name != ACCELERATE:
        return
    flags = [one for one in launcher.options if one.flag.text.startswith("--") and HOLE not in one.flag.text]
    candidates = _releases_of_accelerate(launch) if flags else []
    if not candidates:
        return
    from rlhflint.catalog.accelerate import accepting, launch_options

    known = {flag for release in candidates for flag in launch_options(release)}
    for option in flags:
        flag = option.flag.text
        if flag in known:
            continue
        if launcher.more:
            raise Undetermined(flag, launcher.more)
        yield launch.finding(
            at=option.flag.span,
            message=f"`{ACCELERATE}` does not take {flag} at accelerate {_range(candidates)}{_when(accepting(flag))}",
            **_instead(launch, option, sorted(known)),
        )


def _releases_of_accelerate(launch: ProgramModel) -> list[str]:
    """The listed releases that may be in force: all where nothing states one, none where it is newer than them all.

    Only the last release of each minor version is listed; one between two of them may be like either.
    """
    from rlhflint.catalog.accelerate import releases
    from rlhflint.catalog.intervals import Standing

    version, order = launch.session.launch.versions.get("accelerate"), releases()
    if version is None or not version.stated:
        return list(order)
    if version.specifier:
        from rlhflint.packages.ranges import releases_inside

        return releases_inside(version.specifier, order)
    place = order.place(version.value)
    if place.standing in (Standing.NEWER, Standing.OLDER):
        return []
    later = order.after(place.release) if place.standing is not Standing.LISTED else None
    return [place.release] if later is None else [place.release, later]


def _range(releases: list[str]) -> str:
    return releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"


def _when(accepting: tuple[str, ...]) -> str:
    return f": releases {accepting[0]} to {accepting[-1]} do" if accepting else ""


def _instead(launch: ProgramModel, option: LauncherOption, known: list[str]) -> dict[str, Any]:
    """The help of a finding, and the change to the one flag that may be meant, where it stands as it is."""
    from rlhflint.likeness import alike

    flag, span, command = option.flag.text, option.flag.verbatim_span, launch.session.launch.command
    hyphens = "-" in flag[2:]
    meant = alike(flag, [one for one in known if hyphens or "-" not in one[2:]])
    if not meant:
        return {"help": f"leave {flag} out"}
    there = span is not None and command is not None and command.says(span)
    changes = (Rewrite(span, meant[0]),) if there and span is not None else ()
    proposal = Proposal(f"Write {meant[0]}", UNSAFE, changes) if changes else None
    return {"help": f"did you mean {' or '.join(meant)}?", "proposal": proposal}
