"""What speaks against a changed file: read again, it has to start what it is meant to start, as it is meant to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.finding import Edit
from rlhflint.fixing.guard import launches_of, objection, unmended
from rlhflint.project.settings import Settings
from rlhflint.proposal import Remove
from rlhflint.result import FileResult
from rlhflint.text import Span

RUN = "python3 -m openrlhf.cli.train_sft"
Read = Callable[..., FileResult]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)

    def check(text: str, name: str = "run.sh") -> FileResult:
        (tmp_path / name).write_text(text)
        (file,) = Checker(Settings(framework_versions={"openrlhf": "0.11.2"})).check([name]).files
        return file

    return check


BEFORE = f"X=1\n{RUN} --ds.zero_stage 3 --data.max_len 5\npython evaluate.py --last\n"


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("X=1", "X=2", ""),
        ("--ds.zero_stage 3", "--ds.zero_stage 2", "train_sft would be given --ds.zero_stage 2"),
        ("--ds.zero_stage 3 ", "", "train_sft would be given no --ds.zero_stage"),
        ("--data.max_len 5", "--data.max_len 5 --bf16", "train_sft would be given --bf16 besides"),
        ("python3 -m", "python3 -O -m", "train_sft would be started differently"),
        (RUN, f"Y=1 {RUN}", "train_sft would be started differently"),
        (RUN, f"{RUN} --ds.zero_stage 3\n{RUN}", "more would be started than before"),
        ("evaluate.py --last", "evaluate.py --best", "`python evaluate.py --last` would get other words"),
        ("--last\n", '--last "\n', "it could not be read any more"),
        ("python evaluate.py --last\n", "", "`python evaluate.py --last` would get other words"),
        ("X=1\n", "X=1\npython prepare.py --all now\n", "`python prepare.py --all` would be run besides"),
        ("X=1\n", "X=1\necho it\n", ""),
        ("X=1\n", "X=1\nset -x\n", ""),
        ("--data.max_len 5", "--data.max_len 5 word", "train_sft would be given other words that no option takes"),
        ("--data.max_len 5", "--data.max_len 5 ''", "train_sft would be given other words that no option takes"),
    ],
)
def test_what_must_not_change(old: str, new: str, because: str, read: Read) -> None:
    assert old in BEFORE
    said = objection(read(BEFORE), read(BEFORE.replace(old, new)), [])
    assert said.startswith(because)
    assert bool(said) is bool(because)


def test_what_broke_the_file_is_named(read: Read) -> None:
    text = BEFORE.replace("--last\n", '--last "\n').replace("max_len 5", "max_length 5")
    broken = read(text)
    (found,) = (one.message for one in broken.findings if one.code == "RL002")
    assert objection(read(BEFORE), broken, []) == f"it could not be read any more ({found})"
    assert objection(broken, broken, []) == ""


def test_of_several_launches_the_one_that_changed_is_named(read: Read) -> None:
    text = f"{RUN} --bf16\n{RUN} --ds.zero_stage 3 --data.max_len 5\n"
    after = read(text.replace("max_len 5", "max_len 6"))
    assert objection(read(text), after, []) == "train_sft would be given --data.max_len 6"


def test_one_of_two_launches_that_are_alike_is_missed(read: Read) -> None:
    text = f"{RUN} --bf16\n" * 2
    after = read(text.replace(RUN, f"# {RUN}", 1))
    assert objection(read(text), after, []) == "less would be started than before"
    assert objection(read(text), after, None) == "less would be started than before"


def test_a_launch_in_python_without_settings_does_not_stand_for_another(tmp_path: Path, read: Read) -> None:
    (tmp_path / "requirements.txt").write_text("trl==1.16.0\n")
    text = "from trl import SFTConfig, SFTTrainer\nSFTTrainer()\nSFTConfig(output_dir='a', seed=1)\n"
    assert objection(read(text, "run.py"), read(text, "run.py"), []) == ""
    after = read(text.replace("seed=1", "seed=2"), "run.py")
    assert objection(read(text, "run.py"), after, []) == "sft would be given seed 2"


def test_settings_may_be_anything_where_more_than_settings_was_changed(read: Read) -> None:
    before, after = read(BEFORE), read(BEFORE.replace("zero_stage 3", "zero_stage 2"))
    assert objection(before, after, None) == ""


def test_a_finding_that_was_not_there_before(read: Read) -> None:
    before, after = read(BEFORE), read(BEFORE.replace("max_len 5", "max_len many"))
    said = objection(before, after, None)
    assert " would be found then: " in said
    assert objection(after, after, None) == ""
    assert objection(before, after, None, written=[]) == ""


def test_one_more_finding_of_a_kind_that_was_there(read: Read) -> None:
    before, after = read(f"{RUN} --no_such\n"), read(f"{RUN} --no_such --nor_this\n")
    assert objection(before, after, None).startswith("OR101 would be found then: ")
    assert objection(after, before, None) == ""


def test_what_changes_on_one_of_several_ways_only(read: Read) -> None:
    text = f"L=5\nif [ -e big ]; then\n  L=6\nfi\n{RUN} --ds.zero_stage 3 --data.max_len $L\n"
    assert objection(read(text), read(text), []) == ""
    for old, new in (("L=5", "L=7"), ("L=6", "L=7")):
        after = read(text.replace(old, new))
        assert objection(read(text), after, []) == "train_sft would be given --data.max_len 7"


def test_a_written_name_that_the_release_refuses(read: Read) -> None:
    text = BEFORE.replace("--data.max_len", "--data.max_length")
    before, after = read(BEFORE), read(text)
    at = text.index("--data.max_length")
    refused = Span("run.sh", at, at + len("--data.max_length"))
    assert objection(before, after, None, [refused]) == "train_sft would refuse --data.max_length"
    for start, end in ((0, 3), (at - 2, at), (at + len("--data.max_length"), len(text))):
        assert objection(before, after, None, [Span("run.sh", start, end)]) == ""


def test_a_fix_behind_which_its_finding_stands_as_before_is_none(read: Read) -> None:
    before = read(f"{RUN} --ds.packing_samples 'True'\n").findings
    (fixed,) = [one for one in before if one.code == "OR105"]
    place = Span("run.sh", fixed.span.start, fixed.span.end)
    emptied = read(f"{RUN} --ds.packing_samples ''\n").findings
    assert unmended(before, emptied, [fixed], {Edit(place, "")}) == "OR105 would be found there all the same"
    assert not unmended(before, read(f"{RUN} --ds.packing_samples\n").findings, [fixed], {Edit(place, "")})


def test_a_finding_that_is_left_of_two_at_one_place_does_not_speak_against_the_fix_of_the_other(read: Read) -> None:
    (one,) = [found for found in read(f"{RUN} --ds.packing_samples True\n").findings if found.code == "OR105"]
    assert not unmended([one, one], [one], [one], set())
    assert unmended([one, one], [one, one], [one], set())


WAYS = f'CMD="{RUN} --data.max_len 5"\nif [ "$X" ]; then CMD="$CMD --ds.packing_samples"; fi\neval $CMD\n'


def test_ways_that_come_to_the_same_are_not_less(read: Read) -> None:
    before, after = read(WAYS), read(WAYS.replace(" --ds.packing_samples", ""))
    assert len(after.launches) < len(before.launches)
    removed = [Remove(one) for launch in launches_of(before) for one in launch.settings if "packing" in one.name]
    assert not objection(before, after, removed)
    assert objection(before, after, []) == "train_sft would be started differently"


@pytest.mark.parametrize("again", ["eval $CMD\n", f"{RUN} --data.max_len 5\n"])
def test_one_of_two_places_that_start_the_same_is_missed(again: str, read: Read) -> None:
    text = f'CMD="{RUN} --data.max_len 5"\neval $CMD\n'
    assert objection(read(text + again), read(text), []) == "less would be started than before"
    assert not objection(read(text + again), read(text + again), [])
