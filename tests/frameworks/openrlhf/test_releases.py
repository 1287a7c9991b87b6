"""Which release of OpenRLHF is in force: a statement, a copy of its source in the repository, or what flags tell."""

from __future__ import annotations

import pytest

from rlhflint.check import Checker
from rlhflint.project.settings import Settings

SFT = """import argparse

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--zero_stage", type=int, default=1)
    parser.add_argument("--own_flag", type=int, default=3)
    args = parser.parse_args()
"""
RUN = "deepspeed --module openrlhf.cli.{} {}\n"


@pytest.fixture
def judged(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)

    def check(files, path="train.sh", **stated):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        (file,) = Checker(Settings(select=("OR101",), framework_versions=stated)).check([path]).files
        (launch,) = file.launches
        return launch.launch.versions["openrlhf"], [finding.message for finding in file.findings]

    return check


def copy(text=SFT, folder="openrlhf"):
    return {f"{folder}/__init__.py": "", f"{folder}/cli/__init__.py": "", f"{folder}/cli/train_sft.py": text}


OWN = RUN.format("train_sft", "--own_flag 1 --zero_stage 2")


def test_a_copy_says_which_flags_there_are(judged):
    version, found = judged({**copy(), "train.sh": OWN})
    assert found == []
    assert version.source == "the copy in openrlhf, judging by its flags"
    assert not version.stated


def test_a_copy_that_says_its_release(judged):
    version, found = judged({**copy(), "train.sh": OWN, "setup.py": "x = 1\n", "version.txt": "0.9.1\n"})
    assert found == []
    assert version.value == "0.9.1"
    assert version.source.startswith("the copy in openrlhf (")
    assert version.stated


def test_a_program_that_the_copy_does_not_have(judged):
    version, found = judged({**copy(), "train.sh": RUN.format("train_rm", "--zero_stage 2")})
    assert version.source == "the copy in openrlhf, judging by its flags"
    assert [one for one in found if "--zero_stage" in one] == found


def test_a_copy_whose_parser_cannot_be_built_counts_for_nothing(judged):
    twice = SFT.replace("    args", '    parser.add_argument("--own_flag")\n    args')
    version, found = judged({**copy(twice), "train.sh": OWN})
    assert "the copy" not in version.source
    assert len(found) == 1
    assert "no flag --own_flag" in found[0]


def test_a_copy_that_is_no_python_may_have_any_flag_of_its_own(judged):
    version, found = judged({**copy("def (:\n"), "train.sh": OWN})
    assert version.source == "the copy in openrlhf, judging by its flags"
    assert "--own_flag was not found in the parser of openrlhf, which cannot be read in full" in found


@pytest.mark.parametrize(
    ("files", "path", "copied"),
    [
        ({"requirements.txt": "openrlhf==0.9.0\n"}, "train.sh", True),
        ({"requirements.txt": "openrlhf==0.9.0\n"}, "runs/train.sh", True),
        ({"runs/requirements.txt": "openrlhf==0.9.0\n"}, "runs/train.sh", False),
    ],
)
def test_a_copy_beside_the_launch_or_above_it_is_meant_unless_a_deeper_folder_states_a_release(
    files, path, copied, judged
):
    version, found = judged({**copy(), **files, path: OWN}, path)
    assert ("the copy" in version.source) is copied
    assert (found == []) is copied


def test_a_copy_elsewhere_counts_for_less_than_a_statement(judged):
    files = {**copy(folder="vendor/openrlhf"), "runs/train.sh": OWN}
    assert "the copy" in judged(files, "runs/train.sh")[0].source
    stated = {**files, "requirements.txt": "openrlhf==0.9.0\n"}
    assert judged(stated, "runs/train.sh")[0].value == "0.9.0"


def test_what_a_run_is_told_counts_for_more_than_a_copy(judged):
    version, found = judged({**copy(), "train.sh": OWN}, openrlhf="0.9.0")
    assert version.value == "0.9.0"
    assert len(found) == 1


def test_a_range_leaves_the_release_to_the_flags(judged):
    flags = "--pretrain m --dataset d --zero_stage 2"
    files = {"requirements.txt": "openrlhf>=0.8,<0.9.3\n", "train.sh": RUN.format("train_sft", flags)}
    version, _ = judged(files)
    assert version.value == "0.9.2"
    assert "flags" in version.source


def test_a_program_that_nobody_knows_is_judged_by_the_newest_release(judged):
    version, found = judged({**copy("x = 1\n"), "train.sh": RUN.format("train_own", "--zero_stage 2")})
    assert found == []
    assert version.value
