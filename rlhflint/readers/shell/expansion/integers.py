"""Numbers as the shell counts with them: signed, of 64 bits."""

from __future__ import annotations

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
    """The value of a number as it is written: decimal, `0x1f`, `017`, `2#101` (GNU bash manual, Shell Arithmetic).

    Raises `failure` for what is no number, for more than 20 characters without a base, and for bases beyond 36, whose
    digits tell capitals apart.
    """
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
    """What an operator of `LEVELS` makes of two numbers; a comparison gives 1 or 0, a quotient is cut towards zero.

    `&&` and `||` are not for it, as they do not always need both sides. Raises `NotKnown` for a division by zero and
    for a shift by less than 0 or more than 63 bits.
    """
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
    """A number as 64 bits hold it in two's complement: 2**63 comes out as -2**63."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)
