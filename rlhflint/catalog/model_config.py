"""A `config.json` of a Hugging Face model as facts: its shape as it stands there, its size worked out from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlhflint.catalog.model_facts import ModelFacts

_UNGATED = frozenset({"gpt2", "opt", "gpt_neox", "gptj", "phi", "falcon", "bloom"})
"""Families whose feed-forward layers have two matrices; those of all others have three."""


def facts_in_config(config: Mapping[str, Any], source: str) -> ModelFacts:
    """What a configuration says of its model; the text part of one that sees images as well.

    The size leaves out norms, biases and the parts for images: within half a percent of the model cards' totals for
    models of text.
    """
    text = config.get("text_config")
    if isinstance(text, dict):
        config = {**config, **text}
    hidden = _number(config, "hidden_size", "n_embd", "d_model")
    heads = _number(config, "num_attention_heads", "n_head")
    layers = _number(config, "num_hidden_layers", "n_layer")
    kv_heads = _number(config, "num_key_value_heads") or heads
    head_dim = _number(config, "head_dim") or (hidden // heads if hidden and heads else None)
    ffn = _number(config, "intermediate_size", "n_inner", "ffn_dim") or (4 * hidden if hidden else None)
    vocab = _number(config, "vocab_size")
    latent = _number(config, "kv_lora_rank")
    experts = _experts(config)
    tied = config.get("tie_word_embeddings")
    kv_bytes = None
    if latent and layers:
        kv_bytes = layers * (latent + (_number(config, "qk_rope_head_dim") or 0)) * 2
    elif layers and kv_heads and head_dim:
        kv_bytes = 2 * layers * kv_heads * head_dim * 2
    total = None
    if hidden and heads and layers and kv_heads and head_dim and ffn and vocab and not latent:
        attention = 2 * hidden * head_dim * (heads + kv_heads)
        matrices = 2 if config.get("model_type") in _UNGATED else 3
        embeddings = vocab * hidden * (1 if tied in (True, None) else 2)
        width = ffn if experts is None else experts
        total = embeddings + layers * (attention + matrices * hidden * width)
    return ModelFacts(
        source=source,
        certain=True,
        params=total,
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=None if latent else kv_heads,
        head_dim=head_dim,
        ffn=ffn,
        vocab=vocab,
        max_positions=_number(config, "max_position_embeddings", "n_positions"),
        tie_embeddings=tied if isinstance(tied, bool) else None,
        moe=experts is not None,
        kv_bytes_per_token=kv_bytes,
        dtype=_dtype(config),
    )


def _dtype(config: Mapping[str, Any]) -> str | None:
    """The type of the weights; newer transformers write it under a shorter name."""
    named = config.get("dtype", config.get("torch_dtype"))
    return named.removeprefix("torch.") if isinstance(named, str) else None


def _experts(config: Mapping[str, Any]) -> int | None:
    """The width of all experts of a layer together; None for a dense model."""
    experts = _number(config, "num_local_experts", "num_experts", "n_routed_experts")
    width = _number(config, "moe_intermediate_size", "intermediate_size")
    if not experts or experts < 2 or not width:
        return None
    shared = (_number(config, "n_shared_experts") or 0) * width
    return experts * width + shared


def _number(config: Mapping[str, Any], *names: str) -> int | None:
    """The first of the entries that is a positive whole number of a plausible size."""
    for name in names:
        value = config.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9:
            return value
    return None
