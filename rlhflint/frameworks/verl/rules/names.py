"""Names of overrides: misspelt, of another release or engine, added though they are there."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.frameworks.verl.catalog import verl
from rlhflint.frameworks.verl.overrides import Override, kind_of
from rlhflint.frameworks.verl.session import VerlSession, session_of
from rlhflint.launch import Setting
from rlhflint.likeness import alike
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Rename
from rlhflint.rule import ADVICE, ERROR, PARSE, Draft, rule

_VALUES = ("int", "float", "bool", "str")
"""Kinds of settings that Hydra never adds to; a list or a mapping is merged."""


@rule("VL101", "unknown-setting", severity=ERROR, stage=PARSE, programs="verl:main_ppo", fix="unsafe")
def unknown_setting(launch: ProgramModel) -> Iterator[Draft]:
    """An override has to name a setting that the configuration has.

    What happens: Hydra prints "Could not override" and that the key is not in the struct, and ends before anything is
    started.

    Why: `main_ppo` composes its configuration with Hydra, which lets no key be set that is not there unless a `+`
    stands in front (trainer/main_ppo.py@0.9.1, trainer/config/ppo_trainer.yaml@0.9.1).

    Example:
        python3 -m verl.trainer.main_ppo data.train_batch_sise=1024

    Use instead:
        python3 -m verl.trainer.main_ppo data.train_batch_size=1024
    """
    session = session_of(launch)
    extra = session.site.extra(launch.session.launch.program)
    for override, setting in session.details.given:
        name = override.setting
        if override.prefix in ("", "~") and name not in extra and _missing(name, session):
            yield _unknown(launch, session, override, setting)


def _missing(name: str, session: VerlSession) -> bool:
    """Whether the configuration certainly has no setting of a name: what it would stand in is known, and no list."""
    kinds = session.kinds
    if name in kinds:
        return False
    group = name
    while group := group.rpartition(".")[0]:
        if group in kinds:
            return kinds[group] not in ("any", "list")
    return True


def _unknown(launch: ProgramModel, session: VerlSession, override: Override, setting: Setting) -> Draft:
    details, name = session.details, override.setting
    near = alike(name, list(session.kinds))
    engines = verl().engines(name, details.release)
    releases = verl().accepting(name)
    if engines:
        help_text = f"it belongs to {' and '.join(engines)}: choose that configuration, or leave it out"
    elif releases:
        span = releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"
        help_text = f"verl {span} has it" + (f"; did you mean {' or '.join(near)}?" if near else "")
    elif near:
        help_text = f"did you mean {' or '.join(near)}?"
    else:
        help_text = f"leave it out, or write +{name} if it is meant to be new"
    proposal = None
    if near and not engines and not details.newer:
        prefix = override.prefix
        proposal = Proposal(f"Write {prefix}{near[0]}", UNSAFE, (Rename(setting, (f"{prefix}{near[0]}",)),))
    return launch.finding(
        *near[:1],
        at=override.name.span,
        message=f"{name} is no setting of main_ppo in verl {session.release}"
        + (f" with the configuration for {details.engine}" if engines else "")
        + (" as far as rlhflint knows" if details.newer else ""),
        help=help_text,
        severity=ADVICE if details.newer else ERROR,
        proposal=proposal,
    )


@rule("VL102", "added-setting-is-there", severity=ERROR, stage=PARSE, programs="verl:main_ppo", fix="safe")
def added_setting_is_there(launch: ProgramModel) -> Iterator[Draft]:
    """`+` is for settings that the configuration does not have.

    What happens: Hydra prints "Could not append to config. An item is already at" and ends before anything is started.

    Why: the configuration of the release has the setting, with a value; only one whose value is null may be added
    (trainer/config/ppo_trainer.yaml@0.9.1).

    Example:
        python3 -m verl.trainer.main_ppo +trainer.nnodes=2

    Use instead:
        python3 -m verl.trainer.main_ppo trainer.nnodes=2
    """
    session = session_of(launch)
    for override, setting in session.details.given:
        name = override.setting
        if override.prefix != "+" or session.kinds.get(name) not in _VALUES or override.value is None:
            continue
        if override.value.known and kind_of(override.value.text) not in ("list", "dict"):
            yield launch.finding(
                name,
                at=override.name.span,
                message=f"verl {session.release} has {name} already, and + is refused for it",
                help=f"write {name} without the +",
                severity=ADVICE if session.newer else ERROR,
                proposal=Proposal(f"Write {name}", SAFE, (Rename(setting, (name,)),)),
            )
