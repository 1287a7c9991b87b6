"""The strategy of packing that goes by another name since 1.0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.programs import SFT
from rlhflint.frameworks.trl.session import details_of
from rlhflint.mapping import Entry
from rlhflint.proposal import SAFE, Proposal, SetValue
from rlhflint.rule import ADVICE, ERROR, PARSE, SILENT, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.sft import SFTModel

STRATEGY, OLD, NEW = "packing_strategy", "bfd-requeue", "bfd_split"


@rule("TR603", "packing-strategy-renamed", severity=WARNING, stage=PARSE, programs=SFT, fix="safe")
def packing_strategy_renamed(launch: SFTModel) -> Iterator[Draft]:
    """The strategy bfd-requeue is called bfd_split since 1.0.

    What happens: a FutureWarning in Python and YAML; on a command line the parser refuses it.

    Why: "bfd-requeue" is a value of packing_strategy in 0.29 alone; 1.0 maps it to "bfd_split" while the configuration
    is built, and its parser's choices do not have it (trainer/sft_config.py@0.29.0, @1.0.0). `packing` itself is a
    switch: text there counts as true, and the strategy stays at its default.

    Example:
        # trl 1.9.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", packing=True, packing_strategy="bfd-requeue")

    Use instead:
        # trl 1.9.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", packing=True, packing_strategy="bfd_split")
    """
    since, release = launch.session.since, launch.session.release
    setting = launch.session.setting("packing")
    if setting is not None and setting.value == Known(OLD):
        name = NEW if since("1.0.0") else OLD
        yield launch.finding(
            "packing",
            message=f"packing is a switch, and {OLD} a value of {STRATEGY}"
            + (f", where TRL {release} calls it {NEW}" if since("1.0.0") else ""),
            help=f'write packing=True, {STRATEGY}="{name}"' if since("0.29.0") else "write packing=True",
            stage=SILENT if details_of(launch).form == "python" else PARSE,
        )
    setting = launch.session.setting(STRATEGY)
    if setting is None or setting.value != Known(OLD) or not since("0.29.0"):
        return
    if not since("1.0.0"):
        yield launch.finding(
            STRATEGY,
            message=f"{OLD} exists in TRL 0.29 alone: from 1.0 on it is {NEW}, which {release} does not know yet",
            help="keep it here, and write the new name when TRL is updated",
            severity=ADVICE,
        )
        return
    refused = details_of(launch).form == "command" and not isinstance(setting.origin, Entry)
    fate = "the parser refuses it" if refused else "it still works, with a warning"
    yield launch.finding(
        STRATEGY,
        message=f"{OLD} is called {NEW} since TRL 1.0: {fate}",
        help=f'write {STRATEGY}="{NEW}"',
        severity=ERROR if refused else WARNING,
        proposal=Proposal(f"Write {NEW}", SAFE, (SetValue(setting, NEW),)),
    )
