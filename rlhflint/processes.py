"""Many files checked by several processes, with the results that one process gives, in its order.

The walk and the search for the names of frameworks stay in one process: for files without launches they are all there
is to do. Of the others, those are given again that are remembered; the rest is shared out once there is enough of it to
pay for the processes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rlhflint.check import Checker, Suspect
from rlhflint.result import FileResult
from rlhflint.stages import Stage, counting, each

if TYPE_CHECKING:
    from rlhflint.project.discovery import Candidate
    from rlhflint.remembered.memory import Memory

FEWEST = 48
"""Files with launches from which on processes are started."""
FEWEST_REMEMBERED = 16
"""Files with launches from which on what is found in them is remembered."""
_SHARE = 4
"""Files that are handed to a process at a time."""


def results(
    checker: Checker, paths: Iterable[str], jobs: int | None = None, *, remembers: bool = False
) -> Iterator[FileResult]:
    """What is found file by file, as reports tell it.

    Args:
        checker: its configurations are read here, whoever checks the files.
        paths: files and folders.
        jobs: how many processes at most; as many as there are processors where nothing is said.
        remembers: what an earlier run found in many files is given again, and what this one finds is kept.
    """
    jobs = (jobs or _processors()) if _forks() else 1
    if jobs == 1 and not remembers:
        yield from checker.results(paths)
        return
    seen: list[FileResult | None] = []
    suspects: list[tuple[Candidate, list[str]]] = []
    for candidate in each("files", checker.candidates(paths)):
        looked = candidate if isinstance(candidate, FileResult) else checker.look_at(candidate)
        if isinstance(looked, Suspect) and not isinstance(candidate, FileResult):
            checker.configurations.for_file(candidate.path)
            seen.append(None)
            suspects.append((candidate, looked.names))
        elif isinstance(looked, FileResult):
            seen.append(looked)
    memory = _memory(checker) if remembers and len(suspects) >= FEWEST_REMEMBERED else None
    found = _checked(checker, suspects, jobs, None) if memory is None else _remembered(memory, suspects, jobs)
    for one in seen:
        result = next(found) if one is None else one
        if result is not None:
            yield result
    if memory is not None:
        with Stage("memory"):
            memory.save()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _forks() -> bool:
    """Whether a process can be had that knows what this one has loaded; on macOS that is not safe."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def _memory(checker: Checker) -> Memory | None:
    import rlhflint.tool_rules  # noqa: F401 - configured codes are verified in a run that has rules
    from rlhflint.remembered.memory import Memory

    with Stage("memory"):
        return Memory.of(checker.settings)


def _remembered(memory: Memory, suspects: list[tuple[Candidate, list[str]]], jobs: int) -> Iterator[FileResult | None]:
    """What is remembered of the files, and for the others what a check finds that notes what it asks."""
    with Stage("memory"):
        known = [memory.result(candidate, names) for candidate, names in suspects]
    missing = [suspect for suspect, result in zip(suspects, known, strict=True) if result is None]
    # A checker of its own, because another one does not ask again what it knows.
    checked = _checked(Checker(memory.settings, trail=memory.trail), missing, jobs, memory)
    for result in known:
        yield next(checked) if result is None else result


def _checked(
    checker: Checker, suspects: list[tuple[Candidate, list[str]]], jobs: int, memory: Memory | None
) -> Iterator[FileResult | None]:
    """The files checked, here or by several processes, and their results kept in a memory."""
    if jobs > 1 and len(suspects) >= FEWEST:
        return _shared_out(checker, suspects, jobs, memory)
    return (_check(checker, candidate, memory) for candidate, _ in suspects)


def _shared_out(
    checker: Checker, suspects: list[tuple[Candidate, list[str]]], jobs: int, memory: Memory | None
) -> Iterator[FileResult | None]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from rlhflint.rules import load

    load(sorted({name for _, names in suspects for name in names}))  # what is loaded here need not be in each process
    first, *rest = [candidate for candidate, _ in suspects]
    yield _check(checker, first, memory)
    context = get_context("fork")
    with ProcessPoolExecutor(min(jobs, len(rest)), context, initializer=_begin, initargs=(checker,)) as pool:
        for candidate, sent in zip(rest, pool.map(_send, rest, chunksize=_SHARE), strict=True):
            yield _received(checker, candidate, sent, memory)


def _check(checker: Checker, candidate: Candidate, memory: Memory | None) -> FileResult | None:
    looked = checker.look_at(candidate)
    if not isinstance(looked, Suspect):
        return looked
    result = checker.check_suspect(candidate, looked)
    if memory is not None and not result.crashed:
        from rlhflint.remembered.memory import subject
        from rlhflint.told import packed

        if (told := packed(result)) is not None:
            memory.keep(candidate, subject(candidate, looked), told)
    return result


class _Sent(NamedTuple):
    """What one process found in a file and sends to another.

    `result` is packed; None for one that cannot be. `subject` is what it was found in, if it may be remembered,
    and `news` what was asked of the disk since the last file, where that is noted. `seconds` are those of each stage.
    """

    result: list[Any] | None
    subject: Sequence[str] = ()
    news: Sequence[tuple[str, str, str]] = ()
    seconds: Mapping[str, float] = {}


_checkers: list[Checker] = []
"""That of a process which checks files for another."""


def _begin(checker: Checker) -> None:
    if checker.trail is not None:
        checker.trail.news()  # the other process has noted these itself
    if (stages := counting()) is not None:
        stages.taken()
    _checkers.append(checker)


def _send(candidate: Candidate) -> _Sent:
    from rlhflint.told import packed

    checker = _checkers[-1]
    looked = checker.look_at(candidate)
    if not isinstance(looked, Suspect):
        return _Sent(None)
    result = checker.check_suspect(candidate, looked)
    stages = counting()
    seconds = stages.taken() if stages is not None else {}
    if checker.trail is None:
        return _Sent(packed(result), seconds=seconds)
    from rlhflint.remembered.memory import subject

    found_in = [] if result.crashed else subject(candidate, looked)
    return _Sent(packed(result), found_in, checker.trail.news(), seconds)


def _received(checker: Checker, candidate: Candidate, sent: _Sent, memory: Memory | None) -> FileResult | None:
    if (stages := counting()) is not None:
        stages.add(sent.seconds)
    if memory is not None:
        for note in sent.news:
            memory.trail.add(*note)
    if sent.result is None:
        return _check(checker, candidate, memory)
    from rlhflint.told import unpacked

    result = unpacked(sent.result)
    if memory is not None and sent.subject:
        memory.keep(candidate, sent.subject, sent.result)
    return result
