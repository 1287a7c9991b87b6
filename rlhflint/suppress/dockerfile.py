"""Comments of a Dockerfile, with the instruction, or the line of one, that they speak of.

Here a comment may stand between continued lines: the builder takes it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.suppress.comment import Comment, may_suppress
from rlhflint.suppress.extents import Extents

_LINE = expression(r"(?P<text>[^\n]*?)\r?(?:\n|\Z)")
_HERE = expression(r"<<-?(?P<quote>[\"']?)(?P<word>\w+)(?P=quote)")
_ESCAPE = expression(r"#[ \t]*escape[ \t]*=[ \t]*`", re.IGNORECASE)


def comments(text: str) -> Iterator[Comment]:
    """The comment lines of a Dockerfile that may hold suppressions, in their order."""
    extents, escape = Extents(), "`" if _ESCAPE.match(text) else "\\"
    instruction = False
    heres: list[str] = []
    for line in _LINE.finditer(text):
        written = line["text"].strip()
        if heres and not instruction:
            if written == heres[0]:
                heres.pop(0)
                if not heres:
                    extents.end(0, line.end("text"))
            continue
        if not written:
            continue
        start = line.start() + line["text"].index(written)
        if written.startswith("#"):
            if may_suppress(written):
                extents.alone(start, start + len(written), int(instruction))
            continue
        extents.begin(line.start(), int(instruction))
        extents.end(1, line.end("text"))
        heres += (found["word"] for found in _HERE.finditer(written))
        instruction = written.endswith(escape)
        if not instruction and not heres:
            extents.end(0, line.end("text"))
    yield from extents.finish(len(text))
