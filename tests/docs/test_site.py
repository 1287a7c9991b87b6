"""The documentation as a site, built by its generator without a warning."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built from the pages as they are."""
    pytest.importorskip("material", reason="the extra `docs` is not installed")
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    return folder


def test_every_page_is_there(site: Path) -> None:
    pages = list((ROOT / "docs").rglob("*.md"))
    assert len(pages) > 10
    for page in pages:
        assert (site / page.relative_to(ROOT / "docs")).with_suffix(".html").exists()


def test_texts_at_the_root_are_pages_and_not_copies(site: Path) -> None:
    for name, title in (("contributing", "A rule"), ("architecture", "A file's way"), ("changes", "Changelog")):
        page = (site / f"{name}.html").read_text("utf-8").replace("’", "'")
        assert title in page
        assert not (ROOT / "docs" / f"{name}.md").exists()


def test_nothing_is_fetched_from_elsewhere_to_show_a_page(site: Path) -> None:
    text = (site / "index.html").read_text("utf-8")
    fetched = re.findall(
        r"<(?:script|img|iframe)[^>]+src=\"(https?:[^\"]+)|<link[^>]+stylesheet[^>]+href=\"(https?:[^\"]+)", text
    )
    assert fetched == []


def test_symptoms_are_those_of_the_table() -> None:
    done = subprocess.run([sys.executable, "tools/generate_symptoms.py", "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0
