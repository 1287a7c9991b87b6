"""A command without its launchers: what is started in the end, and through what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from types import MappingProxyType
from typing import Literal, TypeAlias

from rlhflint.expressions import expression
from rlhflint.launchers.options.reading import LauncherOption
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Span, Traced

Kind: TypeAlias = Literal["module", "script", "program", "code"]

DEEPSPEED, ACCELERATE = "deepspeed", "accelerate launch"
PROCESS_LAUNCHERS = (DEEPSPEED, "torchrun", "torch.distributed.launch", ACCELERATE)
"""Launchers that start one process for each GPU."""
OTHER_MACHINES = ("ray job submit", "ssh", "kubectl exec")
"""Wrappers that carry a command to other machines: what starts them several times does not multiply the command."""

_IDENTIFIER = expression(r"[A-Za-z_]\w*")
_FILE_ENDINGS = (".py", ".pyc", ".pyz", ".zip", ".sh", ".ipynb", ".yaml", ".yml", ".json", ".toml", ".txt")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A program that starts the rest of the command: a launcher, an environment runner, a container, `nohup`.

    `name` is its canonical name (`torchrun` for `python -m torch.distributed.run` too; empty where the program is not
    known). `words` are its own words: name, options and operands, up to what it starts. `operands` are words that
    belong to it without being options: the image of `docker run`, the duration of `timeout`. `variables` are
    environment variables it sets by `NAME=value` words.
    """

    name: str
    words: tuple[Traced, ...]
    options: tuple[LauncherOption, ...] = ()
    operands: tuple[Traced, ...] = ()
    variables: Mapping[str, Traced] = field(default_factory=lambda: MappingProxyType({}))
    more: str = ""
    """Why further options may be given that cannot be seen."""
    dashes: bool = False
    """Its options are ended by `--`."""

    def given(self, name: str) -> LauncherOption | None:
        """The last option of this canonical name: the one in force."""
        return next((option for option in reversed(self.options) if option.name == name), None)

    def all(self, name: str) -> tuple[LauncherOption, ...]:
        """Every option of this canonical name, for those that may be repeated."""
        return tuple(option for option in self.options if option.name == name)

    def value(self, name: str) -> Traced | None:
        """The value in force of an option; None where it is not given, and for a switch."""
        option = self.given(name)
        return option.value if option else None

    @property
    def values(self) -> Mapping[str, Traced | None]:
        """Canonical name → value in force, None for a switch."""
        return {option.name: option.value for option in self.options if option.name}

    @property
    def refused(self) -> tuple[LauncherOption, ...]:
        """Options that the launcher does not have."""
        return tuple(option for option in self.options if not option.name)


class FaultKind(Enum):
    """A way in which the target of a command is written wrongly."""

    MODULE_WITHOUT_FLAG = "module without flag"
    """A dotted module name where a file is expected: `python openrlhf.cli.train_sft`."""
    PATH_FOR_MODULE = "path for module"
    """A file where a module name is expected: `python -m openrlhf/cli/train_sft.py`."""
    NO_DASHES = "no dashes"
    """`ray job submit` without `--` in front of a command that has options of its own, which it takes for its own."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the way a command names its target.

    `word` is the word to point at. `replacement` is the text to put in its place, None where there is not exactly one.
    """

    kind: FaultKind
    word: Traced
    replacement: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """What a command starts.

    `wrappers` are what stands in front of it, outermost first; those of the commands it was written in (`srun bash -c
    "…"`) included. `kind` says what `target` is: a module (`-m`), a script, a program, or code (`python -c`,
    `bash -c`). `arguments` are the words it gets.
    """

    kind: Kind
    target: Traced
    arguments: tuple[Traced, ...] = ()
    wrappers: tuple[Wrapper, ...] = ()
    faults: tuple[Fault, ...] = ()
    around: tuple[int, ...] = ()
    """How many of the wrappers each command contributes that it was written in, outermost first."""
    uncertain: str = ""
    """Why something else might be started; empty if the words leave no doubt. Options that cannot be seen are no such
    doubt: each wrapper has them in `more`."""

    @property
    def launcher(self) -> Wrapper | None:
        """The innermost of the wrappers that start one process for each GPU."""
        return next((wrapper for wrapper in reversed(self.wrappers) if wrapper.name in PROCESS_LAUNCHERS), None)

    def wrapper(self, name: str) -> Wrapper | None:
        """The innermost wrapper of this name."""
        return next((wrapper for wrapper in reversed(self.wrappers) if wrapper.name == name), None)

    @property
    def module(self) -> str | None:
        """The dotted name of the module that is started, or that was meant where a fault says it is written wrongly."""
        path = self.fault(FaultKind.PATH_FOR_MODULE)
        if path is not None:
            return path.replacement
        meant = self.kind == "module" or self.fault(FaultKind.MODULE_WITHOUT_FLAG) is not None
        return self.target.text if meant and is_dotted(self.target.text) else None

    @property
    def script(self) -> str | None:
        """The path of the script that is started, as written; None for anything else and where it is not known."""
        known = self.kind == "script" and self.target.known and self.fault(FaultKind.MODULE_WITHOUT_FLAG) is None
        return self.target.text if known else None

    def fault(self, kind: FaultKind) -> Fault | None:
        """The fault of this kind."""
        return next((fault for fault in self.faults if fault.kind is kind), None)

    @property
    def span(self) -> Span | None:
        """What to underline for the start as a whole: its target."""
        return self.target.span


def is_dotted(text: str) -> bool:
    """Whether a text is a module name: `train`, `openrlhf.cli.train_sft`."""
    return len(text) < 1000 and all(_IDENTIFIER.fullmatch(part) for part in text.split("."))


def looks_like_module(text: str) -> bool:
    """Whether a text that should be a file is a dotted module name instead: `openrlhf.cli.train_sft`."""
    return "." in text and not text.lower().endswith(_FILE_ENDINGS) and is_dotted(text)


def module_of_path(text: str) -> str | None:
    """The module meant by a path given in place of one: `openrlhf/cli/train_sft.py` → `openrlhf.cli.train_sft`.

    None where the path does not say it: an absolute one, one that leaves the folder, one not wholly known.
    """
    path = text.removeprefix("./")
    if HOLE in path or path.startswith(("/", "~", "..")):
        return None
    module = path.removesuffix(".py").strip("/").replace("/", ".")
    return module if is_dotted(module) else None


def looks_like_path(text: str) -> bool:
    """Whether a text that should be a module name is a file instead."""
    return "/" in text or text.endswith(".py")
