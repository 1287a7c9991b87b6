"""Numbers as the shell counts with them: signed, of 64 bits."""

from __future__ import annotations

import re

from rlhflint.text import HOLE

TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9A-Fa-f]+|\d+#[\w@]+|\d+)|([A-Za-z_]\w*)"
    r"|(\*\*|<<=|>>=|<<|>>|&&|\|\||[-+*/%&|^<>=!]=|\+\+|--|[-+*/%&|^<>=!~?:,()\[\]])|(" + HOLE + r")|(\S))",
    re.ASCII | re.DOTALL,
)
"""A number, a name, an operator, an unknown part, or anything else."""
ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<=", ">=", "<", ">"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""The operators between two numbers, those that bind least first."""


class NotKnown(Exception):
    """The value of an expression is not known; the message says why."""


def literal(text: str, failure: NotKnown) -> int:
    """The value of a number as it is written, with its base. Raises `failure` where it is none."""
    base, sharp, digits = text.partition("#")
    try:
        if sharp:
            if not 2 <= int(base) <= 36:
                raise failure
            return wrapped(int(digits, int(base)))
        if len(text) > 20:
            raise failure
        if text[:2].lower() == "0x":
            return wrapped(int(text, 16))
        return wrapped(int(text, 8) if text.startswith("0") else int(text))
    except ValueError:
        raise failure from None


def operate(operator: str, left: int, right: int) -> int:
    """What an operator makes of two numbers. Raises `NotKnown` for a division by zero."""
    match operator:
        case "+":
            return wrapped(left + right)
        case "-":
            return wrapped(left - right)
        case "*":
            return wrapped(left * right)
        case "/" | "%":
            if right == 0:
                raise NotKnown("a division by zero")
            quotient = abs(left) // abs(right) * (1 if (left < 0) is (right < 0) else -1)
            return quotient if operator == "/" else left - quotient * right
        case "<<" | ">>":
            if not 0 <= right < 64:
                raise NotKnown("a shift by more than the width of a number")
            return wrapped(left << right) if operator == "<<" else left >> right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
    return int(
        {
            "==": left == right,
            "!=": left != right,
            "<": left < right,
            ">": left > right,
            "<=": left <= right,
            ">=": left >= right,
        }[operator]
    )


def wrapped(value: int) -> int:
    """A number as 64 bits hold it, with its sign."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)
