"""The options of a program that builds its parser with argparse, read from its source.

Parsers may be built anywhere in the tree: in the program itself, in functions of other modules, in loops over
prefixes, with groups and parent parsers. What cannot be followed makes the program *open*: it may have options beyond
those that were read, so that none may be called unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from rlhflint.catalog.source import operations, values
from rlhflint.catalog.source.argparse_parser import Parser
from rlhflint.catalog.source.modules import TooMuch
from rlhflint.catalog.source.reader import PythonReader
from rlhflint.catalog.source.values import UNKNOWN, Class, External, Function, Instance, Method, PythonValue
from rlhflint.records import dataclass

_PARSER = "argparse.ArgumentParser"
_GROUPS = {"add_argument_group", "add_mutually_exclusive_group"}
_HARMLESS = {
    *("print_help", "print_usage", "format_help", "format_usage", "error", "exit", "get_default", "register"),
    *("_action_groups", "_optionals", "_positionals", "description", "epilog", "usage", "prog", "formatter_class"),
}
_HARMLESS_CALLS = {"builtins.print", "builtins.isinstance", "builtins.id", "builtins.hasattr", "builtins.type"} | {
    "argcomplete.autocomplete"
}
_UNCONNECTED = "it does not read its command line with argparse in a way that can be followed"


@dataclass(frozen=True, slots=True)
class ParserReading:
    """What a program's command line accepts, as far as its source says.

    `options` is in the form of the data files: flag → its row. `open` says why there may be further options, `broken`
    why the parser cannot even be built; both are empty otherwise. `files` are the paths that were read.
    """

    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    open: str = ""
    broken: str = ""
    allow_abbrev: bool = True
    files: tuple[str, ...] = ()


def has_parser(source: str) -> bool:
    """Whether a module builds a parser or fills one; a quick look at its text."""
    return "ArgumentParser" in source or "parse_args" in source


def read_program(path: str, read: Callable[[str], str | None]) -> ParserReading | None:
    """The command line of the program at `path`.

    Args:
        path: of the program within its tree, from the root that its own imports start at, with `/`.
        read: the text of a file of the tree, None where there is none.

    Returns:
        What was read; None if there is no such file.
    """
    reader = _ProgramReader(read)
    source = read(path)
    if source is None:
        return None
    try:
        if not reader.run(path):
            return reader.reading("it is no Python that can be parsed")
    except TooMuch as error:
        return reader.reading(str(error))
    except RecursionError:
        return reader.reading("it is nested too deeply to be read")
    return reader.reading()


class _ProgramReader(PythonReader):
    def __init__(self, read: Callable[[str], str | None]) -> None:
        super().__init__(read)
        self._parsed: list[tuple[Parser, bool]] = []
        self._doubt = ""

    def reading(self, doubt: str = "") -> ParserReading:
        """What was read so far; `doubt` is a reason why that may not be all."""
        parsers = list(dict.fromkeys(parser for parser, _ in self._parsed))
        doubt = doubt or self._doubt or next((parser.open for parser in parsers if parser.open), "")
        if not parsers:
            doubt = doubt or _UNCONNECTED
        for parser in parsers:
            if not any(strict for parsed, strict in self._parsed if parsed is parser):
                doubt = doubt or "it lets flags pass that it does not know"
        options: dict[str, Mapping[str, Any]] = {}
        for parser in parsers:
            options |= parser.options
        return ParserReading(
            options,
            doubt,
            next((parser.broken for parser in parsers if parser.broken), ""),
            all(parser.allow_abbrev for parser in parsers),
            tuple(self.modules.files),
        )

    def follows(self, called: Function | Class, arguments: Sequence[PythonValue]) -> bool:
        if isinstance(called, Class) and _is_parser_class(called):
            return False
        if any(_held(argument) for argument in arguments):
            return True
        done = any(strict for _, strict in self._parsed)
        return called.module.speaks_of_parsers and not done

    def attribute(self, owner: PythonValue, name: str) -> PythonValue:
        if isinstance(owner, Parser):
            if name.startswith("_") and name not in _HARMLESS:
                owner.doubt(f"its parser's {name} is used")
            return Method(owner, name)
        if isinstance(owner, Method) and isinstance(owner.owner, Parser):
            if owner.name not in _HARMLESS:
                owner.owner.doubt(f"its parser's {owner.name} is used")
            return UNKNOWN
        if owner is UNKNOWN and name in ("add_argument", "parse_args", "parse_known_args"):
            self._doubt = self._doubt or "it has a parser that cannot be followed"
        return super().attribute(owner, name)

    def store_attribute(self, owner: PythonValue, name: str, value: PythonValue) -> None:
        if isinstance(owner, External) and f"{owner.name}.{name}" == "sys.argv":
            self._doubt = self._doubt or "it changes its own command line"
        if not isinstance(owner, Instance):
            for parser in _held(value):
                if not parser.parsed:
                    parser.doubt("its parser is kept where it cannot be followed")
        if isinstance(owner, Parser) and name not in _HARMLESS:
            owner.doubt(f"its parser's {name} is set")
        super().store_attribute(owner, name, value)

    def special_call(
        self,
        called: PythonValue,
        arguments: Sequence[PythonValue],
        keywords: Mapping[str | None, PythonValue],
        node: ast.Call,
    ) -> PythonValue:
        if isinstance(called, External) and called.name == _PARSER:
            return Parser.made(keywords)
        if isinstance(called, Class) and _is_parser_class(called):
            parser = Parser.made(keywords)
            parser.doubt(f"its parser is one of its own kind, {called.node.name}")
            return parser
        if isinstance(called, Method) and isinstance(called.owner, Parser):
            return self._parser_call(called.owner, called.name, arguments, keywords, node)
        if isinstance(called, External):
            name = called.name
            if name == "builtins.getattr" and len(arguments) >= 2 and isinstance(arguments[1], str):
                return self.attribute(arguments[0], arguments[1])
            if name.startswith("sys.argv."):
                self._doubt = self._doubt or "it changes its own command line"
            if name in _HARMLESS_CALLS:
                return UNKNOWN
            if name.startswith("builtins.") and not keywords:
                return operations.call_builtin(name.removeprefix("builtins."), arguments)
        for argument in (*arguments, *keywords.values()):
            values.spoil(argument)
            for parser in _held(argument):
                parser.doubt(f"its parser is handed to {ast.unparse(node.func)[:60]}")
        return UNKNOWN

    def _parser_call(
        self,
        parser: Parser,
        name: str,
        arguments: Sequence[PythonValue],
        keywords: Mapping[str | None, PythonValue],
        node: ast.Call,
    ) -> PythonValue:
        if name == "add_argument":
            sources = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
            parser.add(arguments, keywords, sources, sometimes=bool(self.sometimes))
        elif name == "set_defaults":
            parser.set_defaults(keywords, sometimes=bool(self.sometimes))
        elif name in _GROUPS:
            return parser
        elif name in ("parse_args", "parse_known_args"):
            strict = name == "parse_args"
            self._parsed.append((parser, strict))
            parser.parsed = parser.parsed or strict
        elif name not in _HARMLESS:
            parser.doubt(f"its parser's {name} is used")
        return UNKNOWN


def _is_parser_class(called: Class) -> bool:
    seen: set[int] = set()
    stack: list[PythonValue] = [called]
    while stack:
        base = stack.pop()
        if isinstance(base, External) and base.name.rpartition(".")[2].endswith("ArgumentParser"):
            return True
        if isinstance(base, Class) and id(base) not in seen:
            seen.add(id(base))
            stack += base.bases
    return False


def _held(value: PythonValue) -> list[Parser]:
    """The parsers that a value gives access to."""
    found: list[Parser] = []
    stack, left = [value], values.LONGEST
    while stack and left:
        left -= 1
        match stack.pop():
            case Parser() as parser:
                found.append(parser)
            case Method(owner=Parser() as parser):
                found.append(parser)
            case list() | set() as items:
                stack += items
            case dict() as mapping:
                stack += mapping.values()
    return found
