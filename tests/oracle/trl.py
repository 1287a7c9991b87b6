"""Ask a release of TRL itself, in an environment of its own.

A case is a mapping; by its keys it is one of

    fields      {"fields": dotted path of a configuration class}
    parameters  {"parameters": dotted path of a trainer}
    imports     {"imports": [dotted paths]}
    config      {"config": dotted path, "kwargs": {}, "show": [names], "world_size": N, "env": {}}
    parser      {"parser": script, "argv": [], "yaml": text, "call": {keywords of parse_args_and_config}, "show": []}
    convert     {"convert": script, "fields": [names], "words": [[words], …], "values": [values of a file]}
    command     {"command": [words behind `trl`], "yaml": text}
    trainer     {"trainer": dotted path, "config": dotted path, "kwargs": {}, "data": sft|conv|pc|dpo|grpo|kto,
                 "rewards": number of reward functions, "peft": LoraConfig arguments, "by_name": false, "extra": {},
                 "tokenizer": true where the tokenizer is handed over by that name}

An answer has `ok`, and `stage` (config, parser, command, trainer, train), `type` and `message` of what was raised, or
what was asked for: `fields` and `parameters` as lists, `importable` by path, `values` by name (of a command: script,
arguments, num_processes that accelerate would start it with), `remaining` words, `warnings`; of conversions `words` and
`yaml`: the case as JSON → `["value", …]` or `["refused"]`.

This runs upstream's code, and belongs to tests alone. CPU only and offline: a configuration gets `use_cpu=True,
bf16=False` unless the case says otherwise, since TRL 0.19 and newer refuse every other one without a GPU.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

Case = dict[str, Any]
Answer = dict[str, Any]

_OFFLINE = {
    "CUDA_VISIBLE_DEVICES": "",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRL_EXPERIMENTAL_SILENCE": "1",
    "WANDB_MODE": "disabled",
}


def ask(python: Path, wheel: Path, cases: list[Case], timeout: float = 900) -> list[Answer]:
    """The answers of the TRL in `wheel` to the cases, in order.

    Raises RuntimeError where the child process dies before it has answered all.
    """
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(work / "site")
        (work / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
        answers = work / "answers.jsonl"
        answers.touch()
        child = Path(__file__).with_name("trl_child.py")
        command = [str(python), str(child), str(work / "site"), str(work / "cases.json"), str(answers)]
        environment = {**os.environ, **_OFFLINE}
        done = subprocess.run(
            command, cwd=work, env=environment, capture_output=True, text=True, timeout=timeout, check=False
        )
        rows: list[Answer] = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    if len(rows) < len(cases):
        raise RuntimeError(f"{wheel.name} died after {len(rows)} of {len(cases)} cases: {done.stderr[-1500:]}")
    return rows
