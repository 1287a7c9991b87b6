"""Bytes as text, and texts as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlhflint.disk import Unreadable
from rlhflint.expressions import expression

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
"""What a UTF-16 text begins with, as editors and redirections of Windows write it."""


def searched(data: bytes) -> bytes:
    """The bytes to search for words: of a UTF-16 text those that it has in UTF-8, of any other text its own."""
    return data.decode("utf-16", "replace").encode("utf-8", "replace") if data.startswith(_UTF16) else data


def decode(data: bytes, path: str = "") -> str:
    """The text of a file's bytes. Raises `Unreadable` where they are no text that is read of a file of this name.

    That is UTF-8; for Python source, any encoding that it states (PEP 263) of those that are well known.
    """
    if data.startswith(_UTF16):
        raise Unreadable("it is UTF-16 text: no shell, Python or trainer reads it as it is", remedy=_SAVE)
    encoding = _encoding(data, path)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        readable = data[: error.start].decode(encoding)
        shown = encoding.upper()
        raise Unreadable(f"byte 0x{data[error.start]:02x} is not {shown} text", len(readable), _SAVE) from None
    if "\0" in text:
        raise Unreadable("a NUL character: this is no text file", text.index("\0"), _SAVE)
    return text


def encode(text: str, path: str = "") -> bytes:
    """The bytes of a file with a text, as `decode` reads them. Raises `Unreadable` where its encoding lacks one."""
    data = text.encode()
    encoding = _encoding(data, path)
    if encoding == _UTF8:
        return data
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise Unreadable(f"{text[error.start]} is no character of {encoding.upper()}", error.start) from None


_UTF8 = "utf-8"
_SAVE = "save it as UTF-8 text, or exclude it"
_STATED = expression(rb"(?:[ \t\f]*(?:#[^\r\n]*)?\r?\n)??[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
"""The encoding that Python source states: in a comment on its first line, or on the second below a comment."""
_ENCODINGS = frozenset(
    {
        "ascii", "us-ascii", "latin-1", "latin1", "iso-8859-1", "iso8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-7",
        "iso-8859-9", "iso-8859-15", "cp437", "cp850", "cp866", "cp932", "cp936", "cp949", "cp950", "cp1250",
        "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "windows-1250",
        "windows-1251", "windows-1252", "koi8-r", "koi8-u", "mac-roman", "gbk", "gb2312", "gb18030", "big5",
        "big5hkscs", "shift-jis", "sjis", "euc-jp", "euc-kr", "euc-cn", "johab",
    }
)  # fmt: skip
"""Encodings in which ASCII is what it is, and whose decoder does nothing else."""


def _encoding(data: bytes, path: str) -> str:
    """The encoding of a file. Raises `Unreadable` for one that is not read."""
    stated = _STATED.match(data) if path.endswith((".py", ".pyw", ".pyi")) else None
    name = stated[1].decode().lower().replace("_", "-") if stated is not None else _UTF8
    if name.startswith(("utf-8", "utf8")) or data.startswith(b"\xef\xbb\xbf"):
        return _UTF8
    if name.startswith(("latin-1", "iso-latin-1")):
        return "latin-1"
    if stated is not None and name not in _ENCODINGS:
        raise Unreadable(f"it states the encoding {name}, which is not read", stated.start(1), _SAVE)
    return name


def json_object(text: str | None, *, most: int) -> Mapping[str, Any] | None:
    """The object in a JSON text; None for no text, for one of more than `most` characters, and for anything else."""
    import json

    if text is None or len(text) > most:
        return None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
