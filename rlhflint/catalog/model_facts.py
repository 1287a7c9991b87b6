"""What is known of a model by its name or by the files beside it: sizes, heads, vocabulary, chat template.

The table is `schemas/models.json`, which says where each row comes from; nothing is downloaded.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from rlhflint.catalog.files import read_json
from rlhflint.catalog.model_names import parameters_in
from rlhflint.content import json_object
from rlhflint.expressions import expression
from rlhflint.records import dataclass

Read: TypeAlias = Callable[[str], str | None]
"""The text of a file of the project by its path; None where there is none."""

_KIND = expression(r"[-_.](instruct|chat|it|base|hf|sft|dpo|rm|ppo|grpo)(?=$|[-_.])", re.IGNORECASE)
_MOST_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """A model. Numbers are counts, None where they are not known; sizes are in parameters, not bytes.

    `source` says where this comes from and fits behind "by". `certain`: it is about this very model; otherwise about
    one whose name is alike, good for an estimate only.
    """

    source: str
    certain: bool
    params: int | None = None
    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    ffn: int | None = None
    vocab: int | None = None
    max_positions: int | None = None
    tie_embeddings: bool | None = None
    moe: bool = False
    kv_bytes_per_token: int | None = None
    """Bytes that the keys and values of one token take in 16 bits, over all layers, before tensor parallelism."""
    chat_template: bool | None = None
    dtype: str | None = None
    """In which type the weights are stored (`bfloat16`, `float32`)."""
    family: str | None = None
    """The line of models it belongs to, as the table spells it: `llama3.1`, `qwen2.5`."""


def model_facts(name: str, read: Read | None = None) -> ModelFacts | None:
    """What is known of the model that a launch names: a folder, or an id of the Hugging Face Hub.

    A folder of the project is described by its own `config.json` and tokenizer files; its adapter by the base model.
    Otherwise the id is looked up, then its last part without endings such as `-Instruct`, and at last the size is read
    off the name. None where nothing is known.
    """
    name = name.rstrip("/")
    if not name or len(name) > 1000:
        return None
    if read is not None and (local := _local(name, read)) is not None:
        return local
    row = _table().get(_key(name))
    if row is not None:
        return _of_row(row, certain=True)
    base = posixpath.basename(name)
    alike = _alike().get(_stem(base))
    if alike is not None:
        return replace(_of_row(alike, certain=False), chat_template=None)
    size = parameters_in(name)
    return None if size is None else ModelFacts("the model's name", certain=False, params=size)


def _key(name: str) -> str:
    """An id as the table is searched by it: models of Llama 3.1 go by two names."""
    return name.lower().replace("/meta-llama-", "/llama-")


def _stem(base: str) -> str:
    """The last part of an id without what does not change its shape."""
    stem = base.lower().removeprefix("meta-")
    while (shorter := _KIND.sub("", stem)) != stem:
        stem = shorter
    return stem


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    """The rows by their id."""
    return {_key(name): row for name, row in read_json("models.json")["models"].items()}


@cache
def _alike() -> Mapping[str, Mapping[str, Any]]:
    """The rows by the stem of their id, the first of several."""
    found: dict[str, Mapping[str, Any]] = {}
    for name, row in _table().items():
        found.setdefault(_stem(posixpath.basename(name)), row)
    return found


def _of_row(row: Mapping[str, Any], *, certain: bool) -> ModelFacts:
    return ModelFacts(
        source="the table of models",
        certain=certain,
        params=row.get("params"),
        layers=row.get("layers"),
        hidden=row.get("hidden"),
        heads=row.get("heads"),
        kv_heads=row.get("kv_heads"),
        head_dim=row.get("head_dim"),
        ffn=row.get("ffn"),
        vocab=row.get("vocab"),
        max_positions=row.get("max_positions"),
        tie_embeddings=row.get("tie_embeddings"),
        moe="moe" in row,
        kv_bytes_per_token=row.get("kv_bytes_per_token_bf16"),
        chat_template={"yes": True, "no": False}.get(row.get("chat_template", "")),
        family=row.get("family"),
    )


def _local(folder: str, read: Read) -> ModelFacts | None:
    """A model that lies in the project, by its own files."""
    from rlhflint.catalog.model_config import facts_in_config

    config = json_object(read(posixpath.join(folder, "config.json")), most=_MOST_CHARACTERS)
    if config is None:
        adapter = json_object(read(posixpath.join(folder, "adapter_config.json")), most=_MOST_CHARACTERS)
        base = adapter.get("base_model_name_or_path") if adapter is not None else None
        return model_facts(base) if isinstance(base, str) else None
    facts = facts_in_config(config, f"{folder}/config.json")
    return replace(facts, chat_template=_chat_template(folder, read))


def _chat_template(folder: str, read: Read) -> bool | None:
    """Whether the tokenizer files of a folder hold a chat template; None where there are none to tell."""
    tokenizer = json_object(read(posixpath.join(folder, "tokenizer_config.json")), most=_MOST_CHARACTERS)
    apart = ("chat_template.jinja", "chat_template.json", "additional_chat_templates/default.jinja")
    if any(read(posixpath.join(folder, name)) is not None for name in apart):
        return True
    return None if tokenizer is None else bool(tokenizer.get("chat_template"))
