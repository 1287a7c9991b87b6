"""Keys of YAML files behind which shell code stands."""

from __future__ import annotations

from rlhflint.expressions import expression

STARTED = ("entrypoint", "command", "args")
"""A list below them is one command, word by word, in the order in which a container puts them together."""
SCRIPTS = (
    *("run", "cmd", "cmds", "commands", "script", "scripts", "before_script", "after_script", "setup"),
    *("bash", "sh", "shell", "source", "inlineScript", "start_command", "start", "exec"),
)
"""A list below them is a list of texts, each shell code."""

_ANY = expression(rf"(?m)^[ \t-]*+[\"']?(?:{'|'.join((*STARTED, *SCRIPTS))})[\"']?[ \t]*:")


def has_commands(text: str) -> bool:
    """Whether a YAML text has a key behind which shell code may stand, judged without reading it as YAML."""
    return _ANY.search(text) is not None or text.lstrip().startswith("{")
