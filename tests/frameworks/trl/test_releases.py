"""Which release of TRL a launch by a command is judged by, where a range is stated or nothing."""

from __future__ import annotations

import pytest

from rlhflint.check import Checker
from rlhflint.project.settings import Settings


def releases_in_force(folder, monkeypatch, **files):
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    (folder / ".git").mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    [judged] = Checker(Settings()).check_text(files["run_sh"], "run.sh").launches
    versions = judged.launch.versions
    return versions["trl"].value, versions["transformers"].value


RUN = "trl grpo --config grpo.yaml\n"


@pytest.mark.parametrize(
    ("requirements", "yaml", "expected"),
    [
        ("trl>=0.19\ntransformers>=4.50\n", "max_prompt_length: 512\n", ("0.27.2", "4.57.6")),
        ("trl>=0.19\ntransformers>=4.50\n", "torch_dtype: bfloat16\n", ("0.26.2", "4.57.6")),
        ("trl>=0.19\n", "learning_rate: 1e-6\n", ("1.16.0", "5.24.0")),
        ("", "torch_dtype: bfloat16\n", ("0.26.2", "4.57.6")),
        ("", "per_device_train_batch_size: 2\nnum_generations: 4\n", ("1.16.0", "5.24.0")),
        ("trl==1.16.0\n", "torch_dtype: bfloat16\n", ("1.16.0", "5.24.0")),
    ],
)
def test_keys_of_the_yaml_file_tell_for_which_release_they_were_written(
    tmp_path, monkeypatch, requirements, yaml, expected
):
    found = releases_in_force(tmp_path, monkeypatch, run_sh=RUN, grpo_yaml=yaml, requirements_txt=requirements)
    assert found == expected


def test_words_of_the_command_tell_it_too(tmp_path, monkeypatch):
    run = "trl grpo --model_name_or_path m --torch_dtype bfloat16\n"
    assert releases_in_force(tmp_path, monkeypatch, run_sh=run) == ("0.26.2", "4.57.6")


@pytest.mark.parametrize(
    ("requirements", "yaml", "expected"),
    [
        ("", "evaluation_strategy: steps\n", ("0.18.2", "4.50.3")),
        ("", "evaluation_strategy: steps\nnum_generations: 4\n", ("0.18.2", "4.50.3")),
        ("", "no_cuda: true\n", ("1.16.0", "4.57.6")),
        ("trl==1.0.0\n", "no_cuda: true\n", ("1.0.0", "4.57.6")),
        ("trl==1.16.0\n", "evaluation_strategy: steps\n", ("1.16.0", "5.24.0")),
        ("trl>=0.19\ntransformers>=4.40\n", "no_cuda: true\n", ("1.16.0", "4.57.6")),
        ("transformers==5.24.0\n", "no_cuda: true\n", ("1.16.0", "5.24.0")),
        ("transformers>=5.0\n", "no_cuda: true\n", ("1.16.0", "5.24.0")),
    ],
)
def test_options_of_training_arguments_tell_for_which_transformers_they_were_written(
    tmp_path, monkeypatch, requirements, yaml, expected
):
    found = releases_in_force(tmp_path, monkeypatch, run_sh=RUN, grpo_yaml=yaml, requirements_txt=requirements)
    assert found == expected
