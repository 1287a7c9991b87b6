"""The committed data is what the released packages give."""

from __future__ import annotations

import json

import pytest

from rlhflint.catalog.files import read_json
from rlhflint.catalog.intervals import Interval, Releases
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from tests.sample import ALL_RELEASES, sampled
from tools.schemas import openrlhf as extraction
from tools.schemas.openrlhf import build
from tools.update_schemas import SCHEMAS

SAMPLE = ("0.4.6", "0.6.0", "0.8.9", "0.10.1.post2", "0.11.2")


@pytest.mark.parametrize("release", sampled(SAMPLE, openrlhf().releases))
def test_a_package_read_by_itself_has_the_states_of_the_committed_data(released_wheel, release, monkeypatch):
    monkeypatch.setattr(extraction, "load", dict)
    files, _ = build([released_wheel("openrlhf", release)])
    order = Releases(openrlhf().releases)
    assert {name.removeprefix("openrlhf/").removesuffix(".json") for name in files} == {
        *("releases", *openrlhf().programs_at(release)),
    }
    for name in openrlhf().programs_at(release):
        alone = json.loads(files[f"openrlhf/{name}.json"])["options"]
        committed = {
            flag: interval.state
            for flag, rows in read_json("openrlhf", f"{name}.json")["options"].items()
            if (interval := order.at(map(Interval.from_row, rows), release)) is not None
        }
        assert {flag: Interval.from_row(rows[0]).state for flag, rows in alone.items()} == committed


@pytest.mark.skipif(not ALL_RELEASES, reason="reads every package")
def test_all_packages_together_give_the_committed_files_to_the_letter(released_wheel):
    files, problems = build([released_wheel("openrlhf", release) for release in openrlhf().releases])
    assert problems == []
    for name, text in files.items():
        assert (SCHEMAS / name).read_text("utf-8") == text, name
