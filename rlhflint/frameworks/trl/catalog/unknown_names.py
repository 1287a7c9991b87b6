"""What becomes of keys and flags that no class takes: it depends on who reads them, and on the release."""

from __future__ import annotations

from typing import Literal

from rlhflint.frameworks.trl.catalog import store
from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class UnknownName:
    """What becomes of a YAML key and of a flag that no class takes.

    `ignored`, `refused`, `accelerate` (handed to `accelerate launch`, which refuses what it does not know), `vllm`
    (handed to vLLM's server), and for keys `no-config`: the file is not read at all, `--config` is refused.
    """

    key: str
    flag: str
    source: str


def unknown_name(by: Literal["own", "script", "trl"], trl: str, word: str = "") -> UnknownName | None:
    """What becomes of names that no class takes.

    Args:
        by: `own` for a user's script that calls `TrlParser.parse_args_and_config()`, `script` for a script of TRL's
            under accelerate or python, `trl` for `trl WORD`.
        trl: a listed release.
        word: the subcommand, or the name of the script.
    """
    general = None
    for row in store.changes().get("unknown", ()):
        if row["by"] == by and store.holds(row, trl):
            found = UnknownName(row["key"], row["flag"], row["source"])
            if word in row.get("words", ()):
                return found
            if "words" not in row:
                general = found
    return general
