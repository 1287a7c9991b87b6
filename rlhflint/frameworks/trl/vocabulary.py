"""What is known of a tokenizer's vocabulary: by its files in the project, or by the family of the model."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from rlhflint.catalog.model_facts import model_facts
from rlhflint.content import json_object

Read: TypeAlias = Callable[[str], str | None]

_MOST_CHARACTERS = 16_000_000
_QWEN = ("qwen2", "qwen2.5", "qwen2.5-math", "qwen2.5-coder", "qwen3")
_LLAMA = ("llama3", "llama3.1", "llama3.2", "llama3.3")
_GEMMA = ("gemma", "gemma2", "gemma3")
_WITHOUT = ("mistral", "mixtral")
_ENDS = {
    "<|im_end|>": _QWEN,
    "<|endoftext|>": _QWEN,
    "<|eot_id|>": _LLAMA,
    "<|end_of_text|>": _LLAMA,
    "<end_of_turn>": _GEMMA,
    "<|end|>": (),
}
"""Tokens that end a turn or a text, and the families that have them; the others listed here have them not."""
_JUDGED = (*_QWEN, *_LLAMA, *_GEMMA, *_WITHOUT)


def has_token(name: str, token: str, read: Read) -> bool | None:
    """Whether the tokenizer of a model has a token; None where that is not known.

    A folder of the project is asked for its `tokenizer.json`; of models on the Hub a few families and the tokens that
    end their turns are known.
    """
    content = json_object(read(posixpath.join(name, "tokenizer.json")), most=_MOST_CHARACTERS)
    if content is not None:
        return _in_file(content, token)
    facts = model_facts(name, read)
    if facts is None or not facts.certain or facts.family not in _JUDGED or token not in _ENDS:
        return None
    return facts.family in _ENDS[token]


def without_unknown_token(name: str, read: Read) -> bool:
    """Whether the tokenizer is known to have no token that stands for what it does not know."""
    options = json_object(read(posixpath.join(name, "tokenizer_config.json")), most=_MOST_CHARACTERS)
    if options is not None:
        return options.get("tokenizer_class") == "PreTrainedTokenizerFast" and options.get("unk_token") is None
    facts = model_facts(name, read)
    return facts is not None and facts.certain and facts.family in _LLAMA


def _in_file(content: Mapping[str, Any], token: str) -> bool | None:
    model, added = content.get("model"), content.get("added_tokens")
    vocabulary = model.get("vocab") if isinstance(model, dict) else None
    if isinstance(added, list) and any(isinstance(one, dict) and one.get("content") == token for one in added):
        return True
    if isinstance(vocabulary, dict):
        return token in vocabulary
    if isinstance(vocabulary, list):
        return any(isinstance(one, list) and one[:1] == [token] for one in vocabulary)
    return None
