"""The catalog of verl is what its released wheels give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rlhflint.frameworks.verl.catalog import verl
from tools.schemas.verl import build, configurations, kinds

SCHEMAS = Path(__file__).resolve().parents[3] / "schemas" / "verl"


@pytest.mark.parametrize("release", ["0.4.1", "0.9.1"])
def test_a_release_read_by_itself(released_wheel, release):
    found = configurations(released_wheel("verl", release))
    assert {"dp", "megatron"} <= found.keys()
    for engine, content in found.items():
        assert dict(kinds(content)) == verl().kinds(release, engine)
    groups = json.loads(build([released_wheel("verl", release)])["verl/main_ppo.json"])["groups"]
    assert groups.keys() == verl().groups(release)


def test_kinds_of_defaults():
    content = {"a": {"b": 1, "c": 1.0, "d": True, "e": "x", "f": [1], "g": None, "h": "${a.b}", "i": {}}}
    assert dict(kinds(content)) == {
        "a": "group",
        "a.b": "int",
        "a.c": "float",
        "a.d": "bool",
        "a.e": "str",
        "a.f": "list",
        "a.g": "any",
        "a.h": "any",
        "a.i": "group",
    }


def test_every_release_of_the_list_has_the_plain_configuration():
    assert len(verl().releases) > 10
    assert all(verl().kinds(release, "dp") for release in verl().releases)
    assert verl().kinds("0.9.1", "no-such-engine") == {}
    assert json.loads((SCHEMAS / "releases.json").read_text())["releases"].keys() == set(verl().releases)
