"""Launches that are right, in canonical names, for the cases of rules to vary."""

from __future__ import annotations

import shlex

from rlhflint.catalog.changes import Kind
from rlhflint.catalog.program import Program
from rlhflint.frameworks.openrlhf.catalog import openrlhf

BASE: dict[str, dict[str, str | None]] = {
    "train_ppo_ray": {
        "actor.model_name_or_path": "models/sft",
        "reward.remote_url": "http://localhost:5000/get_reward",
        "data.prompt_dataset": "data/prompts.jsonl",
        "data.input_key": "prompt",
        "data.apply_chat_template": None,
        "ckpt.output_dir": "out/ppo",
        "actor.num_nodes": "1",
        "actor.num_gpus_per_node": "8",
        "ref.num_nodes": "1",
        "ref.num_gpus_per_node": "8",
        "train.colocate_actor_ref": None,
        "vllm.num_engines": "4",
        "vllm.tensor_parallel_size": "2",
        "algo.advantage.estimator": "reinforce_baseline",
        "rollout.n_samples_per_prompt": "8",
        "rollout.batch_size": "128",
        "rollout.micro_batch_size": "4",
        "train.batch_size": "128",
        "train.micro_batch_size": "2",
        "ds.zero_stage": "3",
        "actor.adam.lr": "5e-7",
        "flash_attn": None,
        "bf16": None,
    },
    "train_sft": {
        "model.model_name_or_path": "models/base",
        "data.dataset": "data/chat.jsonl",
        "data.input_key": "messages",
        "data.apply_chat_template": None,
        "data.max_len": "4096",
        "ckpt.output_dir": "out/sft",
        "train.batch_size": "128",
        "train.micro_batch_size": "2",
        "ds.zero_stage": "2",
        "adam.lr": "5e-6",
        "flash_attn": None,
        "bf16": None,
    },
    "train_rm": {
        "model.model_name_or_path": "models/sft",
        "data.dataset": "data/preferences.jsonl",
        "data.chosen_key": "chosen",
        "data.rejected_key": "rejected",
        "data.apply_chat_template": None,
        "data.max_len": "4096",
        "ckpt.output_dir": "out/rm",
        "train.batch_size": "128",
        "train.micro_batch_size": "2",
        "ds.zero_stage": "3",
        "adam.lr": "9e-6",
        "flash_attn": None,
        "bf16": None,
    },
    "train_dpo": {
        "model.model_name_or_path": "models/sft",
        "data.dataset": "data/pairs.jsonl",
        "data.chosen_key": "chosen",
        "data.rejected_key": "rejected",
        "data.apply_chat_template": None,
        "data.max_len": "4096",
        "ckpt.output_dir": "out/dpo",
        "train.batch_size": "128",
        "train.micro_batch_size": "2",
        "ds.zero_stage": "3",
        "adam.lr": "5e-7",
        "flash_attn": None,
        "bf16": None,
    },
}
"""Program → canonical name (or field of the typed model) → value; None for a switch."""

LAUNCHERS = {"train_ppo_ray": "python3 -m openrlhf.cli.train_ppo_ray"}


def script(program: str, release: str, flags: str, without: tuple[str, ...] = (), launcher: str = "") -> str:
    """A shell script that launches `program` as `release` spells it: the base launch, changed by `flags`.

    `flags` are words of a command line in canonical names (`--ds.zero_stage 2`) or as the release spells them. What
    they give is not repeated from the base; `without` (canonical names) is left out.
    """
    catalog = openrlhf()
    listed = catalog.releases.place(release).release
    known = catalog.program(program)
    own = _own(shlex.split(flags), known, listed)
    given = {name for flag, _ in own for name in _names(flag, known, listed)}
    lines = [launcher or LAUNCHERS.get(program, f"deepspeed --num_gpus 8 --module openrlhf.cli.{program}")]
    for name, value in BASE[program].items():
        flag = known.spelling(name, listed)
        if (
            flag is not None
            and name not in without
            and name not in given
            and not given & set(_names(flag, known, listed))
        ):
            lines.append(flag if value is None else f"{flag} {value}")
    lines += [" ".join([flag, *map(_quoted, words)]) for flag, words in own]
    return " \\\n   ".join(lines) + "\n"


def _own(words: list[str], program: Program, release: str) -> list[tuple[str, list[str]]]:
    """The flags with their values, canonical names written as the release spells them."""
    found: list[tuple[str, list[str]]] = []
    for word in words:
        if word.startswith("--"):
            flag, equals, value = word.partition("=")
            spelt = flag if program.accepts(flag, release) else program.spelling(flag[2:], release)
            succession = program.successors(flag, release) if spelt is None else None
            if succession is not None and succession.backward and succession.kind is Kind.RENAMED:
                spelt = succession.flags[0]
            found.append(((spelt or flag) + equals + value, []))
        elif found:
            found[-1][1].append(word)
        else:
            found.append((word, []))
    return found


def _names(flag: str, program: Program, release: str) -> tuple[str, ...]:
    flag = flag.partition("=")[0]
    return (*program.canonical(flag, release), *program.fields(flag, release))


def _quoted(word: str) -> str:
    if word.startswith("$"):
        return word
    return f'"{word}"' if "$" in word else shlex.quote(word)
