"""One requirement as pip understands it: name, extras, specifier or address, marker."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rlhflint.expressions import expression
from rlhflint.packages.names import normalised, tracked
from rlhflint.packages.ranges import BadSpecifier, exact, specifier_of, version_of
from rlhflint.text import HOLE

LONGEST = 4000
"""Characters of the longest requirement that is looked at."""

_NAME = expression(r"\s*(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[(?P<extras>[^\]]*)\])?\s*")
_URL_MARKER = expression(r"\s;\s*|;\s+")
_VCS = expression(r"(?:git|hg|svn|bzr)\+")
_ADDRESS = expression(r"\s*(?:[A-Za-z][A-Za-z0-9+.-]*://|(?:git|hg|svn|bzr)\+|[^@;]*\.whl\s*(?:;|$))")
_REPOSITORY = expression(r"/([^/@]+?)(?:\.git)?(?:@.*)?$")
_TAG = expression(r"@([^@/#?]+)(?:$|[#?])")
_EGG = expression(r"[#&](?:egg|name)=([A-Za-z0-9._-]+)(?:\[([^\]]*)\])?")
_RELEASE = expression(r"v?\d+(?:\.\d+)+(?:[.-]?(?:post|rc|a|b|dev)\d+)*", re.IGNORECASE)
_TEMPLATE = expression(f"[${{}}{HOLE}]")
"""What a variable leaves in a specifier: its value decides, and it is not known."""
_MARKER_OF_MACHINE = expression(r"platform_release|platform_version")


class Wish(NamedTuple):
    """What a requirement asks for: `specifier` is empty where it only names the package, `exact` what it pins."""

    name: str
    specifier: str = ""
    exact: str | None = None
    extras: frozenset[str] = frozenset()


class BadRequirement(ValueError):
    """A requirement on a tracked package that pip would refuse; the message names what is wrong with it."""


def wish_of(text: str) -> Wish | None:
    """What a requirement asks for; None if it is about no tracked package, or never holds where launches run (Linux).

    Raises:
        BadRequirement: it names a tracked package, and what follows is not understood.
    """
    text = text[:LONGEST]
    if _ADDRESS.match(text):
        return wish_of_address(text)
    found = _NAME.match(text)
    if found is None or not tracked(name := normalised(found["name"])):
        return None
    extras = extras_of(found["extras"])
    rest = text[found.end() :]
    if rest.startswith("@"):
        address, *marker = _URL_MARKER.split(rest[1:].strip(), maxsplit=1)
        if marker and not may_hold(marker[0]):
            return None
        pinned = release_of_address(address)
        return Wish(name, f"=={pinned}" if pinned else "", pinned, extras)
    specifier, separator, marker_text = rest.partition(";")
    if (separator and not may_hold(marker_text)) or _TEMPLATE.match(specifier):
        return None  # a variable right behind the name may make it another one
    return wish_for(name, specifier, extras)


def wish_for(name: str, specifier: str, extras: frozenset[str] = frozenset()) -> Wish:
    """What a name and a specifier ask for; a specifier with a variable in it says nothing.

    Raises:
        BadRequirement: the specifier is none.
    """
    specifier = specifier.strip()
    if _TEMPLATE.search(specifier):
        return Wish(name, extras=extras)
    if specifier.startswith("(") and specifier.endswith(")"):
        specifier = specifier[1:-1].strip()
    if specifier and specifier[0] not in "<>=!~":
        raise BadRequirement(f"{name}: {specifier[:60]!r} is no specifier")
    try:
        specifier = specifier_of(specifier)
    except BadSpecifier as error:
        raise BadRequirement(f"{name}: {error}") from None
    pinned = exact(specifier)
    return Wish(name, f"=={pinned}" if pinned else specifier, pinned, extras)


def extras_of(text: str | None) -> frozenset[str]:
    """The extras in the text between brackets, normalised."""
    return frozenset(normalised(extra.strip()) for extra in (text or "").split(",") if extra.strip())


def wish_of_address(address: str) -> Wish | None:
    """What an address without a name in front asks for: of a repository, of an archive, of a wheel."""
    egg = _EGG.search(address)
    if egg is not None:
        name, extras = normalised(egg[1]), extras_of(egg[2])
    else:
        path = re.split(r"[#?;\s]", address, maxsplit=1)[0].rstrip("/")
        last = path.rpartition("/")[2]
        if _VCS.match(address):
            repository = _REPOSITORY.search(path.partition("://")[2])
            last = repository[1] if repository else ""
        elif last.endswith(".whl"):
            last = last.partition("-")[0]
        else:
            last = re.split(r"-(?=v?\d)", last, maxsplit=1)[0]
        name, extras = normalised(last), frozenset[str]()
    if not tracked(name) or name == "python":
        return None
    pinned = release_of_address(address)
    return Wish(name, f"=={pinned}" if pinned else "", pinned, extras)


def release_of_address(address: str) -> str | None:
    """The release an address names: by a tag of a repository that is a version, by the name of a wheel or archive."""
    address = re.split(r"\s", address.strip(), maxsplit=1)[0]
    if _VCS.match(address):
        tag = _TAG.search(address.partition("://")[2].partition("/")[2])
        return release_of_tag(tag[1]) if tag else None
    last = re.split(r"[#?;]", address, maxsplit=1)[0].rstrip("/").rpartition("/")[2].replace("%2B", "+")
    if last.endswith(".whl"):
        parts = last.split("-")
        return version_of(parts[1]) if len(parts) >= 5 else None
    for ending in (".tar.gz", ".zip", ".tar.bz2"):
        if last.endswith(ending):
            return release_of_tag(last.removesuffix(ending).rpartition("-")[2])
    return None


def release_of_tag(tag: str) -> str | None:
    """The release that a tag such as `v0.9.3` is; None for a branch or a commit."""
    return version_of(tag) if _RELEASE.fullmatch(tag) else None


@lru_cache(maxsize=256)
def may_hold(marker: str) -> bool:
    """Whether an environment marker holds for some CPython on Linux; a marker that is not understood may."""
    from packaging.markers import InvalidMarker, Marker, UndefinedComparison, UndefinedEnvironmentName

    if _MARKER_OF_MACHINE.search(marker):
        return True
    try:
        parsed = Marker(marker.strip())
    except InvalidMarker:
        return True
    try:
        return any(
            parsed.evaluate(
                {
                    "os_name": "posix",
                    "sys_platform": "linux",
                    "platform_system": "Linux",
                    "platform_machine": machine,
                    "platform_python_implementation": "CPython",
                    "implementation_name": "cpython",
                    "python_version": f"3.{minor}",
                    "python_full_version": f"3.{minor}.{patch}",
                    "implementation_version": f"3.{minor}.{patch}",
                    "extra": "",
                }
            )
            for minor in range(8, 16)
            for patch in (0, 19)
            for machine in ("x86_64", "aarch64")
        )
    except (KeyError, UndefinedComparison, UndefinedEnvironmentName, ValueError):  # KeyError: packaging before 24
        return True
