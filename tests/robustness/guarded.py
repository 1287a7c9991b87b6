"""Runs the command line in one folder after another while nothing of what lies there may be run.

    python guarded.py FOLDER... < words of the command, one a line

The word `{file}` stands for the first file of a folder that may hold a launch, as a path that can be given.

Prints, as JSON, the exit status in each folder and everything that was tried and is forbidden. Whatever is tried fails
as well. Modules of rlhflint are loaded before, so that no import has to be told from one of the user's.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import os
import pkgutil
import sys
import sysconfig
from collections.abc import Callable
from types import CodeType

FORBIDDEN = (
    *("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "pty.", "ctypes."),
    *("urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.", "pickle.", "shutil.unpack_archive", "os.kill"),
)
FRAMEWORKS = {"openrlhf", "trl", "torch", "transformers", "vllm", "ray", "deepspeed", "accelerate", "datasets", "peft"}
TRAPS = {"click", "packaging", "libcst", "tree_sitter", "typing", "__init__", "setup"}
"""Names of modules that tests put beside the user's files."""
DECOYS = {"sitecustomize", "usercustomize", "conftest", "torch", "yaml"}
OWN = tuple(
    os.path.realpath(path)
    for path in {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, *(path for path in sys.path if path)}
)
tried: list[str] = []


def forbid(what: str) -> None:
    tried.append(what)
    raise PermissionError(what)


def ours(path: str) -> bool:
    return path.startswith("<frozen") or os.path.realpath(path).startswith(OWN)


def hook(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith(FORBIDDEN):
        forbid(f"{event} {arguments!r}"[:300])
    elif event == "import" and str(arguments[0]).partition(".")[0] in FRAMEWORKS | DECOYS:
        forbid(f"import {arguments[0]}")
    elif event == "exec" and isinstance(arguments[0], CodeType) and not ours(arguments[0].co_filename):
        forbid(f"exec of {arguments[0].co_filename}")
    elif event == "open" and isinstance(arguments[0], str | bytes):
        path, mode = os.path.realpath(os.fsdecode(arguments[0])), str(arguments[1] or "")
        inside = f"{path}/".startswith(os.path.realpath(os.getcwd()) + "/")
        writes = bool(set(mode) & set("wax+")) or bool(int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if writes and not (inside and may_write):
            forbid(f"open {path} to write")
        if not inside and not ours(path):
            forbid(f"open {path}")


def only_trees(compiled: Callable[..., object]) -> Callable[..., object]:
    def guarded(source: object, filename: object, mode: str, flags: int = 0, *more: object, **named: object) -> object:
        if not flags & ast.PyCF_ONLY_AST:
            forbid(f"compile of {filename!r}")
        return compiled(source, filename, mode, flags, *more, **named)

    return guarded


def never(name: str) -> Callable[..., object]:
    allowed = getattr(builtins, name)

    def guarded(*arguments: object, **named: object) -> object:
        caller = sys._getframe(1).f_code.co_filename
        if not caller.startswith("<frozen importlib"):
            forbid(f"{name} by {caller}")
        return allowed(*arguments, **named)  # a module of the standard library; what it is made of is seen by the hook

    return guarded


def load_all() -> None:
    """Load what rlhflint may load, so that everything loaded from here on is somebody else's."""
    import rlhflint

    for found in pkgutil.walk_packages(rlhflint.__path__, "rlhflint."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def first_file() -> str:
    """The first file of the working directory that may hold a launch."""
    found = sorted(
        os.path.relpath(os.path.join(folder, name))
        for folder, _, names in os.walk(".")
        for name in names
        if name.endswith((".sh", ".py", ".yaml", ".ipynb")) and name.partition(".")[0] not in DECOYS | TRAPS
    )
    return found[0] if found else "."


def main() -> None:
    global may_write  # noqa: PLW0603
    words = sys.stdin.read().split("\n")
    may_write = words[0] in ("fix", "init")
    load_all()
    from click.testing import CliRunner

    from rlhflint.cli import rlhflint

    start = os.getcwd()
    # What is made once and kept is made where there is nothing of a user.
    os.makedirs(".nothing", exist_ok=True)
    os.chdir(".nothing")
    for name, text in (("a.sh", "python -m openrlhf.cli.train_sft --a 1\n"), ("a.py", "import trl\ntrl.SFTConfig()\n")):
        CliRunner().invoke(rlhflint, ["check", "-"], input=text, env={"NAME": name})
    os.chdir(start)
    before = set(sys.modules)
    kept = builtins.compile, builtins.exec, builtins.eval
    builtins.compile, builtins.exec, builtins.eval = only_trees(compile), never("exec"), never("eval")
    sys.addaudithook(hook)
    status = {}
    for folder in sys.argv[1:]:
        os.chdir(os.path.join(start, folder))
        result = CliRunner().invoke(rlhflint, [word.replace("{file}", first_file()) for word in words])
        ended = result.exception is None or isinstance(result.exception, SystemExit)
        status[folder] = result.exit_code if ended else repr(result.exception)
    os.chdir(start)
    builtins.compile, builtins.exec, builtins.eval = kept
    foreign = [
        name for name in set(sys.modules) - before if not ours(getattr(sys.modules[name], "__file__", "") or "<frozen")
    ]
    print(json.dumps({"status": status, "tried": tried, "foreign": foreign}))


may_write = False
if __name__ == "__main__":
    main()
