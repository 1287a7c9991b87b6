"""Values that stand for what was to be filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.rule import STARTUP, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel

_PLACEHOLDER = expression(
    r"\{(?:your|my|wandb|hf|model|path|name|token|key)\w*\}"
    r"|[<\[](?:your|path|insert|wandb|hf_|api|model_|dataset_|output_|todo)[^<>|\[\]]*[>\]]"
    r"|(?:.*/)?your[-_](?:\w|-)+(?:/.*)?"
    r"|(?:.*/)?path/to/.*",
    re.IGNORECASE,
)
_LONGEST = 200


@rule("LA112", "placeholder-left", severity=WARNING, stage=STARTUP, programs="*")
def placeholder_left(launch: ProgramModel) -> Iterator[Draft]:
    """Placeholders have to be filled in.

    What happens: a path that does not exist, or a login that fails, when the run has started.

    Why: examples write `{wandb_token}`, `<your model>`, `your_name` or `path/to/data` where a value belongs.

    Example:
        # openrlhf 0.11.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path /path/to/model --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path /models/sft --vllm.num_engines 4
    """
    for setting in launch.session.launch.settings:
        if not isinstance(setting.value, Known):
            continue
        values = setting.value.value if isinstance(setting.value.value, list) else [setting.value.value]
        for value in values:
            if isinstance(value, str) and len(value) <= _LONGEST and _PLACEHOLDER.fullmatch(value):
                yield launch.finding(
                    *setting.canonical,
                    at=setting.value_span,
                    message=f"{value} is a placeholder",
                    help=f"give {setting.name} a value",
                )
