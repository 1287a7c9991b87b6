"""Attributes of classes of the file: where Python looks for them, and classes that give them in a way of their own."""

from __future__ import annotations

from collections.abc import Sequence

from rlhflint.readers.python.containers import present
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import Abstract, Defined, Imported, Instance, Ref

DEEPEST = 64
"""A class that is derived from more classes of the file than these, one from another, is not followed beyond."""
_OWN_WAY = ("__new__", "__setattr__", "__getattribute__")
"""Methods with which an attribute that is read may be another than was set."""
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"})


def class_attribute(run: Run, defined: Defined, name: str) -> Abstract | None:
    """An attribute of a class or of the classes that it is derived from; None where it is not known."""
    for one in order(defined):
        if isinstance(one, Imported) and one.path in _PLAIN_BASES:
            continue
        if not isinstance(one, Defined):
            return None
        state = run.state(Ref(one.place))
        if isinstance(state, Instance) and (slot := state.attributes.get(name)) is not None:
            given = present(run, slot)
            return None if given is ABSENT else given
    return None


def own_method(run: Run, defined: Defined, *names: str) -> bool:
    """Whether a class, or one that it is derived from, may have one of the methods."""
    for one in order(defined):
        if isinstance(one, Imported) and one.path in _PLAIN_BASES:
            continue
        state = run.state(Ref(one.place)) if isinstance(one, Defined) else None
        if not isinstance(state, Instance) or any(name in state.attributes for name in names):
            return True
    return False


def own_way(run: Run, defined: Defined) -> bool:
    """Whether the attributes of a class, or of its objects, may be others than the file says."""
    if defined.unusual:
        return True
    for number, one in enumerate(order(defined)):
        if _of_enum(one):
            return True
        if isinstance(one, Defined):
            state = run.state(Ref(one.place))
            names = state.attributes if isinstance(state, Instance) else {}
            if one.unusual or any(name in names for name in _OWN_WAY) or (number and "__init_subclass__" in names):
                return True
    return False


def makes_its_own(run: Run, defined: Defined) -> bool:
    """Whether calling a class gives an object of it, as far as the file says."""
    return not any(
        one.unusual or class_attribute(run, one, "__new__") is not None if isinstance(one, Defined) else _of_enum(one)
        for one in order(defined)
    )


def _of_enum(base: Abstract) -> bool:
    return isinstance(base, Imported) and base.path.startswith("enum.")


def order(defined: Defined) -> list[Abstract]:
    """A class and what it is derived from, in the order in which Python looks for an attribute."""
    return _order(defined, {}, 0)


def _order(defined: Defined, known: dict[int, list[Abstract]], depth: int) -> list[Abstract]:
    if defined.place not in known:
        known[defined.place] = [defined]
        above = [
            _order(base, known, depth + 1) if isinstance(base, Defined) and depth < DEEPEST else [base]
            for base in defined.bases
        ]
        known[defined.place] += _merged([*above, defined.bases]) if len(above) > 1 else above[0] if above else []
    return known[defined.place]


def _merged(orders: Sequence[Sequence[Abstract]]) -> list[Abstract]:
    """The orders of several bases as one: what is in several comes where the last of them has it."""
    left = [list(one) for one in orders]
    found: list[Abstract] = []
    while (left := [one for one in left if one]) and len(found) < DEEPEST:
        heads = [one[0] for one in left]
        head = next((one for one in heads if not any(one in later[1:] for later in left)), heads[0])
        found.append(head)
        left = [[one for one in rest if one != head] for rest in left]
    return found
