"""Releases in their order, and runs of them."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.catalog.intervals import Interval, Place, Releases, Standing
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from tools.schemas.histories import fold, sort_releases, to_json

ORDER = Releases(["0.3.6.post3", "0.3.7", "0.4.0.post2", "0.4.0.post3", "0.5.9", "0.5.10"])


@pytest.mark.parametrize(
    ("version", "release", "standing"),
    [
        ("0.5.9", "0.5.9", Standing.LISTED),
        ("0.5.9.0", "0.5.9", Standing.LISTED),
        ("v0.5.10", "0.5.10", Standing.LISTED),
        ("0.5.9+cu121", "0.5.9", Standing.LISTED),
        ("0.4.0", "0.4.0.post2", Standing.POST),
        ("0.3.6", "0.3.6.post3", Standing.POST),
        ("0.3.6.post1", "0.3.6.post3", Standing.OLDER),
        ("0.4.0.post4", "0.4.0.post3", Standing.BETWEEN),
        ("0.4.0rc1", "0.3.7", Standing.BETWEEN),
        ("0.4.7", "0.4.0.post3", Standing.BETWEEN),
        ("0.5.10.dev3", "0.5.9", Standing.BETWEEN),
        ("0.2.9", "0.3.6.post3", Standing.OLDER),
        ("0.5.11", "0.5.10", Standing.NEWER),
        ("1.0", "0.5.10", Standing.NEWER),
    ],
)
def test_every_version_has_a_release_that_stands_for_it(version, release, standing):
    assert ORDER.place(version) == Place(release, standing)


def test_tags_that_never_reached_the_index_are_known_by_their_posts():
    releases = openrlhf().releases
    assert releases.place("0.3.6") == Place("0.3.6.post1", Standing.POST)
    assert releases.place("0.4.0") == Place("0.4.0.post2", Standing.POST)


@pytest.mark.parametrize("text", ["", "main", "latest", "0.5.x", "==0.5"])
def test_what_is_no_version_is_refused(text):
    with pytest.raises(ValueError, match="not a version"):
        ORDER.place(text)


def test_releases_are_in_version_order():
    assert sort_releases(ORDER[::-1]) == list(ORDER)
    assert sort_releases(openrlhf().releases) == list(openrlhf().releases)
    assert (ORDER.oldest, ORDER.newest) == ("0.3.6.post3", "0.5.10")
    assert (ORDER.before("0.5.9"), ORDER.after("0.5.9")) == ("0.4.0.post3", "0.5.10")
    assert (ORDER.before("0.3.6.post3"), ORDER.after("0.5.10")) == (None, None)


def test_states_are_told_apart_as_json_tells_them():
    history = {"0.3.7": {"default": 1}, "0.4.0.post2": {"default": 1.0}, "0.4.0.post3": {"default": True}}
    assert [interval.since for interval in fold(history, ORDER)] == ["0.3.7", "0.4.0.post2", "0.4.0.post3"]


@given(st.dictionaries(st.sampled_from(list(ORDER)), st.fixed_dictionaries({"default": st.integers(0, 2)})))
def test_folding_loses_nothing(history):
    intervals = fold(history, ORDER)
    for release in ORDER:
        found = ORDER.at(intervals, release)
        assert (dict(found.state) if found else None) == history.get(release)
    assert ORDER.within(intervals) == tuple(release for release in ORDER if release in history)
    assert [Interval.from_row(json.loads(json.dumps(one.to_row()))) for one in intervals] == list(intervals)
    assert all(ORDER.after(a.until or "0.5.10") != b.since or a.state != b.state for a, b in pairwise(intervals))
    assert all(interval.until is None or interval.until != ORDER.newest for interval in intervals)


def test_json_has_one_entry_a_line():
    text = to_json({"a": {"x": [1, {"y": 2}], "ü": {}}, "b": []}, 2)
    assert text == '{\n "a": {\n  "x": [1, {"y": 2}],\n  "\\u00fc": {}\n },\n "b": []\n}\n'
    assert json.loads(text) == {"a": {"x": [1, {"y": 2}], "ü": {}}, "b": []}


def test_asking_the_catalog_for_a_listed_release_is_cheap():
    code = (
        "import sys; from rlhflint.frameworks.openrlhf.catalog import openrlhf;"
        "p = openrlhf().program('train_ppo_ray');"
        "p.options('0.9.0'); p.defaults('0.9.0'); p.successors('--bf16', '0.11.2'); openrlhf().releases.place('0.9.0');"
        "print([m for m in ('pydantic', 'packaging', 'tomllib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
