"""Version constraints as poetry writes them, and conda's, put into PEP 440."""

from __future__ import annotations

from rlhflint.expressions import expression
from rlhflint.packages.ranges import LONGEST, BadSpecifier, hull, specifier_of

_CONSTRAINT = expression(r"(?:(?P<operator>[<>=!]=?|===|~=|[~^])\s*+)?v?(?P<version>[^\s,|<>=!~^]+)")
_RELEASE = expression(r"\d+(?:\.\d+)*")


def specifier_of_poetry(text: str) -> str:
    """The specifier of a constraint such as `^0.24`, `~1.2`, `0.24.*`, `>=0.2,<0.3 || 0.4.1`.

    Alternatives become the narrowest range that holds them all; `*` is empty. What is not understood stays as it is.
    """
    alternatives = [_specifier(part) for part in text.split("||")]
    if len(alternatives) == 1:
        return alternatives[0]
    try:
        return hull([specifier_of(one) for one in alternatives])
    except BadSpecifier:
        return text


def specifier_of_conda(text: str) -> str:
    """The specifier of the version in a match specification of conda: `=0.24`, `>=0.2,<0.3`, `2.5.1`, `0.24.*`.

    A single `=` with three numbers or more is a pin for all that matters; with fewer it is a prefix.
    """
    if "|" in text:
        return ""
    return ",".join(specifier for part in text.split(",") if (specifier := _conda(part.strip())))


def _conda(part: str) -> str:
    if part in ("", "*"):
        return ""
    if part[0].isdigit():
        return f"=={part}"
    if part.startswith("=") and not part.startswith("=="):
        version = part[1:].removesuffix("*").rstrip(".")
        return f"=={version}" if version.count(".") >= 2 and not part.endswith("*") else f"=={version}.*"
    return part


def _specifier(text: str) -> str:
    if len(text) > LONGEST or text.strip(" ,*") == "":
        return text.strip(" ,*")
    return ",".join(_one(found["operator"] or "==", found["version"]) for found in _CONSTRAINT.finditer(text))


def _one(operator: str, version: str) -> str:
    release = _RELEASE.match(version)
    if operator in ("^", "~") and release is not None:
        numbers = release[0].split(".")
        if operator == "^":
            raised = next((at for at, number in enumerate(numbers) if int(number)), len(numbers) - 1)
        else:
            raised = min(len(numbers), 2) - 1
        end = ".".join([*numbers[:raised], str(int(numbers[raised]) + 1)])
        return f">={version},<{end}"
    return ("==" if operator == "=" else operator) + version
