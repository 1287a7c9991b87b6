"""Strategies of packing: where they are written, and the one that goes by another name since 1.0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import accepted
from rlhflint.frameworks.trl.catalog.parser import BOOLEAN_WORDS
from rlhflint.frameworks.trl.programs import SFT
from rlhflint.frameworks.trl.session import details_of
from rlhflint.mapping import Entry
from rlhflint.proposal import SAFE, Add, Proposal, SetValue
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


@rule("TR114", "packing-holds-a-strategy", severity=WARNING, stage=SILENT, programs=SFT, fix="safe")
def packing_holds_a_strategy(launch: SFTModel) -> Iterator[Draft]:
    """packing is on or off; how it packs is said by packing_strategy.

    What happens: in Python any text counts as true, and the strategy stays at its default. In YAML and on a command
    line the parser ends with exit status 2.

    Why: packing is a bool, packing_strategy the name of a strategy, since 0.19 (trainer/sft_config.py@0.19.0, @1.9.0).

    Example:
        # trl 1.9.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", packing="bfd_split")

    Use instead:
        # trl 1.9.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", packing=True, packing_strategy="bfd_split")
    """
    setting = launch.session.setting("packing")
    value = setting.value.value if setting is not None and isinstance(setting.value, Known) else None
    if setting is None or not isinstance(value, str) or value.lower() in BOOLEAN_WORDS:
        return
    details = details_of(launch)
    python = details.form == "python"
    known = accepted(details.config, STRATEGY, details.trl) if details.config else None
    name = NEW if value == OLD and launch.session.since("1.0.0") else value
    strategy = known is not None and name in known.values
    fate = "any text counts as true, and the strategy stays at its default" if python else "the parser refuses it"
    free = python and launch.session.setting(STRATEGY) is None and strategy
    changes = (SetValue(setting, value=True), Add(STRATEGY, name, after=setting))
    yield launch.finding(
        "packing",
        message=f"packing is a switch, and {value!r} is none: {fate}",
        help=f'write packing=True, {STRATEGY}="{name}"' if strategy else "write true or false",
        severity=WARNING if python else ERROR,
        stage=SILENT if python else PARSE,
        proposal=Proposal(f"Write {STRATEGY}={name!r}", SAFE, changes) if free else None,
    )
