"""Whether a configuration of TRL that was moved to another release has the same values there, as both releases say.

THIS EXECUTES UPSTREAM'S CODE (see `tests.oracle.trl`). It is for tests and campaigns alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlhflint.check import Checker
from rlhflint.fixing.fixer import Fixer
from rlhflint.fixing.migration import Mover
from rlhflint.frameworks.trl.catalog.changes import effective_default, value_changes
from rlhflint.frameworks.trl.catalog.defaults import defaults_changed
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.over_releases import canonical, spelling
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.migration import Targets
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import FileKind
from rlhflint.project.settings import Settings
from tests.oracle.trl import Answer, ask
from tests.oracle.trl_environments import ENVIRONMENTS, Environment

NAME = "train.py"
_OF_THE_MACHINE = ("local_rank", "average_tokens_across_devices", "optim")
"""What the object makes of the place where it is built: of the number of processes, and of torch, from whose release
2.8 on newer transformers takes the fused AdamW."""
Wheel = Callable[[str, str], Path]


@dataclass
class Comparison:
    """One configuration before and after. `different` are options with other values that no message names."""

    before: str
    after: str = ""
    refusal: str = ""
    different: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    named: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """The moved configuration is built, and every option has its value or is named."""
        return not self.refusal and not self.different


@dataclass(frozen=True)
class _Made:
    """The configuration that a text makes: where its class is imported from, and the keywords."""

    path: str
    keywords: dict[str, Any]

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


def environment_for(release: str) -> Environment:
    """The environment whose releases are nearest to a release."""
    position = releases().position
    return min(ENVIRONMENTS, key=lambda one: min(abs(position(other) - position(release)) for other in one.releases))


def compared(texts: Sequence[str], since: str, to: str, wheel: Wheel) -> Iterator[Comparison]:
    """Move configurations and ask both releases; those that `since` refuses are left out."""
    old, new = environment_for(since), environment_for(to)
    made = [(text, one) for text in texts if (one := _made(text)) is not None]
    before = ask(old.python, wheel("trl", since), [_case(one, since, old.transformers) for _, one in made])
    accepted = [(text, one, answer) for (text, one), answer in zip(made, before, strict=True) if answer["ok"]]
    moved = [_moved(text, (since, old.transformers), (to, new.transformers)) for text, _, _ in accepted]
    there = [_made(text) for text, _ in moved]
    cases = [_case(one, to, new.transformers) for one in there if one is not None]
    answers = iter(ask(new.python, wheel("trl", to), cases))
    for (text, one, answer), (after, named), target in zip(accepted, moved, there, strict=True):
        comparison = Comparison(text, after, named=named)
        reply: Answer = next(answers) if target is not None else {"ok": False, "type": "not found"}
        if not reply["ok"]:
            comparison.refusal = f"{reply['type']} {reply.get('message', '')}"
        else:
            pairs = ((since, old.transformers), (to, new.transformers))
            comparison.different = _different(one.name, answer["values"], reply["values"], *pairs, named)
        yield comparison


def _made(text: str) -> _Made | None:
    """The configuration in a text; None where it is no single call with keywords that are data."""
    module = ast.parse(text)
    homes = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in module.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("Config"):
            keywords = {one.arg: ast.literal_eval(one.value) for one in node.keywords if one.arg is not None}
            return _Made(homes[node.func.id], keywords)
    return None


def _case(made: _Made, release: str, transformers: str) -> dict[str, Any]:
    key = key_at(made.name, release)
    names = list(config_fields(key, release, transformers)) if key is not None else []
    return {"config": made.path, "kwargs": made.keywords, "show": names}


def _moved(text: str, since: tuple[str, str], to: tuple[str, str]) -> tuple[str, tuple[str, ...]]:
    """The text at the other releases, and the options that are named in what is said."""
    names = ("trl", "transformers")
    checker = Checker(Settings(framework_versions=dict(zip(names, since, strict=True)), isolated=True))
    mover = Mover(Targets(dict(zip(names, to, strict=True)), pin_defaults=True, unsafe=True))
    outcome = Fixer(checker, unsafe=True, mover=mover).fix_text(Candidate(NAME, FileKind.PYTHON), text)
    named = {one for finding in outcome.result.findings for one in finding.settings if finding.code != "TR613"}
    return outcome.text, tuple(sorted(named))


def _different(
    name: str,
    before: dict[str, Any],
    after: dict[str, Any],
    since: tuple[str, str],
    to: tuple[str, str],
    named: tuple[str, ...],
) -> dict[str, tuple[Any, Any]]:
    """The options whose values are not what they were, as far as that does anything."""
    changed = {change.name: change for change in defaults_changed(name, since, to, trivial=True)}
    values = {(one.name, repr(one.old)): one.new for one in value_changes(name, to[0])}
    expected = _expected(before)
    found = {}
    for written, value in before.items():
        newest = canonical(name, written, since[0])
        if written in _OF_THE_MACHINE or (newest != written and newest in before):
            continue
        there = spelling(name, newest, *to)
        if there is None or newest in named or there in named or value == after.get(there):
            continue
        effective = effective_default(name, written, since[0])
        was = effective[0] if effective is not None and value is None else value
        was = values.get((newest, repr(was)), was)
        now, change = after.get(there), changed.get(newest)
        if now in (was, [was], expected.get(there, was)):
            continue
        if change is not None and (change.effect == "none" or not _counts(change.when, change.unless, before)):
            continue
        found[there] = (value, now)
    return found


def _expected(before: dict[str, Any]) -> dict[str, Any]:
    """The values that others were made into, in upstream's words."""
    found: dict[str, Any] = {}
    if before.get("rpo_alpha") is not None:
        types = before["loss_type"] if isinstance(before["loss_type"], list) else [before["loss_type"]]
        weights = before.get("loss_weights") or [1.0] * len(types)
        found |= {"loss_type": [*types, "sft"], "loss_weights": [*weights, before["rpo_alpha"]]}
    if before.get("warmup_ratio"):
        found["warmup_steps"] = before["warmup_ratio"]
    return found


def _counts(when: Any, unless: Any, held: dict[str, Any]) -> bool:
    """Whether a changed default counts, by the values that the older release held."""
    return all(held.get(name) == value for name, value in when.items()) and not any(
        held.get(name) == value for name, value in unless.items()
    )
