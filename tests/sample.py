"""How many released packages a test looks at."""

from __future__ import annotations

import os
from collections.abc import Sequence

ALL_RELEASES = bool(os.environ.get("RLHFLINT_ALL_RELEASES"))
"""Set: tests that compare with released packages do so for every release, not for a sample."""


def sampled(sample: Sequence[str], releases: Sequence[str]) -> Sequence[str]:
    """The releases a test is to look at: the sample, or all where that is asked for."""
    return releases if ALL_RELEASES else sample
