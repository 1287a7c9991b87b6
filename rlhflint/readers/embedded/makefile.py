"""Recipes of Makefiles, with the values of the file's own variables in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Piece, Traced

_ASSIGNMENT = expression(
    r" *(?:(?:export|override|private)\s+)*(?P<name>[\w.-]+)[ \t]*(?P<operator>:{0,3}=|\?=|\+=|!=)[ \t]*(?P<value>.*)",
    re.DOTALL,
)
_CONDITIONAL = expression(r" *(?P<word>ifeq|ifneq|ifdef|ifndef|endif|define|endef|else)\b")
_RULE = expression(r"[^\s#:=][^#=]*?:(?![:=])")
_PREFIX = expression(r"[ \t]*[@+-]+[ \t]*|[ \t]+")
_REFERENCE = expression(r"\$(?:\$|\((?P<round>[^()$]*)\)|\{(?P<curly>[^{}$]*)\}|(?P<short>[^({])|(?P<nested>[({]))")
_NAME = expression(r"[\w.-]+")
_DEEPEST = 20
_LONGEST = 20_000
MOST = 2_000_000
"""Characters that variables put into all recipes."""


@dataclass(frozen=True, slots=True)
class _Variable:
    value: Traced
    because: str | None = None
    """Why the value is not certain."""
    default: bool = False
    """Assigned by `?=`: the environment comes first."""


def makefile_scripts(path: str, text: str) -> Iterator[Traced]:
    """One script for each line of a recipe, continued lines as one; all of a recipe's together under .ONESHELL."""
    lines = list(_logical(Traced.of_file(path, text)))
    filling = _Filling(_variables(lines))
    together = any(line.text.startswith(".ONESHELL") for line in lines)
    recipe: list[Traced] = []
    inside = False
    for line in lines:
        if line.text.startswith("\t") and inside:
            prefix = _PREFIX.match(line.text)
            command = filling.filled(line[prefix.end() if prefix else 0 :])
            if together:
                recipe.append(command)
            else:
                yield command
        elif line.text.strip() and not line.text.startswith("#"):
            if recipe:
                yield Traced(piece for part in recipe for piece in part.pieces)
                recipe = []
            assigned = _ASSIGNMENT.fullmatch(line.text.rstrip("\r\n"))
            inside = assigned is None and (
                _RULE.match(line.text) is not None or _CONDITIONAL.match(line.text) is not None
            )
    if recipe:
        yield Traced(piece for part in recipe for piece in part.pieces)


def _logical(traced: Traced) -> Iterator[Traced]:
    """The lines of a Makefile, continued ones together."""
    start = place = 0
    for line in traced.text.splitlines(keepends=True):
        place += len(line)
        body = line.rstrip("\r\n")
        if (len(body) - len(body.rstrip("\\"))) % 2 and body != line:
            continue
        yield traced[start:place]
        start = place
    if start < place:
        yield traced[start:place]


def _variables(lines: list[Traced]) -> dict[str, _Variable]:
    found: dict[str, _Variable] = {}
    depth = 0
    for line in lines:
        if line.text.startswith("\t"):
            continue
        conditional = _CONDITIONAL.match(line.text)
        if conditional is not None:
            depth += {"endif": -1, "endef": -1, "else": 0}.get(conditional["word"], 1)
            continue
        assigned = _ASSIGNMENT.fullmatch(line.text.rstrip("\r\n"))
        if assigned is None:
            continue
        name, operator = assigned["name"], assigned["operator"]
        value = _one_line(line[assigned.start("value") : assigned.end("value")])
        before = found.get(name)
        if depth or operator == "!=" or (operator == "?=" and before is not None):
            found[name] = _Variable(value, f"the Makefile sets {name} in more than one way")
        elif operator == "+=" and before is not None:
            both = Traced((*before.value.pieces, Piece(" "), *value.pieces))
            found[name] = _Variable(both, before.because, before.default)
        elif before is not None and operator != "+=":
            found[name] = _Variable(value, f"the Makefile sets {name} more than once")
        else:
            found[name] = _Variable(value, default=operator in ("?=", "+="))
    return found


def _one_line(value: Traced) -> Traced:
    """The value of an assignment: without its comment, and with a blank for each continued line end."""
    pieces: list[Piece] = []
    last = 0
    comment = re.search(r"(?<!\\)#", value.text)
    end = len(value.text[: comment.start() if comment else None].rstrip())
    for found in re.finditer(r"[ \t]*\\\r?\n[ \t]*", value.text[:end]):
        pieces.extend(value[last : found.start()].pieces)
        pieces.append(Piece(" ", value.span_of(*found.span())))
        last = found.end()
    return Traced((*pieces, *value[last:end].pieces))


class _Filling:
    """Puts the values of variables into texts, as make does.

    Values that hold one another may stand for more than any memory holds: beyond `_LONGEST` characters of one text, or
    `MOST` of all, what is put in is not known.
    """

    def __init__(self, variables: dict[str, _Variable]) -> None:
        self._variables = variables
        self._known: dict[tuple[str, int], Traced] = {}
        """Values with the values of other variables in them, by name and depth."""
        self._defaults: dict[tuple[str, int], str | None] = {}
        self._left = MOST

    def filled(self, text: Traced, depth: int = 0) -> Traced:
        """A text after make has put the values of variables into it."""
        pieces: list[Piece] = []
        last = size = 0
        for found in _REFERENCE.finditer(text.text):
            if found.start() < last:
                continue
            pieces.extend(text[last : found.start()].pieces)
            made, last = self._reference(found, text, depth)
            if size + len(made) > _LONGEST or len(made) > self._left:
                made = Traced.hole("it is too long to be put together", text.span_of(found.start(), last), many=True)
            pieces.extend(made.pieces)
            size += len(made)
            self._left -= len(made)
        return Traced((*pieces, *text[last:].pieces))

    def _reference(self, found: re.Match[str], text: Traced, depth: int) -> tuple[Traced, int]:
        """What stands for one `$`, and where the text goes on behind it."""
        span = text.span_of(*found.span())
        if found[0] == "$$":
            return Traced.made("$", span), found.end()
        end = found.end()
        if found["nested"] is not None:
            end = _closing(text.text, found.start("nested"))
            return Traced.hole("a function of make", text.span_of(found.start(), end), many=True), end
        name = found["round"] or found["curly"] or found["short"] or ""
        variable = self._variables.get(name)
        if variable is None or depth >= _DEEPEST:
            what = f"{name} is not set in this Makefile" if _NAME.fullmatch(name) else "make fills it in"
            return Traced.hole(what, span, many=True), end
        if variable.because is not None:
            return Traced.hole(variable.because, span, many=True), end
        if (name, depth) not in self._known:
            value = self._known[name, depth] = self.filled(variable.value, depth + 1)
            self._defaults[name, depth] = value.default
        if variable.default:
            default, because = self._defaults[name, depth], f"{name} may be set outside of the Makefile"
            return Traced([Piece(HOLE, span, because=because, many=True, default=default)]), end
        return self._known[name, depth], end


def _closing(text: str, place: int) -> int:
    """Where the bracket closes that stands at `place`, one behind it."""
    opening, closing = text[place], {"(": ")", "{": "}"}[text[place]]
    depth = 0
    for index in range(place, len(text)):
        depth += {opening: 1, closing: -1}.get(text[index], 0)
        if depth == 0:
            return index + 1
    return len(text)
