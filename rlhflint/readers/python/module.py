"""Reading a Python module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from rlhflint.call import Argument, Call, Module
from rlhflint.command import Problem
from rlhflint.expressions import expression
from rlhflint.readers.python.calling import call
from rlhflint.readers.python.conversion import single
from rlhflint.readers.python.expressions import evaluate
from rlhflint.readers.python.following import follow_alone
from rlhflint.readers.python.frames import Exhausted
from rlhflint.readers.python.recording import finish
from rlhflint.readers.python.relevance import relevance
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.source import MOST_CHARACTERS, Source
from rlhflint.readers.python.statements import execute
from rlhflint.readers.python.ways import Splitter
from rlhflint.text import Traced

_IMPORT = expression(
    r"import\b[ \t\f\\\r\n]*([.\w]*)((?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[.\w]+(?:[ \t]+as[ \t]+\w+)?)*)"
)
_FROM = expression(r"\bfrom[ \t\f\\\r\n]*([.\w]+)[ \t\f\\\r\n]*\Z")
_LONGEST_MODULE = 200
_BY_NAME = expression(r"(?:import_module|__import__)\s*\(\s*[\"']([\w.]+)")
_NAME = expression(r"[.\w]+")


def read_module(path: str, text: str | Traced, *, watch: Callable[[str], bool]) -> Module:
    """The calls of interest in a Python text, on all ways through it.

    Args:
        path: the file, as spans name it.
        text: its text with line ends as they are, or a text that was made of parts of a file.
        watch: says of a dotted path whether it, or something below it, is of interest: `trl`, `trl.GRPOConfig`. A
            text that imports nothing of interest is not parsed.
    """
    return read_cells(path, [Traced.of_file(path, text) if isinstance(text, str) else text], watch=watch)


def read_cells(path: str, cells: Sequence[Traced], *, watch: Callable[[str], bool]) -> Module:
    """The calls of interest in texts that are run one after the other, as the cells of a notebook are.

    Names flow from one to the next. One that cannot be parsed is a problem; the others are read all the same.
    """
    if not any(_of_interest(cell.text, watch) for cell in cells):
        return Module(path)
    source = Source(path, cells)
    if len(source.text) > MOST_CHARACTERS:
        span = source.span_of(0, 1)
        return Module(
            path, problems=(Problem("too-large", span, f"longer than {MOST_CHARACTERS} characters: it was not read"),)
        )
    run = Run(source, watch, evaluate, execute, call)
    parsed = list(source.parse())
    trees = [tree for tree in parsed if isinstance(tree, ast.Module)]
    problems = [problem for problem in parsed if isinstance(problem, Problem)]
    run.relevance = relevance(trees, run.watches)
    try:
        for tree in trees:
            execute(run, tree.body)
        _follow_the_rest(run)
    except Exhausted:
        problems.append(Problem("not-followed", source.span_of(0, 1), "too long to be followed to its end"))
    except RecursionError:
        problems.append(Problem("not-followed", source.span_of(0, 1), "nested too deeply to be followed to its end"))
    calls = _calls(run)
    return Module(
        path=path,
        imports=tuple(sorted(run.imports.values(), key=lambda one: one.span)),
        calls=tuple(calls),
        classes=tuple(run.classes.values()),
        environment=tuple(
            Argument(str(one.name), single(one.value), one.span, one.name_span, one.value_span, origin=one.origin)
            for one in run.variables
        ),
        problems=(*problems, *run.problems.values()),
    )


def _of_interest(text: str, watch: Callable[[str], bool]) -> bool:
    """Whether anything imported may be of interest, as far as the words `from` and `import` tell."""
    names: dict[str, None] = {}
    # What is imported further down in a text that is too long to be read does not matter.
    for found in _IMPORT.finditer(text, 0, MOST_CHARACTERS):
        start = max(found.start() - _LONGEST_MODULE, 0)
        known = text.rfind("from", start, found.start()) >= 0
        module = _FROM.search(text, start, found.start()) if known else None
        if module is not None:
            names[module[1]] = None
        else:
            names[found[1]] = None
            names |= dict.fromkeys(_NAME.findall(found[2]))
    names |= dict.fromkeys(_BY_NAME.findall(text, 0, MOST_CHARACTERS))
    return any(name and watch(name) for name in names)


def _follow_the_rest(run: Run) -> None:
    """Follow the functions that are not called in the module, as if they were called after it."""
    finish(run, 0)
    done: set[ast.AST] = set()
    for function in run.functions:
        if function.node in done or function.node in run.followed:
            continue
        done.add(function.node)
        if function.node in run.relevance.parts:
            follow_alone(run, function)


def _calls(run: Run) -> list[Call]:
    splitter = Splitter(run)
    shown = sorted((record for record in run.records if record.shown), key=lambda record: record.span)
    return [one for record in shown for one in splitter.calls(record)]
