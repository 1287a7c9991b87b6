"""Keys of YAML files and flags of commands: which the parser takes, drops, or refuses."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.frameworks.trl.catalog.unknown_names import UnknownName, unknown_name
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.refused_words import ambiguous_flags, stray_words
from rlhflint.frameworks.trl.session import Details, Stray, details_of, newest_name
from rlhflint.frameworks.trl.strays import StrayFacts, accelerate_option, known_of
from rlhflint.launch import Setting
from rlhflint.mapping import Entry, Scalar
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Remove, Rename
from rlhflint.rule import ERROR, PARSE, SILENT, WARNING, Draft, rule
from rlhflint.value import Known


@rule("TR102", "unknown-key", severity=WARNING, stage=SILENT, programs=EVERY, fix="safe")
def unknown_key(launch: ProgramModel) -> Iterator[Draft]:
    """Every key of a YAML file, and every flag, has to be one that somebody takes.

    What happens: by release and way of starting it is dropped without a word, or the launch is refused while it parses
    its arguments. Dropped silently means that the default is in force for the whole training.

    Why: TRL's own scripts let unknown keys pass (return_remaining_strings, fail_with_unknown_args=False); a script with
    a plain TrlParser refuses them from 0.19 on; `trl sft`, and every `trl` command from 0.29 on, hands them to
    accelerate, which refuses them (scripts/utils.py@0.19.0, cli/commands/training.py@0.29.0).

    Example:
        --- run.sh
        accelerate launch --num_processes 8 trl/scripts/grpo.py --config grpo.yaml
        --- grpo.yaml
        model_name_or_path: m
        dataset_name: d
        num_generation: 4

    Use instead:
        --- run.sh
        accelerate launch --num_processes 8 trl/scripts/grpo.py --config grpo.yaml
        --- grpo.yaml
        model_name_or_path: m
        dataset_name: d
        num_generations: 4
    """
    details = details_of(launch)
    if details.form == "python":
        return
    effect = unknown_name(details.by, details.trl, details.word) if details.by else None
    for stray in details.strays:
        name = stray.setting.name.lstrip("-").partition("=")[0]
        if "-" in stray.setting.name.lstrip("-") and isinstance(stray.setting.origin, Entry):
            continue  # TR103 says it
        if details.by == "trl" and accelerate_option(name.replace("-", "_")) is not None:
            continue  # an option of accelerate: LA203, LA108, LA109, LA110
        if name == "config" and not isinstance(stray.setting.origin, Entry):
            continue  # TR112 says it
        yield _unknown(launch, details, stray, effect)
    yield from ambiguous_flags(launch)
    yield from stray_words(launch, effect)


def _unknown(launch: ProgramModel, details: Details, stray: Stray, effect: UnknownName | None) -> Draft:
    setting = stray.setting
    entry = isinstance(setting.origin, Entry)
    known = known_of(stray, details)
    fate = (effect.key if entry else effect.flag) if effect is not None else ""
    what = "key" if entry else "flag"
    instead = known.rename.new if known.rename is not None else (known.alike[0] if known.alike else "")
    silent = fate == "ignored"
    return launch.finding(
        *((instead,) if instead else setting.canonical),
        at=setting.name_span,
        message=f"no class that this launch fills takes the {what} {setting.name} at TRL {launch.session.release}: "
        f"{_fate(fate, launch, details, setting, _counting(launch, instead))}",
        help=_help(known, instead, dashes=not entry),
        severity=WARNING if silent or not fate else ERROR,
        stage=SILENT if silent or not fate else PARSE,
        proposal=_renamed(setting, known, instead, dashes=not entry),
    )


def _fate(fate: str, launch: ProgramModel, details: Details, setting: Setting, counts: Setting | None) -> str:
    lost = ""
    if fate == "ignored" and counts is not None:
        return f"it is dropped without a word, and {counts.name} counts, which is given too"
    if setting.name == "torch_dtype":
        lost = " and the model is loaded in float32"
    match fate:
        case "ignored":
            return f"it is dropped without a word, and the default is in force{lost}"
        case "accelerate":
            return "it is handed to `accelerate launch`, which does not know it and ends with exit status 2"
        case "refused":
            return "the parser refuses it, and the launch ends"
        case "vllm":
            return "it is handed to vLLM's server, which refuses it"
        case "no-config":
            return "the file is not read at all"
    return "depending on how it is started it is dropped or refused"


def _help(known: StrayFacts, instead: str, *, dashes: bool) -> str:
    prefix = "--" if dashes else ""
    if known.rename is not None:
        value = f": {known.rename.value}" if known.rename.kind == "value" else ""
        return f"write {prefix}{instead}{value}"
    if known.removal is not None:
        return f"use {known.removal.advice}" if known.removal.advice else f"leave it out: {known.removal.drop}"
    return f"did you mean {prefix}{instead}?" if instead else "leave it out"


def _renamed(setting: Setting, known: StrayFacts, instead: str, *, dashes: bool) -> Proposal | None:
    if not instead or (known.rename is not None and known.rename.kind == "value"):
        return None
    name = f"--{instead}" if dashes else instead
    sure = SAFE if known.rename is not None or known.exact else UNSAFE
    return Proposal(f"Write {name}", sure, (Rename(setting, (name,)),))


@rule("TR103", "hyphen-in-key", severity=WARNING, stage=SILENT, programs=EVERY, fix="safe")
def hyphen_in_key(launch: ProgramModel) -> Iterator[Draft]:
    """Keys of a YAML file are written with underscores.

    What happens: a key with hyphens is no option: it is dropped, or the launch is refused, like any unknown key.

    Why: flags may be written either way, keys are looked up as they are (scripts/utils.py@1.9.0).

    Example:
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/dpo.py --config dpo.yaml
        --- dpo.yaml
        model_name_or_path: m
        dataset_name: d
        learning-rate: 5.0e-6

    Use instead:
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/dpo.py --config dpo.yaml
        --- dpo.yaml
        model_name_or_path: m
        dataset_name: d
        learning_rate: 5.0e-6
    """
    details = details_of(launch)
    effect = unknown_name(details.by, details.trl, details.word) if details.by else None
    for stray in details.strays:
        setting = stray.setting
        name = setting.name.replace("-", "_")
        if not isinstance(setting.origin, Entry) or name == setting.name or name not in (details.fields or {}):
            continue
        fate = effect.key if effect is not None else ""
        silent = fate in ("ignored", "")
        counts = _counting(launch, name)
        twice = counts is not None and isinstance(counts.origin, Entry)
        yield launch.finding(
            name,
            at=setting.name_span,
            message=f"{setting.name} is no option, {name} is: {_fate(fate, launch, details, setting, counts)}",
            help=f"leave {setting.name} out" if twice else f"write {name}",
            severity=WARNING if silent else ERROR,
            stage=SILENT if silent else PARSE,
            proposal=_left_out(setting, counts, silent) if twice else _written(setting, name),
        )


def _written(setting: Setting, name: str) -> Proposal:
    return Proposal(f"Write {name}", SAFE, (Rename(setting, (name,)),))


def _left_out(setting: Setting, counts: Setting | None, silent: bool) -> Proposal:
    """The proposal to take a key out beside the one that counts: which value is meant, what was run may tell."""
    sure = silent or (counts is not None and counts.value == setting.value)
    return Proposal(f"Remove {setting.name}", SAFE if sure else UNSAFE, (Remove(setting),))


def _counting(launch: ProgramModel, name: str) -> Setting | None:
    """The setting in force of an option, among those that the parser takes."""
    details = details_of(launch)
    refused = {id(stray.setting) for stray in details.strays}
    canonical = newest_name(details.config, name, details.trl)
    given = (one for one in launch.session.launch.settings if id(one) not in refused and canonical in one.canonical)
    return next(reversed(list(given)), None)


@rule("TR104", "duplicate-key", severity=WARNING, stage=SILENT, programs=EVERY)
def duplicate_key(launch: ProgramModel) -> Iterator[Draft]:
    """A key stands once in a YAML file.

    What happens: the last one counts, the others are ignored without a word.

    Why: PyYAML's loader lets a later key replace an earlier one.

    Example:
        --- run.sh
        trl sft --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
        learning_rate: 2.0e-5
        learning_rate: 1.0e-4

    Use instead:
        --- run.sh
        trl sft --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
        learning_rate: 1.0e-4
    """
    for setting, earlier in details_of(launch).repeated:
        if _same(setting.origin, earlier):
            continue
        yield launch.finding(
            *setting.canonical,
            at=earlier.name_span,
            message=f"{setting.name} is given again further on with another value, which is the one that counts",
            help="keep the one you mean",
        )


def _same(one: object, other: Entry) -> bool:
    if not isinstance(one, Entry):
        return False
    left, right = one.value.node, other.value.node
    return (
        isinstance(left, Scalar)
        and isinstance(right, Scalar)
        and isinstance(left.value, Known)
        and left.value == right.value
    )
