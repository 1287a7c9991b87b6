"""Commands that install packages, or start a container, as lists of words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence

from rlhflint.expressions import expression
from rlhflint.versions.collecting import Collector
from rlhflint.versions.requirement import Origin

MOST_WORDS = 2000
"""Words of a command that are looked at."""

_ASSIGNMENT = expression(r"[A-Za-z_]\w*=")
_PIP = expression(r"pip3?(?:\.\d+)?")
_PYTHON = expression(r"python[\d.]*")
_UPGRADE = expression(r"-[a-zA-Z]*U")
_CONDA = expression(r"(?:conda|mamba|micromamba)")
_RUNNERS = frozenset(
    {
        "sudo",
        "env",
        "nohup",
        "time",
        "timeout",
        "exec",
        "command",
        "srun",
        "docker",
        "podman",
        "apptainer",
        "singularity",
    }
    | {"conda", "mamba", "micromamba", "poetry", "pixi", "ssh", "kubectl", "numactl", "RUN"}
)
"""Commands that run the command behind them."""

# fmt: off
_WITH_VALUE = frozenset({
    "-i", "-f", "-c", "-t", "-p", "-b", "-P", "-n", "--index-url", "--extra-index-url", "--index", "--find-links",
    "--constraint", "--target", "--prefix", "--root", "--python", "--config-settings", "--global-option",
    "--trusted-host", "--proxy", "--cache-dir", "--platform", "--python-version", "--upgrade-package", "--no-binary",
    "--only-binary", "--progress-bar", "--src", "--report", "--timeout", "--retries", "--name", "--channel", "--file",
    "--group", "--extra", "--directory", "--project", "--torch-backend", "--index-strategy", "--with-requirements",
    "--env-file", "--package", "--optional", "--tag", "--rev", "--branch", "--upgrade-strategy", "--log",
    "--exists-action",
})
# fmt: on
"""Options of pip, uv and conda that are followed by a value."""

_UV_RUN_WITH_VALUE = frozenset(
    {"--with", "--with-editable", "--with-requirements", "--extra", "--group", "--only-group", "--package", "--python"}
    | {"-p", "--project", "--directory", "--index", "--index-url", "-i", "--find-links", "-f", "--env-file"}
)
_CONTAINER_FLAG = expression(r"--container-image(?:=(?P<value>.*))?$")
_RUNTIME_ENV = expression(r"--runtime-env-json(?:=(?P<value>.*))?$", re.DOTALL)

Include = Callable[[str], None]
"""Told of a requirements file that a command installs from."""


def read_command(collector: Collector, line: int, words: Sequence[str], origin: Origin, include: Include) -> None:
    """What a command says of releases.

    Read are `pip install`, `uv add`, `uv run --with`, `conda install`, `--container-image`, and the packages of a Ray
    runtime environment. `words[0]` is what is run; assignments and commands that run others may stand in front.
    """
    words = [word for word in words[:MOST_WORDS] if word]
    if not words:
        return
    at = _installer(words)
    name = os.path.basename(words[at]).lstrip("!%") if at < len(words) else ""
    rest = words[at + 1 :]
    if name == "uv":
        _uv(collector, line, rest, origin, include)
    elif _PIP.fullmatch(name):
        _pip(collector, line, rest, origin, include)
    elif _PYTHON.fullmatch(name) and rest[:2] == ["-m", "pip"]:
        _pip(collector, line, rest[2:], origin, include)
    elif _CONDA.fullmatch(name) and rest[:1] == ["install"]:
        from rlhflint.versions.conda import conda_package

        for package in filter(None, map(conda_package, _operands(rest[1:]))):
            collector.specifier(line, *package, origin, "conda install")
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if found := _CONTAINER_FLAG.match(word):
            from rlhflint.versions.images import add_image

            add_image(collector, line, following if found["value"] is None else found["value"])
        elif found := _RUNTIME_ENV.match(word):
            from rlhflint.versions.ray_environment import read_environment

            read_environment(collector, line, following if found["value"] is None else found["value"], origin)


def _installer(words: list[str]) -> int:
    """Where the command stands that may install something; the number of words if it does not."""
    at = 0
    while at < len(words) and _ASSIGNMENT.match(words[at]):
        at += 1
    runs_others = at < len(words) and os.path.basename(words[at]) in _RUNNERS
    for position in range(at, len(words) if runs_others else min(at + 1, len(words))):
        name = os.path.basename(words[position]).lstrip("!%")
        follows = words[position + 1 : position + 2]
        if name == "uv" or _PIP.fullmatch(name) or (_PYTHON.fullmatch(name) and follows == ["-m"]):
            return position
        if _CONDA.fullmatch(name) and follows == ["install"]:
            return position
    return len(words)


def _pip(collector: Collector, line: int, words: list[str], origin: Origin, include: Include) -> None:
    if "install" not in words[:4]:
        return
    arguments = words[words.index("install") + 1 :]
    _included(arguments, include)
    # A notebook makes its own environment: where it is run there is often nothing else of the project.
    anew = collector.path.endswith(".ipynb") or any(word == "--upgrade" or _UPGRADE.match(word) for word in arguments)
    for requirement in _operands(arguments):
        collector.text(line, requirement, origin, "pip install", anew=anew)


def _uv(collector: Collector, line: int, words: list[str], origin: Origin, include: Include) -> None:
    if words[:1] == ["pip"]:
        _pip(collector, line, words[1:], origin, include)
    elif words[:1] == ["add"]:
        _included(words[1:], include)
        for requirement in _operands(words[1:]):
            collector.text(line, requirement, origin, "uv add")
    elif words[:1] == ["run"]:
        waiting = iter(words[1:])
        for word in waiting:
            if not word.startswith("-"):
                break  # what follows is run, its options are its own
            option, joined, value = word.partition("=")
            if not joined and option in _UV_RUN_WITH_VALUE:
                value = next(waiting, "")
            if option == "--with":
                for requirement in value.split(","):
                    collector.text(line, requirement, origin, "uv run --with")
            elif option == "--with-requirements":
                include(value)
            elif option in ("--python", "-p"):
                _interpreter(collector, line, value, origin)


def _interpreter(collector: Collector, line: int, version: str, origin: Origin) -> None:
    if re.fullmatch(r"3\.\d+(?:\.\d+)?", version):
        collector.specifier(line, "python", f"=={version}" + ".*" * (version.count(".") < 2), origin, "uv run --python")


def _operands(words: Sequence[str]) -> Iterator[str]:
    """The words that are neither options nor values of options; what stands behind a redirection is none either."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in _WITH_VALUE or word in ("-r", "--requirement", "--requirements")
        elif word.startswith("#"):
            return
        else:
            yield word


def _included(words: Sequence[str], include: Include) -> None:
    for at, word in enumerate(words):
        if word in ("-r", "--requirement", "--requirements") and at + 1 < len(words):
            include(words[at + 1])
        elif word.startswith("--requirement="):
            include(word.partition("=")[2])
        elif word.startswith("-r") and len(word) > 2:
            include(word[2:])
