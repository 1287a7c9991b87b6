"""Import statements: the names they bind, and where they stand."""

from __future__ import annotations

import ast

from rlhflint.call import Guard, Import
from rlhflint.expressions import expression
from rlhflint.readers.python.conditions import Conditions, tests
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import Imported
from rlhflint.text import Span

_FROM = expression(r"from(?:[ \t\f]|\\\r?\n)*")


def import_modules(run: Run, node: ast.Import) -> bool:
    """`import trl`, `import trl.trainer as t`."""
    for alias in node.names:
        # `import a.b` binds `a`, through which `a.b` is reached.
        bound = alias.asname or alias.name.partition(".")[0]
        _bind(run, bound, alias.name if alias.asname else bound)
        _note(run, node, alias, alias.name, bound, module=alias.name, module_span=None)
    return True


def import_from(run: Run, node: ast.ImportFrom) -> bool:
    """`from trl import SFTConfig as Config`."""
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        path = f"{module}.{alias.name}" if node.module else f"{module}{alias.name}"
        if alias.name == "*":
            run.stars.append(module)
        else:
            _bind(run, alias.asname or alias.name, path)
        span = _module_span(run, node, module)
        _note(run, node, alias, path, alias.asname or alias.name, module=module, module_span=span)
    return True


def guards_of(conditions: Conditions) -> tuple[Guard, ...]:
    """How conditions depend on installed packages."""
    return tuple(dict.fromkeys(guard for test in tests(conditions) if (guard := test.guard) is not None))


def _bind(run: Run, name: str, path: str) -> None:
    run.bind(name, Imported(path))


def _module_span(run: Run, node: ast.ImportFrom, module: str) -> Span | None:
    start = run.source.start(node)
    found = _FROM.match(run.source.text, start)
    if found is None or not run.source.text.startswith(module, found.end()):
        return None
    return run.source.span_of(found.end(), found.end() + len(module))


def _note(
    run: Run, node: ast.stmt, alias: ast.alias, path: str, bound: str, *, module: str, module_span: Span | None
) -> None:
    span = run.source.span(alias)
    if not run.recording or span in run.imports:
        return
    start = run.source.start(alias)
    written = run.source.text.startswith(alias.name, start)
    run.imports[span] = Import(
        path=path,
        bound=bound,
        span=span,
        name_span=run.source.span_of(start, start + len(alias.name)) if written else span,
        statement=run.source.span(node),
        module=module,
        module_span=module_span,
        guards=guards_of(run.path + run.bars),
        scope=run.frame.name,
    )
