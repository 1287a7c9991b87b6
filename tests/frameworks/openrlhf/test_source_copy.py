"""Copies of OpenRLHF's source in the user's tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlhflint.catalog.accepted import accepted_at, accepted_by_copy, nearest_release
from rlhflint.frameworks.openrlhf import source_copy
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.frameworks.openrlhf.source_copy import SourceCopy

SFT = """
import argparse
from openrlhf.cli.options import add_common

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    add_common(parser)
    parser.add_argument("--{name}", type=int, default=3)
    args = parser.parse_args()
"""
OPTIONS = """
def add_common(parser):
    parser.add_argument("--zero_stage", type=int, default=1)
    parser.add_argument("--bf16", action="store_true", default=False)
"""


@pytest.fixture
def package(tmp_path) -> Path:
    """A fork with two programs of one base name."""
    cli = tmp_path / "repo" / "openrlhf" / "cli"
    (cli / "context_denoise").mkdir(parents=True)
    (cli / "__init__.py").write_text("")
    (cli / "options.py").write_text(OPTIONS)
    (cli / "train_sft.py").write_text(SFT.replace("{name}", "own_flag"))
    (cli / "context_denoise" / "train_sft.py").write_text(SFT.replace("{name}", "other_flag"))
    return cli.parent


def test_programs_of_one_base_name_are_two(package):
    copy = SourceCopy(str(package))
    assert copy.programs == ("train_sft", "context_denoise.train_sft")
    assert set(copy.program("train_sft").options) == {"--zero_stage", "--bf16", "--own_flag"}
    assert set(copy.program("context_denoise.train_sft").options) == {"--zero_stage", "--bf16", "--other_flag"}
    assert copy.program("train_rm") is None


def test_the_copy_is_the_truth_about_flags_defaults_and_names(package):
    copy = SourceCopy(str(package))
    accepted = accepted_by_copy(copy.program("train_sft"), openrlhf().program("train_sft"), "0.11.2")
    assert set(accepted.options) == {"--zero_stage", "--bf16", "--own_flag", "--help", "-h"}
    assert openrlhf().releases.position(accepted.release) < openrlhf().releases.position("0.9.2")
    assert accepted.canonical("--zero_stage") == ("ds.zero_stage",)
    assert accepted.fields("--bf16") == ("bf16",)
    assert (accepted.canonical("--own_flag"), accepted.fields("--own_flag")) == (("own_flag",), ())
    assert accepted.spelling("ds.zero_stage") == "--zero_stage"
    assert accepted.spelling("train.batch_size") is None
    assert accepted.defaults == {"ds.zero_stage": 1, "bf16": False}


def test_a_program_that_upstream_never_had(package):
    accepted = accepted_by_copy(SourceCopy(str(package)).program("context_denoise.train_sft"), None, "0.11.2")
    assert accepted.canonical("--zero_stage") == ("zero_stage",)
    assert accepted.fields("--zero_stage") == ()
    assert accepted.release == "0.11.2"


def test_a_program_outside_the_package_is_read_by_its_path(package):
    examples = package.parent / "examples"
    examples.mkdir()
    (examples / "train_sft.py").write_text(SFT.replace("{name}", "third"))
    copy = SourceCopy(str(package))
    assert "--third" in copy.program_at("examples/train_sft.py").options
    assert copy.program_at("examples/absent.py") is None


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(package, monkeypatch):
    counted = []
    real = source_copy.read_program
    monkeypatch.setattr(source_copy, "read_program", lambda *given: counted.append(1) or real(*given))
    copy = SourceCopy(str(package))
    first = copy.program("train_sft")
    assert SourceCopy(str(package)).program("train_sft") is first
    (package / "cli" / "options.py").write_text(OPTIONS.replace("zero_stage", "stage"))
    assert "--stage" in copy.program("train_sft").options
    assert len(counted) == 2


def test_a_program_that_is_no_python_is_open(package):
    (package / "cli" / "train_sft.py").write_text("import argparse\nargparse.ArgumentParser(\n")
    assert "no Python" in SourceCopy(str(package)).program("train_sft").open


def test_what_is_not_utf8_or_not_a_file_does_no_harm(package):
    (package / "cli" / "train_rm.py").write_bytes(
        b"import argparse\n# \xff\np = argparse.ArgumentParser()\np.parse_args()"
    )
    (package / "cli" / "train_dpo.py").mkdir()
    copy = SourceCopy(str(package))
    assert "train_rm" in copy.programs
    assert copy.program("train_rm").open == ""
    assert copy.program("train_dpo") is None
    assert SourceCopy(str(package / "absent")).programs == ()


@pytest.mark.parametrize("release", ["0.3.8", "0.8.9.post1", "0.10.1.post2", "0.11.2"])
def test_an_unchanged_copy_is_nearest_to_its_own_release(release):
    program = openrlhf().program("train_ppo_ray")
    flags = {option.flag for option in program.options(release).values() if option.action != "help"}
    found = nearest_release(program, flags)
    assert {option.flag for option in program.options(found).values()} == flags | {"--help"}
    forked = nearest_release(program, {*flags, "--own", "--more"} - {"--local_rank"})
    assert forked == found


def test_a_release_accepts_what_the_catalog_says():
    program = openrlhf().program("train_sft")
    accepted = accepted_at(program, "0.11.2")
    assert accepted.options is program.options("0.11.2")
    assert accepted.spelling("ds.zero_stage") == "--ds.zero_stage"
    assert accepted.canonical("--ds.zero_stage") == ("ds.zero_stage",)
    assert accepted.defaults == program.defaults("0.11.2")
    assert not accepted.copied
    assert accepted_at(program, "0.11.2").open == ""
