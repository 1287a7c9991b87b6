"""Data classes of the standard library, defined in a third of the time.

A run of the linter defines some two hundred of them, nearly all frozen, and for a short run that is a fourth of what it
takes: the standard library writes and compiles a method for each of `__init__`, `__repr__`, `__eq__`, `__hash__`,
`__setattr__` and `__delattr__`. Here only `__init__` is its own; the others are functions that work for any class. To
the type checker `dataclass` is the standard library's, so that an assignment to a field of a frozen class is an error
there; when it runs, nothing watches for one. All else is the same: fields, equality, hash, order, text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses
    from operator import attrgetter

    def dataclass(
        kind: type | None = None,
        /,
        *,
        frozen: bool = False,
        eq: bool = True,
        repr: bool = True,  # noqa: A002
        order: bool = False,
        **options: bool,
    ) -> Any:
        """See `dataclasses.dataclass`."""

        def made(kind: type) -> type:
            own = vars(kind)
            shown, compared, hashed = repr and "__repr__" not in own, eq and "__eq__" not in own, "__hash__" not in own
            if order:
                built = dataclasses.dataclass(kind, repr=False, order=True, unsafe_hash=frozen and hashed, **options)
            else:
                built = dataclasses.dataclass(kind, repr=False, eq=False, **options)
                if compared:
                    _compare(built, hashed=frozen if hashed else None)
            if shown:
                built.__repr__ = _repr
            return built

        return made if kind is None else made(kind)

    def _compare(kind: Any, *, hashed: bool | None) -> None:
        """Give a class equality by its fields, and a hash by them, or none; `hashed` None leaves its hash as it is."""
        fields = dataclasses.fields(kind)
        values = _values([one.name for one in fields if one.compare])

        def __eq__(self: Any, other: Any) -> Any:  # noqa: N807
            return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

        kind.__eq__ = __eq__
        if hashed:
            counted = _values([one.name for one in fields if (one.compare if one.hash is None else one.hash)])
            kind.__hash__ = lambda self: hash(counted(self))
        elif hashed is not None:
            kind.__hash__ = None

    def _values(names: list[str]) -> Any:
        """A function that gives the values of fields as a tuple."""
        return attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)

    def _repr(self: Any) -> str:
        shown = (f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"


__all__ = ["dataclass"]
