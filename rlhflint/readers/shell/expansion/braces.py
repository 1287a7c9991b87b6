"""Brace expansion: `{a,b}` and `{1..4}` in the words of a command."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.part import Literal, Made, Part
from rlhflint.readers.shell.syntax.source import Source

MOST = 1024
"""Words that one word may become."""
_DEEPEST = 16
_SEQUENCE = expression(
    r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?", re.ASCII
)


class TooMany(Exception):
    """A word becomes more words than are followed."""


def alternatives(source: Source, parts: Sequence[Part]) -> list[Sequence[Part]]:
    """The words that a word becomes, each as its parts; the word itself where it has no braces to expand.

    Raises `TooMany`.
    """
    if not any(isinstance(part, Literal) and "{" in source.text[part.start : part.end] for part in parts):
        return [parts]
    atoms = _atoms(source, parts)
    if len(atoms) > MOST:
        raise TooMany
    return _expand(source, atoms, 0)


def _atoms(source: Source, parts: Sequence[Part]) -> list[Part]:
    """The parts, literal text cut at every brace and comma."""
    atoms: list[Part] = []
    for part in parts:
        if not isinstance(part, Literal):
            atoms.append(part)
            continue
        cut = re.finditer(r"[{},]|[^{},]+", source.text[part.start : part.end])
        atoms.extend(Literal(part.start + found.start(), part.start + found.end()) for found in cut)
    return atoms


def _text(source: Source, part: Part) -> str:
    return source.text[part.start : part.end] if isinstance(part, Literal) else ""


def _expand(source: Source, atoms: list[Part], depth: int) -> list[Sequence[Part]]:
    """All words, the first pair of braces that means something being replaced by each of its alternatives."""
    if depth > _DEEPEST:
        raise TooMany
    for start, atom in enumerate(atoms):
        if _text(source, atom) != "{":
            continue
        inner = _inner(source, atoms, start)
        if inner is None:
            continue
        choices, end = inner
        tails = _expand(source, atoms[end + 1 :], depth + 1)
        heads = [_expand(source, choice, depth + 1) for choice in choices]
        if sum(len(head) for head in heads) * len(tails) > MOST:
            raise TooMany
        return [[*atoms[:start], *word, *tail] for head in heads for word in head for tail in tails]
    return [atoms]


def _inner(source: Source, atoms: list[Part], start: int) -> tuple[list[list[Part]], int] | None:
    """The alternatives between the braces that open at `start`, and where they close; None if they mean nothing."""
    level = 0
    choices: list[list[Part]] = []
    current: list[Part] = []
    for at in range(start + 1, len(atoms)):
        text = _text(source, atoms[at])
        if text == "}" and level == 0:
            if choices:
                return [*choices, current], at
            sequence = _sequence(source, atoms[start + 1 : at])
            return (sequence, at) if sequence is not None else None
        if text == "," and level == 0:
            choices.append(current)
            current = []
            continue
        level += {"{": 1, "}": -1}.get(text, 0)
        current.append(atoms[at])
    return None


def _sequence(source: Source, atoms: list[Part]) -> list[list[Part]] | None:
    """The words of `{1..4}`, each made by the text between the braces."""
    if len(atoms) != 1 or not isinstance(atoms[0], Literal):
        return None
    atom = atoms[0]
    found = _SEQUENCE.fullmatch(source.text, atom.start, atom.end)
    if found is None:
        return None
    if found[4]:
        first, last, width = ord(found[4]), ord(found[5]), 0
    else:
        first, last = int(found[1]), int(found[2])
        padded = any(
            text.lstrip("-").startswith("0") and len(text.lstrip("-")) > 1 for text in found.groups()[:2] if text
        )
        width = max(len(found[1]), len(found[2])) if padded else 0
    step = abs(int(found[3] or found[6] or 1)) or 1
    if abs(last - first) // step >= MOST:
        raise TooMany
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return [[Made(atom.start, atom.end, chr(one) if found[4] else f"{one:0{width}d}")] for one in numbers]
