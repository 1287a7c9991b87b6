"""The model that a launch trains: its name and shape, how it is loaded, and the adapter it may be trained through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rlhflint.call import Named
from rlhflint.catalog.model_facts import model_facts
from rlhflint.frameworks.trl.session import Present, details_of
from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from rlhflint.call import Argument, Call
    from rlhflint.catalog.model_facts import ModelFacts
    from rlhflint.frameworks.trl.models.shared import TrainerModel
    from rlhflint.model import ProgramModel

_CHAIN = 8
"""How many calls a model is followed through, from the trainer back to where it is loaded."""
ATTENTION = "attn_implementation"
_DTYPES = ("dtype", "torch_dtype")
_PROMPTS = (
    "PromptTuningConfig",
    "PrefixTuningConfig",
    "PromptEncoderConfig",
    "MultitaskPromptTuningConfig",
    "CPTConfig",
)


def shipped(launch: TrainerModel) -> bool:
    """Whether a script of TRL's own builds model and trainer from the options of ModelConfig."""
    return details_of(launch).by in ("trl", "script") or details_of(launch).form == "yaml"


def makers(given: object) -> tuple[Call, ...]:
    """The calls that made an object handed to a trainer, the last one first: an adapter's before the model's."""
    found: list[Call] = []
    argument = given.argument if isinstance(given, Present) else None
    while argument is not None and argument.made is not None and len(found) < _CHAIN:
        call = argument.made.call
        found.append(call)
        argument = _first(call)
    return tuple(found)


def _first(call: Call) -> Argument | None:
    return next((one for one in call.arguments if one.position == 0 or one.name == "model"), None)


def argument_of(call: Call, name: str, position: int | None = None) -> Argument | None:
    """An argument of a call by name, or by position where it is given so."""
    return next(
        (one for one in call.arguments if one.name == name or (position is not None and one.position == position)), None
    )


def known_adapted(launch: TrainerModel) -> bool:
    """Whether the model handed over is known to carry an adapter already. False where nothing is known of it."""
    try:
        given = launch.model
    except Undetermined as missing:
        return "peft" in missing.because.lower()
    return any(call.target.startswith("peft.") for call in makers(given))


def adapted(launch: TrainerModel) -> bool:
    """Whether it is trained through an adapter. Raises `Undetermined` where that is not known."""
    if shipped(launch):
        return launch.use_peft
    if getattr(launch, "peft_config") is not None:  # noqa: B009
        return True
    if known_adapted(launch):
        return True
    given = launch.model
    if isinstance(given, str) or any(call.target.endswith("from_pretrained") for call in makers(given)):
        return False
    raise Undetermined("peft_config", "whether the model carries an adapter is not known")


def model_name(launch: TrainerModel) -> str | None:
    """The name or path the model is loaded from; None where no literal says it."""
    try:
        given = launch.model_name_or_path if shipped(launch) else launch.model
    except Undetermined:
        return None
    return name_of(given)


def name_of(given: object) -> str | None:
    """The name or path a model was loaded from that is handed to a trainer; None where no literal says it."""
    if isinstance(given, str):
        return given
    for call in makers(given):
        if call.target.endswith("from_pretrained") and not call.target.startswith("peft."):
            argument = argument_of(call, "pretrained_model_name_or_path", 0)
            if argument is not None and isinstance(argument.value, Known) and isinstance(argument.value.value, str):
                return argument.value.value
    return None


def facts_of(launch: TrainerModel) -> ModelFacts:
    """What is known of the trained model. Raises `Undetermined` where it is not."""
    return facts_of_name(launch, model_name(launch))


def facts_of_name(launch: ProgramModel, name: str | None) -> ModelFacts:
    """What is known of a model by its name. Raises `Undetermined` where nothing is."""
    known = model_facts(name, launch.session.file) if name is not None else None
    if known is None:
        raise Undetermined("model", "its shape is not known")
    return known


def load_option(launch: TrainerModel, name: str) -> object:
    """What the model is loaded with: an option of `from_pretrained`; None where it is not given.

    An object that is named, `torch.bfloat16`, is given by its last name. Raises `Undetermined` where it is not known.
    """
    names = _DTYPES if name == "dtype" else (name,)
    if shipped(launch):
        return getattr(launch, name)
    given = launch.model
    if isinstance(given, str):
        return _in_mapping(getattr(launch, "model_init_kwargs", None), names)
    for call in makers(given):
        if call.target.endswith("from_pretrained") and not call.target.startswith("peft."):
            return _of_call(call, names)
    raise Undetermined(name, "how the model is loaded is not known")


def is_flash(name: object) -> bool:
    """Whether an implementation of attention keeps the samples of one row apart. An own kernel is taken to do so."""
    return not isinstance(name, str) or "flash" in name.lower() or "/" in name


def attention(launch: TrainerModel) -> object:
    """The implementation of attention that is asked for. Raises `Undetermined` where none is."""
    named = load_option(launch, ATTENTION)
    if named is None:
        raise Undetermined(ATTENTION, "it is not given: the model's own configuration decides")
    return named


def _of_call(call: Call, names: tuple[str, ...]) -> object:
    for name in names:
        argument = argument_of(call, name)
        if argument is not None:
            if argument.named is not None:
                return argument.named.path.rpartition(".")[2]
            if argument.made is not None:
                return Present(argument)
            if isinstance(argument.value, Known):
                return argument.value.value
            raise Undetermined(name, argument.value.because)
    if call.more:
        raise Undetermined(names[0], call.more)
    return None


def _in_mapping(options: Any, names: tuple[str, ...]) -> object:
    if options is None:
        return None
    if isinstance(options, Present) and options.argument is not None:
        found = [one for one in options.argument.items if one.name in names]
        if found:
            last = found[-1]
            if last.named is not None:
                return last.named.path.rpartition(".")[2]
            if isinstance(last.value, Known):
                return last.value.value
            return Present(last)
        if options.argument.complete and options.argument.items:
            return None
    if isinstance(options, Mapping):
        value = next((options[name] for name in names if name in options), None)
        return value.path.rpartition(".")[2] if isinstance(value, Named) else value
    raise Undetermined("model_init_kwargs", "what it holds is not known")


def lora_targets(launch: TrainerModel) -> tuple[str, ...]:
    """The modules an adapter is put on, as they are named; empty where the adapter's own default holds.

    Raises `Undetermined` where they are not known.
    """
    if shipped(launch):
        targets: object = launch.lora_target_modules
    else:
        calls = [call for call in (*makers(launch.peft_config), *_adapters(launch.model)) if _is_adapter(call)]
        if not calls:
            raise Undetermined("target_modules", "the adapter is not known")
        argument = argument_of(calls[0], "target_modules")
        if argument is None:
            if calls[0].more:
                raise Undetermined("target_modules", calls[0].more)
            return ()
        if not isinstance(argument.value, Known):
            raise Undetermined("target_modules", argument.value.because)
        targets = argument.value.value
    if targets is None:
        return ()
    if isinstance(targets, str):
        return (targets,)
    return tuple(str(one) for one in targets) if isinstance(targets, (list, tuple, set)) else ()


def prompt_learning(launch: TrainerModel) -> bool:
    """Whether the adapter is known to be a learned prompt rather than changes of the weights."""
    if shipped(launch):
        return False
    calls = (*makers(launch.peft_config), *_adapters(launch.model))
    return any(call.target.rpartition(".")[2] in _PROMPTS for call in calls)


def _is_adapter(call: Call) -> bool:
    return call.target.startswith("peft.") and call.target.endswith("Config")


def _adapters(given: object) -> tuple[Call, ...]:
    """The configurations of adapters that a model was wrapped with."""
    found: list[Call] = []
    for call in makers(given):
        argument = argument_of(call, "peft_config", 1)
        if call.target.startswith("peft.") and argument is not None and argument.made is not None:
            found.append(argument.made.call)
    return tuple(found)
