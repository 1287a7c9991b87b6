"""Imports taken out."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import libcst as cst

from rlhflint.fixing.python_text import PythonText, pythons_of
from rlhflint.fixing.structure.names import aliases_of, bound_by, dotted, has_comments, without
from rlhflint.fixing.structure.statements import Lines, Place, Rewriting, places_of
from rlhflint.fixing.structure.tree import tree_of

if TYPE_CHECKING:
    from rlhflint.finding import Edit
    from rlhflint.source import Source


def taken_out(names: Collection[str], source: Source) -> list[Edit]:
    """The edits that take names out of the imports of a script or notebook; a comment stays. Raises `Doubt`.

    Left alone are those in branches, those with a `noqa`, and those under their own name (`import x as x`).
    """
    return [edit for text in pythons_of(source) for edit in _taken_out(names, text)]


def _taken_out(names: Collection[str], text: PythonText) -> list[Edit]:
    tree = tree_of(text.text)
    places = places_of(tree.module)
    rewriting = Rewriting(places)
    for statement, place in places.items():
        if not isinstance(statement, (cst.Import, cst.ImportFrom)) or not _certain(place):
            continue
        aliases = aliases_of(statement)
        gone = [index for index, alias in enumerate(aliases) if bound_by(alias) in names and not _kept(alias)]
        if len(gone) == len(aliases) and has_comments(statement):
            continue
        if gone:
            rewriting.instead[statement] = [] if len(gone) == len(aliases) else [without(statement, gone)]
    return text.edits(tree.changed({tree.top(node): Lines(rewriting) for node in rewriting.settle()}))


def _certain(place: Place) -> bool:
    """Whether a statement always runs in its block, and nobody says that it is needed."""
    comment = place.line.trailing_whitespace.comment
    needed = comment is not None and "noqa" in comment.value
    return not needed and all(isinstance(one, cst.FunctionDef) for one in place.within)


def _kept(alias: cst.ImportAlias) -> bool:
    return alias.asname is not None and dotted(alias.name) == dotted(alias.asname.name)
