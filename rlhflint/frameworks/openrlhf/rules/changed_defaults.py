"""Defaults that differ between the releases a project allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.inference import guess
from rlhflint.frameworks.openrlhf.programs import TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.session import details_of
from rlhflint.frameworks.openrlhf.training import corrects_rollouts, is_ppo, packs
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import SILENT, WARNING, Draft, rule
from rlhflint.value import Undetermined, Unknown

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program
    from rlhflint.frameworks.openrlhf.default_changes import ChangedDefault
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living


def _unpacked(launch: Living) -> bool:
    """Whether samples are not packed, so that attention is what is asked for."""
    return not (packs(launch) if is_ppo(launch) else launch.ds.packing_samples)


def _has_value_head(launch: Living) -> bool:
    """Whether the launch reads or makes a model with a value head."""
    if is_ppo(launch):
        return roles.has_critic(launch) or filled(launch, "reward.model_name_or_path")
    return True


_MATTERS: Mapping[str, Callable[[Any], object]] = {
    "algo.advantage.lambd": roles.has_critic,
    "critic.value_clip": roles.has_critic,
    "data.input_template": lambda launch: not launch.data.apply_chat_template,
    "eval.split": lambda launch: filled(launch, "eval.dataset"),
    "ds.attn_implementation": _unpacked,
    "algo.advantage.is_correction_threshold": corrects_rollouts,
    "ds.value_head_prefix": _has_value_head,
}
"""Field → whether a launch depends on it; it does on all others."""

_MEANINGS: Mapping[str, Callable[[TrainPPORay], object]] = {
    "eval.steps": lambda launch: filled(launch, "eval.dataset"),
    "vllm.gpu_memory_utilization": roles.shares_with_engines,
}
"""Field of which the default came to mean something else → whether a launch depends on it."""


@rule("OR603", "flag-default-changed", severity=WARNING, stage=SILENT, programs=TRAINING, fix="unsafe")
def flag_default_changed(launch: Living) -> Iterator[Draft]:
    """A launch should not rely on a default that differs between the releases its project allows.

    What happens: nothing is said. The same script trains differently, depending on which release gets installed.

    Why: defaults change from release to release: micro batches of 8 and 4 became 1 at 0.10.0, `--attn_implementation`
    flash attention in the place of eager at 0.8.10, and so on (cli/train_ppo_ray.py@0.9.10, @0.10.0). Said where a
    range of releases is stated that lies on both sides of such a change, and all of them take the flags used.

    Example:
        --- requirements.txt
        openrlhf>=0.9.8,<0.10.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --pretrain models/sft --prompt_data data/prompts.jsonl --max_len 4096 \\
           --remote_rm_url http://rm/score --vllm_num_engines 4 --micro_rollout_batch_size 8

    Use instead:
        --- requirements.txt
        openrlhf>=0.9.8,<0.10.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --pretrain models/sft --prompt_data data/prompts.jsonl --max_len 4096 \\
           --remote_rm_url http://rm/score --vllm_num_engines 4 --micro_rollout_batch_size 8 --micro_train_batch_size 4
    """
    session = launch.session
    allowed = _allowed(launch)
    program = details_of(launch).edition.program
    if program is None or len(allowed) < 2:
        return
    if session.launch.more:
        raise Undetermined("openrlhf", session.launch.more)
    from rlhflint.frameworks.openrlhf.default_changes import changed_defaults  # few projects state such a range

    given = dict.fromkeys(session.launch.values, Unknown("given"))
    told: set[str] = set()
    for since in _before_changes(program, allowed):
        for changed in changed_defaults(program, given, since, allowed[-1]):
            if changed.name not in told and _MATTERS.get(changed.name, bool)(launch):
                told.add(changed.name)
                yield _draft(launch, changed, since, allowed)
    if is_ppo(launch):
        yield from _meanings(launch, program, allowed)


def _allowed(launch: Living) -> tuple[str, ...]:
    """The neighbouring releases inside the stated range that take all flags of the launch, oldest first."""
    from packaging.specifiers import SpecifierSet

    version = launch.session.launch.versions.get("openrlhf")
    details = details_of(launch)
    program = details.edition.program
    if version is None or not (version.stated and version.specifier) or program is None or details.edition.copy:
        return ()
    range_ = SpecifierSet(version.specifier)
    inside = [release for release in details.catalog.releases if range_.contains(release, prereleases=True)]
    if not inside:
        return ()
    found = guess(program, (argument.option.flag for argument in details.reading.arguments), inside)
    if not found.complete or details.strangers:
        return ()
    return tuple(inside[inside.index(found.since) : inside.index(found.until) + 1])


def _before_changes(program: Program, allowed: tuple[str, ...]) -> Iterator[str]:
    """The oldest of the releases, and those before which a default changed and may have changed back since."""
    yield allowed[0]
    for before, release in pairwise(allowed):
        if before != allowed[0] and any(program.default_effect(flag, release) for flag in program.flags):
            yield before


def _draft(launch: Living, changed: ChangedDefault, since: str, allowed: tuple[str, ...]) -> Draft:
    old = "" if isinstance(changed.old, Unknown) else f" from {changed.old!r}"
    new = changed.new_words
    written = None if new is None else " ".join([changed.flag, *new])
    source = launch.session.launch.versions["openrlhf"].source
    return launch.finding(
        changed.name,
        at=launch.session.launch.span,
        message=(
            f"{changed.flag} is not given, and its default changed{old} to {changed.new!r} between OpenRLHF {since} "
            f"and {allowed[-1]}, which {source} both allow" + (f": {changed.effect}" if changed.effect else "")
        ),
        help="pin one release of OpenRLHF" + (f", or write {written} for all of them" if written else ""),
        proposal=Proposal(f"Write {written}", UNSAFE, put(launch, changed.name, _value(changed))) if written else None,
    )


def _value(changed: ChangedDefault) -> object:
    value = changed.new
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else value


def _meanings(launch: TrainPPORay, program: Program, allowed: tuple[str, ...]) -> Iterator[Draft]:
    """Defaults that stayed and came to mean something else."""
    position = program.releases.position
    for name, matters in _MEANINGS.items():
        if launch.session.setting(name) is not None:
            continue
        flag = program.spelling(name, allowed[-1])
        for meaning in program.meanings(flag) if flag is not None else ():
            if position(allowed[0]) < position(meaning.release) <= position(allowed[-1]) and matters(launch):
                yield launch.finding(
                    name,
                    at=launch.session.launch.span,
                    message=(
                        f"{flag} is not given, and its default means something else since OpenRLHF {meaning.release}. "
                        f"Before: {meaning.before}; now: {meaning.after}"
                    ),
                    help=f"pin one release of OpenRLHF, or give {flag} a value",
                )
