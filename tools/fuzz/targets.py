"""What inputs are given to: every reader, the whole check, fixing and moving; each says what has to hold afterwards."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from rlhflint.text import Traced
from tools.fuzz import whole
from tools.fuzz.holds import Broken, places

PATH = "a.sh"
_SOURCED = {"b.sh": 'export B=1\nA+=(--c "$B")\n', "a.sh": "source ./a.sh\n"}


@dataclass(frozen=True)
class Target:
    """A reader or more. `kind` is the kind of its seeds; `run` raises on a fault, `Broken` or anything else."""

    name: str
    kind: str
    run: Callable[[str], None]
    share: int = 1
    """How often it has its turn: a slow one less often."""


def _shell(text: str) -> None:
    from rlhflint.readers.shell import read_script

    script = read_script(Traced.of_file(PATH, text), PATH, read_file=_SOURCED.get)
    places(script, {**_SOURCED, PATH: text})
    for command in script.commands:
        if not command.words:
            raise Broken("a command without words")


def _python(text: str) -> None:
    from rlhflint.readers.python import read_module

    text = text if "trl" in text else "import trl\n" + text
    places(read_module(PATH, text, watch=_watched), {PATH: text})


def _watched(path: str) -> bool:
    return path.partition(".")[0] in ("trl", "transformers", "peft")


def _yaml(text: str) -> None:
    from rlhflint.mapping import data
    from rlhflint.readers.yaml import read_yaml

    document = read_yaml(PATH, text)
    places(document, {PATH: text})
    if document.root is not None:
        data(document.root.node)


def _notebook(text: str) -> None:
    from rlhflint.readers.notebook import read_notebook
    from rlhflint.readers.python import read_cells

    read = read_notebook(PATH, text)
    places(read, {PATH: text})
    places(read_cells(PATH, read.python, watch=_watched), {PATH: text})
    for offset in range(0, len(text) + 1, 97):
        read.locate(offset)


def _embedded(kind: str) -> Callable[[str], None]:
    def run(text: str) -> None:
        from rlhflint.readers.embedded import embedded_scripts
        from rlhflint.readers.shell import read_script

        for script in embedded_scripts(PATH, text, kind):
            places(script, {PATH: text})
            places(read_script(script, PATH), {PATH: text})

    return run


def _ignore(text: str) -> None:
    from rlhflint.project.patterns import Patterns

    patterns = Patterns.of_bytes(_bytes(text))
    for path in ("a/b/c.sh", "build", "x" * 200, "foo/keep.log"):
        patterns.verdict(path, path.rpartition("/")[2], folder=False)
    Patterns.of_globs(text.split("\n")[:50]).verdict("a/b.sh", "b.sh", folder=True)


def _bytes(text: str) -> bytes:
    """The bytes of a text; those that came of lone surrogates are no UTF-8."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _config(text: str) -> None:
    """A configuration, in each of its two files; written into the folder that the process is in."""
    from rlhflint.project.config import ConfigError
    from rlhflint.project.configurations import Configurations

    own = text.replace("[tool.rlhflint]\n", "").replace("[tool.rlhflint.", "[").replace("[[tool.rlhflint.", "[[")
    for name, content in (("pyproject.toml", text), ("rlhflint.toml", own)):
        with open(name, "wb") as file:
            file.write(_bytes(content))
        try:
            Configurations().for_file("a/b.sh").enabled("OR101", on=True, path=os.path.abspath("a/b.sh"))
        except ConfigError:
            continue
        finally:
            os.remove(name)


def _cluster(text: str) -> None:
    """Machines as they are stated on the command line, line by line."""
    from rlhflint.project.cluster import parse_cluster

    for line in text.split("\n"):
        try:
            str(parse_cluster(line))
        except ValueError:
            continue


def _baseline(text: str) -> None:
    from rlhflint.suppress.baseline import WrongBaseline, read

    try:
        read(text)
    except WrongBaseline:
        return


def _statements(text: str) -> None:
    """The files that state releases, whatever they are called: each reader is given each text."""
    from rlhflint.project.kinds import FileKind
    from rlhflint.versions.conda import read_environment
    from rlhflint.versions.dockerfile import read_dockerfile
    from rlhflint.versions.locks import read_lock
    from rlhflint.versions.own_file import read_own_text, read_python_version
    from rlhflint.versions.pyproject import read_pyproject
    from rlhflint.versions.setup_files import read_setup_cfg, read_setup_py

    raw = _bytes(text)
    read_environment("environment.yml", raw)
    read_dockerfile("Dockerfile", raw, lambda _: None)
    read_lock("uv.lock", raw)
    read_pyproject("pyproject.toml", raw)
    read_setup_cfg("setup.cfg", raw)
    read_setup_py("setup.py", raw)
    read_python_version(".python-version", raw)
    read_own_text("a.py", text, FileKind.PYTHON)


def _lines(text: str) -> None:
    """Requirements, line by line."""
    from rlhflint.versions.collecting import Collector
    from rlhflint.versions.requirement import Origin
    from rlhflint.versions.requirements_txt import decoded, logical_lines

    collector = Collector("requirements.txt")
    for line, part in logical_lines(decoded(_bytes(text))):
        collector.text(line, part, Origin.REQUIREMENTS)
    collector.statements()


def _extraction(text: str) -> None:
    """A framework's source, as it is read where a project keeps a copy of its own."""
    from rlhflint.catalog.source.argparse_source import read_program

    read_program("openrlhf/cli/x.py", {"openrlhf/cli/x.py": text}.get)


TARGETS: tuple[Target, ...] = (
    Target("shell", "shell", _shell, 20),
    Target("python", "python", _python, 20),
    Target("yaml", "yaml", _yaml, 12),
    Target("notebook", "notebook", _notebook, 8),
    Target("dockerfile", "dockerfile", _embedded("dockerfile"), 6),
    Target("makefile", "makefile", _embedded("makefile"), 6),
    Target("markdown", "markdown", _embedded("markdown"), 6),
    Target("commands-in-yaml", "yaml", _embedded("yaml"), 6),
    Target("ignore", "ignore", _ignore, 4),
    Target("baseline", "baseline", _baseline, 2),
    Target("config", "config", _config, 4),
    *(
        Target(f"releases-{kind}", kind, _statements, 2)
        for kind in ("pyproject", "locks", "conda", "setup.py", "setup.cfg", "dockerfile", "config")
    ),
    Target("releases-requirements", "requirements", _lines, 4),
    Target("extraction", "parser", _extraction, 4),
    Target("cluster", "config", _cluster),
    Target("log", "log", whole.log, 4),
    *(Target(f"check-{kind}", kind, whole.check(kind)) for kind in whole.NAMES),
    *(Target(f"fix-{kind}", f"fix-{kind}", whole.fix(kind)) for kind in whole.NAMES),
    *(Target(f"move-{kind}", f"fix-{kind}", whole.move(kind)) for kind in whole.NAMES),
    Target("move-rehearsal", "fix-shell", whole.rehearse),
)
BY_NAME = {target.name: target for target in TARGETS}
READERS = tuple(target for target in TARGETS if not target.name.startswith(("check-", "fix-", "move-")))


def in_folder_of_its_own(folder: str) -> None:
    """Go where nothing states a release: what is checked there depends on the input alone."""
    os.makedirs(os.path.join(folder, ".git"), exist_ok=True)
    os.chdir(folder)
