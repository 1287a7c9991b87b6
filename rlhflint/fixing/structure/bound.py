"""Whether a name stands for one thing alone in a Python text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.call import Import


def bound_otherwise(text: str, package: Import) -> bool:
    """Whether a name stands for anything else than the package somewhere in a text."""
    root, name = package.path.partition(".")[0], package.bound
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=bound, ctx=ast.Store() | ast.Del()) | ast.arg(arg=bound) if bound == name:
                return True
            case ast.FunctionDef(name=bound) | ast.AsyncFunctionDef(name=bound) | ast.ClassDef(name=bound) if (
                bound == name
            ):
                return True
            case ast.ImportFrom(names=names) if any((one.asname or one.name) == name for one in names):
                return True
            case ast.Import(names=names):
                for one in names:
                    if one.asname == name and one.name != package.path:
                        return True
                    if one.asname is None and one.name.partition(".")[0] == name != root:
                        return True
    return False
