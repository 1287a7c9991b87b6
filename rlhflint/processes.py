"""Many files checked by several processes, with the results that one process gives, in its order.

The walk and the search for the names of frameworks stay in one process: for files without launches they are all there
is to do. The others are shared out once there are enough of them to pay for the processes.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.check import Checker, Suspect
from rlhflint.result import FileResult

if TYPE_CHECKING:
    from rlhflint.project.discovery import Candidate

FEWEST = 48
"""Files with launches from which on processes are started."""
_SHARE = 4
"""Files that are handed to a process at a time."""


def results(checker: Checker, paths: Iterable[str], jobs: int | None = None) -> Iterator[FileResult]:
    """What is found file by file, as reports tell it.

    Args:
        checker: its configurations are read here, whoever checks the files.
        paths: files and folders.
        jobs: how many processes at most; as many as there are processors where nothing is said.
    """
    jobs = jobs or _processors()
    if jobs == 1 or not _forks():
        yield from checker.results(paths)
        return
    seen: list[Candidate | FileResult] = []
    suspects: list[Candidate] = []
    names: set[str] = set()
    for candidate in checker.candidates(paths):
        looked = candidate if isinstance(candidate, FileResult) else checker.look_at(candidate)
        if isinstance(looked, Suspect) and not isinstance(candidate, FileResult):
            checker.configurations.for_file(candidate.path)
            seen.append(candidate)
            suspects.append(candidate)
            names.update(looked.names)
        elif isinstance(looked, FileResult):
            seen.append(looked)
    many = len(suspects) >= FEWEST
    found = _shared_out(checker, suspects, names, jobs) if many else map(checker.check_file, suspects)
    for one in seen:
        result = one if isinstance(one, FileResult) else next(found)
        if result is not None:
            yield result


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _forks() -> bool:
    """Whether a process can be had that knows what this one has loaded; on macOS that is not safe."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def _shared_out(
    checker: Checker, suspects: list[Candidate], names: Iterable[str], jobs: int
) -> Iterator[FileResult | None]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from rlhflint.rules import load

    load(sorted(names))  # reports ask which rules there are; and what is loaded here need not be in each process
    first, *rest = suspects
    yield checker.check_file(first)
    context = get_context("fork")
    with ProcessPoolExecutor(min(jobs, len(rest)), context, initializer=_begin, initargs=(checker,)) as pool:
        for candidate, packed in zip(rest, pool.map(_packed, rest, chunksize=_SHARE), strict=True):
            yield checker.check_file(candidate) if packed is None else pickle.loads(packed)


_checkers: list[Checker] = []
"""That of a process which checks files for another."""


def _begin(checker: Checker) -> None:
    _checkers.append(checker)


def _packed(candidate: Candidate) -> bytes | None:
    """The result for a file, to be sent; None for one that cannot be."""
    result = _checkers[-1].check_file(candidate)
    try:
        return pickle.dumps(None if result is None else _told(result))
    except (pickle.PicklingError, TypeError, AttributeError):
        return None


def _told(result: FileResult) -> FileResult:
    """What reports tell of a file, without what its launches were made of."""
    from rlhflint.judged import Judged
    from rlhflint.launch import Launch

    return replace(
        result,
        findings=tuple(replace(finding, launch=None, proposal=None) for finding in result.findings),
        launches=tuple(
            Judged(
                Launch(one.launch.program, one.launch.path, one.launch.span, versions=one.launch.versions),
                one.undecided,
                one.ways,
            )
            for one in result.launches
        ),
        document=None,
    )
