"""Process reward models: labels of steps, and the tokens that stand for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PRM
from rlhflint.rule import ERROR, FIRST_STEP, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_prm import TrainPRM

_DATA = (".jsonl", ".json")


@rule("OR256", "prm-reward-tokens", severity=ERROR, stage=FIRST_STEP, programs=PRM, applies=">=0.5.0,<0.9.6")
def prm_reward_tokens(launch: TrainPRM) -> Iterator[Draft]:
    """Soft labels of steps need two reward tokens, the one for good steps first.

    What happens: an assertion, or a TypeError without any reward tokens, when the first loss is worked out.

    Why: labels that are numbers are shared out between two tokens (models/loss.py@0.5.0, @0.9.5); labels that are
    text are tokens themselves. Which kind they are is seen in data that lie in the project as JSON, in the first
    record.

    Example:
        # openrlhf 0.9.5
        --- train.sh
        deepspeed --module openrlhf.cli.train_prm --pretrain m --dataset s.jsonl --label_key good --reward_tokens +
        --- s.jsonl
        {"input": "1 + 1 = 2 <step>", "good": [0.9]}

    Use instead:
        # openrlhf 0.9.5
        --- train.sh
        deepspeed --module openrlhf.cli.train_prm --pretrain m --dataset s.jsonl --label_key good --reward_tokens + -
        --- s.jsonl
        {"input": "1 + 1 = 2 <step>", "good": [0.9]}
    """
    tokens = launch.reward_tokens
    if tokens is not None and len(tokens) == 2:
        return
    if _labels_are_numbers(launch):
        session, flag = launch.session, launch.session.spelling("reward_tokens")
        yield launch.finding(
            "reward_tokens",
            "data.dataset",
            message=f"{flag} {'is missing' if tokens is None else f'has {len(tokens)} values'}, and the labels of "
            f"{launch.data.dataset} are numbers: OpenRLHF {session.release} shares them out between two tokens",
            help=f"write {flag} with the token for good steps and the one for bad steps",
        )


def _labels_are_numbers(launch: TrainPRM) -> bool:
    """Whether the labels in the data are soft, by their first record. Raises `Undetermined` where that is not seen."""
    name = launch.data.dataset
    if name is None:
        return False
    text = launch.session.file(name) if name.endswith(_DATA) else None
    if text is None:
        raise Undetermined("data.dataset", f"{name} is not a JSON file in the project")
    try:
        record = json.loads(text.lstrip().partition("\n")[0] if name.endswith(".jsonl") else text)
    except (ValueError, RecursionError):
        raise Undetermined("data.dataset", f"the first record of {name} cannot be read") from None
    first = record[0] if isinstance(record, list) and record else record
    labels = first.get(launch.label_key) if isinstance(first, dict) else None
    if not isinstance(labels, list) or not labels:
        raise Undetermined("data.dataset", f"the first record of {name} has no list {launch.label_key}")
    return not isinstance(labels[0], str)
