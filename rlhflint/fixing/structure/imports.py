"""Imports moved to other modules and added beside others; what is reached through a package moved along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.python_text import PythonText, python_of, pythons_of
from rlhflint.fixing.structure.bound import bound_otherwise
from rlhflint.fixing.structure.names import (
    aliases_of,
    dotted,
    has_comments,
    module_named,
    module_of,
    moved_whole,
    name_of,
    renamed,
    statement_of,
    with_more,
    without,
)
from rlhflint.fixing.structure.statements import Lines, Place, Rewriting, places_of
from rlhflint.fixing.structure.tree import tree_of
from rlhflint.proposal import ImportBehind, ImportBeside, Importing, Reimport, Requalify

if TYPE_CHECKING:
    from rlhflint.call import Import
    from rlhflint.finding import Edit
    from rlhflint.source import Source


def importing(changes: Iterable[Importing], source: Source) -> list[Edit]:
    """The edits that make the changes of imports in one file, all of them together.

    Raises `Doubt` where a statement cannot be found, or where it is not certain what the file would mean then.
    """
    plans: dict[int, _Plan] = {}

    def plan(text: PythonText) -> _Plan:
        return plans.setdefault(id(text), _Plan(text))

    for change in changes:
        match change:
            case Reimport(imported, path):
                plan(python_of(source, imported.statement)).move(imported, path)
            case ImportBeside(beside, name):
                plan(python_of(source, beside.statement)).add(beside, name)
            case ImportBehind(star, path):
                plan(python_of(source, star.statement)).behind_star(star, path)
            case Requalify(package, old, new):
                for text in pythons_of(source):
                    plan(text).qualify(package, old, new)
                plan(python_of(source, package.statement)).also(package, new.rpartition(".")[0])
    return [edit for one in plans.values() for edit in one.edits()]


class _Plan(Lines):
    """The changes of imports in one text."""

    def __init__(self, text: PythonText) -> None:
        self.text = text
        self.tree = tree_of(text.text)
        self.places = places_of(self.tree.module)
        super().__init__(Rewriting(self.places))
        self.moved: dict[cst.ImportFrom, dict[int, str]] = {}
        """For names, by their numbers in a statement, where they are to be imported from."""
        self.more: dict[cst.ImportFrom, list[cst.ImportAlias]] = {}
        self.behind: dict[cst.BaseSmallStatement, list[cst.BaseSmallStatement]] = {}
        self.paths: dict[str, str] = {}
        self.stars: dict[cst.ImportFrom, dict[str, None]] = {}
        """Paths of names to import behind a star."""

    # What is to be done

    def move(self, imported: Import, path: str) -> None:
        """Import a name from elsewhere; those that are there for type checkers alone move along."""
        statement, index = self._found(imported)
        if not isinstance(statement, cst.ImportFrom):
            raise Doubt("the module is imported as a whole")
        self.moved.setdefault(statement, {})[index] = path
        name, module = name_of(aliases_of(statement)[index]), module_of(statement)
        for other, place in self.places.items():
            if isinstance(other, cst.ImportFrom) and module_of(other) == module and _for_types(place):
                for number, alias in enumerate(aliases_of(other)):
                    if name_of(alias) == name:
                        self.moved.setdefault(other, {})[number] = path

    def add(self, beside: Import, name: str) -> None:
        """Import one more name in the statement of another one."""
        statement, _ = self._found(beside)
        if not isinstance(statement, cst.ImportFrom):
            raise Doubt("the module is imported as a whole")
        self.more.setdefault(statement, []).append(cst.ImportAlias(cst.Name(name)))

    def behind_star(self, star: Import, path: str) -> None:
        """Import a name behind a star that does not give it."""
        first, _ = self.tree.bytes_at(*self.text.place(star.statement))
        for statement in self.places:
            if isinstance(statement, cst.ImportFrom) and self.tree.place(statement)[0] == first:
                self.stars.setdefault(statement, {})[path] = None
                return
        raise Doubt("the import is not written in one piece")

    def qualify(self, package: Import, old: str, new: str) -> None:
        """Reach what is behind a package by another path."""
        if not (old.startswith(f"{package.path}.") and new.startswith(f"{package.path}.")):
            raise Doubt(f"{new} is not reached through {package.path}")
        if bound_otherwise(self.text.text, package):
            raise Doubt(f"{package.bound} is something else as well")
        self.paths[package.bound + old.removeprefix(package.path)] = package.bound + new.removeprefix(package.path)

    def also(self, package: Import, module: str) -> None:
        """Import a module behind its package."""
        statement, _ = self._found(package)
        place = self.places[statement]
        for other, its in self.places.items():
            known = isinstance(other, cst.Import) and any(
                name_of(alias) == module and alias.asname is None for alias in other.names
            )
            if known and its.within == place.within[: len(its.within)]:
                return
        new = cst.Import([cst.ImportAlias(module_named(module))])
        if all(not other.deep_equals(new) for other in self.behind.setdefault(statement, [])):
            self.behind[statement].append(new)

    def _found(self, imported: Import) -> tuple[cst.Import | cst.ImportFrom, int]:
        """The statement of an imported name, and its number there."""
        first, _ = self.tree.bytes_at(*self.text.place(imported.span))
        for statement in self.places:
            if isinstance(statement, (cst.Import, cst.ImportFrom)):
                for index, alias in enumerate(aliases_of(statement)):
                    if self.tree.place(alias)[0] == first:
                        return statement, index
        raise Doubt("the import is not written in one piece")

    # Doing it

    def edits(self) -> list[Edit]:
        """The edits that do all of it."""
        for statement, paths in list(self.moved.items()):
            self._leave(statement, paths)
        for star, names in self.stars.items():
            self._behind(star, names)
        for other in [*self.more, *self.behind]:
            if other not in self.moved:
                self.rewriting.instead[other] = [self._with_more(other), *self.behind.get(other, [])]
        touched = [*self.rewriting.settle(), *self._attributes()]
        return self.text.edits(self.tree.changed({self.tree.top(node): self for node in touched}))

    def _leave(self, statement: cst.ImportFrom, paths: dict[int, str]) -> None:
        """Take the names that move out of a statement, and import them where they are.

        Where none stays the statement itself becomes one of the new ones, so that its comments keep their place.
        """
        place = self.places[statement]
        homes: dict[str, list[int]] = {}
        for index, path in sorted(paths.items()):
            homes.setdefault(path.rpartition(".")[0], []).append(index)
        whole = len(paths) == len(aliases_of(statement))
        needed = whole and (has_comments(statement) or (place.alone and place.following is None))
        new: list[cst.BaseSmallStatement] = []
        for home, indices in homes.items():
            names = [renamed(aliases_of(statement)[index], paths[index].rpartition(".")[2]) for index in indices]
            there = None if needed and not new else self._there(home, place)
            if there is not None:
                self.more.setdefault(there, []).extend(names)
            elif whole and not new:
                new.append(moved_whole(statement, home, dict(zip(indices, names, strict=True))))
            else:
                new.append(statement_of(home, names, len(place.within)))
        kept = [] if whole else [with_more(without(statement, paths), self.more.get(statement, []))]
        self.rewriting.instead[statement] = [*kept, *new, *self.behind.get(statement, [])]

    def _behind(self, star: cst.ImportFrom, paths: Iterable[str]) -> None:
        """Import names behind a star, those of one module together."""
        homes: dict[str, list[cst.ImportAlias]] = {}
        for path in paths:
            home, _, name = path.rpartition(".")
            homes.setdefault(home, []).append(cst.ImportAlias(cst.Name(name)))
        for home, names in homes.items():
            there = self._there(home, self.places[star])
            if there is not None and self.places[there].index > self.places[star].index:
                self.more.setdefault(there, []).extend(names)
            else:
                new = statement_of(home, names, len(self.places[star].within))
                self.behind.setdefault(star, []).append(new)

    def _with_more(self, statement: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
        if isinstance(statement, cst.ImportFrom) and statement in self.more:
            return with_more(statement, self.more[statement])
        return statement

    def _there(self, home: str, place: Place) -> cst.ImportFrom | None:
        """A statement of the same block that imports from a module, and does so as early."""
        for other, its in self.places.items():
            if not isinstance(other, cst.ImportFrom) or other in self.moved or its.block is not place.block:
                continue
            between = place.block[place.index : its.index]
            if module_of(other) == home and aliases_of(other) and all(map(_imports, between)):
                return other
        return None

    def _attributes(self) -> Iterator[cst.CSTNode]:
        """What is reached by a path that changes."""
        for node in self.tree.attributes if self.paths else ():
            if dotted(node) in self.paths:
                yield node

    def visit_Import(self, node: cst.Import) -> bool:  # noqa: N802
        """Paths in imports are no expressions."""
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802
        """Paths in imports are no expressions."""
        return False

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        """A path that changes."""
        new = self.paths.get(dotted(original_node))
        if new is None:
            return updated_node
        return module_named(new).with_changes(lpar=updated_node.lpar, rpar=updated_node.rpar)


def _imports(statement: cst.BaseStatement) -> bool:
    """Whether a line holds imports and nothing else."""
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(one, (cst.Import, cst.ImportFrom)) for one in statement.body
    )


def _for_types(place: Place) -> bool:
    """Whether something stands where only type checkers look."""
    tests = [dotted(one.test) for one in place.within if isinstance(one, cst.If)]
    return any(test.rpartition(".")[2] == "TYPE_CHECKING" for test in tests)
