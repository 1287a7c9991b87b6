"""Texts and bytes in short."""

from __future__ import annotations

from hashlib import blake2b


def digest(content: bytes | str) -> str:
    """32 hexadecimal digits that another content does not have."""
    if isinstance(content, str):
        content = content.encode(errors="surrogatepass")
    return blake2b(content, digest_size=16).hexdigest()
