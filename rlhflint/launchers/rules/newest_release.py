"""A framework newer than the catalog."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.model import ProgramModel
from rlhflint.registry import title
from rlhflint.rule import ADVICE, PARSE, Draft, rule


@rule("VE601", "release-newer-than-data", severity=ADVICE, stage=PARSE, programs="*")
def release_newer_than_data(launch: ProgramModel) -> Iterator[Draft]:
    """A release newer than rlhflint's data can be judged by what the newest known one does only.

    What happens: names that are not known are reported as advice.

    Why: the catalog of this rlhflint ends at the release that the message names.

    Example:
        # train_sft, openrlhf 0.99.0
        --ds.zero_stage 2

    Use instead:
        # train_sft, openrlhf 0.11.2
        --ds.zero_stage 2
    """
    if launch.session.newer:
        yield launch.finding(
            message=f"{title(launch.session.framework)} {launch.session.release} is newer than all that this rlhflint "
            f"knows, which is up to {launch.session.newest}: it is judged like that one",
            help="update rlhflint",
        )
