"""The GitHub Action: checked by the checkers of such files, its steps run as a runner would."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml

from tests.docs.blocks import blocks
from tests.hooks.conftest import ROOT, run
from tests.hooks.test_hooks import BAD, CLEAN, PINNED

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
_INPUT = re.compile(r"\$\{\{ inputs\.(\w+) \}\}")


def test_zizmor_finds_nothing(tool, tmp_path):
    told = run(tool("zizmor"), "--offline", "--persona", "pedantic", ROOT / "action.yml", cwd=tmp_path)
    assert "No findings to report" in told


def test_steps_pass_actionlint(tool, tmp_path):
    inputs = {
        name: {"type": "string", "description": given["description"], "default": given["default"]}
        for name, given in ACTION["inputs"].items()
    }
    job = {"runs-on": "ubuntu-latest", "steps": STEPS}
    workflow = {"on": {"workflow_call": {"inputs": inputs}}, "jobs": {"steps": job}}
    (tmp_path / "workflow.yml").write_text(yaml.safe_dump(workflow, sort_keys=False), "utf-8")
    run(tool("actionlint"), "workflow.yml", cwd=tmp_path)


@pytest.mark.parametrize("step", [step for step in STEPS if "run" in step], ids=lambda step: step["name"])
def test_scripts_pass_shellcheck_and_hold_no_expression(step, tool, tmp_path):
    assert "${{" not in step["run"]
    (tmp_path / "step.sh").write_text(f"#!/bin/bash\n{step['run']}", "utf-8")
    run(tool("shellcheck"), "step.sh", cwd=tmp_path)


def test_actions_of_others_are_pinned_to_a_commit():
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one)] == []


@pytest.fixture(scope="module")
def runner_temp(project, tmp_path_factory) -> Path:
    """The folder of a runner after the step that installs, which is run on this project as it is."""
    folder = tmp_path_factory.mktemp("runner")
    step(STEPS[0], folder, folder, {}, {"GITHUB_ACTION_PATH": str(project)})
    return folder


def step(step: dict, cwd: Path, temp: Path, inputs: dict[str, str], env: dict[str, str] | None = None) -> str:
    """Run the script of a step as a runner does; what it prints, with its exit status on the last line."""
    values = {name: given["default"] for name, given in ACTION["inputs"].items()} | inputs
    given = {name: _INPUT.sub(lambda found: values[found[1]], text) for name, text in step["env"].items()}
    script = cwd / ".step.sh"
    script.write_text(step["run"], "utf-8")
    base = {"RUNNER_TEMP": str(temp), "GITHUB_OUTPUT": str(cwd / ".output"), "GITHUB_ACTIONS": "true"}
    command = f"bash --noprofile --norc -e -o pipefail {script}; echo $?"
    return run("bash", "-c", command, cwd=cwd, env=base | (env or {}) | given)


def check(folder: Path, temp: Path, **inputs: str) -> tuple[int, str]:
    """Exit status and output of the step that checks."""
    told = step(STEPS[1], folder, temp, inputs)
    return int(told.splitlines()[-1]), told


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A repository with one launch that is right and one that is not."""
    (tmp_path / "requirements.txt").write_text(PINNED, "utf-8")
    (tmp_path / "my runs").mkdir()
    (tmp_path / "my runs" / "good.sh").write_text(CLEAN, "utf-8")
    (tmp_path / "bad.sh").write_text(BAD, "utf-8")
    return tmp_path


def test_bad_launch_is_annotated_and_fails_the_step(user, runner_temp):
    status, told = check(user, runner_temp)
    assert status == 1
    assert re.search(r"^::error title=\w+ [\w-]+,file=bad\.sh,line=\d+", told, re.MULTILINE)


def test_paths_stand_on_lines_of_their_own(user, runner_temp):
    status, told = check(user, runner_temp, paths="my runs\nmy runs/good.sh\n")
    assert status == 0
    assert "1 launch" in told


def test_arguments_are_handed_on(user, runner_temp):
    status, told = check(user, runner_temp, args="--fail-on never\n  --output-format concise")
    assert status == 0
    assert re.search(r"^bad\.sh:\d+:\d+: error", told, re.MULTILINE)


def test_report_is_written_beside_the_annotations(user, runner_temp):
    status, told = check(user, runner_temp, sarif="out.sarif")
    assert status == 1
    assert "::error " in told
    assert '"version": "2.1.0"' in (user / "out.sarif").read_text("utf-8")
    assert (user / ".output").read_text("utf-8") == "sarif=written\n"


def test_report_that_was_not_written_is_not_uploaded(user, runner_temp):
    status, _ = check(user, runner_temp, args="--no-such-option", sarif="out.sarif")
    assert status == 2
    assert not (user / ".output").exists()


@pytest.mark.parametrize(
    "inputs",
    [
        {"paths": "$(touch pwned)\n`touch pwned`\n; touch pwned"},
        {"args": "$(touch pwned) ; touch pwned"},
        {"args": "*.sh"},
        {"sarif": "$(touch pwned).sarif"},
        {"paths": "--output-file=pwned"},
    ],
)
def test_nothing_in_an_input_is_run_or_expanded(inputs, user, runner_temp):
    check(user, runner_temp, **inputs)
    assert not (user / "pwned").exists()


def test_release_is_asked_for_by_its_number(user, tmp_path_factory):
    """With `pip` replaced by one that writes down what it is asked for."""
    temp = tmp_path_factory.mktemp("runner")
    fakes = tmp_path_factory.mktemp("bin")
    (fakes / "python3").write_text(
        '#!/bin/bash\nmkdir -p "$3/bin"\nprintf \'#!/bin/bash\\nprintf "%%s\\\\n" "$@"\\n\' > "$3/bin/python"\n'
        'chmod +x "$3/bin/python"\n',
        "utf-8",
    )
    (fakes / "python3").chmod(0o755)
    env = {"PATH": os.pathsep.join([str(fakes), os.environ["PATH"]]), "GITHUB_ACTION_PATH": "/the/action"}
    assert step(STEPS[0], user, temp, {"version": "0.1.0; x"}, env).splitlines()[-2:] == ["rlhflint==0.1.0; x", "0"]
    assert step(STEPS[0], user, temp, {}, env).splitlines()[-2:] == ["/the/action", "0"]


WORKFLOWS = [block for block in blocks(ROOT / "docs" / "ci.md") if "runs-on:" in block.text]


@pytest.mark.parametrize("block", WORKFLOWS, ids=str)
def test_workflow_in_the_documentation_passes_actionlint(block, tool, tmp_path):
    (tmp_path / "workflow.yml").write_text(block.text, "utf-8")
    run(tool("actionlint"), "workflow.yml", cwd=tmp_path)
