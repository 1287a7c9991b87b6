"""`torch_dtype` as a key in what a model is loaded with.

TRL looks for `dtype` there from 0.23 on, and `from_pretrained` knows it from 4.56 on (trainer/grpo_trainer.py@0.23.0,
modeling_utils.py@4.56.0). From 0.27 on `torch_dtype` loses against the float32 that TRL puts beside it
(trainer/utils.py@0.27.0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.call import Argument
from rlhflint.mapping import Entry, Mapping

if TYPE_CHECKING:
    from rlhflint.launch import Setting
    from rlhflint.text import Span

OLD, NEW = "torch_dtype", "dtype"


def old_keys(setting: Setting) -> list[Span]:
    """Where the old name stands in the value of a setting, in characters that can be changed, unless the new one does.

    A value that is text is JSON, and its key is found as long as it is read as it is written.
    """
    if isinstance(setting.origin, Argument):
        items = setting.origin.items
        if any(one.name == NEW for one in items):
            return []
        return [one.name_span for one in items if one.name == OLD and one.renamable and one.name_span is not None]
    if isinstance(setting.origin, Entry):
        node = setting.origin.value.node
        entries = node.entries if isinstance(node, Mapping) else ()
        if any(one.name == NEW for one in entries):
            return []
        return [one.name_span for one in entries if one.name == OLD and len(one.name_span) == len(OLD)]
    return _in_words(setting)


def _in_words(setting: Setting) -> list[Span]:
    """Where the old name stands as a key of the JSON text of a command, as long as that is read as it is written."""
    text = setting.text[0] if len(setting.text) == 1 else None
    if text is None or not text.known or text.text.count(f'"{OLD}"') != 1 or f'"{NEW}"' in text.text:
        return []
    start = text.text.index(OLD)
    span = text.span_of(start, start + len(OLD))
    return [span] if span is not None and len(span) == len(OLD) else []
