"""Chat templates that prompts are rendered with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from packaging.version import Version

from rlhflint.frameworks.openrlhf.model_paths import facts, trained
from rlhflint.frameworks.openrlhf.programs import TRAINING
from rlhflint.frameworks.openrlhf.session import details_of
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.rule import ERROR, STARTUP, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.training import Living

_NO_DEFAULTS = Version("4.44")
"""transformers before had a template for every class of tokenizer."""


@rule("OR131", "chat-template-missing", severity=ERROR, stage=STARTUP, programs=TRAINING)
def chat_template_missing(launch: Living) -> Iterator[Draft]:
    """`data.apply_chat_template` needs a tokenizer with a chat template.

    What happens: transformers raises a ValueError as soon as the first prompt is rendered, when the data is prepared
    ("Cannot use chat template functions because tokenizer.chat_template is not set").

    Why: the template is taken from the model's own tokenizer files (datasets/prompts_dataset.py@0.11.2); base models
    often have none. train_sft, train_rm and train_dpo take one by `data.tokenizer_chat_template`, train_ppo_ray does
    not. transformers before 4.44 fell back on a template of its own.

    Example:
        # train_sft, openrlhf 0.11.2
        --model.model_name_or_path meta-llama/Llama-3.1-8B --data.apply_chat_template

    Use instead:
        # train_sft, openrlhf 0.11.2
        --model.model_name_or_path meta-llama/Llama-3.1-8B-Instruct --data.apply_chat_template
    """
    if not launch.data.apply_chat_template:
        return
    if not is_ppo(launch) and launch.data.tokenizer_chat_template:
        return
    model = trained(launch)
    template = facts(launch, model).chat_template
    if template is None:
        raise Undetermined(model.setting, f"whether {model.name} has a chat template is not known")
    if template or _has_default_templates(launch):
        return
    spelt = launch.session.spelling
    option = details_of(launch).edition.accepted.spelling("data.tokenizer_chat_template")
    yield launch.finding(
        "data.apply_chat_template",
        model.setting,
        message=(
            f"{model.name} has no chat template, and {spelt('data.apply_chat_template')} fails when the first prompt "
            "is rendered"
        ),
        help=(
            (f"give one with {option}" if option else "save one with the tokenizer")
            + f", start from a model that has one, or write the prompts out with {spelt('data.input_template')}"
        ),
    )


def _has_default_templates(launch: Living) -> bool:
    """Whether transformers is old enough to have a template for every tokenizer; 0.4.2.post1 pins 4.44."""
    version = launch.session.launch.versions.get("transformers")
    if version is None:
        return not launch.session.since("0.4.2.post1")
    return Version(version.value) < _NO_DEFAULTS
