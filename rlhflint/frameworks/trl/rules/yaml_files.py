"""The form of YAML files for TRL's parser, and what the scripts make of some of their entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.annotations import parts_of
from rlhflint.frameworks.trl.choosing import among, nearest
from rlhflint.frameworks.trl.config_file import config_file, refused
from rlhflint.frameworks.trl.given import by_words, set_to, settings_with_fields
from rlhflint.frameworks.trl.programs import EVERY, GENERATING
from rlhflint.frameworks.trl.session import details_of
from rlhflint.mapping import Entry, Mapping, Series
from rlhflint.proposal import SAFE, UNSAFE, Proposal, SetValue
from rlhflint.rule import ERROR, PARSE, STARTUP, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.model import ProgramModel

_LISTS = ("reward_funcs", "reward_weights", "loss_weights")
"""Lists that no class turns a single value into (scripts/grpo.py@1.9.0, trainer/grpo_trainer.py@1.9.0)."""
_REWARDS = (
    ("0.22.0", "think_format_reward"),
    ("0.22.0", "get_soft_overlong_punishment"),
    ("0.24.0", "accuracy_reward"),
    ("0.26.0", "reasoning_accuracy_reward"),
)
"""Reward functions by name, and the first release whose scripts know them (scripts/grpo.py of each)."""
_SUB_KEYS = ("path", "name", "data_dir", "data_files", "split", "columns")


@rule("TR109", "scalar-for-list", severity=ERROR, stage=STARTUP, programs=EVERY, fix="safe")
def scalar_for_list(launch: ProgramModel) -> Iterator[Draft]:
    """A list is written as a list in a YAML file, also with one element.

    What happens: a name is read letter by letter, each taken for a reward function; a number has no length.

    Why: values of the file become defaults of the parser, which makes no lists of them (scripts/utils.py@1.9.0,
    scripts/grpo.py@1.9.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl grpo --config grpo.yaml
        --- grpo.yaml
        model_name_or_path: m
        dataset_name: d
        reward_funcs: accuracy_reward

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl grpo --config grpo.yaml
        --- grpo.yaml
        model_name_or_path: m
        dataset_name: d
        reward_funcs: [accuracy_reward]
    """
    if details_of(launch).form == "python":
        return
    for setting, field in settings_with_fields(launch):
        kinds = [part for part in parts_of(field.type) if part != "None"]
        if field.name not in _LISTS or by_words(setting, launch) or not isinstance(setting.value, Known):
            continue
        value = setting.value.value
        if value is None or isinstance(value, (list, dict)) or not all(kind.startswith("list") for kind in kinds):
            continue
        text = isinstance(value, str)
        yield launch.finding(
            *setting.canonical,
            message=f"{setting.name} takes a list, and {value!r} is "
            + ("text, of which every letter counts as an element" if text else "one value, which has no length"),
            help=f"write {setting.name}: [{value}]",
            proposal=Proposal(f"Set {setting.name} to [{value}]", SAFE, (SetValue(setting, [value]),)),
        )


@rule(
    "TR115",
    "reward-function-name",
    severity=ERROR,
    stage=STARTUP,
    programs=GENERATING,
    applies=">=0.22.0",
    fix="unsafe",
)
def reward_function_name(launch: GRPOModel) -> Iterator[Draft]:
    """The scripts know four reward functions by name; others are named by a dotted path.

    What happens: ValueError "Could not load reward function …", after the configuration was built.

    Why: names are looked up in a small table, and what has a dot is imported (scripts/grpo.py@0.22.0, @0.26.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl grpo --model_name_or_path m --dataset_name d --reward_funcs acuracy_reward

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl grpo --model_name_or_path m --dataset_name d --reward_funcs accuracy_reward my_rewards.length
    """
    details, setting = details_of(launch), launch.session.setting("reward_funcs")
    if setting is None or details.by not in ("trl", "script") or not isinstance(setting.value, Known):
        return
    value = setting.value.value
    if isinstance(value, str) and by_words(setting, launch):
        value = [value]
    known = [name for since, name in _REWARDS if launch.session.since(since)]
    names = value if isinstance(value, list) else []
    for name in names:
        if not isinstance(name, str) or name in known or "." in name:
            continue
        since = next((first for first, one in _REWARDS if one == name), None)
        meant = nearest(name, known) if since is None else None
        yield launch.finding(
            "reward_funcs",
            message=f"the script of TRL {launch.session.release} knows no reward function {name}: it has "
            f"{among(known)}" + (f"; {name} comes with {since}" if since else ""),
            help=f"did you mean {meant}?" if meant else "name a function of your own by its path: module.function",
            proposal=set_to(setting, [meant], UNSAFE) if meant and len(names) == 1 else None,
        )


@rule("TR119", "yaml-structure", severity=ERROR, stage=PARSE, programs=EVERY, applies=">=0.9.6")
def yaml_structure(launch: ProgramModel) -> Iterator[Draft]:
    """A file for TRL's parser is YAML and a mapping, its `env` too, and data sets of a mixture have certain keys.

    What happens: an error while the file is read.

    Why: the parser takes `env` out and exports its entries; `datasets` becomes a list of DatasetConfig
    (scripts/utils.py@0.22.0, @1.9.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        datasets:
          - path: d
            weight: 0.5

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --config sft.yaml
        --- sft.yaml
        model_name_or_path: m
        datasets:
          - path: d
            fraction: 0.5
    """
    yield from _root(launch)
    for setting in launch.session.launch.settings:
        if not isinstance(setting.origin, Entry):
            continue
        node = setting.origin.value.node
        if setting.name == "env" and not isinstance(node, Mapping):
            yield launch.finding(
                at=setting.name_span,
                message="env is no mapping of variables to values, and the parser refuses it",
                help="write env:, and NAME: VALUE below it",
            )
        elif setting.name == "datasets" and launch.session.since("0.22.0") and isinstance(node, Series):
            yield from _mixture(launch, node)


def _root(launch: ProgramModel) -> Iterator[Draft]:
    """The file behind `--config`, where it is no YAML or holds something else than keys and values."""
    if (found := config_file(launch.session)) is None:
        return
    document = found.document
    for problem in refused(document):
        yield launch.finding(
            at=problem.span,
            message=f"{problem.message}, and the parser refuses the file",
            help=problem.hint or "mend this place: none of the file is read",
        )
    if document.root is not None and document.mapping is None and not document.problems:
        word = found.word
        yield launch.finding(
            at=word.span if word is not None else launch.session.launch.span,
            message=f"{word.text if word is not None else document.path} holds no keys and values at its top, and the "
            "parser cannot use it",
            help="write one `key: value` a line",
        )


def _mixture(launch: ProgramModel, node: Series) -> Iterator[Draft]:
    known = (*_SUB_KEYS, "fraction") if launch.session.since("1.8.0") else _SUB_KEYS
    for item in node.items:
        entries = item.node.entries if isinstance(item.node, Mapping) else ()
        for entry in entries:
            if entry.name and entry.name not in known:
                yield launch.finding(
                    "datasets",
                    at=entry.name_span,
                    message=f"a data set of a mixture has no {entry.name} with TRL {launch.session.release}: it has "
                    f"{among(known)}",
                    help="leave it out",
                )
