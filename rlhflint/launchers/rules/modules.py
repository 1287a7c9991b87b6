"""How a command names the program it starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.launchers.unwrapping.misplaced import misplaced_options
from rlhflint.launchers.unwrapping.start import FaultKind
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Remove, Rewrite
from rlhflint.rule import ERROR, PARSE, STARTUP, Draft, rule
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.launchers.options.reading import LauncherOption

_PLAIN = expression(r"[\w./:,@%+= -]*")
"""What may follow a flag and needs no quotes."""


@rule("LA101", "module-flag-missing", severity=ERROR, stage=STARTUP, programs="*", fix="safe")
def module_flag_missing(launch: ProgramModel) -> Iterator[Draft]:
    """A module is started with `-m`, or with `--module` under deepspeed.

    What happens: "can't open file 'openrlhf.cli.train_ppo_ray'", once the job runs.

    Why: Python takes the word for a file (issue 573 of OpenRLHF).

    Example:
        --- train.sh
        python3 openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    fault = launch.session.start.fault(FaultKind.MODULE_WITHOUT_FLAG) if launch.session.start is not None else None
    if fault is None:
        return
    flag = (fault.replacement or "-m").partition(" ")[0]
    yield launch.finding(
        at=fault.word.span,
        message=f"{fault.word.text} is a module, and without {flag} Python looks for a file of that name",
        help=f"write {flag} {fault.word.text}",
        proposal=_replaced(fault.word.verbatim_span, fault.replacement),
    )


@rule("LA102", "module-is-a-path", severity=ERROR, stage=STARTUP, programs="*", fix="safe")
def module_is_a_path(launch: ProgramModel) -> Iterator[Draft]:
    """What stands behind `-m` is the dotted name of a module, not a file.

    What happens: "No module named …", once the job runs.

    Why: Python looks a module up on its path by name (issue 556 of OpenRLHF).

    Example:
        --- train.sh
        python3 -m openrlhf/cli/train_ppo_ray.py --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    fault = launch.session.start.fault(FaultKind.PATH_FOR_MODULE) if launch.session.start is not None else None
    if fault is None:
        return
    yield launch.finding(
        at=fault.word.span,
        message=f"{fault.word.text} is a file, and -m looks for a module of that name: the launch cannot start",
        help=f"write {fault.replacement}" if fault.replacement else "write the module's dotted name",
        proposal=_replaced(fault.word.verbatim_span, fault.replacement),
    )


def _replaced(span: Span | None, text: str | None) -> Proposal | None:
    return Proposal(f"Write {text}", SAFE, (Rewrite(span, text),)) if span is not None and text is not None else None


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
