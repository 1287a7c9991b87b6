"""Generated configurations: what TRL refuses to build is an error, what it builds is none, and its options are ours.

RLHFLINT_LAUNCHES is the number of configurations of each class and release, a sample where it is not set.
"""

from __future__ import annotations

import json
import os
import re
from random import Random

import pytest

from rlhflint.frameworks.trl.catalog.imports import ClassRef, class_at
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.frameworks.trl.session import newest_name
from tests.oracle.trl import ask
from tests.oracle.trl_environments import ENVIRONMENTS, environment_of
from tests.oracle.trl_generated import HARDWARE, as_python, kind_of, settings
from tests.oracle.trl_linted import lint

LAUNCHES = int(os.environ.get("RLHFLINT_LAUNCHES") or 12)
RELEASES = [release for environment in ENVIRONMENTS for release in environment.releases]
CLASSES = (
    *("SFTConfig", "DPOConfig", "GRPOConfig", "RLOOConfig", "KTOConfig", "RewardConfig"),
    *("OnlineDPOConfig", "PPOConfig", "GKDConfig", "CPOConfig", "ORPOConfig", "BCOConfig", "NashMDConfig"),
    *(
        "XPOConfig",
        "PRMConfig",
        "GOLDConfig",
        "DistillationConfig",
        "GFPOConfig",
        "SDPOConfig",
        "SDFTConfig",
        "IWOPDConfig",
    ),
)
CPU = {"output_dir": "out", "use_cpu": True, "bf16": False}
MACHINE = re.compile(
    r"bf16|fp16|tf32|GPU|CUDA|cuda|not installed|pip install|is not available|to be installed|device"
    r"|Hugging ?Face|huggingface|has no attribute"
)
"""Refusals for what this machine has not, and mistakes of upstream's own."""
IN_TRAINER = {
    "TR107": "the loss is chosen by the trainer",
    "TR205": "by the trainer",
    "TR207": "by the trainer",
    "TR208": "by the trainer",
    "TR212": "by the trainer",
    "TR214": "by the trainer",
    "TR215": "by the trainer",
    "TR216": "by the trainer, apart from delta",
    "TR218": "by the trainer",
    "TR220": "by the trainer",
    "TR223": "by the trainer",
    "TR224": "by the trainer",
    "TR227": "by the trainer",
    "TR229": "by the trainer",
    "TR236": "by the trainer",
    "TR244": "by the trainer",
    "TR245": "by the trainer",
    "TR301": "by the trainer up to 0.17",
    "TR302": "by the trainer up to 0.17",
    "TR305": "by the trainer up to 0.17",
    "TR306": "by the trainer",
    "TR307": "by the trainer",
    "TR402": "by the trainer",
}
"""Rules with errors that no configuration knows of, and who does."""
ELSEWHERE = {
    **dict.fromkeys(
        ("rloo_k", "cliprange", "kl_coef", "exp_name", "normalize_reward", "num_ppo_epochs", "num_mini_batches"),
        "RLOO hands it on to its new name and empties it",
    ),
    **dict.fromkeys(("total_episodes", "response_length"), "RLOO hands it on to its new name and empties it"),
    "per_gpu_train_batch_size": "moved into the other option",
    "per_gpu_eval_batch_size": "moved into the other option",
    "metric_for_best_model": "set where the best model is loaded",
    "greater_is_better": "set where the best model is loaded",
    "disable_tqdm": "by the level of the log",
    **dict.fromkeys(("activation_checkpointing", "activation_checkpointing_kwargs"), "from their older names"),
    **dict.fromkeys(("normalize_advantage", "max_seq_length"), "two options in some releases, one in others"),
    "datasets": "a list without entries where there are none",
    "pad_to_multiple_of": "by the kind of the machine",
    "scale_rewards": "a switch becomes a word",
    "do_eval": "true where there is a schedule of evaluations",
    "eval_steps": "logging_steps where evaluation goes by steps",
    "include_for_metrics": "from include_inputs_for_metrics",
    "dataloader_pin_memory": "off without a GPU",
}
"""Options that upstream fills in after the fact, which no rule reads."""
FOLLOWS = {"gradient_checkpointing": "activation_checkpointing"}
"""Options that a newer name of theirs overrides, which transformers 5.23 has beside them."""
SIZES = ("generation_batch_size", "steps_per_generation", "max_prompt_length")
"""Options that the configuration works out; ours are worked out where a rule needs them."""
SENTINELS = (
    *("label_pad_token_id", "generate_during_eval", "reference_free", "max_completion_length", "use_logits_to_keep"),
    "base_model_attribute_name",
)
"""Options for which DPO 0.28 looks whether they are given before it fills them in."""


def classes(release):
    """The classes of a release that are configurations of trainers, with their keys."""
    found = []
    for name in CLASSES:
        key = key_at(name, release)
        if key is None:
            continue
        package = key.partition(":")[0]
        paths = [f"trl.{name}", f"trl.{package}.{name}", f"trl.trainer.{name}"]
        path = next((one for one in paths if isinstance(class_at(one, release), ClassRef)), None)
        if path is not None:
            found.append((path, key))
    return found


def same(ours, theirs):
    if ours == [theirs] or theirs == [ours]:
        return True  # one loss, as a list or alone
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return ours == theirs and isinstance(ours, bool) is isinstance(theirs, bool)
    return json.dumps(ours, sort_keys=True, default=str) == json.dumps(theirs, sort_keys=True, default=str)


@pytest.mark.parametrize("release", RELEASES)
def test_configurations(released_wheel, release, tmp_path, record_property):
    environment = environment_of(release)
    if not environment.python.exists():
        pytest.skip("no environment: python -m tests.oracle.trl_environments")
    random = Random(f"configurations {release}")
    cases, files, kinds = [], [], []
    for path, key in classes(release):
        kind = kind_of(path, key, release, environment.transformers)
        for _ in range(LAUNCHES):
            given = settings(kind, random)
            full = (
                given
                if path.endswith("ModelConfig")
                else {"output_dir": "out", "use_cpu": True, "bf16": False, **given}
            )
            processes = random.choice([1, 2, 3, 8])
            shown = [name for name in kind.fields if name not in HARDWARE]
            cases.append({"config": path, "kwargs": full, "show": shown, "world_size": processes})
            run = f"accelerate launch --num_processes {processes} train.py\n"
            files.append({"train.py": as_python(kind, full), "run.sh": run})
            kinds.append(kind)
    versions = {"trl": release, "transformers": environment.transformers}
    answers = ask(environment.python, released_wheel("trl", release), cases)
    wrong, refused = [], 0
    for kind, case, answer, one in zip(kinds, cases, answers, lint(files, versions, tmp_path), strict=True):
        if not answer["ok"] and MACHINE.search(answer["message"]):
            continue
        refused += not answer["ok"]
        told = one.codes() - (IN_TRAINER.keys() if answer["ok"] else set())
        if answer["ok"] is bool(told):
            said = answer.get("message") or [finding.message for finding in one.errors]
            wrong.append((kind.path, case["kwargs"], case["world_size"], told, said))
        elif answer["ok"]:
            wrong += [
                (kind.path, case["kwargs"], name, one.values[canonical], value)
                for name, value in answer["values"].items()
                if name not in ELSEWHERE
                and FOLLOWS.get(name) not in case["kwargs"]
                and (name not in SIZES or one.values.get(name) is not None)
                and not (name in SENTINELS and (kind.key, release) == ("trl:DPOConfig", "0.28.0"))
                and (canonical := newest_name(kind.key, name, release)) in one.values
                and (canonical == name or canonical not in kind.fields)
                and not any(newest_name(kind.key, other, release) == name != other for other in case["kwargs"])
                and not same(one.values[canonical], value)
            ]
    record_property("launches", f"{len(cases)} configurations, {refused} refused")
    print(f"{release}: {len(cases)} configurations, {refused} refused by TRL")
    assert not wrong, "\n".join(map(str, wrong[:40]))
