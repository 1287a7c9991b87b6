"""Defaults of TRL and transformers that are others than when a launch was written, or than elsewhere in its range."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.allowed import Older, allowed, older
from rlhflint.frameworks.trl.catalog.changes import Behaviour, behaviours
from rlhflint.frameworks.trl.catalog.defaults import defaults_changed
from rlhflint.frameworks.trl.catalog.taken import kept_value
from rlhflint.frameworks.trl.inherited import is_sure, may_be_beside
from rlhflint.frameworks.trl.policy import load_option
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.strays import StrayFacts, known_of
from rlhflint.rule import ADVICE, SILENT, WARNING, Draft, rule
from rlhflint.value import Undetermined, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.defaults import DefaultChange
    from rlhflint.frameworks.trl.models.shared import TrainerModel

_ELSEWHERE = ("vllm_mode", "train_dataset")
"""Options whose change has a rule of its own: TR601, TR602."""


@rule("TR604", "default-changed", severity=WARNING, stage=SILENT, programs=EVERY, fix="unsafe")
def default_changed(launch: TrainerModel) -> Iterator[Draft]:
    """A launch should not rely on a default that has changed since it was written, or changes within its range.

    What happens: nothing is said. The same script trains differently.

    Why: defaults change from release to release: beta of GRPO 0.04 to 0.0 at 0.19, its loss bnpo to dapo at 0.22,
    gradient checkpointing off to on at 0.22 (trainer/grpo_config.py@0.19.0, @0.22.0). Said where a range of releases is
    stated that lies on both sides of a change, and where a name in the launch tells that it was written for an older
    release; never of an option alone that is not given.

    Example:
        --- requirements.txt
        trl>=0.18,<0.20
        --- train.py
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", bf16=True, logging_steps=10)

    Use instead:
        --- requirements.txt
        trl>=0.18,<0.20
        --- train.py
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", bf16=True, logging_steps=10, beta=0.04)
    """
    found = older(launch.session.launch)
    if found is None:
        return
    if launch.session.launch.more:
        raise Undetermined("trl", launch.session.launch.more)
    missing: Undetermined | None = None
    told = {known.rename.new for known in _known(launch) if known.rename is not None}
    for change in _changes(launch, found):
        if change.name in told:
            continue
        told.add(change.name)
        try:
            if _matters(launch, change) and (found.ranged or _kept(launch, change, found) != _literal(change.new)):
                yield _draft(launch, change, found)
        except Undetermined as one:
            missing = missing or one
    for behaviour in _meanings(launch, found):
        yield _changed_meaning(launch, behaviour, found)
    if missing is not None:
        raise missing


def _known(launch: TrainerModel) -> Iterator[StrayFacts]:
    """What is known of the names that nobody takes."""
    details = details_of(launch)
    for stray in details.strays:
        yield known_of(stray, details)


def _changes(launch: TrainerModel, found: Older) -> Iterator[DefaultChange]:
    """The changed defaults of the classes that the launch fills."""
    details = details_of(launch)
    now = (details.trl, details.transformers)
    owners = {field.owner.rpartition(":")[2] for field in (details.fields or {}).values()}
    beside = ["ModelConfig"] if "ModelConfig" in owners else []
    for name in [details.config.rpartition(":")[2], *beside]:
        if name and name != "TrainingArguments":
            yield from (one for one in defaults_changed(name, found.pair, now) if _sure(launch, one, found))


def _sure(launch: TrainerModel, change: DefaultChange, found: Older) -> bool:
    """Whether the default was and is that, whichever release of transformers was and is beside."""
    details = details_of(launch)
    if found.pair[0] == details.trl:
        return True
    beside = may_be_beside(details.trl, launch.session.launch.versions.get("transformers"), details.transformers)
    before = is_sure(change.before, found.pair[0], found.beside)
    return change.package == "trl" and before and is_sure(change.after, details.trl, beside)


def _matters(launch: TrainerModel, change: DefaultChange) -> bool:
    """Whether an option that is not given leaves the launch to a default that is known to have changed."""
    if change.name in _ELSEWHERE or launch.session.given(change.name):
        return False
    if _literal(change.new) is None or (_literal(change.old) is None and change.name != "bf16"):
        return change.name == "bf16" and launch.session.setting("fp16") is None
    old, new = _literal(change.old), _literal(change.new)
    if old is not None and new is not None and old[0] in (None, {}) and new[0] in (None, {}):
        return False
    return all(_is(launch, name, value) for name, value in change.when.items()) and not any(
        _is(launch, name, value) for name, value in change.unless.items()
    )


def _is(launch: TrainerModel, name: str, value: object) -> bool:
    return bool(getattr(launch, name) == value)


def _literal(source: str) -> tuple[object] | None:
    """The value that source text is, as a tuple of one; None where it is worked out."""
    try:
        return (ast.literal_eval(source),)
    except (ValueError, SyntaxError):
        return None


def _kept(launch: TrainerModel, change: DefaultChange, found: Older) -> tuple[object] | None:
    """The value that keeps the old default and that every release in question takes, as a tuple of one."""
    old = _literal(change.old)
    if old is None:
        return None
    details = details_of(launch)
    asked = allowed(launch.session.launch) if found.ranged else (details.trl,)
    owner = change.after.owner if change.after.owner.rpartition(":")[2] == "ModelConfig" else details.config
    return kept_value(owner, launch.session.spelling(change.name), old[0], asked, details.transformers)


def _draft(launch: TrainerModel, change: DefaultChange, found: Older) -> Draft:
    old = _kept(launch, change, found)
    package = "TRL" if change.package == "trl" else "transformers"
    shown = launch.session.spelling(change.name)
    if found.ranged:
        wanted = f"pin one release of {package}"
    else:
        wanted = f"write {shown}={old[0]!r} to train as before" if old is not None else f"give {shown} a value"
    new = "true unless fp16 is given" if change.name == "bf16" and _literal(change.new) is None else change.new
    return launch.finding(
        change.name,
        at=launch.session.launch.span,
        message=f"{shown} is not given, and its default changed from {change.old} to {new} with {package} "
        f"{change.release}; {_where(found, package)}",
        help=wanted + (f", or write {shown}={old[0]!r} for all of them" if found.ranged and old is not None else ""),
        severity=ADVICE if change.effect == "logging" else WARNING,
        proposal=put(launch, change.name, old[0]) if old is not None else None,
    )


def _where(found: Older, package: str) -> str:
    release = found.pair[0] if package == "TRL" else found.pair[1]
    return f"before it comes {package} {release}, {found.because}"


def _meanings(launch: TrainerModel, found: Older) -> Iterator[Behaviour]:
    """What options came to mean that kept their names and defaults, as far as it is known to matter to the launch."""
    details = details_of(launch)
    if not details.config or found.pair[0] == details.trl:
        return
    for behaviour in behaviours(details.config, found.pair[0], details.trl):
        if behaviour.name not in _ELSEWHERE and if_known(partial(_exposed, launch, behaviour)):
            yield behaviour


def _exposed(launch: TrainerModel, behaviour: Behaviour) -> bool:
    """Whether a launch depends on it; on how a model is loaded, where it is given by name and without its dtype."""
    if not all(_is(launch, name, value) for name, value in behaviour.when.items()):
        return False
    if behaviour.name != "model_init_kwargs":
        return True
    if "float32" not in behaviour.after or details_of(launch).form != "python":
        return False
    return isinstance(launch.model, str) and load_option(launch, "dtype") is None


def _changed_meaning(launch: TrainerModel, behaviour: Behaviour, found: Older) -> Draft:
    return launch.finding(
        behaviour.name,
        at=launch.session.launch.span,
        message=f"what {behaviour.name} means by default changed with TRL {behaviour.release}: before, "
        f"{behaviour.before}; now, {behaviour.after}; {_where(found, 'TRL')}",
        help="pin one release of TRL" if found.ranged else "see that it is what is wanted",
    )
