"""Calls as Python would make them: what the Python reader makes of a module, and frameworks make launches of.

The reader knows no framework. It follows names through imports and constants, and gives out every call whose dotted
path the framework asked to watch, once for each way through the module on which its arguments differ.
"""

from __future__ import annotations

from enum import Enum

from rlhflint.command import Choice, Problem
from rlhflint.records import dataclass
from rlhflint.text import Span
from rlhflint.value import Value


class Origin(Enum):
    """How an argument, or the entry of a container, was written."""

    POSITION = "position"
    """`f(8)`, an element of a list."""
    KEYWORD = "keyword"
    """`f(beta=0.1)`, also where the call is `dict(beta=0.1)` or `dataclasses.replace(base, beta=0.1)`."""
    KEY = "key"
    """`{"beta": 0.1}`: the name is text."""
    ITEM = "item"
    """`options["beta"] = 0.1`."""
    ATTRIBUTE = "attribute"
    """`args.beta = 0.1`, after the object was made; also `setattr(args, "beta", 0.1)`."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call, entry of a dictionary, element of a list, or attribute set on an object.

    `value` is data: text, number, list, dictionary, None. It is unknown where a class or function is named, which is
    in `named` then, and where an object was made by a watched call, which is in `made`; a list or dictionary that is
    known may hold `Named` and `Made`.

    `name` is empty for a position, which `position` counts from 0 then. `name_span` are the characters of the name
    alone, without quotes; where `renamable` they are the name letter for letter, so that replacing them renames.
    `span` is the whole of `name=value`, `"name": value` or the assigning statement, without a comma.
    `literal` is the literal that gives the value: the value itself, or what was assigned to the constant it names;
    None where the value is worked out, or comes from several places.
    """

    name: str
    value: Value
    span: Span
    name_span: Span | None = None
    value_span: Span | None = None
    position: int | None = None
    origin: Origin = Origin.KEYWORD
    renamable: bool = False
    literal: Span | None = None
    named: Named | None = None
    made: Made | None = None
    items: tuple[Argument, ...] = ()
    """What a list, tuple, set or dictionary holds, also where `value` is unknown because one of them is."""
    complete: bool = True
    """False where `items` are not all, or where it is not known whether there are any."""
    assigned: tuple[Argument, ...] = ()
    """Attributes set, before the call, on a value that is itself unknown (the parameter `args` of a function)."""


@dataclass(frozen=True, slots=True)
class Named:
    """A class, function or other object that is named and not called: `torch.bfloat16`, a reward function.

    What it is cannot be told from its path: `settings.LR` may be a number.

    `path` is dotted and resolved through imports; for what the file defines itself it is the qualified name in the
    file, and `local` is set.
    """

    path: str
    local: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """An object that a watched call made, as it is where it is handed to another call.

    `index`: it was unpacked from the result (`model, tokenizer = load(…)`), counted from 0; negative from the end.
    `assigned` are the attributes set on it up to the place where it is used, the last one of each name.
    `handed`: the functions it was given to before, which may have changed it. `more`: why further attributes may have
    been set (`setattr` with an unknown name); empty if none.
    """

    call: Call
    index: int | None = None
    assigned: tuple[Argument, ...] = ()
    handed: tuple[str, ...] = ()
    more: str = ""


@dataclass(frozen=True, slots=True)
class Guard:
    """What a call depends on besides the way through the module: mostly the release that is installed.

    `kind` is one of
        version     the release of `package` is compared; `specifier` is what holds on this way (`>=0.20`), empty
                    where the test was not understood
        probe       something of `package` is looked for: `hasattr`, the parameters of a signature
        exception   the call, or what it is made of, stands in a `try` whose failure is caught, or in its handler, or
                    where a test expects it to fail
        replaced    the file puts something else in the place of what is called
    """

    kind: str
    span: Span
    package: str = ""
    specifier: str = ""
    catches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function. `kind` is `positional`, `keyword` (either way), `keyword-only`, `*` or `**`."""

    name: str
    kind: str
    has_default: bool


@dataclass(frozen=True, slots=True)
class Field:
    """An annotated or assigned name of a class body. `default` is None where it has none."""

    name: str
    span: Span
    annotation: str = ""
    default: Value | None = None


@dataclass(frozen=True, slots=True)
class Class:
    """A class the file defines.

    `bases` are dotted paths as of `Named`, one for each class it is derived from, in the order written; a base that is
    not a name is left out and `open_bases` set. `dataclass`: it is decorated with `dataclasses.dataclass`, so that its
    annotated fields become parameters. `init` are the parameters of its own `__init__` without `self`, None if it has
    none; `forwards`: its `**` parameter goes on to `super().__init__`.
    """

    name: str
    span: Span
    name_span: Span
    bases: tuple[str, ...] = ()
    open_bases: bool = False
    dataclass: bool = False
    fields: tuple[Field, ...] = ()
    init: tuple[Parameter, ...] | None = None
    forwards: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: `path` is dotted, `bound` what it is called here; `path` ends in `*` for a star import.

    `span` is the name in the statement (with its `as`), `name_span` the imported name alone, `module_span` the module
    behind `from`, None for `import x` and where it is not written in one piece.
    """

    path: str
    bound: str
    span: Span
    name_span: Span
    statement: Span
    module: str = ""
    module_span: Span | None = None
    guards: tuple[Guard, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call on one way through the module.

    `target` is the dotted path of what is called, resolved through imports, aliases and derived classes: a class of
    the file that is derived from a watched one is called by the path of that one, and is in `subclass`, nearest first.
    A method of a made object has its maker's path in front (`trl.TrlParser.parse_args_and_config`) and its object in
    `receiver`. `site` is equal for the calls that one evaluation of one expression gives on several ways.
    """

    target: str
    site: int
    span: Span
    name_span: Span
    """What to underline: the callee."""
    arguments: tuple[Argument, ...] = ()
    more: str = ""
    """Why further arguments may be given that cannot be seen (`**options` is unknown); empty if these are all."""
    choices: tuple[Choice, ...] = ()
    guards: tuple[Guard, ...] = ()
    assigned: tuple[Argument, ...] = ()
    """Attributes set on the result until the end of the file, the last one of each name."""
    assigned_more: str = ""
    """Why further attributes may be set on the result."""
    scope: str = ""
    """Qualified name of the function it stands in; empty at the top of the module."""
    receiver: Made | None = None
    subclass: tuple[Class, ...] = ()
    replaces: int | None = None
    """`dataclasses.replace(base, …)`: the site of the call that made `base`; `arguments` are those of the result."""


@dataclass(frozen=True, slots=True)
class Module:
    """What was read from one Python text."""

    path: str
    imports: tuple[Import, ...] = ()
    calls: tuple[Call, ...] = ()
    classes: tuple[Class, ...] = ()
    environment: tuple[Argument, ...] = ()
    """Variables set by `os.environ[NAME] = value`, in the order of the file."""
    problems: tuple[Problem, ...] = ()
