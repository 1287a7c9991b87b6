"""The GPUs that Slurm options ask for: `--gres=gpu:a100:8`, `--gpus-per-node`, `--gpus-per-task`, `--gpus`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rlhflint.expressions import expression
from rlhflint.launchers.count import Count, count_of
from rlhflint.launchers.unwrapping.start import Wrapper
from rlhflint.records import dataclass
from rlhflint.text import Traced

_GPU = expression(r"(?:gres/)?(?:(?P<type>[A-Za-z][\w.-]*):)?(?P<count>\d{1,6})(?:\(.*\))?")


@dataclass(frozen=True, slots=True)
class Gpus:
    """GPUs an option asks for: how many, of which type (empty where it does not say)."""

    count: Count
    type: str = ""


def stated_gpus(options: Wrapper) -> Mapping[str, Gpus]:
    """The GPUs that each option names."""
    stated: dict[str, Gpus] = {}
    for name in ("gpus_per_node", "gpus_per_task", "gpus_per_socket", "gpus"):
        option = options.given(name)
        if option is not None:
            stated[name] = _gpu_counts(option.value, option.flag.text) if option.certain else _open(options)
    gres = options.given("gres")
    if gres is not None and gres.value is not None:
        if not gres.certain or not gres.value.known:
            stated["gres"] = _open(options) if not gres.certain else Gpus(Count.unknown(gres.value.because))
        else:
            parts = [part for part in gres.value.text.split(",") if _is_gpu(part)]
            if parts:
                stated["gres"] = _gres(parts, gres.value)
    return stated


def _open(options: Wrapper) -> Gpus:
    return Gpus(Count.unknown(options.more))


def _is_gpu(part: str) -> bool:
    return re.fullmatch(r"(gres[/:])?gpu([:=].*)?", part.strip()) is not None


def _gres(parts: Sequence[str], word: Traced) -> Gpus:
    """`gpu`, `gpu:8`, `gpu:a100:8`; several add up."""
    total, kind = 0, ""
    for part in parts:
        rest = re.sub(r"^(gres[/:])?gpu[:=]?", "", part.strip())
        if not rest:
            total += 1
            continue
        found = _GPU.fullmatch(rest)
        if found is None:
            if not re.fullmatch(r"[A-Za-z][\w.-]*", rest):
                return Gpus(Count.unknown(f"--gres is {word.text[:40]!r}", word.span))
            total, kind = total + 1, kind or rest
            continue
        total, kind = total + int(found["count"]), kind or found["type"] or ""
    return Gpus(Count(total, "--gres", word.span), kind.lower())


def _gpu_counts(word: Traced | None, flag: str) -> Gpus:
    """`8`, `a100:8`, `a100:4,v100:4`."""
    if word is None or not word.known:
        return Gpus(count_of(word, flag))
    total, kind = 0, ""
    for part in word.text.split(","):
        found = _GPU.fullmatch(part.strip())
        if found is None:
            return Gpus(Count.unknown(f"{flag} is {word.text[:40]!r}", word.span))
        total, kind = total + int(found["count"]), kind or found["type"] or ""
    return Gpus(Count(total, flag, word.span), kind.lower())


def requested_gpus(
    options: Wrapper, stated: Mapping[str, Gpus], nodes: Count, ntasks: Count, tasks_per_node: Count
) -> tuple[Count, Count]:
    """GPUs of one machine and of all."""
    each = stated.get("gpus_per_node") or stated.get("gres")
    whole = stated.get("gpus")
    if each is None and "gpus_per_task" in stated:
        task = stated["gpus_per_task"].count
        return task.times(tasks_per_node), whole.count if whole else task.times(ntasks)
    if each is not None:
        return each.count, whole.count if whole else each.count.times(nodes)
    if whole is not None:
        if nodes.number == 1:
            return whole.count, whole.count
        return Count.unknown("Slurm chooses how the GPUs are spread over the machines", whole.count.span), whole.count
    if "gpus_per_socket" in stated or options.given("tres_per_node") or options.given("tres_per_task"):
        unknown = Count.unknown("the GPUs follow from other numbers of the machine")
    elif options.given("exclusive") is not None:
        unknown = Count.unknown("--exclusive gives all GPUs of the machines, however many they have")
    else:
        unknown = Count.unknown(options.more or "no option asks for GPUs")
    return unknown, unknown
