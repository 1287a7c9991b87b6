"""To which command a YAML file belongs."""

from __future__ import annotations

import pytest

from rlhflint.check import Checker
from rlhflint.project.settings import Settings

KEYS = "model_name_or_path: m\ndataset_name: d\noutput_dir: out\n"


def codes(folder, monkeypatch, files):
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    result = Checker(Settings(select=("TR105",), framework_versions={"trl": "1.9.0"})).check(["."])
    return [finding.span.path for file in result.files for finding in file.findings]


def test_scripts_of_two_folders_name_the_file_beside_them(tmp_path, monkeypatch):
    files = {
        "a/run.sh": "trl sft --config run.yaml\n",
        "a/run.yaml": KEYS,
        "b/run.sh": "trl sft --config run.yaml --learning_rate 1e-6\n",
        "b/run.yaml": KEYS + "learning_rate: fast\n",
    }
    assert codes(tmp_path, monkeypatch, files) == []


def test_what_no_word_overrides_is_told(tmp_path, monkeypatch):
    files = {
        "a/run.sh": "trl sft --config run.yaml --learning_rate 1e-6\n",
        "a/run.yaml": KEYS,
        "b/run.sh": "trl sft --config run.yaml\n",
        "b/run.yaml": KEYS + "learning_rate: fast\n",
    }
    assert codes(tmp_path, monkeypatch, files) == ["b/run.yaml"]


def test_a_script_elsewhere_names_the_file_from_the_working_directory(tmp_path, monkeypatch):
    files = {
        "scripts/run.sh": "trl sft --config recipes/run.yaml\n",
        "recipes/run.yaml": KEYS + "learning_rate: fast\n",
    }
    assert codes(tmp_path, monkeypatch, files) == ["recipes/run.yaml"]


WRONG = KEYS + "learning_rate: fast\n"


def test_a_recipe_of_a_makefile_names_it(tmp_path, monkeypatch):
    files = {"Makefile": "train:\n\ttrl sft --config run.yaml\n", "run.yaml": WRONG}
    assert codes(tmp_path, monkeypatch, files) == ["run.yaml"]


def test_a_file_that_says_its_program_needs_no_command(tmp_path, monkeypatch):
    files = {
        "a.yaml": f"# rlhflint: program=trl:sft\n{WRONG}",
        "b.yaml": f"# rlhflint: program=openrlhf:train_sft\n{WRONG}",
        "c.yaml": WRONG,
    }
    assert codes(tmp_path, monkeypatch, files) == ["a.yaml"]


@pytest.mark.parametrize(
    "script",
    [
        "trl sft --config other/run.yaml\n",
        "trl sft --config $FILE\n# run.yaml\n",
        "echo run.yaml\n",
        "cat --config run.yaml\n",
    ],
)
def test_a_script_that_does_not_give_it_to_a_command(script, tmp_path, monkeypatch):
    assert codes(tmp_path, monkeypatch, {"run.sh": script, "run.yaml": WRONG}) == []


def test_scripts_of_installed_packages_are_not_asked(tmp_path, monkeypatch):
    files = {"venv/run.sh": "trl sft --config ../run.yaml\n", "run.yaml": WRONG}
    assert codes(tmp_path, monkeypatch, files) == []


@pytest.mark.parametrize(("trl", "refused"), [("0.11.4", []), ("0.24.0", ["no_such_key"])])
def test_a_program_that_the_release_does_not_have_has_no_keys(trl, refused, tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "run.yaml").write_text("# rlhflint: program=trl:grpo\nno_such_key: 1\nbeta: 0.1\n")
    monkeypatch.chdir(tmp_path)
    (file,) = Checker(Settings(framework_versions={"trl": trl})).check(["run.yaml"]).files
    assert [one.name for judged in file.launches for one in judged.launch.refused] == refused


def test_the_keys_tell_the_release_where_nothing_states_one(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "run.yaml").write_text(f"# rlhflint: program=trl:sft\n{KEYS}max_seq_length: 5\nneedless: 1\n")
    monkeypatch.chdir(tmp_path)
    (file,) = Checker(Settings()).check(["run.yaml"]).files
    (judged,) = file.launches
    assert [one.name for one in judged.launch.refused] == ["needless"]
