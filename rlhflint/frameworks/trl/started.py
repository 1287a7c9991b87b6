"""What a command starts: `trl WORD`, a script of TRL's own, or a script of the user's, and what its parser takes."""

from __future__ import annotations

import os
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from rlhflint.frameworks.trl.catalog.commands import script_at, subcommands
from rlhflint.frameworks.trl.catalog.imports import ClassRef, Shim, class_at
from rlhflint.frameworks.trl.catalog.programs import program_of, program_of_subcommand
from rlhflint.frameworks.trl.python_launches import watched
from rlhflint.project.places import shown
from rlhflint.records import dataclass
from rlhflint.source import Source

if TYPE_CHECKING:
    from rlhflint.call import Argument, Class, Module
    from rlhflint.command import Command
    from rlhflint.launchers import Start
    from rlhflint.site import Site
    from rlhflint.text import Traced

PARSERS = ("trl.TrlParser", "transformers.HfArgumentParser", "trl.scripts.utils.TrlParser", "trl.scripts.TrlParser")

_SCRIPTS = "trl.scripts."


@dataclass(frozen=True)
class Started:
    """A program of TRL's and the parser that its words and YAML file go to.

    `by` says whose parser: that of `trl WORD`, of a script of TRL's, or of the user's own script. `classes` are keys of
    the configuration classes it fills, `own` the fields that classes of the user's add. `open`: why it may take more.
    `module` is the user's script as read, where it holds the configuration itself (`parses` is false then).
    """

    by: Literal["trl", "script", "own"]
    program: str
    word: str
    arguments: tuple[Traced, ...]
    classes: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    open: str = ""
    parses: bool = True
    module: Module | None = None
    sources: dict[str, Source] = field(default_factory=dict)


def started(start: Start, command: Command, site: Site, trl: str) -> Started | None:
    """What a command starts; None if it is nothing of TRL's. `trl` is the listed release in force."""
    if (start.kind == "program" and os.path.basename(start.target.text) == "trl") or start.module in ("trl", "trl.cli"):
        return _subcommand(start, trl)
    if start.module is not None and start.module.startswith(_SCRIPTS):
        return _shipped(start.module.removeprefix(_SCRIPTS), start, trl)
    path = start.script
    if path is None or not path.endswith(".py"):
        return None
    file = site.find(path, command)
    if file is None:
        folder, name = os.path.split(path)
        of_trl = os.path.basename(folder) == "scripts" and os.path.basename(os.path.dirname(folder)) == "trl"
        return _shipped(name.removesuffix(".py"), start, trl) if of_trl else None
    text = site.files.text(file)
    return _own(shown(file), text, start, trl) if text is not None and "trl" in text else None


def _subcommand(start: Start, trl: str) -> Started | None:
    if not start.arguments:
        return None
    word = start.arguments[0].text
    found = subcommands(trl).get(word)
    known = program_of_subcommand(word)
    if found is None or not found.classes:
        return None
    return Started("trl", known, word, start.arguments[1:], found.classes)


def _shipped(word: str, start: Start, trl: str) -> Started | None:
    """A script of TRL's own by its name, be it run from a checkout (`trl/scripts/grpo.py`) or as a module."""
    found = script_at(f"{_SCRIPTS}{word}", trl)
    if found is None or not found.classes:
        return None
    return Started("script", program_of_subcommand(word), word, start.arguments, found.classes)


def _own(path: str, text: str, start: Start, trl: str) -> Started | None:
    from rlhflint.readers.python import read_module

    module = read_module(path, text, watch=lambda one: watched(one) or one in PARSERS)
    sources = {path: Source(path, text)}
    programs = _programs(module, "Trainer") or _programs(module, "Config")
    if not programs:
        return None
    parser = next((call for call in module.calls if call.target in PARSERS), None)
    if parser is None:
        return Started("own", programs[0], "", start.arguments, parses=False, module=module, sources=sources)
    items = _classes_of(parser.arguments)
    classes, own, open_ = _taken(items, module, trl)
    if len(programs) > 1:
        open_ = open_ or "the script has several trainers"
    return Started("own", programs[0], "", start.arguments, classes, own, open_, True, module, sources)


def _programs(module: Module, kind: str) -> list[str]:
    """The programs whose trainers, or configurations, a module builds."""
    targets = [call.target for call in module.calls if call.target.startswith("trl.") and call.target.endswith(kind)]
    programs = [program_of(target.rpartition(".")[2]) for target in targets]
    return list(dict.fromkeys(program for program in programs if program is not None))


def _classes_of(arguments: tuple[Argument, ...]) -> list[Argument] | None:
    """The classes a parser is built over; None where they are not all known."""
    given = next((one for one in arguments if one.position == 0 or one.name == "dataclass_types"), None)
    if given is None:
        return None
    if given.named is not None:
        return [given]
    return list(given.items) if given.items and given.complete else None


def _taken(items: list[Argument] | None, module: Module, trl: str) -> tuple[tuple[str, ...], frozenset[str], str]:
    """Keys of TRL's classes, fields of the user's, and why there may be more."""
    if items is None:
        return (), frozenset(), "the classes of its parser are not known"
    local = {one.name: one for one in module.classes}
    classes: list[str] = []
    own: set[str] = set()
    open_ = ""
    for item in items:
        named = item.named
        if named is None:
            open_ = open_ or "a class of its parser is not known"
            continue
        waiting = [named.path]
        while waiting:
            path = waiting.pop()
            if path in local:
                found: Class = local[path]
                own |= {one.name for one in found.fields}
                waiting += found.bases
                if found.open_bases:
                    open_ = open_ or f"a base of {path} is not known"
                continue
            key = _key(path, trl)
            if key is not None:
                classes.append(key)
            elif path != "object":
                open_ = open_ or f"{path} is a class of another module"
    return tuple(dict.fromkeys(classes)), frozenset(own), open_


def _key(path: str, trl: str) -> str | None:
    if path.startswith("transformers.") and path.endswith("TrainingArguments"):
        return "transformers:TrainingArguments"
    match class_at(path, trl):
        case ClassRef(key=key) | Shim(key=key):
            return key
    return None
