"""A TRL package read from its source files: released wheels when the catalog is made, a vendored copy later."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property

from rlhflint.catalog.source.class_source import ClassSource
from rlhflint.catalog.source.module_source import ModuleSource, read_module
from rlhflint.expressions import expression
from rlhflint.frameworks.trl.catalog.names import class_key
from rlhflint.python_syntax import syntax_tree
from rlhflint.records import dataclass

_CONFIG_NAME = expression(r"(?:Config|Arguments|Args)$")
_CONFIG_BASE = expression(r"(?:Config|Arguments|Args)$")
_DEPTH = 30
"""How often a name is followed from module to module."""


@dataclass(frozen=True)
class Tree:
    """The modules of one TRL package."""

    modules: Mapping[str, ModuleSource]
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Source by path below the package's parent, `trl/cli.py`."""
    unreadable: tuple[str, ...] = ()

    @classmethod
    def read(cls, texts: Mapping[str, str]) -> Tree:
        """The package whose files are `texts`: path (`trl/trainer/sft_config.py`) → text."""
        modules, unreadable = {}, []
        for path, text in texts.items():
            if not path.endswith(".py"):
                continue
            package = path.endswith("/__init__.py")
            name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            try:
                modules[name] = read_module(text, name, package=package)
            except (SyntaxError, ValueError):
                unreadable.append(path)
        return cls(modules, texts, tuple(unreadable))

    def origin(self, path: str) -> str:
        """Where a dotted name leads, through the imports of the package, as a dotted name."""
        for _ in range(_DEPTH):
            module, _, name = path.rpartition(".")
            if module not in self.modules or path in self.modules:
                return path
            source = self.modules[module]
            target = source.names.get(name)
            if target is None:
                target = next(
                    (f"{star}.{name}" for star in source.stars if name in getattr(self.modules.get(star), "names", ())),
                    None,
                )
            if target is None or target == path:
                return path
            path = target
        return path

    def names(self, module: str) -> dict[str, str]:
        """What can be imported from a module, with where it leads; a name that is listed and not there is left out."""
        source = self.modules[module]
        found = dict(source.names)
        for star in source.stars:
            if star in self.modules:
                found = {name: f"{star}.{name}" for name in self.modules[star].names if name[:1] != "_"} | found
        origins = {name: self.origin(target) for name, target in found.items()}
        return {name: origin for name, origin in origins.items() if self._exists(origin)}

    def _exists(self, origin: str) -> bool:
        module, _, name = origin.rpartition(".")
        if module in self.modules:
            return origin in self.modules or name in self.modules[module].names
        unreadable = f"{module.replace('.', '/')}.py" in self.unreadable
        return origin in self.modules or module.partition(".")[0] not in self._packages or unreadable

    def definition(self, path: str) -> ClassSource | None:
        """The class statement a dotted name leads to."""
        module, _, name = self.origin(path).rpartition(".")
        source = self.modules.get(module)
        return None if source is None else source.classes.get(name)

    def bases(self, source: ClassSource) -> tuple[str, ...]:
        """The keys of the classes it is derived from."""
        return tuple(class_key(self.origin(base)) for base in source.bases)

    @cached_property
    def _packages(self) -> set[str]:
        return {name.partition(".")[0] for name in self.modules}

    @cached_property
    def configs(self) -> dict[str, ClassSource]:
        """Every configuration class by its key."""
        return self._chosen(lambda one: bool(_CONFIG_NAME.search(one.name)) and self._is_config(one))

    @cached_property
    def trainers(self) -> dict[str, ClassSource]:
        """Every trainer class by its key."""
        return self._chosen(lambda one: one.name.endswith("Trainer"))

    def shim(self, source: ClassSource) -> str:
        """The key of the class it only hands on with a warning; empty for a class of its own."""
        if not source.warns or source.fields or len(source.bases) != 1:
            return ""
        target = self.definition(source.bases[0])
        if target is None or target.name.lstrip("_") != source.name or target.path == source.path:
            return ""
        return class_key(target.path)

    def _is_config(self, source: ClassSource) -> bool:
        return source.is_dataclass or any(_CONFIG_BASE.search(base) for base in source.bases)

    def _chosen(self, wanted: Callable[[ClassSource], bool]) -> dict[str, ClassSource]:
        """By key; where several modules define the same, the one with a content of its own."""
        found: dict[str, ClassSource] = {}
        for module in self.modules.values():
            for source in module.classes.values():
                key = class_key(source.path)
                if wanted(source) and (key not in found or source.fields or source.parameters):
                    found[key] = source
        return dict(sorted(found.items()))

    def text_of(self, path: str) -> ast.Module | None:
        """The syntax tree of a file of the package, None where there is none or it cannot be read."""
        text = self.texts.get(path)
        if text is None:
            return None
        try:
            return syntax_tree(text)
        except (SyntaxError, ValueError):
            return None
