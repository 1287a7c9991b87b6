"""The committed data of TRL, transformers and accelerate is what the released packages give."""

from __future__ import annotations

import json

import pytest

from rlhflint.catalog import accelerate
from rlhflint.catalog.files import schemas
from rlhflint.catalog.intervals import Interval, Releases
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from tests.sample import ALL_RELEASES, sampled
from tools.schemas.accelerate import build as build_accelerate
from tools.schemas.transformers import build as build_transformers
from tools.schemas.trl import build as build_trl
from tools.update_schemas import SCHEMAS


def states_at(content: object, order: Releases, release: str) -> object:
    """A data file as it is at one release: each list of intervals becomes the state the release lies in, if any."""
    if isinstance(content, list) and content and isinstance(content[0], dict) and "since" in content[0]:
        found = order.at(map(Interval.from_row, content), release)
        return None if found is None else dict(found.state)
    if isinstance(content, dict):
        states = {key: states_at(value, order, release) for key, value in content.items()}
        return {key: state for key, state in states.items() if state not in (None, {}) or key == "class"}
    return content


@pytest.mark.parametrize("release", sampled(("0.8.6", "0.19.1", "0.27.2", "1.16.0"), releases()))
def test_a_release_of_trl_read_by_itself(released_wheel, release):
    alone = build_trl([released_wheel("trl", release)])
    assert len(alone) > 10
    for name, text in alone.items():
        if name in ("trl/releases.json", "trl/changes.json", "trl/homes.json"):
            continue
        committed = json.loads((SCHEMAS / name).read_text("utf-8"))
        expected = states_at(committed, releases(), release)
        read = states_at(json.loads(text), Releases([release]), release)
        if name.startswith("trl/names/"):  # what a module took from elsewhere in this release alone is left out
            expected = {
                module: {n: expected[module][n] for n in expected[module] if n in read[module]} for module in read
            }
        assert {k: v for k, v in expected.items() if v not in (None, {"class": None})} == read, name


@pytest.mark.parametrize("release", sampled(("4.40.2", "4.57.6", "5.24.0"), transformers_releases()))
def test_a_release_of_transformers_read_by_itself(released_wheel, release):
    name = "transformers/training_arguments.json"
    alone = json.loads(build_transformers([released_wheel("transformers", release)])[name])["classes"]
    committed = json.loads((SCHEMAS / name).read_text("utf-8"))["classes"]
    expected = states_at(committed, transformers_releases(), release)
    assert states_at(alone, Releases([release]), release) == expected


@pytest.mark.parametrize("release", sampled(("0.26.1", "1.15.0"), accelerate.releases()))
def test_a_release_of_accelerate_read_by_itself(released_wheel, release):
    name = "accelerate/launch.json"
    alone = json.loads(build_accelerate([released_wheel("accelerate", release)])[name])
    committed = json.loads((SCHEMAS / name).read_text("utf-8"))
    assert set(alone) == set(states_at(committed, accelerate.releases(), release)) | {
        flag for flag in alone if states_at(committed[flag], accelerate.releases(), release) == {}
    }
    assert states_at(alone, Releases([release]), release) == states_at(committed, accelerate.releases(), release)


@pytest.mark.skipif(not ALL_RELEASES, reason="reads every package")
def test_all_packages_together_give_the_committed_files_to_the_letter(released_wheel):
    for package, build, order in (
        ("trl", build_trl, releases()),
        ("transformers", build_transformers, transformers_releases()),
        ("accelerate", build_accelerate, accelerate.releases()),
    ):
        files = build([released_wheel(package, release) for release in order])
        assert files, package
        for name, text in files.items():
            assert (SCHEMAS / name).read_text("utf-8") == text, name


def test_no_data_file_is_left_over():
    assert {path.suffix for path in (schemas() / "trl").rglob("*") if path.is_file()} == {".json", ".toml"}


def test_options_of_accelerate_launch_by_release():
    assert "--num-processes" in accelerate.launch_options("1.15.0")
    assert "--num-processes" not in accelerate.launch_options("0.27.2")
    assert accelerate.launch_options("1.15.0")["--use_deepspeed"].switch
    assert accelerate.accepting("--num-processes")[0] == "0.28.0"
    assert accelerate.accepting("--use_tp") == ("1.4.0", "1.5.2", "1.6.0")
    assert accelerate.accepting("--num_procesess") == ()
