"""Where results are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rlhflint.project.settings import Settings
from rlhflint.remembered import folder, identity


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="other systems have other places")
@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"RLHFLINT_CACHE_DIR": "/kept", "XDG_CACHE_HOME": "/cache", "HOME": "/home/me"}, "/kept"),
        ({"XDG_CACHE_HOME": "/cache", "HOME": "/home/me"}, "/cache/rlhflint"),
        ({"HOME": "/home/me"}, "/home/me/.cache/rlhflint"),
        ({"XDG_CACHE_HOME": "relative"}, None),
        ({}, None),
    ],
)
def test_the_place_is_the_systems(environment: dict[str, str], place: str | None) -> None:
    assert folder.folder_of(environment) == place


@pytest.mark.parametrize(
    ("platform", "place"), [("win32", "/data/rlhflint"), ("darwin", "/home/me/Library/Caches/rlhflint")]
)
def test_other_systems_have_other_places(platform: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert folder.folder_of({"HOME": "/home/me", "LOCALAPPDATA": "/data"}) == place


def test_what_was_written_is_read(tmp_path: Path) -> None:
    assert folder.read(str(tmp_path / "new"), "a") is None
    assert folder.write(str(tmp_path / "new"), "a", b"one\ntwo")
    assert folder.read(str(tmp_path / "new"), "a") == b"one\ntwo"


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "MOST_BYTES", 400)
    for at, name in enumerate("abc"):
        assert folder.write(str(tmp_path), name, b"x" * 40)
        os.utime(tmp_path / name, (at, at))
    assert folder.read(str(tmp_path), "a") is not None
    assert folder.write(str(tmp_path), "d", b"x" * 100)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "c", "d"]
    assert not folder.write(str(tmp_path), "e", b"x" * 201)


def test_the_linter_and_its_options_are_known_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(identity, "_JUST", 0)
    one = identity.identity_of(Settings())
    assert one is not None
    assert identity.identity_of(Settings(cluster="2x8")) != one
    monkeypatch.setattr(identity, "__version__", "0")
    assert identity.identity_of(Settings()) != one
    monkeypatch.undo()
    monkeypatch.setattr(identity, "_JUST", 0)
    monkeypatch.chdir(tmp_path)
    assert identity.identity_of(Settings()) != one


def test_another_release_of_a_library_is_another_linter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(identity, "_JUST", 0)
    before = identity.identity_of(Settings())
    (tmp_path / "libcst-99.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert identity.identity_of(Settings()) != before


def test_a_linter_that_is_being_changed_is_not_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "new.json").touch()
    monkeypatch.setattr(identity, "schemas", lambda: tmp_path / "schemas")
    assert identity.identity_of(Settings()) is None
    monkeypatch.setattr(identity, "schemas", lambda: tmp_path / "gone")
    assert identity.identity_of(Settings()) is None
