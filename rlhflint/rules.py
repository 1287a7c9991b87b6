"""All rules there are: for their table, their documentation, and checks of codes."""

from __future__ import annotations

from rlhflint.frameworks import MARKERS, framework
from rlhflint.rule import Rule, registered


def load_all() -> tuple[Rule, ...]:
    """Every rule of every framework, by code. Imports all that defines one."""
    import rlhflint.suppress.rules
    import rlhflint.tool_rules  # noqa: F401

    for name in MARKERS:
        framework(name).load_rules()
    return tuple(sorted(registered(), key=lambda rule: rule.code))
