"""Words of command lines that TRL's parser reads otherwise than they are meant."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.conversion import WrongType
from rlhflint.frameworks.trl.catalog.commands import subcommands
from rlhflint.frameworks.trl.catalog.parser import reading_of
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.catalog.unknown_names import unknown_name
from rlhflint.frameworks.trl.choosing import among
from rlhflint.frameworks.trl.given import by_words, settings_with_fields
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.releases import NAME, exact_release, versions_for
from rlhflint.frameworks.trl.session import details_of
from rlhflint.launchers import start_of
from rlhflint.proposal import SAFE, Proposal, Rewrite
from rlhflint.rule import ERROR, PARSE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel
    from rlhflint.scene import Scene
    from rlhflint.text import Span, Traced

_CONFIG = "--config"


@rule("TR112", "config-with-equals", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def config_with_equals(launch: ProgramModel) -> Iterator[Draft]:
    """The YAML file is named by two words, once.

    What happens: `--config=FILE` is an option that nobody knows, and the file is not read; of two `--config` the first
    one counts.

    Why: the parser looks for the word `--config` and takes the word behind it (scripts/utils.py@1.9.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/sft.py --config=sft.yaml
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/sft.py --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        dataset_name: d
    """
    details, start = details_of(launch), launch.session.start
    if details.form != "command" or start is None or _CONFIG[2:] in (details.fields or {}):
        return
    effect = unknown_name(details.by, details.trl, details.word) if details.by else None
    dropped = effect is not None and effect.flag == "ignored"
    seen = 0
    for word in start.arguments:
        if word.text.startswith(f"{_CONFIG}="):
            at = word.span_of(len(_CONFIG), len(_CONFIG) + 1)
            whole = word.verbatim_span is not None and at is not None
            yield launch.finding(
                at=word.span,
                message=f"{_CONFIG}=… in one word is not seen: the file is not read"
                + (", and nothing is said" if dropped else ", and the parser refuses the option"),
                help=f"write {_CONFIG} and the file as two words",
                proposal=Proposal("Write two words", SAFE, (Rewrite(at, " "),)) if whole and at is not None else None,
            )
        elif word.text == _CONFIG:
            seen += 1
            if seen > 1:
                yield launch.finding(
                    at=word.span,
                    message=f"{_CONFIG} is given before: the first one counts, and this one "
                    + ("is dropped" if dropped else "is refused"),
                    help="keep one of them",
                    severity=WARNING if dropped else ERROR,
                    stage=SILENT if dropped else PARSE,
                )


@rule("TR113", "dict-not-json", severity=WARNING, stage=SILENT, programs=EVERY)
def dict_not_json(launch: ProgramModel) -> Iterator[Draft]:
    """A dictionary is given as JSON on a command line, where the option takes one at all.

    What happens: other text stays text without a word, and fails where a dictionary is used; options without such a
    form are refused with exit status 2.

    Why: text that begins with a brace is read as JSON for some options; others have a type that no word converts to:
    model_init_kwargs before GRPO 0.17 and 0.29.1 elsewhere, generation_kwargs before 1.11
    (trainer/grpo_config.py@0.17.0, @1.11.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/sft.py --model_name_or_path m --dataset_name d \\
          --lr_scheduler_kwargs min_lr=1e-7

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 2 trl/scripts/sft.py --model_name_or_path m --dataset_name d \\
          --lr_scheduler_kwargs '{"min_lr": 1e-7}'
    """
    for refused in launch.session.refused:
        if isinstance(refused.cause, WrongType) and "command line" in refused.message:
            setting = launch.session.setting(refused.canonical)
            if setting is not None:
                yield launch.finding(
                    refused.canonical,
                    message=f"{setting.name} takes no value on a command line or as text with TRL "
                    f"{launch.session.release}: the parser ends with exit status 2",
                    help="give it as a mapping in a YAML file",
                    severity=ERROR,
                    stage=PARSE,
                )
    for setting, field in settings_with_fields(launch):
        if not (field.json and field.name.endswith("_kwargs") and by_words(setting, launch)):
            continue
        if not isinstance(setting.value, Known) or reading_of(field, none_words=True).many:
            continue
        text = str(setting.value.value)
        if not text.startswith("{") and text.lower() not in ("none", "null"):
            yield launch.finding(
                *setting.canonical,
                message=f"{setting.name} is a dictionary, and {text!r} is no JSON: it stays text",
                help="write JSON, as in '{\"key\": 1}'",
            )
        elif text.startswith("{") and not _is_json(text):
            yield launch.finding(
                *setting.canonical,
                message=f"{setting.name} begins like JSON and is none: it fails when the configuration is built",
                help="write JSON, as in '{\"key\": 1}': names and text in double quotes",
                severity=ERROR,
                stage=STARTUP,
            )


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@rule("TR122", "subcommand-unknown", severity=ERROR, stage=STARTUP, programs="commands")
def subcommand_unknown(scene: Scene) -> Iterator[Draft]:
    """`trl` has to be given a command that the release in force has.

    What happens: "invalid choice", and exit status 2.

    Why: grpo came with 0.14, vllm-serve with 0.16, rloo with 0.22, reward with 0.24, distillation with 1.10; chat went
    with 0.19 (trl/cli.py@0.19.0, @0.24.0).

    Example:
        # trl 0.22.2, transformers 4.56.2
        --- run.sh
        trl reward --model_name_or_path m --dataset_name d

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        trl reward --model_name_or_path m --dataset_name d
    """
    for word, at in _trl_words(scene):
        version = versions_for((), scene.site)[NAME]
        if not version.stated or version.specifier:
            continue
        release = releases().place(version.value).release
        known = subcommands(release)
        if word.text in known:
            continue
        having = [one for one in releases() if word.text in subcommands(one)]
        when = f"it was there from {having[0]} to {having[-1]}" if having else "no release has it"
        if having and having[-1] == releases().newest:
            when = f"it comes with {having[0]}"
        yield scene.finding(
            at,
            f"`trl` of TRL {version.value} has no command {word.text}: {when}",
            help=f"it has {among(sorted(known))}",
        )


def _trl_words(scene: Scene) -> Iterator[tuple[Traced, Span]]:
    """The words behind `trl` that should be its commands, with their places."""
    seen: set[tuple[str, int]] = set()
    for command in scene.script.commands if scene.script is not None else ():
        start = start_of(command)
        if start is None or start.uncertain or not start.arguments:
            continue
        if (start.kind, os.path.basename(start.target.text)) != ("program", "trl"):
            continue
        word = start.arguments[0]
        at, plain = word.span, word.text.replace("-", "").isalpha() and not word.text.startswith("-")
        if word.known and plain and at is not None and (at.path, at.start) not in seen:
            seen.add((at.path, at.start))
            yield word, at


@rule("TR611", "vllm-serve-deprecated", severity=WARNING, stage=STARTUP, programs="commands")
def vllm_serve_deprecated(scene: Scene) -> Iterator[Draft]:
    """From 1.11 on vLLM's own server is started, not `trl vllm-serve`.

    What happens: a warning; the command starts vLLM's server, and will go.

    Why: it only wraps `vllm serve` since 1.11. The importance sampling of GRPO wants the log-probabilities as they were
    sampled: `--logprobs-mode processed_logprobs` (scripts/vllm_serve.py@1.11.0, trainer/grpo_trainer.py@1.16.0).

    Example:
        # trl 1.11.0
        --- run.sh
        trl vllm-serve --model m

    Use instead:
        # trl 1.11.0
        --- run.sh
        VLLM_SERVER_DEV_MODE=1 vllm serve m --logprobs-mode processed_logprobs
    """
    for word, at in _trl_words(scene):
        if word.text != "vllm-serve":
            continue
        release = exact_release(scene.site, "1.11.0")
        if release is not None:
            yield scene.finding(
                at,
                f"`trl vllm-serve` of TRL {release} is vLLM's own server behind a deprecated name",
                help="write VLLM_SERVER_DEV_MODE=1 vllm serve MODEL --logprobs-mode processed_logprobs",
            )
