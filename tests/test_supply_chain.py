"""What the project itself stands on: locked releases, pinned actions, workflows with no more rights than they need."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from packaging.version import Version

from tools import supply

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = [*WORKFLOWS, ROOT / "action.yml"]


def test_there_are_workflows() -> None:
    assert {file.name for file in WORKFLOWS} == {"ci.yml", "long.yml", "release.yml"}


@pytest.mark.parametrize("file", ACTIONS, ids=lambda file: file.name)
def test_every_action_is_pinned_by_the_hash_of_a_commit(file: Path) -> None:
    used = re.findall(r"^ *(?:- )?uses: (.*)$", file.read_text("utf-8"), re.MULTILINE)
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w-]+/[\w/.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)] == []


def test_one_action_has_one_hash() -> None:
    hashes: dict[str, set[str]] = {}
    for file in ACTIONS:
        for name, commit in re.findall(r"uses: ([\w/.-]+)@([0-9a-f]{40})", file.read_text("utf-8")):
            hashes.setdefault(name, set()).add(commit)
    assert {name for name, commits in hashes.items() if len(commits) > 1} == set()


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_starts_without_rights_and_each_job_ends(file: Path) -> None:
    workflow = yaml.safe_load(file.read_text("utf-8"))
    assert workflow["permissions"] == {}
    assert "pull_request_target" not in workflow[True]
    for job in workflow["jobs"].values():
        assert set(job["permissions"]) <= {"contents", "id-token", "attestations"}
        assert job["permissions"].get("contents", "read") == "read"
        assert job["timeout-minutes"] <= 90


def test_ci_runs_what_has_to_hold() -> None:
    steps = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"]["test"]["steps"]
    assert "bash .ci/run" in [step.get("run") for step in steps]


def test_a_release_is_published_by_trust_and_attested() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    publish = jobs["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "pypi"
    (step,) = [one for one in publish["steps"] if "pypi-publish" in one["uses"]]
    assert step["with"]["attestations"] is True
    assert "password" not in step["with"]
    assert any("attest-build-provenance" in one.get("uses", "") for one in jobs["build"]["steps"])
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text("utf-8")


@pytest.mark.parametrize(
    "words", [("zizmor", "--offline", "--no-progress", "-q"), ("actionlint",)], ids=lambda words: words[0]
)
def test_workflows_pass_a_linter(words: tuple[str, ...], tool: Callable[[str], Path]) -> None:
    name, *options = words
    files = WORKFLOWS if name == "actionlint" else ACTIONS
    done = subprocess.run(
        [tool(name), *options, *map(str, files)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lock_files_hold_what_is_asked_for() -> None:
    assert supply.stale() == []


@pytest.mark.parametrize("file", supply.EXTRAS, ids=lambda file: file.name)
def test_a_lock_file_names_no_place_to_load_from(file: Path) -> None:
    text = file.read_text("utf-8")
    assert len(supply.pins(text)) > 5
    assert "://" not in text
    assert re.findall(r"^ *-(?!-hash)", text, re.MULTILINE) == []


def test_a_pin_that_is_missing_too_old_or_without_hash_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert supply.pins("# by a tool\na-b==1.0 ; python_version < '3.12' \\\n    --hash=sha256:00\n") == {
        "a-b": [Version("1.0")]
    }
    with pytest.raises(ValueError, match="a==1"):
        supply.pins("a==1\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["a>=2", "b"]\n')
    (tmp_path / "lock.txt").write_text("a==1 \\\n    --hash=sha256:00\n")
    monkeypatch.setattr(supply, "ROOT", tmp_path)
    monkeypatch.setattr(supply, "EXTRAS", {tmp_path / "lock.txt": ()})
    assert [line.partition(":")[0] for line in supply.stale()] == ["lock.txt has no a>=2", "lock.txt has no b"]


def test_the_bill_of_materials_names_what_an_installation_needs(
    tmp_path: Path, tool: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tool('cyclonedx-py').parent}{os.pathsep}{os.environ['PATH']}")
    output = tmp_path / "sbom.cdx.json"
    assert supply.sbom(output) == 0
    bill = json.loads(output.read_text("utf-8"))
    assert bill["metadata"]["component"]["name"] == "rlhflint"
    assert {one["name"] for one in bill["components"]} == set(supply.pins(supply.RUNTIME.read_text("utf-8")))
