"""When a launch that is read again says what it is meant to say."""

from __future__ import annotations

import pytest

from rlhflint.fixing.intended import Said, alike, holes
from rlhflint.text import HOLE


@pytest.mark.parametrize(
    ("meant", "read", "expected"),
    [
        ((("--bf16", ((),)),), (("--bf16", ((HOLE,),)),), True),
        ((("--old", (("0",),)),), (("--old", (("0", HOLE),)),), True),
        ((("--old", (("0", HOLE),)),), (("--old", (("0",),)),), False),
        ((("--old", (("0",),)),), (("--old", (("0", "1"),)),), False),
        ((("--old", (("0",),)),), (("--new", (("0", HOLE),)),), False),
        ((("--old", (("0",), ("1",))),), (("--old", (("0", HOLE),)),), False),
    ],
)
def test_words_that_are_not_known_may_belong_to_a_setting_or_not(meant: Said, read: Said, expected: bool) -> None:
    assert alike(meant, read) is expected


def test_words_that_are_not_known_are_counted() -> None:
    assert holes(["a", HOLE, f"a{HOLE}", HOLE]) == 2
