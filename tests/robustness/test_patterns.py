"""No regular expression of rlhflint takes the square of a text's length, whatever the text repeats."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import re
from collections.abc import Iterator

import pytest

import rlhflint
from rlhflint.expressions import expression
from tools.fuzz.worker import Hang, limits

LENGTH = 6_000
SECONDS = 0.25
"""Processor time for one text. One that costs its length takes 0.001 s, one that costs the square 0.3 s and more."""
STARTS = ("", "a", "\n", "x: ", "#")
"""What stands in front; `RLHFLINT_LARGE` tries more."""
if os.environ.get("RLHFLINT_LARGE"):
    STARTS += ("a=", "'", '"', "run:", "import ", "pip install ", "${{", "[", "<<", "# rlhflint: ", "pip a")
UNITS = (
    *"a0 \t\n\r-#=\\:,.*&|<>!?%@~/_$'\"`()[]{};+é",
    *(
        "a ",
        "- ",
        "a=",
        "a:",
        "a.",
        "a,",
        "a-",
        "a/",
        "\n#",
        "\r\n",
        "\\\n",
        "a: \n",
        ", ",
        '" ',
        "${{",
        "{{",
        "a='",
        '\\"',
    ),
    *("==", "a[", "#a", "--a", "import ", "from a", "a()", "1.", '="', "a b=c ", "&&", "$(", "[](", "<!--"),
)
_METHODS = "search|finditer|findall|sub|subn|split|match|fullmatch"


def _patterns() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes], frozenset[str]]]:
    """Every pattern that a module of rlhflint names, and the methods by which that module uses it."""
    for found in pkgutil.walk_packages(rlhflint.__path__, "rlhflint."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        source = inspect.getsource(module)
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern | expression) and re.search(rf"^{name}\b", source, re.MULTILINE):
                used = frozenset(re.findall(rf"\b{name}\.({_METHODS})\b", source))
                pattern = value if isinstance(value, re.Pattern) else re.compile(*value._arguments)
                yield f"{found.name}.{name}", pattern, used or frozenset({"match"})


PATTERNS = list(_patterns())


def test_there_are_patterns() -> None:
    assert len(PATTERNS) > 250


def _use(pattern: re.Pattern[str] | re.Pattern[bytes], method: str, text: str) -> None:
    given: str | bytes = text.encode() if isinstance(pattern.pattern, bytes) else text
    if method in ("sub", "subn"):
        getattr(pattern, method)(given[:0], given)
    elif method == "finditer":
        for _ in pattern.finditer(given):  # type: ignore[arg-type]
            pass
    else:
        getattr(pattern, method)(given)


@pytest.mark.parametrize(("name", "pattern", "methods"), PATTERNS, ids=[name for name, *_ in PATTERNS])
def test_costs_its_text_and_not_the_square(name: str, pattern: re.Pattern[str], methods: frozenset[str]) -> None:
    for unit in UNITS:
        for start in STARTS:
            for method in sorted(methods):
                text = start + unit * (LENGTH // len(unit))
                try:
                    with limits(SECONDS):
                        _use(pattern, method, text)
                except Hang:
                    pytest.fail(f"{name}.{method} on {start!r} and many {unit!r}")


def test_one_that_does_is_seen() -> None:
    with pytest.raises(Hang), limits(SECONDS):
        _use(re.compile(r"a*b"), "search", "a" * 100_000)
