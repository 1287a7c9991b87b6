"""The table `[tool.rlhflint]`, as pydantic checks it and its JSON Schema describes it.

Imported only when there is a table.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag

from rlhflint.expressions import expression
from rlhflint.packages.names import PACKAGES, normalised, tracked
from rlhflint.packages.ranges import specifier_of
from rlhflint.project.cluster import parse_cluster
from rlhflint.project.programs import known_program, known_target
from rlhflint.project.selection import SELECTOR
from rlhflint.registry import names
from rlhflint.wording import did_you_mean


def _selector(text: str) -> str:
    if SELECTOR.fullmatch(text) is None:
        raise ValueError(f"{text!r} is neither a code (OR203) nor the beginning of one (OR, OR2) nor ALL")
    return text


def _package(text: str) -> str:
    name = normalised(text)
    if not tracked(name):
        raise ValueError(f"unknown package {text!r}{did_you_mean(name, PACKAGES)}")
    return name


def _release(text: str) -> str:
    specifier_of(text)
    return text


def _glob(text: str) -> str:
    if not text.strip("/") or text.startswith("!"):
        raise ValueError(f"{text!r} is no glob: it {'excepts, which is not possible here' if text else 'is empty'}")
    return text


def _framework(text: str) -> str:
    if text not in names():
        raise ValueError(f"unknown framework {text!r}{did_you_mean(text, names())}")
    return text


def _flag(text: str) -> str:
    if _FLAG.fullmatch(text) is None:
        raise ValueError(f"{text!r} is no option, such as --my_option")
    return text


def _cluster(text: str) -> str:
    parse_cluster(text)
    return text


_PROGRAM = expression(r"[a-z0-9_-]+:[a-z0-9_]+")
_FLAG = expression(r"-{0,2}[A-Za-z_][\w.-]*")
_GLOB = "held against the name of a file or folder or, if it has a `/`, against the path relative to this file"


def _pattern(expression: re.Pattern[str]) -> Any:
    """For the JSON Schema only: the messages of the validators say more."""
    return Field(json_schema_extra={"pattern": f"^(?:{expression.pattern})$"})


Selector: TypeAlias = Annotated[str, AfterValidator(_selector), _pattern(SELECTOR)]
Package: TypeAlias = Annotated[str, AfterValidator(_package)]
Release: TypeAlias = Annotated[str, AfterValidator(_release)]
Glob: TypeAlias = Annotated[str, AfterValidator(_glob)]
Program: TypeAlias = Annotated[str, AfterValidator(known_program), _pattern(_PROGRAM)]
Target: TypeAlias = Annotated[str, AfterValidator(known_target)]
Framework: TypeAlias = Annotated[str, AfterValidator(_framework)]
Flag: TypeAlias = Annotated[str, AfterValidator(_flag), _pattern(_FLAG)]
Count: TypeAlias = Annotated[int, Field(ge=1, strict=True)]
Size: TypeAlias = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Switch: TypeAlias = Annotated[bool, Field(strict=True)]
Severity: TypeAlias = Literal["error", "warning", "advice"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=lambda name: name.replace("_", "-"))


class ClusterTable(_Table):
    """The machines launches are meant for."""

    nodes: Count | None = Field(None, description="Machines.")
    gpus_per_node: Annotated[int, Field(ge=0, strict=True)] | None = Field(None, description="GPUs of each machine.")
    cpus_per_node: Count | None = Field(None, description="Processor cores of each machine.")
    memory_per_node: Size | None = Field(None, description="Main memory of each machine in GiB.")
    gpu_memory: Size | None = Field(None, description="Memory of each GPU in GiB.")
    gpu: str | None = Field(None, description="Name of the GPU, such as H100.")


def _kind_of_cluster(value: Any) -> str | None:
    if isinstance(value, str):
        return "shape"
    return "table" if isinstance(value, (dict, ClusterTable)) else None


ClusterValue: TypeAlias = Annotated[
    Annotated[Annotated[str, AfterValidator(_cluster)], Tag("shape")] | Annotated[ClusterTable, Tag("table")],
    Discriminator(_kind_of_cluster),
]


class Override(_Table):
    """What holds for some files only."""

    paths: list[Glob] = Field(min_length=1, description=f"Globs of the files, each {_GLOB}.")
    versions: dict[Package, Release] = Field({}, description="Releases in force for these files.")
    program: Program | None = Field(None, description="Program that these files configure.")
    cluster: ClusterValue | None = Field(None, description="Machines that these launches are meant for.")


class Table(_Table):
    """Configuration of rlhflint: the table `tool.rlhflint` of a pyproject.toml, or a whole rlhflint.toml."""

    extend: str | None = Field(None, description="Another configuration file that this one builds on, from here.")
    select: list[Selector] | None = Field(None, description="Rules to run, instead of those that are on by default.")
    ignore: list[Selector] = Field([], description="Rules not to run.")
    extend_select: list[Selector] = Field([], description="Rules to run besides.")
    extend_ignore: list[Selector] = Field([], description="Rules not to run, besides those of the file built on.")
    per_file_ignores: dict[Glob, list[Selector]] = Field(
        {}, description=f"Rules not to run on some files, by glob, {_GLOB}."
    )
    exclude: list[str] | None = Field(
        None, description=f"Files and folders to leave out, instead of the usual ones, by glob, {_GLOB}."
    )
    extend_exclude: list[str] = Field([], description="Files and folders to leave out besides.")
    fail_on: Literal["error", "warning", "advice", "never"] | None = Field(
        None, description="Severity from which findings make the exit status 1; warning by default."
    )
    severity: dict[Selector, Severity] = Field({}, description="Severities of rules; the longest code counts.")
    versions: dict[Package, Release] = Field({}, description="Releases in force, each a version or a specifier.")
    overrides: list[Override] = Field([], description="What holds for some files only; a later entry wins.")
    programs: dict[Glob, Program] = Field({}, description=f"Programs that files configure, by glob, {_GLOB}.")
    cluster: ClusterValue | None = Field(
        None, description="Machines that launches are meant for: `2x8`, two with eight GPUs each, or a table."
    )
    extra_flags: dict[Target, list[Flag]] = Field(
        {}, description="Options that a fork has besides, by program (`openrlhf:train_sft`) or framework (`openrlhf`)."
    )
    mandatory: list[Selector] = Field([], description="Rules that a comment in a file cannot switch off.")
    require_reason: Switch | None = Field(
        None, description="Whether a comment that switches a rule off needs a reason."
    )
    markdown: Switch | None = Field(None, description="Whether to read the shell blocks of Markdown files.")
    experimental: list[Framework] = Field([], description="Frameworks to look at that are experimental.")
    python: str | None = Field(
        None, description="Interpreter or environment whose installed packages tell releases, from here."
    )
