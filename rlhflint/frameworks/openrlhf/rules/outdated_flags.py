"""Flags of another release of the program: renamed, replaced, turned round, removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.frameworks.openrlhf.programs import EVERY, PPO
from rlhflint.frameworks.openrlhf.session import details_of
from rlhflint.frameworks.openrlhf.strangers import Why
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Remove
from rlhflint.rule import ERROR, PARSE, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.rewritings import Rewriting

_BUDGET = ("--prompt_max_len", "--generate_max_len")
_CORRECTION = "algo.advantage.is_correction"


@rule("OR601", "flag-renamed", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def flag_renamed(launch: ProgramModel) -> Iterator[Draft]:
    """A flag has to be written as the release in force spells it.

    What happens: the program prints "unrecognized arguments" and ends with exit status 2.

    Why: names changed without aliases. At 0.10.2 every flat name became a dotted one (`--zero_stage`,
    `--ds.zero_stage`); neither release takes the other's. Some flags of both actor and critic were split
    (`--max_norm`, `--lr_scheduler`, `--adam_betas`), so that both have to be written, or the actor's alone where no
    critic is built (cli/train_ppo_ray.py@0.10.2).

    Example:
        # train_sft, openrlhf 0.11.2
        --packing_samples

    Use instead:
        # train_sft, openrlhf 0.11.2
        --ds.packing_samples
    """
    for rewriting, bundle in _outdated(launch):
        kind = rewriting.succession.kind
        if kind in (Kind.RENAMED, Kind.SPLIT, Kind.JOINED) or (
            kind is Kind.REPLACED and not _of_budget(rewriting) and not _of_correction(launch, rewriting)
        ):
            yield _draft(launch, rewriting, bundle)


@rule("OR602", "flag-removed", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def flag_removed(launch: ProgramModel) -> Iterator[Draft]:
    """A flag that the release in force no longer has must go.

    What happens: the program prints "unrecognized arguments" and ends with exit status 2.

    Why: some flags ended without a successor. Those that nothing had read any more (`--ptx_coef`, `--perf`,
    `--actor_init_on_gpu` before 0.10.2) can simply go; for others something is lost, which the message names.

    Example:
        # train_ppo_ray, openrlhf 0.11.2
        --perf

    Use instead:
        # train_ppo_ray, openrlhf 0.11.2
        --ds.packing_samples
    """
    for rewriting, _ in _outdated(launch):
        if rewriting.succession.kind is Kind.REMOVED:
            yield _removed(launch, rewriting)


@rule("OR604", "switch-inverted", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def switch_inverted(launch: ProgramModel) -> Iterator[Draft]:
    """A switch whose effect has become the default must go.

    What happens: the program prints "unrecognized arguments" and ends with exit status 2.

    Why: `--flash_attn` went at 0.8.10, where flash attention 2 became the default, and `--bf16` at 0.9.2, where
    bfloat16 did (cli/train_sft.py@0.8.10, @0.9.2). A launch that never had the switch changed its meaning there.

    Example:
        # train_sft, openrlhf 0.11.2
        --bf16

    Use instead:
        # train_sft, openrlhf 0.11.2
        --ds.param_dtype bf16
    """
    for rewriting, _ in _outdated(launch):
        if rewriting.succession.kind is Kind.INVERTED:
            yield _inverted(launch, rewriting)


@rule("OR605", "length-budget-replaced", severity=ERROR, stage=PARSE, programs=PPO, fix="safe")
def length_budget_replaced(launch: ProgramModel) -> Iterator[Draft]:
    """Prompt and answer have one common budget of tokens since 0.9.8.

    What happens: the program prints "unrecognized arguments" and ends with exit status 2.

    Why: `--prompt_max_len` and `--generate_max_len` gave way to one length for both, and an optional bound of the
    answer (cli/train_ppo_ray.py@0.9.8). Upstream's README shows the old pair up to 0.11.0.

    Example:
        # train_ppo_ray, openrlhf 0.11.2
        --prompt_max_len 1024 --generate_max_len 3072

    Use instead:
        # train_ppo_ray, openrlhf 0.11.2
        --data.max_len 4096 --rollout.max_new_tokens 3072
    """
    for rewriting, bundle in _outdated(launch):
        if _of_budget(rewriting):
            yield _draft(launch, rewriting, bundle)


@rule("OR606", "correction-options-replaced", severity=ERROR, stage=PARSE, programs=PPO, fix="safe")
def correction_options_replaced(launch: ProgramModel) -> Iterator[Draft]:
    """The correction for rollout probabilities has to be asked for with the options of the release in force.

    What happens: the program prints "unrecognized arguments" and ends with exit status 2.

    Why: the options changed four times: one threshold in 0.8.9, two in 0.9.1, a type in 0.9.3, and level, mode and
    gating in 0.11.2 (models/loss.py@0.11.2). tis is token, clip, ratio; icepop is token, mask, ratio; seq-mask-tis is
    seq, mask, ratio.

    Example:
        # train_ppo_ray, openrlhf 0.11.2
        --algo.advantage.is_correction_enable

    Use instead:
        # train_ppo_ray, openrlhf 0.11.2
        --algo.advantage.is_correction_level token --algo.advantage.is_correction_mode clip
    """
    for rewriting, bundle in _outdated(launch):
        if _of_correction(launch, rewriting) and rewriting.succession.kind is Kind.REPLACED:
            yield _draft(launch, rewriting, bundle)


@lru_cache(maxsize=1)  # each of the rules asks it of the same launch
def _outdated(launch: ProgramModel) -> list[tuple[Rewriting, Sequence[Rewriting]]]:
    """What becomes of each flag that is refused, with those that have to be rewritten together with it."""
    details = details_of(launch)
    edition = details.edition
    if edition.program is None or edition.copy or all(one.why is not Why.SUCCEEDED for one in details.strangers):
        return []
    from rlhflint.frameworks.openrlhf.rewriting import bundled, rewritten  # most launches have none

    settings = launch.session.launch.settings
    groups = bundled(rewritten(edition.program, settings, edition.release, critic=_has_critic(launch)))
    return [(one, bundle) for bundle in groups for one in bundle if one.setting.name not in edition.extra]


def _has_critic(launch: ProgramModel) -> bool:
    """Whether a critic may be built."""
    from rlhflint.frameworks.openrlhf import roles
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

    with suppress(Undetermined):
        return not isinstance(launch, TrainPPORay) or roles.has_critic(launch)
    return True


def _of_budget(rewriting: Rewriting) -> bool:
    return rewriting.setting.name in _BUDGET


def _of_correction(launch: ProgramModel, rewriting: Rewriting) -> bool:
    return any(name.startswith(_CORRECTION) for name in rewriting.setting.canonical)


def _head(launch: ProgramModel, rewriting: Rewriting) -> str:
    """What is wrong with the flag at the release in force."""
    succession, name = rewriting.succession, rewriting.setting.name
    program = details_of(launch).edition.name
    if succession.backward:
        return (
            f"{name} came with OpenRLHF {succession.last}; {program} of {launch.session.release}, which is in force, "
            "does not accept it"
        )
    return f"{name} ended with OpenRLHF {succession.last}; {program} of {launch.session.release} does not accept it"


def _draft(launch: ProgramModel, rewriting: Rewriting, bundle: Sequence[Rewriting]) -> Draft:
    from rlhflint.frameworks.openrlhf.rewriting import changes

    setting, by = rewriting.setting, rewriting.by
    written = _written(rewriting)
    proposal = None
    if made := changes(bundle):
        proposal = Proposal(f"Write {written}" if by else f"Remove {setting.name}", SAFE, made)
    names = " and ".join(dict.fromkeys(rewriting.succession.flags))
    help_ = f"write {written}" if by else f"{names} says it at this release"
    if rewriting.lost:
        help_ = f"write {names} instead; it cannot be done for you: {rewriting.lost}"
    return launch.finding(
        *setting.canonical,
        at=setting.name_span,
        message=_head(launch, rewriting),
        help=help_,
        proposal=proposal,
    )


def _inverted(launch: ProgramModel, rewriting: Rewriting) -> Draft:
    setting, succession = rewriting.setting, rewriting.succession
    bare = not setting.text
    names = " and ".join(succession.flags)
    return launch.finding(
        *setting.canonical,
        at=setting.name_span,
        message=f"{_head(launch, rewriting)}: its effect is the default of {names} now",
        help=f"remove {setting.name}" if bare else f"remove {setting.name} and what follows it, or write {names}",
        proposal=Proposal(f"Remove {setting.name}", SAFE, (Remove(setting),))
        if bare and not rewriting.by and not rewriting.lost
        else None,
    )


def _removed(launch: ProgramModel, rewriting: Rewriting) -> Draft:
    setting, succession = rewriting.setting, rewriting.succession
    why = f": {succession.note}" if succession.note else ""
    return launch.finding(
        *setting.canonical,
        at=setting.name_span,
        message=f"{_head(launch, rewriting)}, and nothing takes its place{why}",
        help=f"remove {setting.name}"
        + ("; it had no effect before either" if succession.dead else ", if you can do without what it did"),
        proposal=Proposal(f"Remove {setting.name}", SAFE if succession.dead else UNSAFE, (Remove(setting),)),
    )


def _written(rewriting: Rewriting) -> str:
    """The flags to write, with their values where those are worked out anew."""
    replaced = rewriting.succession.kind is Kind.REPLACED
    own = tuple(text.text for text in rewriting.setting.text) if replaced else ()
    return " ".join(" ".join([one.flag, *(own if one.words is None else one.words)]) for one in rewriting.by)
