"""What `declare -i`, `-u`, `-l` and `-c` make of the texts that a variable is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rlhflint.expressions import expression
from rlhflint.readers.shell.state import Elements, Gaps, Table, Variable
from rlhflint.text import Traced

_INTEGER = expression(r"-?(?:0|[1-9][0-9]*)")
_CHANGES: Mapping[str, Callable[[str], str]] = {"u": str.upper, "l": str.lower, "c": str.capitalize}


def fitting(variable: Variable, name: str, value: Traced | Elements | Table | None) -> Traced | Elements | Table | None:
    """A value as a variable of this kind takes it; what would have to be worked out is unknown."""
    if value is None:
        return None
    if isinstance(value, Traced):
        return _text(variable, name, value)
    if isinstance(value, tuple):
        return tuple(_text(variable, name, word) for word in value)
    changed = {key: _text(variable, name, word) for key, word in value.items()}
    return Gaps(changed) if isinstance(value, Gaps) else changed


def _text(variable: Variable, name: str, text: Traced) -> Traced:
    if variable.integer:
        if text.default is not None and _INTEGER.fullmatch(text.default):
            return text
        return Traced.hole(text.because or f"${name} is worked out as a number", text.span, many=text.many)
    change = _CHANGES[variable.letters]
    if not text.known:
        default = text.default
        because = f"the letters of ${name} are changed"
        return Traced.hole(because, text.span, many=text.many, default=None if default is None else change(default))
    return text if change(text.text) == text.text else Traced.made(change(text.text), text.span)
