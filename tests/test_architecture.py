"""ARCHITECTURE.md is true to the imports: layers, walls between parts, and the folders it names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "rlhflint"
DOCUMENT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
LAYERS = [
    line.split()
    for line in DOCUMENT.partition("<!-- layers -->")[2].partition("```\n")[2].partition("```")[0].splitlines()
]


class Import(NamedTuple):
    """One import inside the package. `typing`: it is there for types alone."""

    importer: str
    imported: str
    typing: bool


def imports() -> Iterator[Import]:
    """Every import of the package's own modules, wherever it stands."""
    for file in sorted(PACKAGE.rglob("*.py")):
        importer = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(file.read_text("utf-8"))
        guarded = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            for imported in named(node):
                if imported.partition(".")[0] == "rlhflint":
                    yield Import(importer, imported, id(node) in guarded)


def named(node: ast.AST) -> list[str]:
    """The modules that an import names: `from package import module` names the module."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom) or node.module is None:
        return []
    assert node.level == 0, "imports are absolute"
    inside = [f"{node.module}.{alias.name}" for alias in node.names]
    return [name if exists(name) else node.module for name in inside]


def exists(module: str) -> bool:
    """Whether there is a module or folder of a name."""
    path = ROOT.joinpath(*module.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def unit(module: str) -> str:
    """The folder or module directly below the package; empty for the package itself."""
    return ".".join(module.split(".")[1:2])


IMPORTS = list(imports())


def test_there_are_layers_and_imports() -> None:
    assert len(LAYERS) > 5
    assert len(IMPORTS) > 1000


def test_every_folder_and_module_has_its_layer() -> None:
    there = {path.stem for path in PACKAGE.glob("*.py")} | {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert sorted(name for layer in LAYERS for name in layer) == sorted(there - {"__init__"})


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py")))
def test_every_folder_is_described(folder: str) -> None:
    assert f"`rlhflint/{folder}/" in DOCUMENT


@pytest.mark.parametrize("module", sorted(path.stem for path in PACKAGE.glob("[!_]*.py")))
def test_every_module_beside_the_folders_has_its_topic(module: str) -> None:
    topics = DOCUMENT.partition("| topic | modules |")[2].partition("\n\n")[0]
    assert f"`{module}`" in topics


def test_imports_go_down_the_layers() -> None:
    depth = {name: at for at, layer in enumerate(LAYERS) for name in layer}
    wrong = {
        f"{one.importer} imports {one.imported}"
        for one in IMPORTS
        if not one.typing
        and (above := unit(one.importer)) != (below := unit(one.imported))
        and below
        and depth.get(below, len(LAYERS)) <= depth.get(above, -1)
    }
    assert wrong == set()


WALLS = {
    "readers know texts alone": (
        "rlhflint.readers",
        {*LAYERS[-1], "call", "command", "mapping", "python_syntax", "readers", "text", "value"},
    ),
    "the catalog knows no file but those of a release": (
        "rlhflint.catalog",
        {*LAYERS[-1], "catalog", "content", "conversion", "disk", "python_syntax", "value"},
    ),
    "that of TRL is no other": (
        "rlhflint.frameworks.trl.catalog",
        {*LAYERS[-1], "catalog", "content", "conversion", "disk", "frameworks", "python_syntax", "value"},
    ),
}
"""What may be imported from a part, for types as well."""


@pytest.mark.parametrize("wall", WALLS)
def test_a_part_imports_only_what_it_may(wall: str) -> None:
    part, allowed = WALLS[wall]
    assert {
        f"{one.importer} imports {one.imported}"
        for one in IMPORTS
        if one.importer.startswith(part) and unit(one.imported) not in allowed
    } == set()


FORBIDDEN = {
    "a rule sees no reader": (".rules.", ("readers", "reading", "fixing", "cli", "reports")),
    "a report computes nothing": (".reports.", ("check", "file_check", "fixing", "frameworks", "judge", "readers")),
    "nobody knows the command line": (".", ("cli",)),
    "launchers know no framework": (".launchers.", ("frameworks", "readers", "fixing", "reports", "cli")),
    "fixing knows no framework's inside": (".fixing.", ("cli", "reports")),
}


@pytest.mark.parametrize("wall", FORBIDDEN)
def test_a_part_does_not_import_what_it_must_not_know(wall: str) -> None:
    part, forbidden = FORBIDDEN[wall]
    assert {
        f"{one.importer} imports {one.imported}"
        for one in IMPORTS
        if part in f"{one.importer}."
        and unit(one.imported) in forbidden
        and unit(one.importer) not in ("cli", "__main__", unit(one.imported))
    } == set()


INSIDE_LAUNCHERS = [
    {"rules"},
    {"machines", "processes"},
    {"carried", "count", "environment", "ray", "remembered", "set_variables"},
    {"unwrapping"},
    {"options"},
]
"""What is inside `launchers/`; a line knows those below it. What stands beside the folders is shared by them."""


def test_the_catalog_of_trl_knows_nothing_else_of_it() -> None:
    inside = [one for one in IMPORTS if one.importer.startswith("rlhflint.frameworks.trl.catalog.")]
    assert inside
    assert {
        f"{one.importer} imports {one.imported}"
        for one in inside
        if one.imported.startswith("rlhflint.frameworks")
        and not one.imported.startswith("rlhflint.frameworks.trl.catalog")
    } == set()


def test_folders_of_launchers_know_each_other_in_one_direction() -> None:
    depth = {name: at for at, names in enumerate(INSIDE_LAUNCHERS) for name in names}
    inside = [
        (one, one.importer.split(".")[2], one.imported.split(".")[2])
        for one in IMPORTS
        if one.importer.startswith("rlhflint.launchers.") and one.imported.startswith("rlhflint.launchers.")
    ]
    assert len(inside) > 50
    assert {
        f"{one.importer} imports {one.imported}"
        for one, above, below in inside
        if above != below and depth[below] < depth[above]
    } == set()


def test_frameworks_do_not_know_each_other_and_shared_code_knows_none() -> None:
    inside = [(one, one.imported.split(".")) for one in IMPORTS if one.imported.startswith("rlhflint.frameworks.")]
    assert inside
    assert {
        f"{one.importer} imports {one.imported}"
        for one, parts in inside
        if one.importer.split(".")[1:3] != ["frameworks", parts[2]]
    } == set()


def test_readers_of_different_languages_do_not_know_each_other() -> None:
    shared = {"rlhflint.readers.positioned_json"}
    assert {
        f"{one.importer} imports {one.imported}"
        for one in IMPORTS
        if one.importer.startswith("rlhflint.readers.")
        and one.imported.startswith("rlhflint.readers.")
        and one.importer.split(".")[2] != one.imported.split(".")[2]
        and one.imported not in shared
    } == set()


def test_click_is_known_to_the_command_line_alone() -> None:
    users = {
        file.relative_to(PACKAGE).parts[0]
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if (isinstance(node, ast.Import) and any(alias.name == "click" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "click")
    }
    assert users == {"cli"}


@pytest.mark.parametrize("name", sorted(path.parent.name for path in PACKAGE.glob("frameworks/*/about.py")))
def test_a_framework_is_a_folder(name: str) -> None:
    folder = PACKAGE / "frameworks" / name
    assert (folder / "framework.py").is_file()
    assert any(folder.glob("rules/*.py"))
    assert (ROOT / "schemas" / name).is_dir()


def test_codes_of_rules_begin_as_their_framework_says() -> None:
    from rlhflint.registry import abouts
    from rlhflint.rules import load_all

    prefixes = {about.name: about.prefix for about in abouts()}
    assert len(set(prefixes.values())) == len(prefixes)
    owners = {(rule.check.__module__.split(".")[1:3][-1], rule.code[:2]) for rule in load_all()}
    assert {(owner, code) for owner, code in owners if owner in prefixes and code != prefixes[owner]} <= {
        ("openrlhf", "VE"),
        ("trl", "VE"),
        ("openrlhf", "LA"),
        ("trl", "LA"),
    }
    assert {code for owner, code in owners if owner not in prefixes}.isdisjoint(prefixes.values())


ASKS_THE_DISK = {
    *("os.stat", "os.lstat", "os.access", "os.readlink", "os.scandir", "os.listdir", "os.walk", "os.fwalk", "os.open"),
    *(f"os.path.{name}" for name in ("exists", "lexists", "isfile", "isdir", "islink", "ismount", "realpath")),
    *(f"os.path.{name}" for name in ("getsize", "getmtime", "getctime", "samefile", "expanduser", "expandvars")),
    *("io.open", "os.environ", "os.getenv", "os.getenvb"),
}
FILES_OF_ITS_OWN = {"glob", "pathlib", "shutil", "tempfile", "fileinput", "linecache", "filecmp", "importlib.resources"}
MAY_ASK_THE_DISK = {
    "rlhflint.disk": "is asked by all others",
    "rlhflint.project.discovery": "walks to the files in every run",
    "rlhflint.registry": "finds the frameworks of the linter itself",
    "rlhflint.catalog": "reads the linter's own data",
    "rlhflint.frameworks.trl.catalog": "reads the linter's own data; a copy of TRL's source through the disk",
    "rlhflint.remembered": "reads and writes what is remembered",
    "rlhflint.fixing.writing": "writes fixed files",
    "rlhflint.cli": "reads and writes what the command line names besides files with launches",
    "rlhflint.explain.symptoms": "reads the linter's own entries",
    "rlhflint.__main__": "starts the command line",
    "rlhflint.files": "has the root of a project as a path",
    "rlhflint.check": "has the root of a project as a path",
}
"""What is looked at by other ways than `rlhflint.disk`; a trail would not know of it."""


def asks(file: Path) -> Iterator[str]:
    """What a module names that asks the disk, or the environment."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and (name := ast.unparse(node)) in ASKS_THE_DISK:
            yield name
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "open":
            yield "open"
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in FILES_OF_ITS_OWN)
        elif isinstance(node, ast.ImportFrom) and node.module in FILES_OF_ITS_OWN:
            yield node.module
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "os.path", "io"):
            yield from (one.name for one in node.names if f"{node.module}.{one.name}" in ASKS_THE_DISK)


def test_only_one_module_asks_the_disk() -> None:
    found = {
        module: set(asks(file))
        for file in sorted(PACKAGE.rglob("*.py"))
        if not (module := ".".join(file.relative_to(ROOT).with_suffix("").parts)).startswith(tuple(MAY_ASK_THE_DISK))
    }
    assert len(found) > 100
    assert {module: names for module, names in found.items() if names} == {}
    assert set(asks(PACKAGE / "disk.py"))
