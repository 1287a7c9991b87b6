"""The packages whose releases matter to a launch."""

from __future__ import annotations

import re

from rlhflint.expressions import expression
from rlhflint.registry import abouts, names

_COMPANIONS = (
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
    "wandb",
    "comet-ml",
    "mlflow",
)
_IN_OTHER_WORDS = ("peft", "ray")
"""Names so short that other words hold them."""

PACKAGES = (*names(), *_COMPANIONS, "python")
"""Normalised names. `python` is the interpreter."""

FRAMEWORKS = tuple(about.name for about in abouts() if not about.experimental)
"""Those whose mention makes a file the list of what is installed."""


def _mention(name: str) -> str:
    """A regular expression for a package's name in a file, however its words are parted."""
    written = "[-_.]+".join(name.split("-"))
    return rf"\b{written}\b" if name in _IN_OTHER_WORDS else written


_TRACKED = frozenset(PACKAGES)
_SEPARATORS = expression(r"[-_.]+")
_NAMED = expression(
    "|".join([*(about.mention for about in abouts()), *map(_mention, _COMPANIONS)]).encode(), re.IGNORECASE
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
