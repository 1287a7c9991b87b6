"""Templates of prompts: one of two is used, and conversations of several turns need the chat template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.programs import KD, KTO, PPO_WITHOUT_RAY, SFT, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put, remove
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ERROR, PARSE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_kd import TrainKD
    from rlhflint.frameworks.openrlhf.models.train_kto import TrainKTO
    from rlhflint.frameworks.openrlhf.models.train_ppo import TrainPPO
    from rlhflint.frameworks.openrlhf.models.train_sft import TrainSFT
    from rlhflint.frameworks.openrlhf.training import Living


@rule(
    "OR235",
    "template-shadowed",
    severity=WARNING,
    stage=SILENT,
    programs=(*TRAINING, KTO, KD, PPO_WITHOUT_RAY),
    fix="safe",
)
def template_shadowed(launch: Living | TrainKTO | TrainKD | TrainPPO) -> Iterator[Draft]:
    """With `data.apply_chat_template`, `data.input_template` is not used.

    What happens: prompts get the chat template of the tokenizer; the other one is ignored without a word.

    Why: the data sets look at the template only where no chat template is applied (datasets/prompts_dataset.py@0.11.2,
    datasets/sft_dataset.py@0.4.4).

    Example:
        --data.apply_chat_template --data.input_template "Question: {}"

    Use instead:
        --data.apply_chat_template
    """
    if launch.session.setting("data.input_template") is None:
        return
    if all_hold(lambda: filled(launch, "data.input_template"), lambda: launch.data.apply_chat_template):
        spelt = launch.session.spelling
        template = spelt("data.input_template")
        yield launch.finding(
            "data.input_template",
            "data.apply_chat_template",
            message=f"{template} is ignored: {spelt('data.apply_chat_template')} takes its place",
            help=f"remove one of them; with {template} alone prompts get exactly that text",
            proposal=Proposal(f"Remove {template}", SAFE, remove(launch, "data.input_template")),
        )


@rule(
    "OR247",
    "multiturn-without-chat-template",
    severity=ERROR,
    stage=PARSE,
    programs=SFT,
    applies=">=0.5.7",
    fix="unsafe",
)
def multiturn_without_chat_template(launch: TrainSFT) -> Iterator[Draft]:
    """`data.multiturn` needs `data.apply_chat_template`, with the whole conversation under one key.

    What happens: without the chat template an assertion ends the launch while its arguments are checked. With
    `data.output_key` the data set cannot be built: an error while it is processed, mostly a TypeError.

    Why: answers are found by rendering the conversation turn by turn (cli/train_sft.py@0.5.7, @0.11.2). A separate
    answer is moved into the conversation, and then added to it once more where it no longer is
    (datasets/sft_dataset.py@0.5.7, @0.11.2).

    Example:
        # train_sft, without data.apply_chat_template
        --data.multiturn

    Use instead:
        --data.multiturn --data.apply_chat_template
    """
    if not launch.data.multiturn:
        return
    spelt, release = launch.session.spelling, launch.session.release
    multiturn = spelt("data.multiturn")
    if not launch.data.apply_chat_template:
        template = spelt("data.apply_chat_template")
        yield launch.finding(
            "data.multiturn",
            "data.apply_chat_template",
            message=f"OpenRLHF {release} refuses {multiturn} without the chat template ({template}): an assertion ends "
            "the launch",
            help=f"add {template}",
            proposal=Proposal(f"Add {template}", UNSAFE, put(launch, "data.apply_chat_template", True)),
        )
    elif launch.data.output_key and not launch.model.pretrain_mode_enable:
        output = spelt("data.output_key")
        yield launch.finding(
            "data.output_key",
            "data.multiturn",
            message=f"{multiturn} with {output} {launch.data.output_key}: the data set of OpenRLHF {release} cannot be "
            "built, an error while it is processed",
            help=f"put the whole conversation under {spelt('data.input_key')} and remove {output}",
            stage=STARTUP,
            proposal=Proposal(f"Remove {output}", UNSAFE, remove(launch, "data.output_key")),
        )
