"""The reviewed overlay: what it says fits the data, and what does not fit is found."""

from __future__ import annotations

import copy

import pytest

from rlhflint.catalog.files import read_json
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from tools.schemas.openrlhf_changes import Overlay, ProgramData, load


def applied(entries) -> Overlay:
    contents = {name: read_json("openrlhf", f"{name}.json") for name in openrlhf().programs}
    data = {name: ProgramData.read(content) for name, content in contents.items()}
    return Overlay(entries, openrlhf().releases, data).apply()


def changed(kind: str, number: int, **fields) -> list[str]:
    """What is found wrong when one entry is changed."""
    entries = {name: list(rows) for name, rows in load().items()}
    entries[kind][number] = copy.deepcopy(entries[kind][number]) | fields
    return applied(entries).problems


def without(kind: str, number: int) -> list[str]:
    """What is found wrong when one entry is missing."""
    entries = {name: list(rows) for name, rows in load().items()}
    del entries[kind][number]
    return applied(entries).problems


def test_the_overlay_fits_the_data_and_is_what_the_data_files_carry():
    overlay = applied(load())
    assert overlay.problems == []
    for name, part in overlay.parts.items():
        content = read_json("openrlhf", f"{name}.json")
        assert {key: content[key] for key in part} == part, name


@pytest.mark.parametrize(
    ("kind", "number", "fields", "words"),
    [
        ("renamed", 0, {"release": "0.6.3"}, "no program of it has --universal_ckpt before 0.6.3"),
        ("renamed", 1, {"release": "0.7.0.post1"}, "still has --torch_compile"),
        ("renamed", 0, {"flags": {"--universal_ckpt": "--no_such"}}, "no --no_such"),
        ("renamed", 0, {"flags": {"--no_such": "--use_ds_universal_ckpt"}}, "--no_such"),
        ("renamed", 3, {"programs": ["train_sft"]}, "train_sft"),
        ("renamed", 0, {"source": ""}, "no source"),
        ("replaced", 1, {"release": "0.8.9"}, "--flash_attn"),
        ("replaced", 0, {"case": [{"from": {}, "to": {"--kl_estimator": "k4"}}]}, "does not take 'k4'"),
        ("replaced", 0, {"case": [{"from": {"--lambd": 1}, "to": {}}]}, "none of the old flags"),
        ("removed", 0, {"flags": {"--bf16": "x"}}, "--bf16"),
        ("revalued", 0, {"values": {"mis": "tisk"}}, "does not take 'tisk'"),
        ("default", 0, {"release": "0.3.8"}, "does not change the default"),
        ("default", 0, {"flag": "--no_such"}, "--no_such"),
        ("meaning", 0, {"flag": "--no_such"}, "--no_such"),
        ("dead", 0, {"until": "0.10.2"}, "no --actor_init_on_gpu at 0.10.2"),
        ("dead", 0, {"programs": ["train_sft"]}, "train_sft has no --actor_init_on_gpu"),
        ("broken", 0, {"stage": "sometimes"}, "no such stage"),
        ("broken", 2, {"until": "0.6.2"}, "does not exist at 0.6.2"),
        ("broken", 3, {"when": {"flag": "--no_such"}}, "no --no_such"),
        ("ended", 0, {"release": "0.6.1"}, "exists until"),
        ("ended", 1, {"like": "train_kd"}, "is gone too"),
        ("invented", 0, {"fix": "perhaps"}, "no such kind of fix"),
        ("invented", 0, {"name": "--max_len"}, "does have --max_len"),
        ("invented", 1, {"instead": [{"since": "0.10.2", "flags": ["--max_norm"]}]}, "no --max_norm"),
    ],
)
def test_an_entry_that_does_not_fit_is_found(kind, number, fields, words):
    problems = changed(kind, number, **fields)
    assert any(words in problem and f"[[{kind}]]" in problem for problem in problems), problems


def test_an_entry_that_lacks_something_is_found():
    entries = {name: list(rows) for name, rows in load().items()}
    del entries["meaning"][0]["flag"]
    assert any("flag" in problem for problem in applied(entries).problems)


def test_a_kind_that_does_not_exist_is_found():
    assert any("no such kind" in problem for problem in applied({**load(), "moved": [{}]}).problems)


@pytest.mark.parametrize("kind", ["renamed", "replaced", "removed"])
def test_a_flag_that_ends_unexplained_is_found(kind):
    assert load()[kind]
    for number, entry in enumerate(load()[kind]):
        if entry.get("flags") == {"--train_split": "--dataset_split"}:
            continue  # it came back under another name; another entry says that it went
        if "--vllm_is_truncated_threshold" in entry.get("old", ()):
            continue  # another entry says when its default matters
        problems = without(kind, number)
        assert any("is gone in" in problem or "the default of" in problem for problem in problems), (kind, number)


def test_a_default_that_changes_unexplained_is_found():
    assert load()["default"]
    for number, entry in enumerate(load()["default"]):
        if entry["flag"] == "--vllm_is_truncated_threshold":
            continue  # other words took the place of the old ones; another entry says which
        assert any("the default of" in problem for problem in without("default", number)), number
