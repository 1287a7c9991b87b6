"""Results of files, kept from one run to the next."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rlhflint.check import Suspect
from rlhflint.digest import digest
from rlhflint.disk import Unreadable, read_bytes
from rlhflint.records import dataclass
from rlhflint.remembered.folder import folder_of, read, write
from rlhflint.remembered.identity import identity_of
from rlhflint.told import unpacked
from rlhflint.trail import Trail

if TYPE_CHECKING:
    from rlhflint.project.discovery import Candidate
    from rlhflint.project.settings import Settings
    from rlhflint.result import FileResult

MOST_FILES = 20_000
"""Files whose results are kept; of more, those of the last run."""


@dataclass
class Memory:
    """The results of earlier runs with the same options in the same folder, and the trail that all of them rest on.

    A run has one trail for all files: what one file made the linter read is kept in memory for the next, which does not
    ask for it again. If one answer has changed, no result is given again.
    """

    folder: str
    name: str
    settings: Settings
    trail: Trail
    held: dict[str, list[Any]]
    """By path: what the result was found in, and the result."""
    changed: bool = False

    @classmethod
    def of(cls, settings: Settings) -> Memory | None:
        """What is remembered for the options of a run; None where nothing can be kept."""
        folder, name = folder_of(os.environ), identity_of(settings)
        if folder is None or name is None:
            return None
        trail, held = _held(folder, name)
        return cls(folder, name, settings, trail, held)

    def result(self, candidate: Candidate, names: list[str]) -> FileResult | None:
        """The result of a file that is as it was, read for these frameworks; None where it has to be checked."""
        kept = self.held.get(candidate.path)
        try:
            if kept is None:
                return None
            data = read_bytes(candidate.path)
            found_in, (path, sources, *rest) = kept
            if found_in != subject(candidate, Suspect(data, names)):
                return None
            return unpacked([path, {path: data.decode("utf-8", "replace"), **sources}, *rest])
        except (AttributeError, KeyError, TypeError, ValueError, Unreadable):
            return None

    def keep(self, candidate: Candidate, found_in: Sequence[str], result: list[Any]) -> None:
        """Remember the packed result of a file that was checked along the trail."""
        path, sources, *rest = result
        others = {name: text for name, text in sources.items() if name != path}
        self.held.pop(candidate.path, None)
        self.held[candidate.path] = [list(found_in), [path, others, *rest]]
        self.changed = True

    def save(self) -> None:
        """Keep everything for the next run, unless the disk, or the linter, changed during this one."""
        if not self.changed or self.trail.broken or identity_of(self.settings) != self.name:
            return
        newest = dict(list(self.held.items())[-MOST_FILES:])
        content = json.dumps([self.trail.answers, newest], separators=(",", ":"))
        write(self.folder, self.name, content.encode())


def subject(candidate: Candidate, suspect: Suspect) -> list[str]:
    """What a result is found in: how the file is read, for which frameworks, and its bytes."""
    return [candidate.kind.value, *suspect.names, digest(suspect.data)]


def _held(folder: str, name: str) -> tuple[Trail, dict[str, list[Any]]]:
    """The trail and the results that were kept, if the trail still holds."""
    content = read(folder, name)
    if content is not None:
        try:
            answers, held = json.loads(content)
            trail = Trail(answers)
            if trail.holds():
                return trail, held
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
            pass
    return Trail(), {}
