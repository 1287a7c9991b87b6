"""Pages of the site whose text lies at the root of the repository, so that there is one text and not two.

A hook of mkdocs, named in mkdocs.yml.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "contributing.md": "CONTRIBUTING.md",
    "architecture.md": "ARCHITECTURE.md",
    "changes.md": "CHANGELOG.md",
}
"""Page → file at the root."""
_LINK = re.compile(r"\]\((?!https?://|#)([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages; a link leads to the page of its target, or to the file in the repository."""
    for page, name in PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_LINK.sub(lambda found: _to(found[1], config), text)))
    return files


def _to(target: str, config: MkDocsConfig) -> str:
    path, hash_, anchor = target.partition("#")
    page = next((page for page, name in PAGES.items() if name == path), path.removeprefix("docs/"))
    if path in PAGES.values() or path.startswith("docs/"):
        return f"]({page}{hash_}{anchor})"
    return f"]({config.repo_url}/blob/main/{target})"
