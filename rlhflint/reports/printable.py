"""User text made harmless for a terminal, for the logs of CI systems and for JSON that a terminal may show."""

from __future__ import annotations

import json
import re
import unicodedata

from rlhflint.expressions import expression

_COMMAND_AT_START = expression(r"^([^\S\n]*)::", re.MULTILINE)
_BEYOND_ASCII = expression(r"[^ -~\n]")
_COMMAND_ANYWHERE = expression(r"##(?=[a-z]*\[)")


def printable(text: str) -> str:
    """`text` with control and formatting characters written as escapes, so that it cannot steer a terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(shown(character) for character in text)


def shown(character: str) -> str:
    """One character as `printable` writes it."""
    if character == "\t" or character.isprintable():
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return character.encode("unicode_escape").decode("ascii")


def columns(character: str) -> int:
    """How many columns of a terminal a character takes as `printable` writes it; a tab counts as one."""
    if character.isascii() and character.isprintable():
        return 1
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else len(shown(character))


def without_commands(report: str) -> str:
    """`report` with everything broken up that the log of a CI system would take for a command to it.

    GitHub reads `::error::` at the start of a line and `##[error]` anywhere in it, Azure `##vso[`, TeamCity
    `##teamcity[`.
    """
    if "::" not in report and "##" not in report:
        return report
    return _COMMAND_ANYWHERE.sub(r"#\\#", _COMMAND_AT_START.sub(r"\1\\::", report))


def json_text(value: object) -> str:
    """JSON with everything that is not printable written as `\\uXXXX`, ending in a line end."""
    return _BEYOND_ASCII.sub(_json_escape, json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def _json_escape(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]
