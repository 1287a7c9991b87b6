"""Variables put into the runtime environment of a job of Ray."""

from __future__ import annotations

import json
from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.proposal import Rewrite
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.launchers.ray.job import RayJob
    from rlhflint.launchers.ray.traced_json import Json
    from rlhflint.text import Traced

_PLAIN = expression(r"[\w./:,@%+=-]*")
"""Values that JSON and every kind of quotes of a shell take as they are."""
_OPENING = expression(r'\{[ \t\r\n]*"')


def forwarding(job: RayJob, variables: Mapping[str, Traced]) -> Rewrite | None:
    """The change of a job's `--runtime-env-json` that names variables in its `env_vars`.

    None where there is no object, or it does not stand in the file as it is: quotes that are written with a backslash
    belong to a text of the shell, which would take new ones for its own.
    """
    environment = job.runtime_env
    if environment is None or environment.kind != "object" or job.more or not variables:
        return None
    if not all(value.known and _PLAIN.fullmatch(value.text) for value in variables.values()):
        return None
    entries = ", ".join(
        f'"{name}": {json.dumps(value.text)}' for name, value in sorted(variables.items(), key=itemgetter(0))
    )
    named = environment.get("env_vars")
    if named is None:
        place, entries = _inside(environment), f'"env_vars": {{{entries}}}'
    else:
        place = _inside(named)
    return Rewrite(place, f"{entries}, ") if place is not None else None


def _inside(held: Json) -> Span | None:
    """The place in front of the first key of an object."""
    opening = _OPENING.match(held.written.text)
    if held.kind != "object" or opening is None:
        return None
    span = held.written[: opening.end()].verbatim_span
    if span is None or len(span) != opening.end():
        return None
    return Span(span.path, span.end - 1, span.end - 1)
