"""The packages whose releases matter to a launch."""

from __future__ import annotations

import re

PACKAGES = (
    "openrlhf",
    "trl",
    "transformers",
    "vllm",
    "deepspeed",
    "peft",
    "accelerate",
    "ray",
    "flash-attn",
    "torch",
    "ring-flash-attn",
    "liger-kernel",
    "bitsandbytes",
    "datasets",
    "python",
)
"""Normalised names. `python` is the interpreter."""

FRAMEWORKS = ("openrlhf", "trl")
"""Those that define programs."""

_TRACKED = frozenset(PACKAGES)
_SEPARATORS = re.compile(r"[-_.]+")
_NAMED = re.compile(
    rb"(?i)openrlhf|\btrl\b|transformers|vllm|deepspeed|\bpeft\b|accelerate|\bray\b"
    rb"|flash[-_.]+attn|torch|liger[-_.]+kernel|bitsandbytes|datasets"
)


def normalised(name: str) -> str:
    """A package's name as PEP 503 writes it: lower case, `-` between words."""
    return _SEPARATORS.sub("-", name).lower()


def tracked(name: str) -> bool:
    """Whether a normalised name is one of `PACKAGES`."""
    return name in _TRACKED


def may_name_one(raw: bytes) -> bool:
    """Whether a file's bytes hold the name of one of the packages, the interpreter apart."""
    return _NAMED.search(raw) is not None
