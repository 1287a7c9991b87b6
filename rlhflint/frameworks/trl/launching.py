"""How many processes a launch of TRL has: accelerate's options and files, given to it or handed on by `trl WORD`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from packaging.version import Version as Release

from rlhflint.launchers.environment import environment_of
from rlhflint.launchers.processes.accelerate import accelerate_world, handed_to_accelerate
from rlhflint.launchers.processes.counting import processes
from rlhflint.launchers.processes.world import ConfigValue, World
from rlhflint.launchers.unwrapping.start import ACCELERATE
from rlhflint.mapping import Entry, Scalar, data
from rlhflint.text import Traced
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.session import Details, TRLSession
    from rlhflint.launch import Setting
    from rlhflint.launchers import Start
    from rlhflint.launchers.unwrapping.start import Wrapper

SHIPPED_CONFIGS = ("fsdp1", "fsdp2", "multi_gpu", "single_gpu", "zero1", "zero2", "zero3")
"""Configurations of accelerate that come with TRL (accelerate_configs/@0.18.0 to @1.16.0)."""
_SHIPPED_PROCESSES = 8
_HANDS_ON_SFT, _HANDS_ON = Release("0.18.0"), Release("0.29.0")
_NO_COMMAND = "no command says how it is launched"

Config = Mapping[str, ConfigValue]


def world_of(session: TRLSession) -> World:
    """The processes of a launch."""
    launch = session.launch
    if launch.start is None or launch.command is None:
        return World.unknown("", _NO_COMMAND)
    launcher = accelerate_of(session)
    if session.details.by == "trl":
        environment = environment_of(launch.start, launch.command, launch.script)
        if launcher is None:
            return World.unknown(ACCELERATE, f"TRL {session.release} hands no flags on to accelerate")
        return accelerate_world(launcher, environment, config_of(session, launcher))
    config = config_of(session, launcher) if launcher is not None else None
    hosts = session.hosts(launch.start, launch.command)
    return processes(launch.start, launch.command, launch.script, accelerate_config=config, hostfile=hosts)


def accelerate_of(session: TRLSession) -> Wrapper | None:
    """`accelerate launch` with its options, where it starts the launch; None where it does not, or gets no options."""
    start = session.launch.start
    if start is None:
        return None
    if session.details.by != "trl":
        launcher = start.launcher
        return launcher if launcher is not None and launcher.name == ACCELERATE else None
    if session.release < (_HANDS_ON_SFT if session.details.word == "sft" else _HANDS_ON):
        return None
    return handed_to_accelerate(_with_handed_words(start, session.details))


def config_of(session: TRLSession, launcher: Wrapper) -> Config | None:
    """What the configuration file of accelerate says, by its top keys; None where none is given or it is not known."""
    word = launcher.value("config_file")
    if word is None or not word.known:
        return None
    if session.details.by == "trl" and word.text in SHIPPED_CONFIGS and _path(session, word.text) is None:
        return _shipped(word.text)
    return _read(session, word.text)


def _with_handed_words(start: Start, details: Details) -> Start:
    """The start with those words alone that TRL's parser leaves over, entries of the YAML file first.

    Of several `--accelerate_config` the first counts, of everything else the last (trl/cli.py@0.28.0,
    cli/accelerate_config.py@0.29.0).
    """
    settings = [stray.setting for stray in details.strays]
    words: list[Traced] = []
    named = False
    for setting in sorted(settings, key=lambda one: not isinstance(one.origin, Entry)):
        name = setting.name.lstrip("-").partition("=")[0].replace("-", "_")
        if name == "accelerate_config":
            if named:
                continue
            named = True
            words = [Traced.made("--config_file", setting.name_span), *_values(setting), *words]
        elif isinstance(setting.origin, Entry):
            words += [Traced.made(f"--{setting.name}", setting.name_span), *_values(setting)]
        else:
            words += [setting.name_text or Traced.made(setting.name, setting.name_span), *setting.text]
    return replace(start, arguments=tuple(words))


def _values(setting: Setting) -> tuple[Traced, ...]:
    if isinstance(setting.origin, Entry):
        node = setting.origin.value.node
        return (node.text,) if isinstance(node, Scalar) else ()
    return setting.text


def _path(session: TRLSession, name: str) -> str | None:
    command = session.launch.command
    return session.site.find(name, command) if command is not None else None


def _shipped(name: str) -> Config:
    """A configuration that comes with TRL (accelerate_configs/@1.16.0)."""
    values: dict[str, object] = {
        "compute_environment": "LOCAL_MACHINE",
        "num_processes": _SHIPPED_PROCESSES,
        "num_machines": 1,
    }
    if name.startswith("zero"):
        values |= {"distributed_type": "DEEPSPEED", "deepspeed_config": {"zero_stage": int(name[-1])}}
    else:
        values["distributed_type"] = {"single_gpu": "NO", "multi_gpu": "MULTI_GPU"}.get(name, "FSDP")
    return {key: ConfigValue(value) for key, value in values.items()}


def _read(session: TRLSession, name: str) -> Config | None:
    content = content_of(session, name)
    if content is None:
        return None
    found: dict[str, ConfigValue] = {}
    for key, entry in content.items():
        value = data(entry.value.node)
        if isinstance(value, Known):
            found[key] = ConfigValue(value.value, entry.value.span)
        else:
            found[key] = ConfigValue(None, entry.value.span)
    return found


def content_of(session: TRLSession, name: str) -> dict[str, Entry] | None:
    """The keys of a YAML or JSON file of the project; None where it is not there, or cannot be read."""
    path = _path(session, name)
    text = session.site.files.text(path) if path is not None else None
    if path is None or text is None:
        return None
    if path.endswith(".json"):
        from rlhflint.readers.positioned_json import read_json

        document = read_json(path, text)
    else:
        from rlhflint.readers.yaml import read_yaml

        document = read_yaml(path, text)
    if document.mapping is None or any(problem.kind == "syntax" for problem in document.problems):
        return None
    return {str(key): entry for key, entry in document.mapping.in_force().items()}
