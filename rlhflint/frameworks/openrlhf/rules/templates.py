"""Prompt templates: two mistakes that upstream passes over in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import DPO, KD, KTO, PPO, RM, SFT
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, Proposal, Rewrite
from rlhflint.rule import SILENT, WARNING, Draft, rule
from rlhflint.text import Traced

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_dpo import TrainDPO
    from rlhflint.frameworks.openrlhf.models.train_kd import TrainKD
    from rlhflint.frameworks.openrlhf.models.train_kto import TrainKTO
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.models.train_rm import TrainRM
    from rlhflint.frameworks.openrlhf.models.train_sft import TrainSFT

    Templated = TrainPPORay | TrainSFT | TrainRM | TrainDPO | TrainKTO | TrainKD

_NAME = "data.input_template"


@rule(
    "OR115",
    "template-without-placeholder",
    severity=WARNING,
    stage=SILENT,
    programs=(PPO, SFT, RM, DPO, KTO, KD),
    applies=">=0.4.1",
)
def template_without_placeholder(launch: Templated) -> Iterator[Draft]:
    """A prompt template has to contain `{}`, where the prompt goes.

    What happens: the template is dropped with a printed line, and prompts go in as they are.

    Why: every entry point sets a template without `{}` to None: train_ppo_ray and train_kto from 0.4.1, train_rm from
    0.4.2, train_kd from 0.5.1 (cli/train_ppo_ray.py@0.4.1, @0.11.2).

    Example:
        --data.input_template "Question: "

    Use instead:
        --data.input_template "Question: {}"
    """
    since = {RM: "0.4.2", KD: "0.5.1"}.get(launch.session.launch.program, "0.4.1")
    if not launch.session.since(since) or not launch.given(_NAME):
        return
    template = launch.data.input_template
    if template and "{}" not in template:
        yield launch.finding(
            _NAME,
            message=f"{launch.session.spelling(_NAME)} has no {{}}: upstream drops the whole template with a printed "
            "line, and prompts go in raw",
            help="write {} where the prompt goes, or leave the template out",
        )


@rule(
    "OR116",
    "template-literal-newline",
    severity=WARNING,
    stage=SILENT,
    programs=(PPO, SFT, RM, DPO, KTO, KD),
    applies=">=0.5.1",
    fix="safe",
)
def template_literal_newline(launch: Templated) -> Iterator[Draft]:
    r"""A line end in a prompt template has to be a real one.

    What happens: the model sees a backslash and an n in every prompt; a line is printed, and training goes on.

    Why: the shell leaves `\n` alone inside quotes; bash's `$'…'` makes a line end of it (cli/train_ppo_ray.py@0.5.1).

    Example:
        --data.input_template "User: {}\\nAssistant: "

    Use instead:
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --data.input_template $'User: {}\nAssistant: '
    """
    if not launch.given(_NAME):
        return
    template = launch.data.input_template
    if not template or "\\n" not in template:
        return
    setting = launch.session.setting(_NAME)
    word = setting.text[0] if setting is not None and setting.text else None
    better = "$'" + template.replace("\\n", "\n").replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
    yield launch.finding(
        _NAME,
        message=f"{launch.session.spelling(_NAME)} holds a backslash and an n instead of a line end, and that is what "
        "the model sees",
        help=f"write {better}",
        proposal=_quoted(launch, word, better) if word is not None else None,
    )


def _quoted(launch: ProgramModel, word: Traced, better: str) -> Proposal | None:
    """The template as a `$'…'` string, where it is one quoted word of the script itself."""
    command, place = launch.session.launch.command, word.verbatim_span
    if command is None or command.within or place is None:
        return None
    outer = type(place)(place.path, place.start - 1, place.end + 1)
    return Proposal(f"Write {better}", SAFE, (Rewrite(outer, better),)) if place.start else None
