"""Launches that stay as they were while others of their files are moved."""

from __future__ import annotations

import pytest

from rlhflint.finding import Edit
from rlhflint.fixing.holding import Held, Hold
from rlhflint.fixing.plan import Planned
from rlhflint.judged import Judged
from rlhflint.launch import Launch, Setting
from rlhflint.proposal import Add, Change, Remove, Rewrite
from rlhflint.result import FileResult
from rlhflint.text import Span
from rlhflint.value import Known


def setting(start: int, path: str = "run.sh") -> Setting:
    return Setting("--bf16", Known(True), Span(path, start, start + 6))


def launch(start: int, *settings: int, path: str = "run.sh") -> Launch:
    """A launch with settings at some places."""
    return Launch("openrlhf:train_sft", path, Span(path, start, start + 3), tuple(map(setting, settings)))


def result(*launches: Launch) -> FileResult:
    """A file with launches, of which each has one way to it."""
    return FileResult("run.sh", launches=tuple(Judged(one) for one in launches))


def planned(*changes: Change, wishers: tuple[Launch, ...] = (), path: str = "run.sh") -> Planned:
    """A fix of changes that some launches ask for."""
    return Planned("Do it", (Edit(Span(path, 90, 91), ""),), changes, frozenset(map(id, wishers)))


ONE, TWO, THREE = launch(0, 5, 20), launch(40, 50, 20), launch(60, 70)
REWRITE = Rewrite(Span("run.sh", 90, 91), "")


def held(*keys: tuple[int, int]) -> Held:
    """What is held of the file with the three launches."""
    found = Held()
    found.others([result(ONE, TWO, THREE)], [])
    found.add(Hold(dict.fromkeys(keys, "of a reason")))
    return found


def test_a_launch_that_stays_is_not_asked_for_changes() -> None:
    assert held((0, 1)).others([result(ONE, TWO, THREE)], []) == [ONE, THREE]
    assert held().others([result(ONE, TWO, THREE)], []) == [ONE, TWO, THREE]


def test_all_stay_where_it_cannot_be_told_which_one_is_which() -> None:
    with pytest.raises(Hold) as hold:
        held((0, 1)).others([result(ONE, THREE)], [])
    assert set(hold.value.launches) == {(0, 0), (0, 2)}
    assert held().others([result(ONE, THREE)], []) == [ONE, THREE]
    assert held((0, 0), (0, 1), (0, 2)).others([result(ONE, THREE)], []) == []


def test_what_is_wished_or_stands_in_a_launch_concerns_it() -> None:
    found = held()
    of_one, of_two = planned(Remove(ONE.settings[0])), planned(Remove(TWO.settings[0]))
    of_three, of_both = planned(REWRITE, wishers=(THREE,)), planned(Remove(TWO.settings[1]))
    assert found.together([of_one, of_three, of_two]) == [(of_one,), (of_three,), (of_two,)]
    assert found.together([of_one, of_three, of_two, of_both]) == [(of_one, of_two, of_both), (of_three,)]


def test_what_is_added_concerns_the_launch_of_what_it_stands_behind() -> None:
    behind, other = planned(Add("--x", 1, THREE.settings[0])), planned(REWRITE, wishers=(THREE,))
    assert held().together([behind, other]) == [(behind, other)]


def test_what_no_launch_in_particular_is_for_concerns_all_of_its_file() -> None:
    found = held()
    everywhere, elsewhere = planned(REWRITE), planned(REWRITE, path="other.sh")
    some = [planned(Remove(ONE.settings[0])), planned(Remove(THREE.settings[0])), elsewhere, everywhere]
    assert found.together(some) == [(some[0], some[1], everywhere), (elsewhere,)]


def test_a_launch_as_it_is_judged_elsewhere_is_the_same() -> None:
    found, judged = Held(), launch(60)
    found.others([result(ONE, THREE)], [result(judged)])
    mine, its = planned(REWRITE, wishers=(judged,)), planned(Remove(THREE.settings[0]))
    assert found.together([mine, planned(Remove(ONE.settings[0])), its])[0] == (mine, its)


def test_changes_of_launches_that_stay_are_left_out_and_hold_others() -> None:
    found = held((0, 2))
    found.others([result(ONE, TWO, THREE)], [])
    mine, its = planned(Remove(ONE.settings[0])), planned(Remove(THREE.settings[0]))
    assert found.without([its, mine]) == [mine]
    with pytest.raises(Hold) as hold:
        found.without([mine, planned(Remove(ONE.settings[0]), wishers=(THREE,))])
    assert hold.value.launches == {(0, 0): "a launch that shares its text stays as it is"}


def test_launches_whose_changes_are_refused_are_held_for_the_reason() -> None:
    found = held()
    with pytest.raises(Hold) as hold:
        found.hold([([planned(Remove(TWO.settings[1]))], "it is so"), ([planned(REWRITE, wishers=(TWO,))], "no")])
    assert hold.value.launches == {(0, 0): "it is so", (0, 1): "it is so"}
    found.hold([([planned(REWRITE, path="other.sh")], "no launch is there")])
    found.hold([])


def test_each_launch_that_stays_is_told_once() -> None:
    ways = Judged(TWO, ways=2, every=(TWO, launch(40)))
    found = held((0, 1))
    (told,) = found.told([FileResult("run.sh", launches=(Judged(ONE), ways, Judged(THREE)))])
    assert told.span == TWO.span
    assert told.message == "nothing of this launch of train_sft is changed: of a reason"
