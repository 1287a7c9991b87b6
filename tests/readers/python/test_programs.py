"""Programs that make a configuration in roundabout ways: what was read of them for sure is what happens."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import pytest

from readers.python.reading import read
from readers.python.running import explains, later_agrees, run
from rlhflint.call import Argument, Module
from rlhflint.value import Known

FOLDER = Path(__file__).parent / "programs"
HEAD = "from trl import SFTConfig, SFTTrainer\nfrom outside import coin, keep, fail, some, quiet\n"


def _programs() -> Iterator[tuple[str, str]]:
    """Name and text of each program; a line `# --- name` begins one."""
    for path in sorted(FOLDER.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").split("# --- ")[1:]:
            name, _, text = block.partition("\n")
            yield f"{path.stem}: {name}", HEAD + text


PROGRAMS = dict(_programs())


def _flips() -> Iterator[Callable[[], bool]]:
    yield lambda: True
    yield lambda: False
    for seed in range(6):
        falls = random.Random(seed)
        yield lambda falls=falls: falls.random() < 0.5  # type: ignore[misc]


def _known(argument: Argument) -> bool:
    if argument.items:
        return argument.complete and all(map(_known, argument.items))
    return argument.made is not None or isinstance(argument.value, Known)


def _all_known(module: Module) -> bool:
    return not any(call.more or not all(map(_known, call.arguments)) for call in module.calls)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_read_for_sure_is_what_happens(name: str) -> None:
    text = PROGRAMS[name]
    module = read(text)
    assert not module.problems
    happened = [one for flip in _flips() for one in run(text, flip)]
    assert happened
    for line, given, made in happened:
        ways = [one for one in module.calls if explains(one, line, given, text)]
        assert any(later_agrees(one.assigned, made.later, one.assigned_more) for one in ways), (line, given)
    for _, calls in groupby(module.calls, key=lambda call: call.span):
        call, *others = calls
        # A function that is not called is read as if it were; of several ways one may be barred by another's end.
        if not (others or call.scope or call.choices or call.guards):
            assert any(explains(call, line, given, text) for line, given, _ in happened), call.span


def test_most_programs_are_read_to_the_last_value() -> None:
    assert len(PROGRAMS) > 400
    assert sum(_all_known(read(text)) for text in PROGRAMS.values()) >= ALL_KNOWN


ALL_KNOWN = 253
"""So many of the programs hold no value that is unknown."""
