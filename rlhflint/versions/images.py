"""Container images whose tags name a release."""

from __future__ import annotations

import re
from dataclasses import replace

from rlhflint.expressions import expression
from rlhflint.packages.ranges import version_of
from rlhflint.registry import names
from rlhflint.versions.collecting import Collector
from rlhflint.versions.pep508 import Wish
from rlhflint.versions.requirement import Origin

_IMAGE = expression(
    r"(?:[a-z+]+://|docker:)?(?P<repository>[A-Za-z0-9][^\s@:]*(?::\d+/[^\s@:]+)?)"
    r"(?::(?P<tag>[A-Za-z0-9_][\w.-]*))?(?:@sha256:\w+)?"
)
_TAG = expression(r"v?(?P<release>\d+(?:\.\d+)+(?:\.?(?:post|rc)\d+)?)(?P<rest>[-_+].*)?", re.IGNORECASE)
_RAY_PYTHON = expression(r"-py3(?P<minor>\d{1,2})(?:-|$)")

_OFFICIAL = {
    "vllm/vllm-openai": "vllm",
    "rayproject/ray": "ray",
    "rayproject/ray-ml": "ray",
    "rayproject/ray-llm": "ray",
    "pytorch/pytorch": "torch",
    "huggingface/trl": "trl",
    "huggingface/transformers-pytorch-gpu": "transformers",
    "deepspeed/deepspeed": "deepspeed",
    "python": "python",
    "library/python": "python",
}
"""Repositories of the projects themselves, whose tags are their releases."""

_REGISTRY = expression(r"^(?:(?=[^/]*[.:])[^/]++|localhost)/")


def add_image(collector: Collector, line: int, image: str) -> None:
    """Note what the tag of an image says: `vllm/vllm-openai:v0.8.5`, `python:3.11-slim`, `…/openrlhf:0.9.3`.

    The tag of an image that somebody named after a project may count anything; it is kept as a guess.
    """
    collector.opaque = True
    found = _IMAGE.fullmatch(image.strip().strip("'\"").replace("#", "/")[:1000])
    if found is None or found["tag"] is None:
        return
    tag = _TAG.fullmatch(found["tag"])
    release = version_of(tag["release"]) if tag else None
    if tag is None or release is None:
        return
    repository = _REGISTRY.sub("", found["repository"])
    name = _OFFICIAL.get(repository)
    note = f"image {found['repository'].rpartition('/')[2]}:{found['tag']}"
    if name == "python" and release.count(".") < 2:
        collector.specifier(line, "python", f"=={release}.*", Origin.IMAGE, note)
    elif name is not None:
        collector.wish(line, Wish(name, f"=={release}", release), Origin.IMAGE, note)
        if name == "ray" and (python := _RAY_PYTHON.search(tag["rest"] or "")):
            collector.specifier(line, "python", f"==3.{python['minor']}.*", Origin.IMAGE, note)
    elif (own := repository.rpartition("/")[2].lower()) in (*names(), "vllm", "vllm-openai"):
        collector.wish(line, Wish(own.removesuffix("-openai"), f"=={release}", release), Origin.IMAGE, note)
        collector.requirements[-1] = replace(collector.requirements[-1], guess=True)
