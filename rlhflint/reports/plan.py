"""The plan of a launch, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rlhflint.memory import FULL, TIGHT, gib
from rlhflint.reports.heading import heading
from rlhflint.reports.printable import printable

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.memory import Engine, Stage
    from rlhflint.plan import Group, Plan


def as_object(launch: Launch, line: int, plan: Plan) -> dict[str, Any]:
    """One launch in the JSON of `rlhflint plan`; memory in bytes."""
    machines = plan.machines
    return {
        "path": launch.path,
        "line": line,
        "program": launch.program,
        "versions": {name: {"value": one.value, "source": one.source} for name, one in launch.versions.items()},
        "groups": [
            {
                "parts": list(group.parts),
                "gpus": group.gpus,
                "first": group.first,
                "names": list(group.names),
                "note": group.note,
            }
            for group in plan.groups
        ],
        "asked": plan.asked,
        "offered": plan.offered,
        "nodes": machines.nodes.number if machines is not None else None,
        "gpus_per_node": machines.gpus_per_node.number if machines is not None else None,
        "offered_by": machines.what if machines is not None else "",
        "fits": plan.fits,
        "blocked": plan.blocked or None,
        "gpu_memory": plan.card,
        "longest_sample": plan.tokens,
        "stages": [
            {
                "name": stage.name,
                "total": stage.total,
                "terms": [{"what": term.what, "size": term.size, "setting": term.setting} for term in stage.terms],
            }
            for stage in plan.stages
        ],
        "engine": _engine_object(plan.engine),
        "undecided": [{"what": what, "because": because} for what, because in plan.undecided],
    }


def _engine_object(engine: Engine | None) -> dict[str, Any] | None:
    if engine is None:
        return None
    return {
        "share": engine.share,
        "budget": engine.budget,
        "weights": engine.weights,
        "cache": engine.cache,
        "tokens": engine.tokens,
    }


def render(launch: Launch, line: int, plan: Plan) -> str:
    """The text of one launch's plan."""
    return "\n".join(_lines(launch, line, plan)) + "\n"


def _lines(launch: Launch, line: int, plan: Plan) -> Iterator[str]:
    yield heading(launch, line)
    if plan.groups:
        yield "\nGPUs, numbered in the order in which they are taken"
        where = [_numbers(group, plan) for group in plan.groups]
        width = max(map(len, where))
        for group, numbers in zip(plan.groups, where, strict=True):
            note = f"  ({group.note})" if group.note else ""
            yield f"  {numbers:{width}}  {' + '.join(group.parts)}{note}"
    yield ""
    yield _asked(plan)
    if plan.blocked:
        yield f"  the first that finds too few GPUs: {plan.blocked}"
    if plan.stages:
        yield from _memory(plan)
    if plan.engine is not None:
        yield from _engine(plan.engine)
    if plan.undecided:
        yield "\nnot known"
        yield from (f"  {what}: {printable(because)}" for what, because in plan.undecided)


def _numbers(group: Group, plan: Plan) -> str:
    if not group.gpus:
        return "none"
    if group.names:
        return f"devices {printable(','.join(group.names))}"
    last = group.first + group.gpus - 1
    numbers = f"{group.first}" if last == group.first else f"{group.first}-{last}"
    each = plan.machines.gpus_per_node.number if plan.machines is not None else None
    if each:
        on = range(group.first // each, last // each + 1)
        machines = f"machine {on[0]}" if len(on) == 1 else f"machines {on[0]}-{on[-1]}"
        beyond = plan.offered is not None and last >= plan.offered
        numbers += " (more than there are)" if beyond else f" ({machines})"
    return numbers


def _asked(plan: Plan) -> str:
    asked = "how many GPUs it needs is not known" if plan.asked is None else f"{plan.asked} GPUs asked for"
    machines = plan.machines
    if plan.offered is None or machines is None:
        because = machines.gpus.because if machines is not None else "nothing says what machines there are"
        return f"{asked}; how many there are is not known: {printable(because)}"
    verdict = {True: "enough", False: "not enough", None: ""}[plan.fits]
    by = f" by {printable(machines.what)}" if machines.what else ""
    return f"{asked}, {plan.offered} on offer{by}{f': {verdict}' if verdict else ''}"


def _memory(plan: Plan) -> Iterator[str]:
    samples = f", samples of {plan.tokens} tokens" if plan.tokens is not None else ""
    card = f" of {gib(plan.card)}" if plan.card is not None else ""
    yield f"\nmemory of one GPU that trains{card}, estimated, rather too low than too high{samples}"
    for stage in plan.stages:
        yield f"  {stage.name}: about {gib(stage.total)}{_verdict(stage, plan.card)}"
        terms = [term for term in stage.largest(len(stage.terms)) if term.size]
        width = max((len(term.what) for term in terms), default=0)
        for term in terms:
            yield f"    {term.what:{width}}  {gib(term.size):>9}{f'  {term.setting}' if term.setting else ''}"


def _engine(engine: Engine) -> Iterator[str]:
    yield f"\nmemory of one GPU of vLLM, its share of {engine.share:g}: {gib(engine.budget)}"
    yield f"  weights                            {gib(engine.weights):>9}"
    if engine.cache <= 0:
        yield "  the weights alone are more than its share: it does not start"
        return
    yield f"  left for keys and values, at most  {gib(engine.cache):>9}"
    if engine.tokens is not None:
        yield f"  room for {engine.tokens:,} tokens of an engine's requests, at most"


def _verdict(stage: Stage, card: float | None) -> str:
    """What the estimate says of the card; never that it fits for certain."""
    if card is None:
        return ""
    share = stage.total / card
    if share > FULL:
        return f", {share:.0%}: likely does not fit"
    return f", {share:.0%}: tight" if share > TIGHT else f", {share:.0%}"
