"""Credentials written into a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.rule import SILENT, WARNING, Draft, rule
from rlhflint.text import Traced

if TYPE_CHECKING:
    from rlhflint.command import Command
    from rlhflint.scene import Scene

_NAMES = expression(r"(?:.*_)?(?:TOKEN|API_?KEY|SECRET|SECRET_?KEY|ACCESS_?KEY|PASSWORD)(?:_ID)?", re.IGNORECASE)
_NOT_SECRET = expression(r"(?:MAX|NUM|PAD|EOS|BOS|N|.*_PER|LABEL|MIN|TOTAL|STOP|SPECIAL)_.*", re.IGNORECASE)
_FLAGS = expression(r"--?(?:use_wandb|logger\.wandb\.key|wandb_key|wandb_api_key|hf_token|token|api_key|hub_token)")
_SHAPES = expression(
    r"(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{30,}|wandb_v1_[A-Za-z0-9]{30,}|sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|AKIA[A-Z0-9]{16})(?![A-Za-z0-9])"
)
_HEX_KEY = expression(r"[0-9a-f]{40}")
_FAKE = expression(
    r"(?i).*(?:your|xxx|placeholder|example|changeme|dummy|fake|redacted|secret_here|token_here|key_here|<|>|\{|\}|\*\*|\.\.\.).*"
    r"|(?:true|false|none|null|yes|no|on|off|online|offline|disabled|test|token|key|1|0)?"
)


@rule("LA111", "secret-in-launch", severity=WARNING, stage=SILENT, programs="script")
def secret_in_launch(scene: Scene) -> Iterator[Draft]:
    """A credential does not belong into a script.

    What happens: whoever reads the repository, the job's log or the list of processes has it.

    Why: scripts are shared and committed, and arguments are visible to every user of the machine. The value itself is
    never printed, here or in any report.

    Example:
        --logger.wandb.key 0123456789abcdef0123456789abcdef01234567

    Use instead:
        --logger.wandb.key $WANDB_API_KEY
    """
    seen: set[tuple[str, int]] = set()
    for where, text in _candidates(scene):
        span = text.span
        if span is None or (span.path, span.start) in seen:
            continue
        seen.add((span.path, span.start))
        yield Draft(
            (),
            f"{where} is given a credential in clear text",
            "take it from the environment of the job, or log in once on the machine; and revoke this one",
            at=span,
            conceal=True,
        )


def _candidates(scene: Scene) -> Iterator[tuple[str, Traced]]:
    """What the secret is given to, in words, and the text that is one."""
    script = scene.script
    for command in script.commands if script is not None else ():
        for name, value in [*command.environment.items(), *command.exported.items()]:
            if _NAMES.fullmatch(name) and not _NOT_SECRET.fullmatch(name) and _is_secret(value.text):
                yield name, value
        yield from _words(command)


def _words(command: Command) -> Iterator[tuple[str, Traced]]:
    words = command.words
    program = words[0].text if words else ""
    for before, word in zip(("", *(one.text for one in words)), words, strict=False):
        name, equals, value = word.text.partition("=")
        named = _FLAGS.fullmatch(name) or (_NAMES.fullmatch(name) and not _NOT_SECRET.fullmatch(name))
        if equals and named and _is_secret(value):
            yield name, word[len(name) + 1 :]
        elif shaped := _SHAPES.search(word.text):
            yield "the command", word[shaped.start() : shaped.end()]
        elif _FLAGS.fullmatch(before) and _is_secret(word.text):
            yield before, word
        elif program == "wandb" and before == "login" and _is_secret(word.text):
            yield "wandb login", word


def _is_secret(text: str) -> bool:
    """Whether a value is a credential, as opposed to a variable, a placeholder or a word."""
    if not text.isascii() or " " in text or len(text) < 16 or _FAKE.fullmatch(text):
        return False
    if len(set(text)) < 6 or ("/" in text and not _SHAPES.search(text)):
        return False
    return bool(_HEX_KEY.fullmatch(text) or _SHAPES.search(text)) or (
        any(one.isdigit() for one in text) and any(one.isalpha() for one in text)
    )
