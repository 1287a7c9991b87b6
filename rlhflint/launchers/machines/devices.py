"""The GPUs a process may see: `CUDA_VISIBLE_DEVICES`, `deepspeed --include`, `docker --gpus`."""

from __future__ import annotations

from rlhflint.expressions import expression
from rlhflint.launchers.count import Count, count_of
from rlhflint.text import Traced

VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES"

_INDEX = expression(r"\s*\d{1,4}\s*")
_UUID = expression(r"\s*(GPU|MIG)-[\w/-]+\s*")


def device_names(text: str) -> tuple[str, ...] | None:
    """The devices that a value of CUDA_VISIBLE_DEVICES lets through: numbers and UUIDs; None where it is neither.

    CUDA C++ Programming Guide, "CUDA Environment Variables": the list ends at the first entry that names no device, so
    `0,-1,2` is device 0 and an empty value none at all.
    """
    devices: list[str] = []
    for item in text.split(",") if text.strip() else ():
        if item.strip().startswith("-") and item.strip()[1:].isdigit():
            break
        if not (_INDEX.fullmatch(item) or _UUID.fullmatch(item)):
            return None
        devices.append(item.strip())
    return tuple(devices)


def visible_devices(word: Traced, source: str = VISIBLE_DEVICES) -> Count:
    """How many GPUs a value of CUDA_VISIBLE_DEVICES lets a process see."""
    text = word.text if word.known else word.default
    devices = device_names(text) if text is not None else None
    if word.known:
        if devices is None:
            return Count.unknown(f"{source} is {word.text[:40]!r}", word.span)
        return Count(len(devices), source, word.span)
    return Count(None, source, word.span, word.because, None if devices is None else len(devices))


def docker_devices(word: Traced) -> Count:
    """How many GPUs `docker run --gpus` gives: `2`, `device=0,1`, `all`."""
    if not word.known:
        return Count.unknown(word.because, word.span)
    for part in word.text.strip('"').split('"'):
        if part.startswith("device="):
            devices = part.removeprefix("device=").split(",")
            return Count(len(devices), "--gpus", word.span)
    if word.text == "all":
        return Count.unknown("--gpus all gives every GPU of the machine", word.span)
    return count_of(word, "--gpus")
