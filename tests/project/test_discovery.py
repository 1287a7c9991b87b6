"""Which files are found under the paths a user names."""

from __future__ import annotations

import os
import socket
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.project.configurations import Configurations
from rlhflint.project.discovery import DEFAULT_EXCLUDES, Candidate, Discovery, Excludes
from rlhflint.project.kinds import FileKind, kind_of_first_line, kind_of_name, kind_of_text
from rlhflint.project.patterns import Patterns

DEFAULTS = Patterns.of_globs(DEFAULT_EXCLUDES)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Makes files below a folder that is the working directory, and searches them."""
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


class Project:
    def __init__(self, folder):
        self.folder = folder
        self.unreadable = []

    def write(self, *paths, text=""):
        for path in paths:
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text)

    def find(self, *paths, exclude=(), force_exclude=False, excludes=None):
        lists = Excludes(((str(self.folder), DEFAULTS), (str(self.folder), Patterns.of_globs(exclude))))
        search = Discovery(
            excludes=excludes or (lambda _: lists),
            unreadable=lambda path, error: self.unreadable.append((path, str(error))),
            force_exclude=force_exclude,
        )
        return [candidate.path for candidate in search.candidates(paths or ["."])]


def test_files_come_in_the_order_of_their_names_each_with_its_kind(project):
    project.write(
        "b.sh", "a/z.py", "a/b/c.ipynb", "c.yml", "Dockerfile", "Makefile", "README.md", "notes.txt", "x.json"
    )
    search = Discovery(excludes=lambda _: Excludes(), unreadable=lambda *_: None)
    assert list(search.candidates(["."])) == [
        Candidate("Dockerfile", FileKind.DOCKERFILE),
        Candidate("Makefile", FileKind.MAKEFILE),
        Candidate("README.md", FileKind.MARKDOWN),
        Candidate("a/b/c.ipynb", FileKind.NOTEBOOK),
        Candidate("a/z.py", FileKind.PYTHON),
        Candidate("b.sh", FileKind.SHELL),
        Candidate("c.yml", FileKind.YAML),
    ]


def test_a_named_file_comes_whatever_it_is_called_or_wherever_it_lies(project):
    project.write(".gitignore", text="*.sh\n")
    project.write("launch.txt", "train.sh", "build/run.sh")
    assert project.find("launch.txt", "train.sh", "build/run.sh") == ["launch.txt", "train.sh", "build/run.sh"]


def test_a_file_named_twice_comes_once(project):
    project.write("a/train.sh")
    assert project.find("a", "a/train.sh", ".", "./a/../a") == ["a/train.sh"]


def test_force_exclude_leaves_out_named_files_that_are_excluded(project):
    project.write("train.sh", "build/run.sh", "old/a/train.sh", "old/keep.sh")
    named = ["train.sh", "build/run.sh", "old/a/train.sh", "old/keep.sh", "old", "old/a"]
    assert project.find(*named, exclude=["old/a/"], force_exclude=True) == ["train.sh", "old/keep.sh"]


def test_force_exclude_does_not_look_at_folders_above_the_repository(tmp_path, monkeypatch):
    work = tmp_path / "build" / "venv"
    (work / "dist").mkdir(parents=True)
    (work / ".git").mkdir()
    (work / "train.sh").touch()
    (work / "dist/train.sh").touch()
    for here in (work, tmp_path):
        monkeypatch.chdir(here)
        search = Discovery(Configurations().excludes, lambda *_: None, force_exclude=True)
        named = [str(work / "train.sh"), str(work / "dist/train.sh"), str(work / "dist"), str(work)]
        assert [found.path for found in search.candidates(named)] == [str(work / "train.sh")]


def test_force_exclude_keeps_a_named_file_that_git_ignores_since_a_hook_names_tracked_files_only(project):
    project.write(".gitignore", text="*.sh\n")
    project.write("train.sh")
    assert project.find("train.sh", force_exclude=True) == ["train.sh"]


def test_folders_of_tools_and_environments_are_left_out(project):
    project.write(*(f"{name}/x.sh" for name in DEFAULT_EXCLUDES), "env3/pyvenv.cfg", "env3/bin/x.sh", "src/x.sh")
    assert project.find() == ["src/x.sh"]


def test_hidden_folders_are_searched(project):
    project.write(".github/workflows/smoke.yml")
    assert project.find() == [".github/workflows/smoke.yml"]


def test_globs_are_relative_to_the_folder_of_their_configuration(project):
    project.write("old/a.sh", "new/old/a.sh", "x/gen_1.sh", "x/gen.sh", "gen_2.py")
    assert project.find(exclude=["/old"]) == ["gen_2.py", "new/old/a.sh", "x/gen.sh", "x/gen_1.sh"]
    assert project.find(exclude=["old"]) == ["gen_2.py", "x/gen.sh", "x/gen_1.sh"]
    assert project.find(exclude=["gen_*"]) == ["new/old/a.sh", "old/a.sh", "x/gen.sh"]
    assert project.find(exclude=["x/*.sh"]) == ["gen_2.py", "new/old/a.sh", "old/a.sh"]


def test_a_folder_with_its_own_configuration_has_its_own_excludes(project):
    project.write("a.sh", "skip.sh", "sub/skip.sh", "sub/own.sh", "sub/rlhflint.toml", "sub/deep/own.sh")

    def excludes(folder):
        names = ["own.sh"] if folder.endswith("sub") else ["skip.sh"]
        return Excludes(((folder, Patterns.of_globs(names)),))

    assert project.find(excludes=excludes) == ["a.sh", "sub/skip.sh"]


def test_ignore_files_above_the_named_folder_hold_up_to_the_repository(project):
    project.write(".gitignore", text="outside.sh\n")
    project.write("repo/.git/HEAD")
    project.write("repo/.gitignore", text="*.log.sh\n/sub/a.sh\n")
    project.write("repo/sub/a.sh", "repo/sub/b.log.sh", "repo/sub/outside.sh")
    assert project.find("repo/sub") == ["repo/sub/outside.sh"]


def test_a_repository_inside_of_a_repository_has_its_own_ignore_files(project):
    project.write(".git/HEAD", "third/.git", "third/x.sh", "third/y.sh", "x.sh")
    project.write(".gitignore", text="x.sh\n")
    project.write("third/.gitignore", text="y.sh\n")
    assert project.find() == ["third/x.sh"]


def test_a_folder_without_repository_honours_its_ignore_files_too(project):
    project.write(".gitignore", text="runs/\n")
    project.write("runs/a.sh", "a.sh")
    assert project.find() == ["a.sh"]


def test_links_are_not_followed_in_a_folder(project):
    project.write("outside/secret.sh", "repo/a/train.sh")
    (project.folder / "repo/loop").symlink_to(project.folder / "repo")
    (project.folder / "repo/up").symlink_to(project.folder / "outside")
    (project.folder / "repo/b.sh").symlink_to(project.folder / "repo/a/train.sh")
    (project.folder / "repo/c.sh").symlink_to(project.folder / "outside/secret.sh")
    assert project.find("repo") == ["repo/a/train.sh"]


def test_a_link_that_is_named_is_followed(project):
    project.write("real/train.sh")
    (project.folder / "linked").symlink_to(project.folder / "real")
    (project.folder / "linked.sh").symlink_to(project.folder / "real/train.sh")
    assert project.find("linked", "linked.sh") == ["linked/train.sh", "linked.sh"]


def test_pipes_sockets_and_devices_are_no_files(project):
    os.mkfifo(project.folder / "pipe.sh")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(project.folder / "s.sh"))
        assert project.find() == []
    assert project.find("pipe.sh", os.devnull) == []
    assert project.unreadable == [("pipe.sh", "it is not a regular file"), (os.devnull, "it is not a regular file")]


def test_a_path_that_does_not_exist_is_told(project):
    project.write("a.sh")
    assert project.find("gone.sh", "a.sh", "a\0b") == ["a.sh"]
    assert [path for path, _ in project.unreadable] == ["gone.sh", "a\0b"]
    assert project.unreadable[0][1] == "there is no such file"


def test_an_empty_path_is_not_the_working_directory(project):
    project.write("a.sh")
    assert project.find("") == []
    assert project.unreadable == [("", "its path is empty")]


def test_a_script_without_ending_is_known_by_its_first_line(project):
    project.write("launch", text="#!/usr/bin/env bash\necho\n")
    project.write("data", text="#!not a program\n")
    project.write("blob", text="")
    (project.folder / "raw").write_bytes(b"#!\xff\xfe/bin/bash")
    assert project.find() == ["launch", "raw"]


def test_a_very_deep_tree_is_walked(project):
    top = project.folder / "d"
    top.mkdir()
    down = os.open(top, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=down)
        inner = os.open("d", os.O_RDONLY, dir_fd=down)
        os.close(down)
        down = inner
    os.close(os.open("x.sh", os.O_CREAT, dir_fd=down))
    os.close(down)
    try:
        assert project.find() == ["d/" * 1201 + "x.sh"]
    finally:  # too deep for the clean-up of temporary folders
        subprocess.run(["rm", "-rf", str(top)], check=True)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("#!/bin/bash", FileKind.SHELL),
        ("#! /bin/sh -e", FileKind.SHELL),
        ("#!/usr/bin/env bash\r", FileKind.SHELL),
        ("#!/usr/bin/env -S FOO=1 zsh -f", FileKind.SHELL),
        ("#!/opt/conda/bin/python3.11", FileKind.PYTHON),
        ("#!/usr/bin/env python", FileKind.PYTHON),
        ("#!/usr/bin/perl", None),
        ("#!/usr/bin/env fish", None),
        ("#!", None),
        ("bash", None),
    ],
)
def test_first_lines(line, kind):
    assert kind_of_first_line(line) is kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("train.SH", FileKind.SHELL),
        ("job.sbatch", FileKind.SHELL),
        ("Dockerfile", FileKind.DOCKERFILE),
        ("Dockerfile.train", FileKind.DOCKERFILE),
        ("train.Dockerfile", FileKind.DOCKERFILE),
        ("Containerfile", FileKind.DOCKERFILE),
        ("Dockerfile.md", FileKind.MARKDOWN),
        ("Dockerfile.dockerignore", None),
        ("GNUmakefile", FileKind.MAKEFILE),
        ("rules.mk", FileKind.MAKEFILE),
        ("Makefile.am", FileKind.MAKEFILE),
        (".sh", FileKind.SHELL),
        ("dockerfiles", None),
        ("train", None),
        ("", None),
    ],
)
def test_names(name, kind):
    assert kind_of_name(name) is kind


def test_a_text_from_standard_input_goes_by_its_name_then_by_its_first_line():
    assert kind_of_text("x/train.py", "#!/bin/bash") is FileKind.PYTHON
    assert kind_of_text("stdin", "#!/bin/bash\n") is FileKind.SHELL
    assert kind_of_text("stdin", "") is FileKind.OTHER


@given(st.text(max_size=60))
def test_any_first_line_and_any_name_is_answered(text):
    kind_of_first_line("#!" + text)
    kind_of_name(text)
