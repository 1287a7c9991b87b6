"""Numbers as bash counts with them: bash itself is asked."""

from __future__ import annotations

import shutil
import subprocess
from itertools import product

import pytest

from rlhflint.readers.shell.expansion.integers import LEVELS, NotKnown, literal, operate, wrapped

BASH = shutil.which("bash")
NUMBERS = (0, 1, -1, 2, -2, 3, -3, 7, -7, 63, 2**31, 2**62, 2**63 - 1, -(2**63) + 1)
OPERATORS = [operator for level in LEVELS for operator in level if operator not in ("&&", "||")]


def counted(operator, left, right):
    try:
        return operate(operator, left, right)
    except NotKnown:
        return None


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_makes_of_two_numbers_what_bash_makes_of_them(operator):
    pairs = [(left, right) for left, right in product(NUMBERS, NUMBERS) if counted(operator, left, right) is not None]
    assert len(pairs) > 20
    done = subprocess.run(
        [str(BASH), "-c", "".join(f"echo $(({left} {operator} {right}))\n" for left, right in pairs)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert [operate(operator, *pair) for pair in pairs] == [int(line) for line in done.stdout.split()]


@pytest.mark.parametrize(("operator", "right"), [("/", 0), ("%", 0), ("<<", -1), ("<<", 64), (">>", -1), (">>", 64)])
def test_what_has_no_certain_value_is_not_known(operator, right):
    with pytest.raises(NotKnown):
        operate(operator, 5, right)


@pytest.mark.parametrize(
    ("operator", "right", "value"), [("<<", 0, 5), ("<<", 63, -(2**63)), (">>", 0, 5), (">>", 63, 0)]
)
def test_shifts_by_the_least_and_the_most(operator, right, value):
    assert operate(operator, 5, right) == value


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    "text",
    ["0", "7", "017", "0x1f", "0X1F", "2#101", "36#z", "36#Z", "9223372036854775807", "9223372036854775808"],
)
def test_a_number_is_worth_what_bash_says(text):
    done = subprocess.run([str(BASH), "-c", f"echo $(({text}))"], capture_output=True, text=True, check=True)
    assert literal(text, NotKnown("no number")) == int(done.stdout)


@pytest.mark.parametrize("text", ["08", "1#0", "2#2", "37#1", "0x", "1" * 21])
def test_what_is_no_number_or_in_doubt_is_not_known(text):
    with pytest.raises(NotKnown):
        literal(text, NotKnown("no number"))


def test_twenty_digits_are_the_most():
    assert literal("1" * 20, NotKnown("no number")) == wrapped(int("1" * 20))
