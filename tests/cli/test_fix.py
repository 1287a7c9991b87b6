"""`rlhflint fix` on a command and the file that it uses."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_what_a_command_and_its_file_have_in_common_is_told_once(run: Run, project: Path) -> None:
    (project / "requirements.txt").write_text("trl==1.16.0\ntransformers==5.24.0\n")
    (project / "run.sh").write_text("trl dpo --config dpo.yaml\n")
    (project / "dpo.yaml").write_text("model_name_or_path: m\ndataset_name: d\nmax_prompt_length: 512\n")
    told = run("fix", "--diff", "--output-format", "concise").output
    assert told.count("dpo.yaml:3:1: error[TR102]") == 1
