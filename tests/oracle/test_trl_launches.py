"""Generated launches of TRL's scripts, words over YAML: refused by upstream or not, and what their options come to.

RLHFLINT_LAUNCHES is the number of launches of each script and release, a sample where it is not set.
"""

from __future__ import annotations

import json
import os
import shlex
from random import Random

import pytest

from rlhflint.frameworks.trl.catalog.commands import command_fields, subcommands
from rlhflint.frameworks.trl.session import newest_name
from tests.oracle.test_trl_configs import ELSEWHERE, IN_TRAINER, MACHINE, SENTINELS, same
from tests.oracle.trl import ask
from tests.oracle.trl_environments import ENVIRONMENTS, environment_of
from tests.oracle.trl_generated import HARDWARE, Kind, as_words, as_yaml, settings
from tests.oracle.trl_linted import lint

LAUNCHES = int(os.environ.get("RLHFLINT_LAUNCHES") or 12)
RELEASES = [release for environment in ENVIRONMENTS for release in environment.releases]
WORDS = ("sft", "dpo", "grpo", "kto", "reward", "rloo")
GIVEN = {"model_name_or_path": "org/model", "dataset_name": "org/data", "output_dir": "out"}
CPU = {"use_cpu": True, "bf16": False}
ODD_WORDS = [["--learning_rate"], ["--num_train_epochs", "many"], ["--seed", "1.5"], ["--packing", "perhaps"], ["word"]]
ODD_WORDS += [["--learning_rat", "1e-6"], ["--num_gen", "4"], ["--bf16"], ["--max_steps", "None"], ["--logging", "5"]]
ODD_KEYS = ["learning_rate: fast\n", "learning-rate: 0.1\n", "seed: 1.5\n", "lr_scheduler_type: cosin\n", "seed: '7'\n"]
ODD_KEYS += ["max_steps: null\n", "gradient_checkpointing: yes\n", "learning_rate: 1e-6\n", "save_steps: '5'\n"]
IN_SCRIPT = {**IN_TRAINER, "TR115": "by the script itself", "TR120": "by the script itself", "TR109": "by the script"}
"""Rules with errors that neither parser nor configuration knows of."""
OWN = """
from trl import {trainer}, TrlParser
{imports}

parser = TrlParser(({config}, {others}))
training_args, *others = parser.parse_args_and_config()
trainer = {trainer}("org/model", args=training_args, train_dataset=None)
"""
NAMES = {"sft": "SFT", "dpo": "DPO", "grpo": "GRPO", "kto": "KTO", "reward": "Reward", "rloo": "RLOO"}


OLDER = {
    "per_device_train_batch_size": ("per_gpu_train_batch_size",),
    "per_device_eval_batch_size": ("per_gpu_eval_batch_size",),
    "max_steps": ("total_episodes",),
    "num_generations": ("rloo_k",),
}
"""Options that older ones, where they are given, are handed on to."""


def older(name, case):
    """Whether an older option is among the words."""
    return any(word.lstrip("-").replace("-", "_").startswith(name) for word in case["argv"])


def own_script(config, trainer, classes):
    """A script with a parser over the classes that TRL's own script has."""
    named = [one.partition(":")[::2] for one in classes]
    imports = "\n".join(
        f"from trl.{module} import {name}" if "." in module else f"from trl import {name}" for module, name in named
    )
    others = ", ".join(name for _, name in named if name != config)
    return OWN.format(config=config, trainer=trainer, imports=imports, others=others)


@pytest.mark.parametrize("release", RELEASES)
def test_launches(released_wheel, release, tmp_path):
    environment = environment_of(release)
    if not environment.python.exists():
        pytest.skip("no environment: python -m tests.oracle.trl_environments")
    random = Random(f"launches {release}")
    cases, files, owners = [], [], []
    for word in WORDS:
        command = subcommands(release).get(word)
        if command is None:
            continue
        fields = command_fields(command.classes, release, environment.transformers)
        kind = Kind(word, "", fields, ("num_generation", "max_seq_length", "torch_dtype", "dtype", "tokenizer"))
        for _ in range(LAUNCHES):
            given = {name: value for name, value in settings(kind, random).items() if name not in GIVEN}
            in_file = {name: value for name, value in given.items() if random.random() < 0.5}
            text = as_yaml({**GIVEN, **CPU, **in_file})
            text += random.choice(ODD_KEYS) if random.random() < 0.15 else ""
            rest = {name: value for name, value in given.items() if name not in in_file and value is not None}
            words = as_words(rest, random) + (random.choice(ODD_WORDS) if random.random() < 0.15 else [])
            own = random.random() < 0.4
            call = {} if own else dict(command.arguments)
            shown = [name for name in fields if name not in HARDWARE]
            cases.append({"parser": word, "yaml": text, "argv": words, "call": call, "show": shown, "world_size": 2})
            place = f"{word}.py" if own else f"trl/scripts/{word}.py"
            line = f"accelerate launch --num_processes 2 {place} --config run.yaml {shlex.join(words)}"
            here = {"run.sh": f"{line}\n", "run.yaml": text}
            if own:
                config, trainer = f"{NAMES[word]}Config", f"{NAMES[word]}Trainer"
                here[f"{word}.py"] = own_script(config, trainer, command.classes)
            files.append(here)
            owners.append(fields)
    versions = {"trl": release, "transformers": environment.transformers}
    answers = ask(environment.python, released_wheel("trl", release), cases)
    wrong, refused = [], 0
    for fields, case, answer, one in zip(owners, cases, answers, lint(files, versions, tmp_path), strict=True):
        if not answer["ok"] and MACHINE.search(answer["message"]):
            continue
        refused += not answer["ok"]
        told = one.codes() - (IN_SCRIPT.keys() if answer["ok"] else set())
        where = (case["parser"], not case["call"], case["yaml"], case["argv"])
        if answer["ok"] is bool(told):
            wrong.append((*where, told, answer.get("message") or [finding.message for finding in one.errors]))
        elif answer["ok"]:
            wrong += [
                (*where, name, one.values[canonical], value)
                for name, value in answer["values"].items()
                if name not in ELSEWHERE
                and not (name in SENTINELS and (case["parser"], release) == ("dpo", "0.28.0"))
                and (canonical := newest_name(fields[name].owner, name, release)) in one.values
                and (canonical == name or canonical not in fields)
                and not any(f"{other}:" in case["yaml"] or older(other, case) for other in OLDER.get(name, ()))
                and not same(one.values[canonical], value)
            ]
    print(f"{release}: {len(cases)} launches, {refused} refused by TRL")
    assert not wrong, "\n".join(json.dumps(row, default=sorted) for row in wrong[:40])
