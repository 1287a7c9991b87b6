"""Commands that start `verl.trainer.main_ppo`, as launches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rlhflint.catalog.intervals import Standing
from rlhflint.frameworks.verl.catalog import PLAIN, verl
from rlhflint.frameworks.verl.overrides import Override, Words, read
from rlhflint.frameworks.verl.session import Details
from rlhflint.launch import Launch, Setting, Version
from rlhflint.packages.names import PACKAGES
from rlhflint.text import Span
from rlhflint.words import setting_of
from rlhflint.written_for import written_for

if TYPE_CHECKING:
    from rlhflint.command import Command, Script
    from rlhflint.launchers import Start
    from rlhflint.site import Site

NAME = "verl"
PROGRAM = "verl:main_ppo"
_MODULE = "verl.trainer.main_ppo"
_FILE = "verl/trainer/main_ppo.py"
_ENGINE = "model_engine"
_CONFIGURATIONS = {"ppo_trainer": PLAIN, "ppo_megatron_trainer": "megatron"}
"""Primary configurations of the released package → engine."""


def starts_it(start: Start) -> bool:
    """Whether a command starts verl's PPO trainer, by its module or by the path of its file."""
    return start.module == _MODULE or f"/{start.script or ''}".endswith(f"/{_FILE}")


def launch_of(start: Start, command: Command, script: Script, site: Site) -> Launch:
    """The launch that a command makes."""
    place = start.span or command.span
    words = read(start.arguments)
    own = [one for one in words.overrides if not one.setting.startswith(("hydra.", "hydra/"))]
    given = [(one, _setting(one, place)) for one in own]
    versions = _versions([one.setting for one in own], site)
    placed = verl().releases.place(versions[NAME].value)
    engine, because = _configuration(words, own, placed.release, site)
    files = chosen_groups(own, placed.release)
    named = tuple((one, setting) for one, setting in given if one not in files)
    details = Details(placed.release, placed.standing is Standing.NEWER, engine, because, named)
    return Launch(
        program=PROGRAM,
        path=script.path,
        span=place,
        settings=tuple(setting for _, setting in given),
        versions=versions,
        choices=command.choices,
        more=words.more or because,
        command=command,
        start=start,
        script=script,
        details=details,
    )


def _setting(override: Override, place: Span) -> Setting:
    words = () if override.value is None else (override.value,)
    return setting_of(override.name, words, (override.setting,), place, joined=bool(words), nothing=None)


def _versions(names: list[str], site: Site) -> dict[str, Version]:
    """The releases in force: verl's as stated, else the newest one that has most of the settings."""
    found: dict[str, Version] = {}
    order = verl().releases
    stated = site.declared.resolve(NAME, order)
    if stated is None:
        used = written_for([verl().accepting(name) for name in names if name in verl().known], order)
        stated = Version(NAME, used.until, used.source("settings"), stated=False)
    found[NAME] = stated
    for package in PACKAGES:
        if package != NAME and (version := site.declared.resolve(package)) is not None:
            found[package] = version
    return found


def chosen_groups(overrides: Iterable[Override], release: str) -> list[Override]:
    """Those of the overrides that choose a file of the configuration rather than a value in it."""
    groups = verl().groups(release)
    return [one for one in overrides if one.setting in groups or "@" in one.setting or "/" in one.setting]


def _configuration(words: Words, overrides: list[Override], release: str, site: Site) -> tuple[str, str]:
    """The engine of the configuration that the words choose, and why it may not be verl's own as released."""
    engine = PLAIN
    if (copy := site.declared.vendored(NAME)) is not None:
        return engine, f"the copy of verl in {copy.folder.rpartition('/')[2]} may have other settings"
    if (path := words.configuration.get("path")) is not None:
        return engine, f"the configuration lies in {path.text}" if path.known else path.because
    if (name := words.configuration.get("name")) is not None:
        chosen = _CONFIGURATIONS.get(name.text.removesuffix(".yaml"))
        if chosen is None:
            return engine, f"{name.text} is a configuration of the user's own" if name.known else name.because
        engine = chosen
    for override in chosen_groups(overrides, release):
        value = override.value
        if override.setting != _ENGINE or value is None:
            return engine, f"{override.name.text} changes which configuration files are put together"
        if not value.known:
            return engine, value.because
        engine = value.text
    if not verl().kinds(release, engine):
        return engine, f"verl {release} has no configuration for {engine}"
    return engine, ""
