"""The command line of a TRL package read from its source: subcommands, and the classes that a script parses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field

from rlhflint.catalog.annotations import last_name
from rlhflint.catalog.source.module_source import absolute
from rlhflint.frameworks.trl.catalog.names import class_key
from rlhflint.frameworks.trl.catalog.tree import Tree
from rlhflint.records import dataclass

_COMMAND_FILES = ("trl/commands/cli.py", "trl/cli.py", "trl/cli/commands/__init__.py")
_PARSERS = {"TrlParser", "HfArgumentParser", "H4ArgumentParser"}
_PARSE_CALLS = {"parse_args_and_config", "parse_args_into_dataclasses"}


@dataclass(frozen=True, slots=True)
class ScriptSource:
    """A script that reads its options with TrlParser or HfArgumentParser.

    `classes` are the keys of the dataclasses in their order, `parser` the parser's name, `call` the method that reads
    the words and `arguments` the literal keywords it is called with.
    """

    module: str
    parser: str
    classes: tuple[str, ...]
    call: str = ""
    arguments: dict[str, object] = field(default_factory=dict)


def subcommands(tree: Tree) -> dict[str, str]:
    """The words that may follow `trl`, each with the module of its script; empty where it has none (`env`)."""
    names: set[str] = set()
    for path in _COMMAND_FILES:
        syntax = tree.text_of(path)
        if syntax is None:
            continue
        for node in ast.walk(syntax):
            match node:
                case ast.Assign(targets=[ast.Name(id="SUPPORTED_COMMANDS")], value=ast.List(elts=elements)):
                    names.update(str(one.value) for one in elements if isinstance(one, ast.Constant))
                case ast.Compare(
                    left=ast.Attribute(attr="command"), ops=[ast.Eq()], comparators=[ast.Constant(value=str(name))]
                ):
                    names.add(name)
                case ast.Call(func=ast.Name(id=kind), args=arguments) if kind.endswith("Command"):
                    names.update(_command_names(tree, kind, arguments, path))
    return {name: _script_module(tree, name) for name in sorted(names)}


def script(tree: Tree, module: str) -> ScriptSource | None:
    """What a script of the package parses; None where it makes no such parser."""
    path = module.replace(".", "/") + ".py"
    syntax = tree.text_of(path)
    return None if syntax is None else read_script(syntax, module, tree)


def read_script(syntax: ast.Module, module: str, tree: Tree) -> ScriptSource | None:
    """See `script`."""
    imported = dict(_imports(syntax, module))
    made = next(_parsers(syntax), None)
    if made is None:
        return None
    parser, elements = made
    classes = []
    for element in elements:
        name = ast.unparse(element)
        path = imported.get(name) or f"{module}.{name}"
        classes.append(class_key(tree.origin(path)))
    call = ""
    arguments: dict[str, object] = {}
    for node in ast.walk(syntax):
        match node:
            case ast.Call(func=ast.Attribute(attr=method), keywords=keywords) if method in _PARSE_CALLS:
                call = method
                arguments = {
                    keyword.arg: keyword.value.value
                    for keyword in keywords
                    if keyword.arg and isinstance(keyword.value, ast.Constant)
                }
    return ScriptSource(module, parser, tuple(classes), call, arguments)


def _command_names(tree: Tree, kind: str, arguments: list[ast.expr], path: str) -> Iterator[str]:
    """The name a command object is made with: its first argument, else what its class hands to its base."""
    if arguments:
        if isinstance(arguments[0], ast.Constant):
            yield str(arguments[0].value)
        return
    module, _, _ = tree.origin(f"{path.removesuffix('/__init__.py').replace('/', '.')}.{kind}").rpartition(".")
    syntax = tree.text_of(module.replace(".", "/") + ".py")
    for node in ast.walk(syntax) if syntax else ():
        match node:
            case ast.Call(func=ast.Attribute(attr="__init__"), keywords=keywords):
                for keyword in keywords:
                    if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                        yield str(keyword.value.value)


def _script_module(tree: Tree, name: str) -> str:
    stem = name.replace("-", "_")
    for package in ("trl.scripts", "trl.commands.scripts"):
        module = f"{package}.{stem}"
        if module in tree.modules and name != "env":
            return module
    return ""


def _imports(syntax: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """Names imported anywhere in the file, functions included."""
    for node in ast.walk(syntax):
        if isinstance(node, ast.ImportFrom):
            source = absolute(node, module, package=False)
            for alias in node.names:
                yield alias.asname or alias.name, f"{source}.{alias.name}"


def _parsers(syntax: ast.Module) -> Iterator[tuple[str, list[ast.expr]]]:
    assigned = {
        node.targets[0].id: node.value
        for node in ast.walk(syntax)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(syntax):
        if not (isinstance(node, ast.Call) and last_name(node.func) in _PARSERS):
            continue
        given = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "dataclass_types")]
        for value in given[:1]:
            if isinstance(value, ast.Name) and value.id in assigned:
                value = assigned[value.id]
            yield last_name(node.func), list(value.elts) if isinstance(value, ast.Tuple | ast.List) else [value]
