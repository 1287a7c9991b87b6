"""What a version specifier (PEP 440) allows, and what follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from packaging.specifiers import InvalidSpecifier, Specifier, SpecifierSet
from packaging.version import InvalidVersion, Version

LONGEST = 1000
"""Characters of the longest specifier that is looked at."""


class BadSpecifier(ValueError):
    """Text that is neither a version nor a specifier; the message says so in a form that fits behind a colon."""


def specifier_of(text: str) -> str:
    """The specifier that a text means: `>=0.9,<0.10` as it is, a bare version `0.9.3` as `==0.9.3`, blank as it is.

    Raises:
        BadSpecifier: it is neither, or no version can be inside.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise BadSpecifier("a specifier of more than 1000 characters")
    if re.match(r"v?\d", text, re.IGNORECASE):
        text = f"=={text}"
    try:
        specifier = str(_parsed(text))
    except InvalidSpecifier:
        raise BadSpecifier(f"{text.removeprefix('==')!r} is no version") from None
    if _is_empty(specifier):
        raise BadSpecifier(f"no version is inside {text!r}")
    return specifier


def exact(specifier: str) -> str | None:
    """The one release a specifier pins, without its local part (`+cu124`); None if it leaves a choice."""
    for one in _parsed(specifier):
        if one.operator in ("==", "===") and not one.version.endswith(".*"):
            return version_of(one.version)
    return None


def version_of(text: str) -> str | None:
    """A version in normal form and without its local part; None if the text is none."""
    if len(text) > LONGEST:
        return None
    try:
        return Version(text).public
    except InvalidVersion:
        return None


def allows(specifier: str, version: str) -> bool:
    """Whether a release lies inside a specifier."""
    return _parsed(specifier).contains(version, prereleases=True)


def releases_inside(specifier: str, releases: Iterable[str]) -> list[str]:
    """Those of `releases` that lie inside a specifier, pre-releases as well, in their order."""
    allowed = _parsed(specifier)
    return [release for release in releases if allowed.contains(release, prereleases=True)]


def newest_inside(specifier: str, releases: Iterable[str]) -> str | None:
    """The newest of `releases` (oldest first) inside a specifier; a pre-release only if nothing else is."""
    inside = list(_parsed(specifier).filter(releases))
    return inside[-1] if inside else None


def nearest_bound(specifier: str) -> str | None:
    """The version a range begins at, for want of that the one it ends at; None if it has neither bound."""
    bound = _low(specifier) or _high(specifier)
    return str(bound[0]) if bound else None


def from_then_on(specifier: str) -> str:
    """What a specifier allows and all that is newer; empty if it begins nowhere."""
    low = _low(specifier)
    return f"{'>=' if low[1] else '>'}{low[0]}" if low else ""


def hull(specifiers: Iterable[str]) -> str:
    """A plain range, as narrow as can be, that holds all that any of the specifiers allows."""
    given = list(specifiers)
    lows = [bound for specifier in given if (bound := _low(specifier))]
    highs = [bound for specifier in given if (bound := _high(specifier))]
    parts = []
    if given and len(lows) == len(given):
        low, included = min(lows, key=lambda bound: (bound[0], not bound[1]))
        included |= len(set(lows)) > 1  # `>1.0` leaves out 1.0.post1, which another of them may allow
        parts.append(f"{'>=' if included else '>'}{low}")
    if given and len(highs) == len(given):
        high, included = max(highs)
        parts.append(f"{'<=' if included else '<'}{high}")
    return ",".join(parts)


@lru_cache(maxsize=512)
def _parsed(specifier: str) -> SpecifierSet:
    return SpecifierSet(specifier)


def _is_empty(specifier: str) -> bool:
    """Whether it certainly allows nothing: it begins behind its end, or leaves out what it pins."""
    pins = [one.version for one in _parsed(specifier) if one.operator == "==" and not one.version.endswith(".*")]
    if pins and not any(allows(specifier, pin) for pin in pins):
        return True
    low, high = _low(specifier), _high(specifier)
    if low is None or high is None:
        return False
    first, last = Version(low[0].public), Version(high[0].public)
    return first > last or (first == last and not (low[1] and high[1]))


Bound = tuple[Version, bool]
"""A version, and whether it is inside itself."""


def _low(specifier: str) -> Bound | None:
    bounds: list[Bound] = []
    for one in _parsed(specifier):
        base = _base(one)
        if base is not None and one.operator in (">=", ">", "~=", "==", "==="):
            bounds.append((base, one.operator != ">"))
    return max(bounds, key=lambda bound: (bound[0], not bound[1]), default=None)


def _high(specifier: str) -> Bound | None:
    bounds: list[Bound] = []
    for one in _parsed(specifier):
        base = _base(one)
        if base is None:
            continue
        if one.operator in ("<", "<="):
            bounds.append((base, one.operator == "<="))
        elif one.operator == "~=":
            bounds.append((_after(base.release[:-1]), False))
        elif one.operator in ("==", "==="):
            wildcard = one.version.endswith(".*")
            bounds.append((_after(base.release), False) if wildcard else (base, True))
    return min(bounds, default=None)


def _base(one: Specifier) -> Version | None:
    try:
        return Version(one.version.removesuffix(".*"))
    except InvalidVersion:  # `===` takes any text
        return None


def _after(release: tuple[int, ...]) -> Version:
    """The first release that no longer begins with `release`."""
    return Version(".".join(map(str, (*release[:-1], release[-1] + 1))))
