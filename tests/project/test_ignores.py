"""Ignore files mean here what they mean to git."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlhflint.project.ignores import Ignores
from rlhflint.project.wildmatch import compiled

FOLDERS = ("", "a", "a/b", "a/b/a", "b", "b/ab", "é", "[a]")
FILES = ("a.sh", "ab.sh", "b.sh", "é.sh", "a b.sh", "#a.sh", "a")


def git(where: Path, *arguments: str, text: bytes = b"") -> bytes:
    """Run git without any configuration of the machine."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(where), "GIT_CONFIG_NOSYSTEM": "1"}
    run = subprocess.run(["git", *arguments], cwd=where, input=text, capture_output=True, env=environment, check=False)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def files_let_through(top: Path) -> set[str]:
    found = set()

    def enter(folder: Path, ignores: Ignores) -> None:
        for entry in folder.iterdir():
            if entry.name in (".git", ".gitignore"):
                continue
            if ignores.hides(str(entry), entry.name, folder=entry.is_dir()):
                continue
            if entry.is_dir():
                enter(entry, ignores.with_file_in(str(entry)))
            else:
                found.add(entry.relative_to(top).as_posix())

    enter(top, Ignores.at(str(top), str(top)))
    return found


def files_git_lets_through(top: Path) -> set[str]:
    listed = git(top, "ls-files", "-z", "--others", "--exclude-standard")
    return {path for path in os.fsdecode(listed).split("\0") if path and not path.endswith(".gitignore")}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    top = tmp_path_factory.mktemp("tree").resolve()
    git(top, "init", "--quiet")
    for folder in FOLDERS:
        (top / folder).mkdir(parents=True, exist_ok=True)
    for folder in FOLDERS:
        for file in FILES:
            if not (top / folder / file).exists():
                (top / folder / file).write_text("")
    return top


PIECES = [
    "a",
    "b",
    "a",
    ".sh",
    "*",
    "**",
    "?",
    "/",
    "/",
    "**/",
    "/**",
    "[ab]",
    "[!a]",
    "[^b.]",
    "[a-c]",
    "[]a]",
    "[[:alpha:]]",
]
PIECES += [
    "\\a",
    "\\#",
    "\\[",
    " ",
    "\\ ",
    "é",
    "[é]",
    "[a",
    "[!]]",
    "[b-]",
    "[[:punct:]b]",
    "#",
    "***",
    "[[:nope:]]",
    "[\\]]",
]
PATTERN = st.builds(
    lambda negated, pieces, end: negated + "".join(pieces) + end,
    st.sampled_from(["", "", "", "!", "/"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6),
    st.sampled_from(["", "", "/", "  ", "\\", "\r"]),
).filter(lambda pattern: "**\\/" not in pattern)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lists=st.dictionaries(
        st.sampled_from(["", "a", "a/b", "b", ".git/info/exclude"]), st.lists(PATTERN, max_size=6), max_size=3
    )
)
def test_any_ignore_files_hide_what_git_hides(tree, lists):
    (tree / ".git/info").mkdir(exist_ok=True)
    (tree / ".git/info/exclude").write_text("")
    for old in tree.rglob(".gitignore"):
        old.unlink()
    for folder, patterns in lists.items():
        target = tree / folder if folder.startswith(".git") else tree / folder / ".gitignore"
        target.write_bytes("\n".join(patterns).encode())
    assert files_let_through(tree) == files_git_lets_through(tree)


@pytest.mark.parametrize(
    "pattern",
    [
        "[[:digit:]]x",
        "[[:alpha:]b.]*",
        "[[:alpha:].sh",
        "[[:nothing:]]",
        "[a-\\c]*",
        "[a-",
        "[a-\\",
        "[\\",
        "[c-a].sh",
        "[a-cx].sh",
        "[-a].sh",
        "[a-b-d].sh",
        "[!a-b]*",
        "[^]a]*",
        "[]-a]*",
        "[[:upper:][:lower:]]*",
        "[[.a.]]*",
        "[[=a=]]*",
        "[[:]a]*",
        "[[:alpha]b]*",
        "[!]",
        "[]",
        "[a]]",
        "a[/]b",
        "a[!x]b",
        "**b.sh",
        "a**/b.sh",
        "a/b**/b.sh",
        "/a**/b.sh",
        "?**/b.sh",
        "[a]**/b.sh",
        "\\a**/b.sh",
        "a*/b**/b.sh",
        "a**",
        "a/b**",
        "a***/b.sh",
        "a**/**/b.sh",
        "a/**b/*.sh",
        "**/**/a",
        "a/**/**/b.sh",
        "/**",
        "/**/b/*",
        "?.sh",
        "??.sh",
        "\\a.sh",
        "a\\ b.sh",
        "a b.sh   ",
        "\\[a]/",
        "x" * 5000,
    ],
)
def test_a_single_pattern_hides_what_git_hides(tree, pattern):
    for old in tree.rglob(".gitignore"):
        old.unlink()
    (tree / ".git/info").mkdir(exist_ok=True)
    (tree / ".git/info/exclude").write_text("")
    (tree / ".gitignore").write_text(f"{pattern}\n")
    assert files_let_through(tree) == files_git_lets_through(tree)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**", "a", False),
        ("**/a", "a", True),
        ("a*c", "abc", True),
        ("a*c", "a/c", False),
        ("a?c", "a/c", False),
        ("[[:digit:]]", "7", True),
        ("a\\*", "a*", True),
        ("a\\", "a\\", False),
    ],
)
def test_a_pattern_on_a_path(pattern, path, matches):
    expression = compiled(pattern)
    assert (expression is not None and expression.fullmatch(path) is not None) is matches


@pytest.mark.parametrize("pattern", ["*a" * 60 + "b", "**/a/" * 60 + "b", "*a*/**/" * 40 + "x", "[a-z]*" * 200 + "!"])
def test_a_pattern_made_to_blow_up_is_answered_at_once(pattern):
    expression = compiled(pattern)
    assert expression is not None
    assert expression.fullmatch("/".join(["a" * 60] * 60)) is None


def test_a_worktree_uses_the_exclude_file_of_its_repository(tmp_path):
    (tmp_path / "main/.git/info").mkdir(parents=True)
    (tmp_path / "main/.git/info/exclude").write_text("secret.sh\n")
    (tmp_path / "main/.git/worktrees/w").mkdir(parents=True)
    (tmp_path / "main/.git/worktrees/w/commondir").write_text("../..\n")
    (tmp_path / "w").mkdir()
    (tmp_path / "w/.git").write_text(f"gitdir: {tmp_path}/main/.git/worktrees/w\n")
    ignores = Ignores.at(str(tmp_path / "w"), str(tmp_path / "w"))
    assert ignores.hides(str(tmp_path / "w/secret.sh"), "secret.sh", folder=False)
    assert not ignores.hides(str(tmp_path / "w/train.sh"), "train.sh", folder=False)


def test_an_ignore_file_that_is_a_pipe_or_a_link_is_not_read(tmp_path):
    os.mkfifo(tmp_path / ".gitignore")
    assert not Ignores.at(str(tmp_path), str(tmp_path)).hides(str(tmp_path / "a"), "a", folder=False)
    (tmp_path / "list").write_text("a\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/.gitignore").symlink_to(tmp_path / "list")
    inner = Ignores.at(str(tmp_path), str(tmp_path / "sub"))
    assert not inner.hides(str(tmp_path / "sub/a"), "a", folder=False)
