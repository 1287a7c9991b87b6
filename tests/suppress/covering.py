"""What comments that let findings through cover, told in the text itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rlhflint.suppress.comment import Comment

MARK = "# rlhflint: ignore[OR203] why"


def covered(comments: Callable[[str], Iterable[Comment]], text: str) -> list[str]:
    """What each suppression in a text covers; `@@` stands for the comment."""
    text = text.replace("@@", MARK)
    found = list(comments(text))
    assert all(text[one.start : one.end] == MARK for one in found)
    return [text[one.covers_start : one.covers_end].replace(MARK, "@@") for one in found]
