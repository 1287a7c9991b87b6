"""The overlays over TRL and transformers speak of nothing that the data does not have."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.catalog import store
from tests.sample import ALL_RELEASES
from tools.schemas import trl_overlay
from tools.schemas.overlay import compile_changes
from tools.schemas.wheel_texts import texts
from tools.update_schemas import SCHEMAS


def test_every_entry_is_borne_out_and_every_field_that_ended_has_one():
    assert trl_overlay.problems() == []


@pytest.mark.parametrize("package", ["trl", "transformers"])
def test_the_compiled_form_is_that_of_the_written_one(package):
    written = compile_changes(SCHEMAS / package / "changes.toml")
    assert (SCHEMAS / package / "changes.json").read_text("utf-8") == written


@pytest.mark.parametrize(
    ("section", "row", "says"),
    [
        ("renamed", {"from": "max_seq_lenght", "to": "max_length", "kind": "same"}, "never had max_seq_lenght"),
        ("renamed", {"from": "max_seq_length", "to": "max_length", "kind": "gap"}, "both names"),
        ("removed", {"fields": ["packing"], "advice": "nothing"}, "still has packing"),
        ("removed", {"fields": ["dataset_batch_size"]}, "neither"),
        ("deprecated", {"field": "pad_token", "since": "0.16.0", "instead": "x"}, "no pad_token at 0.16.0"),
        ("accepted", {"field": "loss_type", "values": {"dft": "0.23.0.."}, "stage": "startup"}, "is not among"),
        ("default", {"field": "packing", "release": "0.20.0"}, "did not change"),
        ("default", {"field": "packing_strategy", "release": "0.20.0", "when": {"pack": True}}, "has no pack"),
        ("behaviour", {"field": "packings", "release": "1.0.0", "before": "", "after": ""}, "has no packings"),
        (
            "renamed",
            {"from": "max_seq_length", "to": "max_length", "kind": "same", "deprecated": "0.16.7"},
            "no release",
        ),
    ],
)
def test_a_wrong_entry_is_found(section, row, says, monkeypatch):
    whole = {**row, "class": ["SFTConfig"], "source": "x"}
    content = {**{key: value for key, value in store.changes().items() if key != section}, section: [whole]}
    monkeypatch.setattr(store, "changes", lambda package="trl": content if package == "trl" else {})
    assert any(says in problem for problem in trl_overlay.problems())


@pytest.mark.skipif(not ALL_RELEASES, reason="reads many packages")
@pytest.mark.parametrize("package", ["trl", "transformers"])
def test_every_source_is_a_file_of_the_release_it_names(package, released_wheel):
    missing = []
    for rows in store.changes(package).values():
        for row in rows if isinstance(rows, list) else ():
            for source in row["source"].split(", "):
                path, _, release = source.partition("@")
                if release and path not in texts(released_wheel(package, release), path):
                    missing.append(source)
    assert missing == []
