"""Texts that are given, as far as that is certain without all of their characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.text import HOLE

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel


def filled(launch: ProgramModel, canonical: str) -> bool:
    """Whether a setting holds a text that is not empty; certain too where only a part of the text is known.

    `http://$HOST:5000` is not empty, whatever the host. Raises `Undetermined` where nothing of it is known.
    """
    setting = launch.session.setting(canonical)
    words = () if setting is None or setting in launch.session.launch.refused else setting.text
    if any(piece.strip() for word in words for piece in word.text.split(HOLE)):
        return True
    return bool(launch.held(canonical))
