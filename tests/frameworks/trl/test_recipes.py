"""To which command a YAML file belongs."""

from __future__ import annotations

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
