"""Options of accelerate behind `trl WORD`: which are handed on, which are dropped, and what wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.unknown_names import unknown_name
from rlhflint.frameworks.trl.launching import SHIPPED_CONFIGS
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.strays import accelerate_option
from rlhflint.mapping import Entry
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Remove, Rewrite
from rlhflint.rule import ADVICE, ERROR, PARSE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.session import Stray
    from rlhflint.model import ProgramModel

_CONFIG = "accelerate_config"


def _strays(launch: ProgramModel) -> Iterator[tuple[Stray, str, bool, str]]:
    """Names for accelerate behind `trl WORD`: the stray, its name, whether it is a key of a file, and its fate."""
    details = details_of(launch)
    if details.by != "trl":
        return
    effect = unknown_name("trl", details.trl, details.word)
    for stray in details.strays:
        name = stray.setting.name.lstrip("-").replace("-", "_")
        if effect is not None and accelerate_option(name) is not None:
            entry = isinstance(stray.setting.origin, Entry)
            yield stray, name, entry, effect.key if entry else effect.flag


@rule("LA203", "accelerate-flags-dropped", severity=WARNING, stage=SILENT, programs=EVERY, applies="<0.29.0")
def accelerate_flags_dropped(launch: ProgramModel) -> Iterator[Draft]:
    """Only `trl sft` hands options on to accelerate before 0.29, and none does before 0.18.

    What happens: they are parsed and dropped (0.22 to 0.28), so that one process runs, or as many as accelerate's own
    configuration says; in other releases the command refuses them.

    Why: the launcher is called with the script alone (trl/cli.py@0.28.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        trl dpo --model_name_or_path m --dataset_name d --num_processes 4

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        accelerate launch --num_processes 4 trl/scripts/dpo.py --model_name_or_path m --dataset_name d
    """
    word = details_of(launch).word
    for stray, name, entry, fate in _strays(launch):
        if fate not in ("ignored", "refused"):
            continue
        dropped = fate == "ignored"
        yield launch.finding(
            *stray.setting.canonical,
            at=stray.setting.name_span,
            message=f"`trl {word}` of TRL {launch.session.release} does not hand {name} on to accelerate: "
            + ("it is dropped, and the default number of processes runs" if dropped else "the parser refuses it"),
            help=f"start the script with it: accelerate launch --{name} … trl/scripts/{word}.py …"
            if not entry
            else f"give --{name} to `accelerate launch` in front of the script",
            severity=WARNING if dropped else ERROR,
            stage=SILENT if dropped else PARSE,
        )


@rule("LA108", "accelerate-switch-with-value", severity=ERROR, stage=STARTUP, programs=EVERY, fix="unsafe")
def accelerate_switch_with_value(launch: ProgramModel) -> Iterator[Draft]:
    """A switch of accelerate cannot stand in the YAML file of a `trl` command.

    What happens: accelerate takes the value for the path of the script, and cannot open it.

    Why: keys that TRL does not take are handed on as `--key value`, and a switch has no value (trl/cli.py@0.18.0,
    cli/commands/training.py@0.29.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
        use_deepspeed: true

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml --use_deepspeed
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
    """
    for stray, name, entry, fate in _strays(launch):
        option = accelerate_option(name)
        if entry and fate == "accelerate" and option is not None and not option.values:
            yield launch.finding(
                *stray.setting.canonical,
                at=stray.setting.name_span,
                message=f"{name} is a switch of accelerate: `--{name} {_shown(stray)}` is handed on, and accelerate "
                f"takes {_shown(stray)} for the script",
                help=f"give --{name} on the command line, or say it in a file for --{_CONFIG}",
                proposal=Proposal(f"Remove {name}", UNSAFE, (Remove(stray.setting),)),
            )


def _shown(stray: Stray) -> str:
    value = stray.setting.value
    return str(value.value) if isinstance(value, Known) else "its value"


@rule("LA109", "accelerate-key-in-config", severity=ADVICE, stage=SILENT, programs=EVERY, applies=">=0.18.0")
def accelerate_key_in_config(launch: ProgramModel) -> Iterator[Draft]:
    """A key for accelerate in the file of a `trl` command is no option of the training.

    What happens: it works with `trl WORD` alone. The same file for a script refuses or ignores it.

    Why: keys that TRL does not take are handed to accelerate (cli/commands/training.py@0.29.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
        num_processes: 4

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml --num_processes 4
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
    """
    for stray, name, entry, fate in _strays(launch):
        option = accelerate_option(name)
        if entry and fate == "accelerate" and option is not None and option.values and name != _CONFIG:
            yield launch.finding(
                *stray.setting.canonical,
                at=stray.setting.name_span,
                message=f"{name} is an option of accelerate, to which `trl {details_of(launch).word}` hands it on; it "
                "is none of the training",
                help=f"give --{name} on the command line",
            )


@rule(
    "LA110",
    "accelerate-config-shadowed",
    severity=WARNING,
    stage=SILENT,
    programs=EVERY,
    applies=">=0.18.0",
    fix="safe",
)
def accelerate_config_shadowed(launch: ProgramModel) -> Iterator[Draft]:
    """The configuration of accelerate is the one that is meant.

    What happens: another file is in force than the one that seems to be named.

    Why: a file of that name in the working folder wins over the one that comes with TRL; of several the first counts,
    and entries of the YAML file come first; and it is looked for as two words alone (trl/cli.py@0.28.0,
    cli/accelerate_config.py@0.29.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml --accelerate_config zero3
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
        accelerate_config: zero2

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml --accelerate_config zero3
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
    """
    session = launch.session.launch
    named = [(stray, entry) for stray, name, entry, fate in _strays(launch) if name == _CONFIG and fate == "accelerate"]
    for stray, entry in named:
        value = stray.setting.value
        if not entry and any(other for _, other in named):
            yield launch.finding(
                at=stray.setting.name_span,
                message=f"--{_CONFIG} is given in the YAML file as well, which comes first and wins",
                help=f"take {_CONFIG} out of the YAML file",
            )
        shipped = isinstance(value, Known) and value.value in SHIPPED_CONFIGS and session.command is not None
        if shipped and session.command is not None and launch.session.site.find(_shown(stray), session.command):
            yield launch.finding(
                at=stray.setting.name_span,
                message=f"{_CONFIG} {_shown(stray)} is the file of that name here, not the one that comes with TRL",
                help="rename the file, or name it by its path",
            )
    words = session.start.arguments if session.start is not None and named else ()
    for word in words:
        name, equals, _ = word.text.partition("=")
        at = word.span_of(len(name), len(name) + 1) if equals else None
        if name.replace("-", "_") == f"__{_CONFIG}" and at is not None:
            yield launch.finding(
                at=word.span,
                message=f"{name}=… in one word is not seen by TRL, and accelerate does not know it",
                help=f"write {name} and its value as two words",
                severity=ERROR,
                stage=PARSE,
                proposal=Proposal("Write two words", SAFE, (Rewrite(at, " "),)) if word.verbatim_span else None,
            )
