"""What a launch divides over its processes: by ZeRO, whose stage is said in many places, by FSDP, by accelerate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.launching import accelerate_of, config_of, content_of
from rlhflint.frameworks.trl.session import Present, TRLSession, details_of
from rlhflint.mapping import Entry, data
from rlhflint.value import Known, Undetermined, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.launching import Config
    from rlhflint.frameworks.trl.models.shared import TrainerModel
    from rlhflint.launchers.unwrapping.start import Wrapper

_WHAT = "ZeRO stage"
_OTHERS = ("multi_gpu", "use_fsdp", "use_megatron_lm", "tpu", "cpu")
_DEFAULT_STAGE = 2
"""Stage of accelerate where DeepSpeed is asked for and no stage is named (utils/dataclasses.py@1.15.0)."""


def zero_stage(launch: TrainerModel) -> int:
    """The stage of ZeRO in force, 0 without DeepSpeed. Raises `Undetermined` where that is not known."""
    session = launch.session
    if not isinstance(session, TRLSession):
        raise TypeError(f"{session.launch.program} is no program of TRL")
    if launch.deepspeed is not None:
        return _of_deepspeed(session, launch.deepspeed)
    start = session.launch.start
    if start is None:
        raise Undetermined(_WHAT, "no command says how it is launched")
    launcher = accelerate_of(session)
    if launcher is not None:
        return _of_accelerate(session, launcher)
    if details_of(launch).by == "trl":
        raise Undetermined(_WHAT, "the configuration of accelerate is not known")
    if start.launcher is not None or start.wrapper("python") is not None:
        return 0
    raise Undetermined(_WHAT, "what starts it is not known")


def under_zero3(launch: TrainerModel) -> bool:
    """Whether it is known to run with the stage 3 of ZeRO."""
    return if_known(lambda: zero_stage(launch)) == 3


def fully_sharded(launch: TrainerModel) -> bool:
    """Whether FSDP divides the model. Raises `Undetermined` where that is not known."""
    session = launch.session
    if launch.fsdp:
        return True
    launcher = accelerate_of(session) if isinstance(session, TRLSession) else None
    if launcher is None or not isinstance(session, TRLSession):
        return False
    if launcher.given("use_fsdp") is not None:
        return True
    config = config_of(session, launcher)
    if config is None:
        if any(launcher.given(name) is not None for name in (*_OTHERS, "use_deepspeed")):
            return False
        raise Undetermined("fsdp", "the configuration of accelerate is not known")
    return _value(config, "distributed_type") == "FSDP"


def parallel_size(given: object, name: str) -> int:
    """A size of accelerate's ParallelismConfig as it is handed over, 1 where it is not given."""
    if isinstance(given, dict):
        value = given.get(name)
        return value if isinstance(value, int) else 1
    argument = getattr(given, "argument", None)
    for one in argument.items if argument is not None else ():
        if one.name == name and isinstance(one.value, Known) and isinstance(one.value.value, int):
            return one.value.value
    return 1


def _of_deepspeed(session: TRLSession, given: object) -> int:
    """The stage that a DeepSpeed configuration says: a dictionary, or the path of a JSON file."""
    if isinstance(given, Mapping):
        return _stage(given.get("zero_optimization"))
    if isinstance(given, str):
        return _of_file(session, given)
    if isinstance(given, Present) and given.argument is not None:
        for item in given.argument.items:
            if item.name == "zero_optimization":
                if isinstance(item.value, Known):
                    return _stage(item.value.value)
                for inner in item.items:
                    if inner.name == "stage" and isinstance(inner.value, Known):
                        return _stage({"stage": inner.value.value})
    raise Undetermined(_WHAT, "the DeepSpeed configuration is not known")


def _of_file(session: TRLSession, name: str) -> int:
    content = content_of(session, name)
    if content is None:
        raise Undetermined(_WHAT, f"{name} was not found")
    return _stage(_data(content.get("zero_optimization")))


def _data(entry: Entry | None) -> object:
    if entry is None:
        return None
    value = data(entry.value.node)
    if not isinstance(value, Known):
        raise Undetermined(_WHAT, value.because)
    return value.value


def _stage(section: object) -> int:
    if section is None:
        return 0
    stage = section.get("stage", 0) if isinstance(section, Mapping) else None
    if isinstance(stage, int) and not isinstance(stage, bool):
        return stage
    raise Undetermined(_WHAT, "the DeepSpeed configuration names no stage")


def _of_accelerate(session: TRLSession, launcher: Wrapper) -> int:
    """accelerate's options over its configuration file (accelerate/commands/launch.py@1.15.0)."""
    if launcher.more:
        raise Undetermined(_WHAT, launcher.more)
    config = config_of(session, launcher)
    if launcher.given("use_deepspeed") is None:
        if any(launcher.given(name) is not None for name in _OTHERS):
            return 0
        if config is None:
            raise Undetermined(_WHAT, "the configuration of accelerate is not known")
        if _value(config, "distributed_type") != "DEEPSPEED":
            return 0
    given = launcher.value("deepspeed_config_file")
    if given is not None:
        if not given.known:
            raise Undetermined(_WHAT, given.because)
        return _of_file(session, given.text)
    stage = launcher.value("zero_stage")
    if stage is not None:
        if stage.known and stage.text.strip().isdigit():
            return int(stage.text)
        raise Undetermined(_WHAT, stage.because or f"--zero_stage is {stage.text!r}")
    section = _value(config or {}, "deepspeed_config")
    if isinstance(section, Mapping):
        if isinstance(section.get("deepspeed_config_file"), str):
            return _of_file(session, section["deepspeed_config_file"])
        return _stage({"stage": section.get("zero_stage", _DEFAULT_STAGE)})
    return _DEFAULT_STAGE


def _value(config: Config, key: str) -> object:
    entry = config.get(key)
    return entry.value if entry is not None else None
