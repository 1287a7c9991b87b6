"""How bad a finding is, when it would strike, and whether its fix may be applied unasked."""

from __future__ import annotations

from enum import Enum


class Severity(Enum):
    """How bad it is; compared by `rank`."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"

    @property
    def rank(self) -> int:
        """2 for an error, 1 for a warning, 0 for advice."""
        return {"error": 2, "warning": 1, "advice": 0}[self.value]


class Stage(Enum):
    """When it would strike."""

    PARSE = "parse"
    STARTUP = "startup"
    FIRST_STEP = "first-step"
    LATE = "late"
    SILENT = "silent"


class Applicability(Enum):
    """Whether a fix may be applied without asking."""

    SAFE = "safe"
    UNSAFE = "unsafe"
