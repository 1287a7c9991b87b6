"""`rlhflint check`: exit status, inputs, and where the report goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rlhflint.reports.formats import FORMATS
from tests.cli.conftest import PPO, QUIET_TEXT, Run

REFUSED = PPO.replace("--vllm.num_engines", "--vllm_num_engines")
CLEAN = """\
deepspeed --module openrlhf.cli.train_sft \\
   --model.model_name_or_path acme/seven \\
   --data.dataset acme/chat \\
   --ckpt.output_dir out
"""
ONLY = ("--select", "OR203,OR601,OR101")


@pytest.fixture
def warned(project: Path) -> str:
    """A launch with a warning (OR203) under the selection `ONLY`."""
    (project / "train.sh").write_text(PPO)
    return "train.sh"


def test_nothing_found_is_0(run: Run, project: Path) -> None:
    (project / "sft.sh").write_text(CLEAN)
    result = run("check", "sft.sh", *ONLY)
    assert result.exit_code == 0
    assert "Nothing found in 1 launch (1 file)" in result.output


def test_a_warning_is_1(run: Run, warned: str) -> None:
    result = run("check", warned, *ONLY)
    assert result.exit_code == 1
    assert "warning[OR203]" in result.output


@pytest.mark.parametrize(
    ("fail_on", "text", "status"),
    [
        ("error", PPO, 0),
        ("warning", PPO, 1),
        ("advice", PPO, 1),
        ("never", PPO, 0),
        ("error", REFUSED, 1),
        ("never", REFUSED, 0),
    ],
)
def test_what_makes_it_1_can_be_said(run: Run, project: Path, fail_on: str, text: str, status: int) -> None:
    (project / "train.sh").write_text(text)
    assert run("check", *ONLY, "--fail-on", fail_on).exit_code == status
    (project / "rlhflint.toml").write_text(f'fail-on = "{fail_on}"\n')
    assert run("check", *ONLY).exit_code == status


def test_the_option_stands_above_the_file(run: Run, project: Path, warned: str) -> None:
    (project / "rlhflint.toml").write_text('fail-on = "never"\n')
    assert run("check", *ONLY, "--fail-on", "warning").exit_code == 1
    assert run("check", *ONLY, "--isolated").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.sh",), "RL001"),
        (("--no-such-option",), "No such option"),
        (("--fail-on", "sometimes"), "is not one of"),
        (("--output-format", "xml"), "xml"),
        (("--framework-version", "openrlhf"), "is not NAME=VERSION"),
        (("--framework-version", "openrfhl=1"), "did you mean 'openrlhf'"),
        (("--program", "x"), "is not GLOB=PROGRAM"),
        (("--cluster", "many"), "is not MACHINESxGPUS"),
        (("--config", "nowhere.toml"), "does not exist"),
        (("-", "train.sh"), "cannot be checked together"),
        (("--prune-baseline",), "needs --baseline FILE"),
        (("--output-file", "no/such/folder/report"), "No such file"),
    ],
)
def test_wrong_usage_and_what_cannot_be_read_is_2(
    run: Run, warned: str, arguments: tuple[str, ...], message: str
) -> None:
    result = run("check", *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_file_that_cannot_be_read_does_not_hide_the_others(run: Run, project: Path, warned: str) -> None:
    (project / "broken.sh").write_bytes(PPO.encode() + b"\xff\xfe\n")
    result = run("check", *ONLY, "--extend-select", "RL001", "--fail-on", "never")
    assert result.exit_code == 2
    assert "OR203" in result.output
    assert "broken.sh" in result.output


def test_standard_input_is_a_file_with_a_name(run: Run) -> None:
    result = run("check", "-", *ONLY, "--output-format", "json", stdin=PPO)
    assert result.exit_code == 1
    (finding,) = json.loads(result.output)["findings"]
    assert (finding["path"], finding["line"]) == ("stdin.sh", 4)
    named = run("check", "-", *ONLY, "--output-format", "json", "--stdin-filename", "jobs/a.sh", stdin=PPO)
    assert json.loads(named.output)["findings"][0]["path"] == "jobs/a.sh"


def test_standard_input_in_another_language(run: Run) -> None:
    text = 'from trl import SFTConfig\n\nSFTConfig(output_dir="out", max_seq_lenght=3)\n'
    result = run("check", "-", "--stdin-filename", "sft.py", "--select", "TR101", stdin=text)
    assert result.exit_code == 1
    assert "sft.py:3" in result.output


def test_without_a_path_the_folder_is_checked(run: Run, project: Path, warned: str) -> None:
    (project / "deep" / "er").mkdir(parents=True)
    (project / "deep" / "er" / "train.sh").write_text(PPO)
    found = json.loads(run("check", *ONLY, "--output-format", "json").output)["findings"]
    assert [finding["path"] for finding in found] == ["deep/er/train.sh", "train.sh"]
    left = json.loads(run("check", *ONLY, "--output-format", "json", "--exclude", "deep").output)["findings"]
    assert [finding["path"] for finding in left] == ["train.sh"]


def test_the_report_goes_to_a_file(run: Run, project: Path, warned: str) -> None:
    result = run("check", *ONLY, "--output-format", "json", "--output-file", "report.json")
    assert result.exit_code == 1
    assert result.output == ""
    assert json.loads((project / "report.json").read_text())["summary"]["warning"] == 1


def test_several_reports_at_once(run: Run, project: Path, warned: str) -> None:
    result = run("check", *ONLY, "--output-format", "concise", "--output-format", "sarif:out.sarif")
    assert "OR203" in result.output
    assert json.loads((project / "out.sarif").read_text())["version"] == "2.1.0"


def test_quiet_says_the_findings_alone(run: Run, project: Path, warned: str) -> None:
    loud, quiet = (run("check", *ONLY, "--output-format", "concise", *more).output for more in ((), ("-q",)))
    assert loud.startswith(quiet)
    assert loud.removeprefix(quiet).startswith("1 warning in 1 launch (1 file)")
    (project / "train.sh").write_text(QUIET_TEXT)
    assert run("check", "-q").output == ""


def test_verbose_says_what_was_not_decided(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(PPO)
    plain, verbose = (run("check", "--select", "OR401", *more).stdout for more in ((), ("-v",)))
    assert "undecided OR401" not in plain
    assert "train.sh:2: undecided OR401: cluster: nothing says what machines there are" in verbose
    assert verbose.endswith(plain)


def test_rules_are_counted_where_that_is_asked_for(run: Run, warned: str) -> None:
    assert "     1  OR203  async-with-colocate-all" in run("check", *ONLY, "--statistics").output


def test_colours_are_for_terminals(run: Run, warned: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in run("check", *ONLY).output
    assert "\x1b[" in run("check", *ONLY, "--color", "always").output
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("check", *ONLY, "--color", "auto").output


def test_help_names_every_format(run: Run) -> None:
    text = " ".join(run("check", "--help").output.split())
    assert f"{', '.join(FORMATS)}; repeatable" in text


def test_github_is_chosen_by_itself_where_it_runs(run: Run, warned: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert run("check", *ONLY).output.startswith("::warning ")


@pytest.mark.parametrize(
    ("path", "reason", "remedy"),
    [
        ("absent.sh", "there is no such file", "check how the path is written, and from which folder"),
        ("file.sh/absent.sh", "there is no such file", "check how the path is written, and from which folder"),
        ("", "its path is empty", "check how the path is written, and from which folder"),
        ("/dev/null", "it is not a regular file", "name a file, or a folder to search; - is standard input"),
        ("bytes.sh", "byte 0xff is not UTF-8 text", "save it as UTF-8 text, or exclude it"),
        ("large.sh", "it is larger than 20 MiB", "exclude it"),
    ],
)
def test_the_help_for_a_path_that_cannot_be_read_is_about_its_cause(
    run: Run, project: Path, path: str, reason: str, remedy: str
) -> None:
    (project / "file.sh").write_text(PPO)
    (project / "bytes.sh").write_bytes(PPO.encode() + b"# \xff\n")
    with (project / "large.sh").open("wb") as large:
        large.truncate(20 * 1024 * 1024 + 1)
    result = run("check", "--output-format", "json", path)
    assert result.exit_code == 2
    (finding,) = json.loads(result.stdout)["findings"]
    assert finding["message"] == f"this file cannot be read: {reason}"
    assert finding["help"] == f"nothing in it was checked; {remedy}"


@pytest.mark.parametrize("text", ["learning_rate: 1\t# c\n", "- a\n", "a: [b\n"])
def test_a_file_of_a_program_by_the_configuration_is_told_whatever_is_in_it(run: Run, project: Path, text: str) -> None:
    (project / "a.yaml").write_text(text)
    assert run("check", "a.yaml").exit_code == 0
    assert "error[TR119]" in run("check", "a.yaml", "--program", "a.yaml=trl:sft").output
    (project / "rlhflint.toml").write_text('[programs]\n"*.yaml" = "trl:sft"\n')
    assert "error[TR119]" in run("check", "a.yaml").output


def test_a_file_of_an_experimental_program_is_left_alone_without_that(run: Run, project: Path) -> None:
    (project / "a.yaml").write_text("- a\n")
    assert run("check", "a.yaml", "--program", "a.yaml=verl:main_ppo").exit_code == 0
