"""The public interface: names, signatures and shapes stay as docs/api.md says, and it finds what the command finds."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rlhflint import api
from rlhflint.cli import rlhflint as command_line
from tests.runner import runner

WRONG = "python3 -m openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d --sft.no_such_flag 1\n"
DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "api.md"

SIGNATURES = {
    "check_text": "(text: 'str', filename: 'str' = 'train.sh', options: 'Options | None' = None) -> 'Report'",
    "check_paths": "(paths: 'Iterable[str | os.PathLike[str]]', options: 'Options | None' = None) -> 'Report'",
}
SHAPES = {
    "Options": {
        "select": "Sequence[str] | None",
        "ignore": "Sequence[str]",
        "extend_select": "Sequence[str]",
        "framework_versions": "Mapping[str, str]",
        "programs": "Mapping[str, str]",
        "exclude": "Sequence[str]",
        "cluster": "str | None",
        "python": "str | None",
        "markdown": "bool | None",
        "experimental": "Sequence[str]",
        "config": "str | None",
        "isolated": "bool",
    },
    "Report": {
        "findings": "tuple[Finding, ...]",
        "launches": "tuple[Launch, ...]",
        "summary": "Mapping[str, int]",
        "broken": "bool",
    },
    "Finding": {
        "code": "str",
        "name": "str",
        "severity": "str",
        "stage": "str",
        "message": "str",
        "help": "str",
        "location": "Location",
        "program": "str",
        "settings": "tuple[str, ...]",
        "related": "tuple[Related, ...]",
        "versions": "Mapping[str, str]",
        "fix": "Fix | None",
        "url": "str",
    },
    "Location": {
        "path": "str",
        "line": "int",
        "column": "int",
        "end_line": "int",
        "end_column": "int",
        "cell": "int | None",
    },
    "Related": {"location": "Location", "message": "str"},
    "Fix": {"title": "str", "applicability": "str", "edits": "tuple[Edit, ...]"},
    "Edit": {"path": "str", "start": "int", "end": "int", "text": "str"},
    "Launch": {
        "path": "str",
        "line": "int",
        "program": "str",
        "versions": "Mapping[str, str]",
        "undecided": "tuple[Undecided, ...]",
    },
    "Undecided": {"code": "str", "because": "str"},
}


def test_names_are_the_documented_ones() -> None:
    assert set(api.__all__) == {*SIGNATURES, *SHAPES, "ConfigError"}
    documented = set(re.findall(r"^#+ `(\w+)", DOCUMENT.read_text("utf-8"), re.MULTILINE))
    assert documented == set(api.__all__)


@pytest.mark.parametrize(("name", "signature"), SIGNATURES.items())
def test_a_function_keeps_its_signature(name: str, signature: str) -> None:
    assert str(inspect.signature(getattr(api, name))) == signature


@pytest.mark.parametrize(("name", "shape"), SHAPES.items())
def test_a_result_keeps_its_shape(name: str, shape: dict[str, str]) -> None:
    kind = getattr(api, name)
    assert {field.name: field.type for field in dataclasses.fields(kind)} == shape
    section = DOCUMENT.read_text("utf-8").partition(f"\n### `{name}`")[2].partition("\n### ")[0]
    assert [field for field in shape if f"`{field}`" not in section] == []


def test_results_do_not_change() -> None:
    (launch,) = api.check_text(WRONG).launches
    with pytest.raises(dataclasses.FrozenInstanceError):
        launch.line = 2  # type: ignore[misc]


def test_the_examples_of_the_document_say_what_they_print(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines() == re.findall(r"^# → (.*)$", block, re.MULTILINE)


def test_a_text_gives_what_the_command_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.sh").write_text(WRONG)
    told = json.loads(runner().invoke(command_line, ["check", "--output-format", "json", "."]).stdout)
    for report in (api.check_paths([tmp_path / "train.sh"]), api.check_text(WRONG)):
        assert report.summary == told["summary"]
        assert [(one.code, one.message, one.location.line) for one in report.findings] == [
            (one["code"], one["message"], one["line"]) for one in told["findings"]
        ]
        assert report.findings
        (launch,) = report.launches
        assert (launch.path, launch.line, launch.program) == ("train.sh", 1, "openrlhf:train_sft")


def test_options_mean_what_they_do_on_the_command_line() -> None:
    old = api.Options(framework_versions={"openrlhf": "0.9.3"}, isolated=True)
    assert api.check_text(WRONG, options=old).launches[0].versions["openrlhf"] == "0.9.3"
    assert api.check_text(WRONG, options=api.Options(ignore=["ALL"])).findings == ()
    only = api.check_text(WRONG, options=api.Options(select=["OR1"]))
    assert {finding.code[:3] for finding in only.findings} == {"OR1"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (api.Options(select=["OR9999"]), "no rule"),
        (api.Options(ignore=["or203"]), "no rule"),
        (api.Options(framework_versions={"opnrlhf": "1"}), "did you mean"),
        (api.Options(framework_versions={"openrlhf": "new"}), "new"),
        (api.Options(programs={"": "trl:sft"}), "GLOB=PROGRAM"),
        (api.Options(cluster="many"), "many"),
    ],
)
def test_an_option_that_means_nothing_is_refused(options: api.Options, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        api.check_text(WRONG, options=options)


def test_a_configuration_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "rlhflint.toml").write_text('fail-on = "sometimes"\n')
    with pytest.raises(api.ConfigError, match="fail-on"):
        api.check_text(WRONG, str(tmp_path / "train.sh"))


def test_a_path_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    report = api.check_paths([tmp_path / "missing.sh"])
    assert report.broken
    assert [finding.code for finding in report.findings] == ["RL001"]


def test_a_later_call_sees_what_has_changed_since(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    recipe, script = tmp_path / "sft.yaml", tmp_path / "run.sh"
    recipe.write_text("model_name_or_path: m\ndataset_name: d\nno_such_key: 1\n")
    script.write_text("echo nothing\n")
    assert api.check_paths([recipe]).launches == ()
    script.write_text("trl sft --config sft.yaml\n")
    assert [one.program for one in api.check_paths([recipe]).launches] == ["trl:sft"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_that_goes_by_the_name_of_a_script_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sft.yaml").write_text("model_name_or_path: m\ndataset_name: d\n")
    os.mkfifo(tmp_path / "run.sh")
    program = "from rlhflint.api import check_paths; print(len(check_paths(['sft.yaml']).launches))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "0\n", done.stderr


def test_importing_it_loads_no_reader_rule_or_library() -> None:
    program = "import sys, rlhflint.api; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "rlhflint.api" in loaded
    heavy = ("pydantic", "libcst", "ruamel.yaml", "tree_sitter", "packaging", "click", "rlhflint.rule")
    assert [name for name in loaded if name in heavy or name.startswith("rlhflint.readers")] == []
