"""Where a rule is documented."""

from __future__ import annotations

_PAGES = "https://github.com/rlhflint/rlhflint/blob/main/docs/rules/"


def rule_url(code: str) -> str:
    """The page of a rule; the pages are generated from the rules' own documentation."""
    return f"{_PAGES}{code}.md"
