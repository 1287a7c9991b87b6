"""Values of a launch as strangers may see them: numbers and words of the frameworks, nothing of where or who."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.launch import Setting
    from rlhflint.reports.secrets import Secrets

_SECRET_NAMES = {"token", "secret", "password", "passwd", "credential", "credentials", "apikey", "auth", "wandb"}
_KEYS = {"api", "access", "wandb", "hf", "private", "ssh"}
_PLACES = {"path", "dir", "folder", "file", "files", "url", "host", "address", "endpoint", "root", "cache"}
_OWNERS = {"project", "group", "org", "entity", "run", "user", "username", "hub", "name", "names"}
_NAMED_MODELS = expression(r"(^|[._])(model_name_or_path|pretrain|model)$")

_TOKEN = expression(
    r"(hf_|sk-|ghp_|gho_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|ya29\.|eyJ)\S{6,}"
    r"|\b[0-9a-fA-F]{32,}\b"
    r"|(?<![A-Za-z0-9+/_])(?=[A-Za-z0-9+/_]*[a-z])(?=[A-Za-z0-9+/_]*[A-Z])(?=[A-Za-z0-9+/_]*\d)[A-Za-z0-9+/_]{24,}={0,2}"
)
_NUMBER = expression(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_WORD = expression(r"[A-Za-z0-9][\w.+-]{0,40}")
_HUB = expression(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_EXTENSION = expression(
    r"\.(jsonl?|parquet|csv|tsv|arrow|ya?ml|toml|txt|sh|py|pt|bin|safetensors|ckpt)$", re.IGNORECASE
)

SECRET, PATH, URL, TEXT, NAME, UNKNOWN = "<secret>", "<path>", "<url>", "<text>", "<name>", "<not known>"


def value_of(setting: Setting, secrets: Secrets) -> str:
    """A setting's value in words, without what a stranger should not see; empty for a switch."""
    if not isinstance(setting.value, Known):
        return UNKNOWN
    value = setting.value.value
    if value is True and setting.value_span is None:
        return ""
    canonical = setting.canonical[0] if setting.canonical else setting.name
    return shareable(canonical, value, secrets)


def shareable(name: str, value: object, secrets: Secrets) -> str:
    """A value of the setting `name`, likewise. What is not plainly harmless is told by its kind alone."""
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return " ".join(shareable(name, one, secrets) for one in value)
    if not isinstance(value, str):
        return TEXT
    return _text(name, value, secrets)


def _text(name: str, text: str, secrets: Secrets) -> str:
    parts = re.split(r"[._-]+", name.lower())
    if _NUMBER.fullmatch(text) or text.lower() in ("true", "false", "none", "null"):
        return text
    if secrets.masked(text) != text or _TOKEN.search(text) or _is_secret(parts):
        return SECRET
    if "://" in text:
        return URL
    if _NAMED_MODELS.search(name.lower()) and _HUB.fullmatch(text) and not _EXTENSION.search(text):
        return text
    if "/" in text or text.startswith(("~", ".")) or "\\" in text or _EXTENSION.search(text):
        return PATH
    if _PLACES.intersection(parts):
        return PATH
    if _OWNERS.intersection(parts) and not _NAMED_MODELS.search(name.lower()):
        return NAME
    return text if _WORD.fullmatch(text) and "@" not in text else TEXT


def _is_secret(parts: list[str]) -> bool:
    if _SECRET_NAMES.intersection(parts):
        return True
    return any(part == "key" and before in _KEYS for before, part in pairwise(parts))
