"""Options and values that still work and are announced to go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import deprecations, renames
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.given import set_to, settings_with_fields
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.session import details_of
from rlhflint.proposal import SAFE, Proposal, Rename
from rlhflint.rule import ADVICE, SILENT, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel

_ELSEWHERE = ("bfd-requeue",)
"""Deprecated values that have a rule of their own: TR603."""
_RLOO_REWRITTEN = "0.22.0"
"""Names of the older RLOO, which TR608 tells of, are deprecated since this release."""


@rule("TR613", "option-deprecated", severity=ADVICE, stage=SILENT, programs=EVERY, fix="safe")
def option_deprecated(launch: ProgramModel) -> Iterator[Draft]:
    """An option or value that is announced to go is best replaced in time.

    What happens: a warning now, an error in a later release.

    Why: pad_token and truncation_mode "keep_end" are deprecated since 1.1, use_liger_kernel and the loss "chunked_nll"
    since 1.15 (trainer/sft_config.py@1.1.0, @1.15.0).

    Example:
        # trl 1.15.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", loss_type="chunked_nll")

    Use instead:
        # trl 1.15.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", loss_type="nll")
    """
    details = details_of(launch)
    if not details.own_config:
        return
    known = {one.name: one for one in deprecations(details.own_config, details.trl)}
    for setting, field in settings_with_fields(launch):
        one = known.get(field.name)
        value = setting.value.value if isinstance(setting.value, Known) else None
        if one is None or value in (None, False, *_ELSEWHERE) or one.value not in (None, value):
            continue
        what = setting.name if one.value is None else f"{setting.name} {value!r}"
        yield launch.finding(
            *setting.canonical,
            message=f"{what} is deprecated since TRL {one.since} and will go",
            help=f"use {one.instead}",
            proposal=set_to(setting, one.rename, SAFE) if one.rename else None,
        )
    order = releases()
    for setting, field in settings_with_fields(launch):
        for rename in renames(details.config):
            if rename.old != field.name or not rename.deprecated or rename.deprecated == _RLOO_REWRITTEN:
                continue
            if rename.kind == "same" and order.position(rename.deprecated) <= order.position(details.trl):
                prefix = "--" if setting.name.startswith("-") else ""
                new = prefix + rename.new
                yield launch.finding(
                    *setting.canonical,
                    at=setting.name_span,
                    message=f"{setting.name} is called {rename.new} since TRL {rename.deprecated}, and its old name "
                    "will go",
                    help=f"write {new}",
                    proposal=Proposal(f"Write {new}", SAFE, (Rename(setting, (new,)),)),
                )
