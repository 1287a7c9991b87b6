"""Packages that are installed in an environment, by the files that describe them; nothing is imported or run."""

from __future__ import annotations

import os
import re

from rlhflint.disk import entries, is_folder, matching, read_regular, real
from rlhflint.expressions import expression
from rlhflint.packages.names import FRAMEWORKS, normalised, tracked
from rlhflint.packages.ranges import version_of
from rlhflint.project.places import Place
from rlhflint.versions.requirement import Listing, Origin, Requirement, Statements, Trouble

_VERSION = expression(rb"^Version:[ \t]*(\S+)", re.MULTILINE | re.IGNORECASE)
_SYSTEM_TOO = expression(rb"^include-system-site-packages\s*=\s*true", re.MULTILINE | re.IGNORECASE)
_HOME = expression(rb"^home\s*=\s*(.+?)\s*$", re.MULTILINE)
_INTERPRETER = expression(rb"^version(?:_info)?\s*=\s*(\d+\.\d+\.\d+)", re.MULTILINE | re.IGNORECASE)
_INFO = expression(r"(?P<name>.+?)(?:-(?P<version>\d[^-]*))?(?:-py[\d.]+)?\.(?:dist|egg)-info", re.IGNORECASE)
_FOLDERS = (
    "lib/python3*/site-packages",
    "lib64/python3*/site-packages",
    "lib/python3*/dist-packages",
    "lib/python3/dist-packages",
    "Lib/site-packages",
)


def read_environment_at(python: str) -> Statements:
    """What is installed for the interpreter, in the environment, or in the `site-packages` folder at `python`."""
    python = os.path.abspath(python)
    folders = _site_packages(python)
    if not folders:
        return Statements(troubles=(Trouble(Place(python), "no site-packages folder belongs to this interpreter"),))
    requirements: dict[str, Requirement] = {}
    for folder in folders:
        for requirement in _installed_in(folder):
            requirements.setdefault(requirement.name, requirement)
    if version := _interpreter(python, folders[0]):
        requirements.setdefault("python", version)
    framework = next((requirements[name] for name in FRAMEWORKS if name in requirements), None)
    listings = (Listing(framework.place, frozenset(requirements), closed=True),) if framework else ()
    return Statements(tuple(requirements.values()), listings=listings)


def _site_packages(python: str) -> list[str]:
    if is_folder(python) and os.path.basename(python) in ("site-packages", "dist-packages"):
        return [python]
    # An interpreter of a virtual environment is a link; the environment is where the link lies, not where it leads.
    prefixes = [python] if is_folder(python) else [os.path.dirname(os.path.dirname(python))]
    settings = read_regular(os.path.join(prefixes[0], "pyvenv.cfg"), most=1 << 16)
    if settings is None and not is_folder(python):
        prefixes.append(os.path.dirname(os.path.dirname(real(python) or python)))
    elif settings and _SYSTEM_TOO.search(settings) and (home := _HOME.search(settings)):
        prefixes.append(os.path.dirname(os.fsdecode(home[1])))
    found: list[str] = []
    for prefix in prefixes:
        for pattern in _FOLDERS:
            for folder in matching(prefix, pattern):
                if real(folder) not in map(real, found):
                    found.append(folder)
    return found


def _installed_in(folder: str) -> list[Requirement]:
    found: list[Requirement] = []
    for name in (entry.name for entry in entries(folder) or ()):
        info = _INFO.fullmatch(name)
        if info is None or not tracked(package := normalised(info["name"])) or package == "python":
            continue
        path = os.path.join(folder, name)
        for metadata in (os.path.join(path, "METADATA"), os.path.join(path, "PKG-INFO"), path):
            stated = _VERSION.search(read_regular(metadata, most=1 << 20) or b"")
            if stated is not None:
                pinned = version_of(stated[1].decode("ascii", errors="replace"))
                break
        else:
            pinned = version_of(info["version"]) if info["version"] else None
        if pinned is not None:
            place = Place(path)
            found.append(Requirement(package, f"=={pinned}", pinned, Origin.INSTALLED, place, note="installed"))
    return found


def _interpreter(python: str, site_packages: str) -> Requirement | None:
    """The version of the interpreter: from the environment's own file, else from the name of its library folder."""
    prefix = os.path.dirname(os.path.dirname(python)) if not is_folder(python) else python
    settings = os.path.join(prefix, "pyvenv.cfg")
    if stated := _INTERPRETER.search(read_regular(settings, most=1 << 16) or b""):
        pinned = stated[1].decode()
        return Requirement("python", f"=={pinned}", pinned, Origin.INSTALLED, Place(settings), note="installed")
    if named := re.search(r"python(3\.\d+)", os.path.basename(os.path.dirname(site_packages))):
        place = Place(site_packages)
        return Requirement("python", f"=={named[1]}.*", None, Origin.INSTALLED, place, note="installed")
    return None
