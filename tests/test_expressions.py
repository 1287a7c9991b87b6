"""Regular expressions that wait for their first use do what those of the standard library do."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.expressions import expression

PATTERN = r"(?P<word>[a-c]+)\s*|\d"


@given(st.text("ABCabc 12"), st.integers(0, 9))
def test_each_method_gives_what_the_compiled_expression_gives(text: str, start: int) -> None:
    ours, theirs = expression(PATTERN, re.IGNORECASE), re.compile(PATTERN, re.IGNORECASE)
    for method in ("match", "search", "fullmatch"):
        one, other = getattr(ours, method)(text, start), getattr(theirs, method)(text, start)
        assert (one and (one.span(), one["word"])) == (other and (other.span(), other["word"]))
    assert [one.span() for one in ours.finditer(text)] == [one.span() for one in theirs.finditer(text)]
    assert ours.findall(text) == theirs.findall(text)
    assert ours.sub("-", text) == theirs.sub("-", text)
    assert ours.split(text) == theirs.split(text)
    assert (ours.pattern, ours.flags, ours.groupindex) == (theirs.pattern, theirs.flags, theirs.groupindex)


def test_bytes_are_searched_as_text_is() -> None:
    assert expression(rb"b+").search(b"abbc").span() == (1, 3)  # type: ignore[union-attr]


def test_a_name_that_no_expression_has_is_an_error() -> None:
    with pytest.raises(AttributeError):
        _ = expression("a").nothing  # type: ignore[attr-defined]


def test_an_expression_is_compiled_when_it_is_used() -> None:
    waiting = expression("(")
    with pytest.raises(re.error):
        waiting.match("")


def test_every_expression_of_the_package_compiles() -> None:
    """One that cannot be compiled would be found only where it is used."""
    program = (
        "import pkgutil, importlib, rlhflint\n"
        "from rlhflint.expressions import expression\n"
        "made = []\n"
        "first = expression.__init__\n"
        "def watched(self, *arguments):\n"
        "    first(self, *arguments)\n"
        "    made.append(self)\n"
        "expression.__init__ = watched\n"
        "for module in pkgutil.walk_packages(rlhflint.__path__, 'rlhflint.'):\n"
        "    if not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
        "assert len(made) > 200\n"
        "for one in made:\n"
        "    one.pattern\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
