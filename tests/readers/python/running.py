"""Running a program for real, with stand-ins for what is watched, and holding what was read against what happened."""

from __future__ import annotations

import builtins
import contextlib
import io
import sys
import types
import warnings
from collections.abc import Callable

from rlhflint.call import Argument, Call, Origin
from rlhflint.value import Known


class Stand:
    """Stands for a watched class; notes where it was called, with what, and what was set on it afterwards."""

    seen: list[tuple[int, dict[str, object], Stand]]
    module: str

    def __init__(self, **given: object) -> None:
        frame = sys._getframe(1)
        self.__dict__["given"] = {name: copied(value) for name, value in given.items()}
        self.__dict__["later"] = {}
        type(self).seen.append((frame.f_lineno, self.__dict__["given"], self))

    def __setattr__(self, name: str, value: object) -> None:
        self.later[name] = value


def copied(value: object) -> object:
    """The value as it is now."""
    if isinstance(value, dict):
        return {name: copied(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(copied(inner) for inner in value)
    if isinstance(value, Stand):
        return Snapshot(value, {name: copied(inner) for name, inner in value.later.items()})
    return value


class Snapshot:
    def __init__(self, of: Stand, later: dict[str, object]) -> None:
        self.of, self.later = of, later


class Quiet:
    """A manager that keeps what is raised to itself."""

    def __enter__(self) -> Quiet:
        return self

    def __exit__(self, *_: object) -> bool:
        return True


def run(text: str, flip: Callable[[], bool]) -> list[tuple[int, dict[str, object], Stand]]:
    """The calls that happen when a program runs: line, arguments, the object. `coin(…)` falls as `flip` says."""
    seen: list[tuple[int, dict[str, object], Stand]] = []
    config = type("SFTConfig", (Stand,), {"seen": seen})
    trainer = type("SFTTrainer", (Stand,), {"seen": seen})
    budget = [60]

    def coin(_: int) -> bool:
        budget[0] -= 1
        return flip() if budget[0] > 0 else False

    def fail() -> None:
        raise ValueError

    outside = types.SimpleNamespace(
        coin=coin,
        keep=lambda value: value,
        fail=fail,
        some=lambda: [coin(0), coin(1)],
        quiet=Quiet,
        Outside=type("Outside", (), {}),
    )
    brought = {"trl": types.SimpleNamespace(SFTConfig=config, SFTTrainer=trainer), "outside": outside}

    def bring(name: str, *more: object, **by_name: object) -> object:
        return brought[name] if name in brought else __import__(name, *more, **by_name)  # type: ignore[arg-type]

    scope = {"__builtins__": {**vars(builtins), "__import__": bring}, "__name__": "__main__"}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        # A program that fails has made some calls before; what it raises is no matter here.
        with contextlib.suppress(Exception, SystemExit):
            exec(compile(text, "program", "exec"), scope)
    return seen


def agrees(argument: Argument, actual: object) -> bool:
    """Whether what was read of an argument allows what really was given."""
    if argument.made is not None:
        return isinstance(actual, Snapshot) and later_agrees(argument.made.assigned, actual.later, argument.made.more)
    if argument.items:
        parts = list(actual.values()) if isinstance(actual, dict) else actual
        return isinstance(parts, list | tuple) and (
            not argument.complete or (len(parts) == len(argument.items) and all(map(agrees, argument.items, parts)))
        )
    if isinstance(argument.value, Known):
        value = argument.value.value
        return type(value) is type(actual) and repr(value) == repr(actual)
    return True


def later_agrees(assigned: tuple[Argument, ...], later: dict[str, object], more: str) -> bool:
    # A list that was handed to a function that is not seen may have changed: it is unknown from then on.
    sure = [one for one in assigned if one.origin is Origin.ATTRIBUTE or isinstance(one.value, Known)]
    read_names = {argument.name for argument in sure}
    return (read_names == set(later) or (bool(more) and read_names <= set(later))) and all(
        agrees(argument, later[argument.name]) for argument in sure
    )


def explains(call: Call, line: int, actual: dict[str, object], text: str) -> bool:
    """Whether one way of a call that was read allows a call that really happened."""
    if text.count("\n", 0, call.span.start) + 1 != line:
        return False
    names = [argument.name for argument in call.arguments]
    if not (set(names) == set(actual) or (call.more and set(names) <= set(actual))):
        return False
    return all(agrees(argument, actual[argument.name]) for argument in call.arguments)
