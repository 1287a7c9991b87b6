"""What to paste into an issue about a launch: releases, settings, what was found, and what is still to be added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rlhflint import __version__
from rlhflint.explain.shareable import UNKNOWN, value_of
from rlhflint.registry import abouts
from rlhflint.reports.printable import printable
from rlhflint.reports.secrets import Secrets
from rlhflint.value import Known, if_known

if TYPE_CHECKING:
    from rlhflint.explain.symptoms import Sign
    from rlhflint.judged import Chosen
    from rlhflint.launch import Version

_ASKED_OF_ALL = (
    "the commit, where it is no release, and the number and type of GPUs",
    "releases of the packages that the table does not name",
)
_TOLD = ("NCCL_", "CUDA_VISIBLE", "VLLM_USE", "TORCH_CUDA_ARCH")
"""How variables begin that are told, besides those of the framework."""


def report(one: Chosen, signs: Sequence[Sign] = ()) -> str:
    """The report in Markdown: no path, no address and no secret of the launch is in it.

    Args:
        one: the launch.
        signs: what a log of it shows.
    """
    return "\n".join(_lines(one, signs)) + "\n"


def _lines(one: Chosen, signs: Sequence[Sign]) -> Iterator[str]:
    launch, session = one.launch, one.model.session
    yield f"### {launch.program}"
    yield ""
    yield "| package | release | said by |"
    yield "| --- | --- | --- |"
    for name, version in launch.versions.items():
        yield f"| {printable(name)} | {printable(version.specifier or version.value)} | {_by(version)} |"
    yield f"| rlhflint | {__version__} | |"
    yield ""
    yield "```text"
    if session.start is not None and session.world.launcher:
        count = session.world.total.number or 1
        yield f"started by {printable(session.world.launcher)}" + (f", {count} processes" if count > 1 else "")
    offered = if_known(lambda: session.machines.gpus.need("GPUs"))
    if offered is not None:
        nodes = session.machines.nodes.number
        yield f"{offered} GPUs {session.machines.gpu}".rstrip() + (f" on {nodes} machines" if nodes else "")
    secrets = Secrets(one.file)
    for setting in launch.settings:
        yield printable(f"{setting.name} {value_of(setting, secrets)}".rstrip())
    for name, value in sorted(launch.environment.items()):
        if name.startswith((*_TOLD, f"{session.framework.upper()}_")):
            known = isinstance(value, Known) and str(value.value).replace(",", "").isalnum()
            yield printable(f"{name}={value.value if known and isinstance(value, Known) else UNKNOWN}")
    yield "```"
    yield from _found(one)
    if signs:
        yield ""
        yield "The log shows: " + ", ".join(f"{sign.symptom.title} [{sign.symptom.name}]" for sign in signs) + "."
    yield ""
    yield "Still to be added:"
    yield ""
    asked = next(about.asked for about in abouts() if about.name == session.framework)
    yield from (f"- {what}" for what in asked or _ASKED_OF_ALL)


def _by(version: Version) -> str:
    """Who says a release: the last part of a file's name, which tells nothing of where it is."""
    if not version.stated:
        return "assumed"
    source = version.source.replace("\\", "/").rpartition("/")[2]
    return printable(source.partition(":")[0])


def _found(one: Chosen) -> Iterator[str]:
    found = {(finding.code, finding.name) for finding in one.file.findings if finding.launch in one.judged.every}
    yield ""
    if found:
        yield "rlhflint finds: " + ", ".join(f"{code} {name}" for code, name in sorted(found)) + "."
    else:
        yield "rlhflint finds nothing."
    if one.judged.undecided:
        codes = sorted({undecided.code for undecided in one.judged.undecided})
        yield f"Not decided: {', '.join(codes)}."
