"""Suppressions in files as users write them, from the text to what is reported."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rlhflint.check import Checker
from rlhflint.project.settings import Settings, parse_programs, parse_versions

SETTINGS = Settings(framework_versions=parse_versions(("openrlhf=0.8.11",)), isolated=True)
MARK = "# rlhflint: ignore[OR101] a flag of our fork"
GIVEN = [
    "--max_len 2048",
    "--dataset data/pairs.jsonl",
    "--input_key question",
    "--train_batch_size 256",
    "--micro_train_batch_size 2",
    "--pretrain meta-llama/Meta-Llama-3-8B",
    "--save_path out/sft",
]
START = "deepspeed --module openrlhf.cli.train_sft"
LINES = "\n  ".join(GIVEN)
ONE_LINE = " ".join([START, *GIVEN])
COMMAND = " \\\n  ".join([START, *GIVEN, "--no_such_flag 1", "--bf16"])


def check(text: str, name: str = "train.sh") -> tuple[list[str], int]:
    """The codes that are reported, and how many findings are let through."""
    result = Checker(SETTINGS).check_text(text, name)
    assert result.launches, "no launch was read"
    return [finding.code for finding in result.findings], result.suppressed


def test_unknown_flag_is_found_without_a_suppression():
    assert check(COMMAND) == (["OR101"], 0)


@pytest.mark.parametrize(
    "text",
    [
        f"{MARK}\n{COMMAND}\n",
        f"{ONE_LINE} --no_such_flag 1  {MARK}\n",
        f"cd x\n\n{MARK}\n# more words\n\n{COMMAND} 2>&1 | tee log\necho done\n",
        f"# rlhflint: ignore-file[OR1] x\n{COMMAND}\n",
        f'ARGS=(\n  {LINES}\n  --no_such_flag 1  {MARK}\n)\n{START} "${{ARGS[@]}}"\n',
        f'ARGS=(\n  {LINES}\n  {MARK}\n  --no_such_flag 1\n)\n{START} "${{ARGS[@]}}"\n',
        f'{MARK}\nARGS=(\n  {LINES}\n  --no_such_flag 1\n)\n{START} "${{ARGS[@]}}"\n',
        f'{MARK}\nARGS="\n  {LINES}\n  --no_such_flag 1"\n{START} $ARGS\n',
        f"{MARK}\n{START} $(cat <<EOF\n{LINES}\n--no_such_flag 1\nEOF\n)\n",
        f"EXTRA='--no_such_flag 1'  {MARK}\n{ONE_LINE} $EXTRA\n",
        f"if true; then\n  {MARK}\n  {COMMAND}\nfi\n",
        f"{MARK}\nfor n in 1 2; do\n  {COMMAND}\ndone\n",
        f"bash -c '\n{MARK}\n{COMMAND}\n'\n",
    ],
)
def test_unknown_flag_is_let_through(text):
    codes, suppressed = check(text)
    assert not {"OR101", "RL004", "RL005"} & set(codes)
    assert suppressed >= 1


def test_flag_in_a_variable_is_not_let_through_by_a_comment_above_the_command():
    codes, suppressed = check(f"EXTRA='--no_such_flag 1'\n{MARK}\n{ONE_LINE} $EXTRA\n")
    assert (codes, suppressed) == (["OR101", "RL004"], 0)


def test_comment_between_the_lines_of_a_command_is_told_to_be_misplaced():
    broken = COMMAND.replace("  --no_such_flag", f"  {MARK}\n  --no_such_flag")
    codes, suppressed = check(broken)
    assert "RL005" in codes
    assert suppressed == 0


def test_secret_that_is_let_through_stays_hidden():
    from rlhflint.reports.formats import render
    from rlhflint.result import Result

    key = "a" * 4 + "0123456789abcdef" * 2 + "9f3c"
    text = f"{ONE_LINE} --use_wandb {key} --no_such_flag 1  # rlhflint: ignore[LA111] x\n"
    result = Checker(SETTINGS).check_text(text, "train.sh")
    assert "OR101" in [finding.code for finding in result.findings]
    assert key not in render("text", Result((result,)))


TRL = Settings(framework_versions=parse_versions(("trl=0.19.0", "transformers=4.53.0")), isolated=True)
MISSPELT = "learning_rat=1e-6"


def config(line: str, above: str = "") -> str:
    """A module with a misspelt parameter."""
    return f"from trl import GRPOConfig\n\n{above}args = GRPOConfig(\n    output_dir='out',\n    {line}\n)\n"


def check_trl(text: str, name: str) -> tuple[list[str], int]:
    """The codes that are reported for TRL, and how many findings are let through."""
    result = Checker(TRL).check_text(text, name)
    return [finding.code for finding in result.findings], result.suppressed


@pytest.fixture(scope="module")
def code() -> str:
    """The rule that the misspelt parameter breaks."""
    (code,) = check_trl(config(f"{MISSPELT},"), "a.py")[0]
    return code


def test_parameter_in_python_is_let_through_from_behind_and_above(code):
    mark = f"# rlhflint: ignore[{code}] of our fork"
    for text in (
        config(f"{MISSPELT},  {mark}"),
        config(f"{mark}\n    {MISSPELT},"),
        config(f"{MISSPELT},", above=f"{mark}\n"),
    ):
        assert check_trl(text, "a.py") == ([], 1)


@pytest.mark.parametrize("indent", [1, None])
def test_parameter_in_a_notebook_is_let_through(code, indent):
    cell = config(f"{MISSPELT},  # rlhflint: ignore[{code}] of our fork")
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True)}]
    text = json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=indent)
    assert check_trl(text, "a.ipynb") == ([], 1)


RECIPE = "model_name_or_path: m\ndataset_name: d\noutput_dir: out\n"
IN_YAML = "learning_rat: 1e-6"


def check_recipe(text: str) -> tuple[list[str], int]:
    """The codes that are reported for a configuration file, and how many findings are let through."""
    settings = replace(TRL, programs=parse_programs(("*.yaml=trl:grpo",)))
    result = Checker(settings).check_text(text, "grpo.yaml")
    return [finding.code for finding in result.findings], result.suppressed


def test_key_in_yaml_is_let_through_from_behind_above_and_for_the_file():
    ((found,), _) = check_recipe(f"{RECIPE}{IN_YAML}\n")
    mark = f"# rlhflint: ignore[{found}] of our fork"
    for text in (
        f"{RECIPE}{IN_YAML}  {mark}\n",
        f"{RECIPE}{mark}\n{IN_YAML}\n",
        f"{mark.replace('ignore', 'ignore-file', 1)}\n{RECIPE}{IN_YAML}\n",
    ):
        assert check_recipe(text) == ([], 1)


@pytest.mark.parametrize("name", ["ci.yml", "Makefile", "Dockerfile"])
def test_command_in_another_file_is_let_through(name):
    plain = f"{ONE_LINE} --no_such_flag 1"
    text = {
        "ci.yml": f"jobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n          {MARK}\n          {plain}\n",
        "Makefile": f"train:\n\t{plain}  {MARK}\n",
        "Dockerfile": f"FROM x\n{MARK}\nRUN {plain}\n",
    }[name]
    assert check(text, name) == ([], 1)
    assert check(text.replace(MARK, "# a comment"), name)[0] == ["OR101"]


@pytest.mark.parametrize("code", ["OR203", "TR101", "OR20", "TR3", "or203"])
def test_a_rule_about_other_programs_is_as_unused_as_any(code):
    codes, suppressed = check(f"# rlhflint: ignore[{code}] was Ray once\n{ONE_LINE}\n")
    assert (codes, suppressed) == (["RL005" if code.islower() else "RL004"], 0)


@pytest.mark.parametrize("code", ["OR203", "TR101"])
@pytest.mark.parametrize("more", [{"ignore": ("OR203", "TR1")}, {"select": ("RL",)}])
def test_a_rule_about_other_programs_that_would_not_run_is_not_called_unused(code, more):
    result = Checker(replace(SETTINGS, **more)).check_text(f"# rlhflint: ignore[{code}] x\n{ONE_LINE}\n", "train.sh")
    assert result.findings == ()


def test_a_rule_of_an_experimental_framework_is_called_unused_only_where_that_is_asked_for():
    text = f"# rlhflint: ignore[VL101] x\n{ONE_LINE}\n"
    assert check(text) == ([], 0)
    result = Checker(replace(SETTINGS, experimental=("verl",))).check_text(text, "train.sh")
    assert [finding.code for finding in result.findings] == ["RL004"]


def test_rules_about_scripts_are_not_called_unused_for_their_programs():
    assert check(f"# rlhflint: ignore[RL003, RL008] x\n{ONE_LINE}\n") == ([], 0)


def test_what_a_yaml_file_lets_through_may_be_for_commands_of_other_programs():
    text = "# rlhflint: ignore[TR302] with GRPO\nmodel_name_or_path: m\ndataset_name: d\n"
    settings = Settings(programs=parse_programs(("a.yaml=trl:sft",)), isolated=True)
    result = Checker(settings).check_text(text, "a.yaml")
    assert result.launches
    assert "RL004" not in [finding.code for finding in result.findings]
