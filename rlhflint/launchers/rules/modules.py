"""How a command names the program it starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.launchers.unwrapping.start import FaultKind
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, Proposal, Rewrite
from rlhflint.rule import ERROR, STARTUP, Draft, rule
from rlhflint.text import Span

if TYPE_CHECKING:
    pass


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
