"""Where the project and its rules are documented."""

from __future__ import annotations

HOME = "https://github.com/rlhflint/rlhflint"
_PAGES = f"{HOME}/blob/main/docs/rules/"


def rule_url(code: str) -> str:
    """The page of a rule; the pages are generated from the rules' own documentation."""
    return f"{_PAGES}{code}.md"
