"""Commands that end earlier than their writer meant, and scripts that the shell itself refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.command import BEYOND
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Rewrite
from rlhflint.rule import ADVICE, ERROR, PARSE, SILENT, Draft, rule

if TYPE_CHECKING:
    from rlhflint.command import Problem
    from rlhflint.scene import Scene

_BROKEN = {
    "blank-after-backslash": "a blank stands behind the backslash, which then continues nothing: the command ends "
    "here, and the flags below are run as a command of their own",
    "comment-in-continuation": "the comment ends the command here: the flags below are run as a command of their own",
    "missing-backslash": "the line lacks a backslash at its end: the flags below are not passed, but run as a "
    "command of their own",
    "text-after-backslash": "text stands behind the backslash, which then continues nothing: the command ends here",
    "carriage-return": "the line ends in a carriage return: the backslash before it continues nothing",
}
_NOT_FOLLOWED = ("too-many-ways", "not-static", "sourced-file-missing")
_HELP = {
    "blank-after-backslash": "remove the blanks behind the backslash",
    "comment-in-continuation": "move the comment above the command, or into an array of flags",
    "missing-backslash": "end the line with a backslash",
    "text-after-backslash": "end the line with the backslash",
    "carriage-return": "save the file with Unix line ends",
}


@rule("LA104", "broken-continuation", severity=ERROR, stage=PARSE, programs="script", fix="safe")
def broken_continuation(scene: Scene) -> Iterator[Draft]:
    r"""The lines of a command have to hang together.

    What happens: the launch runs without the flags below, and the shell then fails with "command not found" when the
    run is over, or at once if it stops at errors.

    Why: a backslash continues a line only if the line end follows it directly, and a comment reaches to the end of its
    line and is not continued.

    Example:
        --- train.sh
        deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m \
           --data.dataset data/chat.jsonl
           --ds.zero_stage 3

    Use instead:
        --- train.sh
        deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m \
           --data.dataset data/chat.jsonl \
           --ds.zero_stage 3
    """
    for run in _runs(scene):
        kind = run[0].kind
        more = f" ({len(run)} lines in a row lack it, this one first)" if len(run) > 1 else ""
        every = ", and the lines that follow it too" if len(run) > 1 else ""
        yield scene.finding(run[0].span, _BROKEN[kind] + more, help=_HELP[kind] + every, proposal=_remedy(run))


def _runs(scene: Scene) -> Iterator[list[Problem]]:
    """What breaks a command, by itself; lines without a backslash that follow each other are one fault."""
    run: list[Problem] = []
    for problem in _problems(scene):
        if problem.kind not in _BROKEN:
            continue
        if run and not _follows(scene, run[-1], problem):
            yield run
            run = []
        run.append(problem)
    if run:
        yield run


def _follows(scene: Scene, last: Problem, problem: Problem) -> bool:
    """Whether both are lines without a backslash, the second the next line of the first's command."""
    if {last.kind, problem.kind} != {"missing-backslash"} or last.span.path != problem.span.path:
        return False
    source = scene.document.sources.get(last.span.path)
    if source is None:
        return False
    between = source.text[last.span.end : problem.span.start].lstrip(" \t\r").removeprefix("\n")
    return all(line.endswith("\\") for line in between.split("\n")[:-1])


def _remedy(run: list[Problem]) -> Proposal | None:
    remedies = [Rewrite(problem.span, problem.remedy) for problem in run if problem.remedy is not None]
    if len(remedies) < len(run):
        return None
    safe = run[0].kind in ("blank-after-backslash", "carriage-return")
    return Proposal("Mend the continuation", SAFE if safe else UNSAFE, tuple(remedies))


@rule("RL002", "syntax-error", severity=ERROR, stage=PARSE, programs=("script", "module"))
def syntax_error(scene: Scene) -> Iterator[Draft]:
    """A script has to be one that its shell accepts, a module one that Python accepts.

    What happens: the shell stops there; what stands above has been run by then. Python does not start the file at all.
    What can still be read is still checked.

    Why: bash reads a script statement by statement.

    Example:
        --- train.sh
        if [ -d data ]; then
        deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset data/chat.jsonl

    Use instead:
        --- train.sh
        if [ -d data ]; then
        deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset data/chat.jsonl
        fi
    """
    for problem in _problems(scene):
        if problem.kind == "syntax":
            yield scene.finding(problem.span, problem.message, help=problem.hint)


@rule("RL006", "not-read-in-full", severity=ADVICE, stage=SILENT, programs=("script", "module", "unread"))
def not_read_in_full(scene: Scene) -> Iterator[Draft]:
    """A file is read to its end, and a script on all ways through it, up to a bound.

    What happens: launches beyond the bound are not checked, or not on every way that leads to them.

    Why: the ways multiply with every `if` and loop; 64 of them are followed. Of a very large or deeply nested file not
    all is read.

    Example:
        --- train.sh
        source ./cluster.env
        deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset data/chat.jsonl

    Use instead:
        --- train.sh
        deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset data/chat.jsonl
    """
    for problem in _problems(scene):
        followed = scene.script is not None and problem.kind in _NOT_FOLLOWED
        if followed or problem.kind in BEYOND:
            yield scene.finding(problem.span, problem.message)


def _problems(scene: Scene) -> tuple[Problem, ...]:
    if scene.script is not None:
        return scene.script.problems
    if scene.document.module is not None:
        return scene.document.module.problems
    return scene.document.keys.problems if scene.document.keys is not None else ()
