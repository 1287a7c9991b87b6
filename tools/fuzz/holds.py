"""What has to hold for every input: places lie where they say, nothing failed, and what was valid stays valid."""

from __future__ import annotations

import ast
import dataclasses
import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from enum import Enum

from rlhflint.text import Span, Traced


class Broken(AssertionError):
    """What has to hold for every input did not."""


def no_crash(findings: Iterable[object]) -> None:
    """Raises `Broken` where a finding says that a rule or reader failed."""
    for finding in findings:
        if getattr(finding, "code", "") == "RL003":
            raise Broken(str(getattr(finding, "message", "")))


def places(read: object, texts: Mapping[str, str]) -> None:
    """Go through all that was read: each place lies inside of its file, and what is verbatim stands there."""
    seen: set[int] = set()
    waiting = [read]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Span):
            _inside(one, texts)
            continue
        if one is None or isinstance(one, str | int | float | bool | Enum) or id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Traced):
            _traced(one, texts)
        elif isinstance(one, tuple | list | set | frozenset):
            waiting += one
        elif isinstance(one, dict):
            waiting += one.values()
        elif dataclasses.is_dataclass(one):
            waiting += [getattr(one, name.name) for name in dataclasses.fields(one)]


def _inside(span: Span, texts: Mapping[str, str]) -> None:
    if not 0 <= span.start <= span.end <= len(texts.get(span.path, "")):
        raise Broken(f"a place outside of its text: {span}")


def _traced(traced: Traced, texts: Mapping[str, str]) -> None:
    if "".join(piece.text for piece in traced.pieces) != traced.text:
        raise Broken("a text is not that of its pieces")
    for piece in traced.pieces:
        if piece.span is None:
            continue
        _inside(piece.span, texts)
        if piece.verbatim and texts[piece.span.path][piece.span.start : piece.span.end] != piece.text:
            raise Broken(f"{piece.text!r} does not stand at {piece.span}")


def stays_valid(kind: str, before: str, after: str) -> None:
    """Raises `Broken` where a text is no longer of its language though it was.

    Judged by what rlhflint does not read with: Python itself, PyYAML, json and `bash -n`.
    """
    if before != after and _valid(kind, before) and not _valid(kind, after):
        raise Broken(f"no valid {kind} any more: {after!r}"[:2_000])


def _valid(kind: str, text: str) -> bool:
    try:
        if kind == "python":
            ast.parse(text)
        elif kind == "notebook":
            json.loads(text)
        elif kind == "yaml":
            import yaml

            list(yaml.parse(text))
        elif kind == "shell" and (bash := shutil.which("bash")) is not None:
            done = subprocess.run(
                [bash, "-n"], input=text.encode("utf-8", "surrogatepass"), capture_output=True, check=False
            )
            # A here-document that the end of the file ends is a warning to bash, and so it is to us.
            return done.returncode == 0
    except (SyntaxError, ValueError, RecursionError):
        return False
    except Exception as error:
        if type(error).__module__.startswith("yaml."):
            return False
        raise
    return True
