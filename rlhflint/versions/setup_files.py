"""Dependencies in setup.py, read without running it, and in setup.cfg."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.python_syntax import syntax_tree
from rlhflint.versions.collecting import Collector
from rlhflint.versions.requirement import Origin, Statements

_TABLE = expression(r"(?i)dep|require|pkg|package|extras")
"""Names of module-level tables of requirements, as in `_deps = ["trl==0.18.0", …]`."""
_STATED = ("install_requires", "extras_require", "python_requires")
_SECTION = expression(r"\[(?P<name>[^\]]*)\]")
_OPTION = expression(r"(?P<key>[^\s:=#;\[][^:=]*+)[:=]\s*(?P<value>.*)")


def read_setup_cfg(path: str, raw: bytes) -> Statements:
    """What `options` and `options.extras_require` of the setup.cfg at `path` say."""
    collector = Collector(path)
    section = key = ""
    for number, line in enumerate(raw.decode("utf-8", errors="replace").splitlines(), start=1):
        if header := _SECTION.match(line):
            section, key = header["name"].strip(), ""
            continue
        text = line.strip()
        if not line[:1].isspace():
            option = _OPTION.match(line)
            key, text = (option["key"].strip(), option["value"]) if option else ("", "")
        text = re.split(r"(?:^|\s)[#;]\s", text, maxsplit=1)[0].strip()
        if not text or text.startswith("#"):
            continue
        if section == "options" and key == "install_requires":
            collector.text(number, text, Origin.PROJECT)
        elif section == "options" and key == "python_requires":
            collector.specifier(number, "python", text, Origin.PROJECT)
        elif section == "options.extras_require" and key:
            collector.text(number, text, Origin.VARIANT, f"extra {key}")
    return collector.statements(collector.listing())


def read_setup_py(path: str, raw: bytes) -> Statements:
    """What the literal lists of the setup.py at `path` say: arguments of `setup()`, and tables of requirements."""
    collector = Collector(path)
    try:
        tree = syntax_tree(raw)
    except (SyntaxError, ValueError) as error:
        collector.trouble(getattr(error, "lineno", None) or 1, "this file is not Python")
        return collector.statements()
    tables = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(target := statement.targets[0], ast.Name)
    }
    told = {name: value for name, value in tables.items() if _TABLE.search(name)}
    for keyword in _arguments(tree):
        value = keyword.value
        if keyword.arg == "python_requires":
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                collector.specifier(value.lineno, "python", value.value, Origin.PROJECT)
        elif isinstance(value, ast.Name):
            if value.id in tables:
                told[value.id] = tables[value.id]
        else:
            _collect(collector, value)
    for value in told.values():
        _collect(collector, value)
    return collector.statements(collector.listing())


def _arguments(tree: ast.Module) -> Iterator[ast.keyword]:
    """The arguments of each call of `setup` that state requirements."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "setup":
            yield from (keyword for keyword in node.keywords if keyword.arg in _STATED)


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _collect(collector: Collector, table: ast.expr) -> None:
    """The literal texts of a list, of a sum of lists, or of the lists in a dictionary of extras."""
    waiting: list[tuple[ast.expr, str]] = [(table, "")]
    while waiting:
        value, note = waiting.pop()
        if isinstance(value, ast.Dict):
            pairs = zip(value.keys, value.values, strict=True)
            waiting += [(inner, f"extra {key.value!s}") for key, inner in pairs if isinstance(key, ast.Constant)][::-1]
        elif isinstance(value, ast.BinOp):
            waiting += [(value.right, note), (value.left, note)]
        elif isinstance(value, ast.List | ast.Tuple | ast.Set):
            waiting += [(element, note) for element in reversed(value.elts)]
        elif isinstance(value, ast.Constant) and isinstance(value.value, str) and value is not table:
            collector.text(value.lineno, value.value, Origin.VARIANT if note else Origin.PROJECT, note)
