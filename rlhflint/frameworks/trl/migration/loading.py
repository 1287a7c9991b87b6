"""The dtype among what a model is loaded with: its name in the dictionary that goes to `from_pretrained`.

TRL looks for `dtype` there from 0.23 on, and `from_pretrained` knows it from 4.56 on (trainer/grpo_trainer.py@0.23.0,
modeling_utils.py@4.56.0). From 0.27 on `torch_dtype` beside it loses against the float32 that TRL puts there
(trainer/utils.py@0.27.0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.call import Argument
from rlhflint.catalog.trl import releases, transformers_releases
from rlhflint.frameworks.trl.session import details_in
from rlhflint.mapping import Entry, Mapping
from rlhflint.proposal import Change, Rewrite
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch, Setting
    from rlhflint.text import Span

OLD, NEW = "torch_dtype", "dtype"
_READ, _KNOWN = "0.23.0", "4.56.0"
_CHOSE_OTHERWISE = "5.0.0"
LOADED = "model_init_kwargs"
_SAID_BY = {"0.26.0": ("device_map",), "0.27.0": (NEW, OLD)}
"""The keys that leave nothing to what a release chose anew for a model given by name."""


def loaded_with(setting: Setting, name: str, ends: Ends) -> tuple[Change, ...]:
    """The changes of an option that holds what a model is loaded with; none where it stays as it is."""
    trl, transformers = releases().position, transformers_releases().position
    if not name.endswith(LOADED) or trl(ends.to[0]) < trl(_READ) or transformers(ends.to[1]) < transformers(_KNOWN):
        return ()
    spans = _in_words(setting) if setting.origin is None else _names(setting)
    return tuple(Rewrite(span, NEW) for span in dict.fromkeys(spans))


def relies_on(launch: Launch, setting: Setting | None, release: str) -> bool:
    """Whether it is left to TRL how a model is loaded, as far as that changed with a release; `setting` says how.

    What transformers chose before 5.0 is the float32 that TRL chooses from 0.27 on.
    """
    order = transformers_releases()
    if release == "0.27.0" and order.position(details_in(launch).transformers) < order.position(_CHOSE_OTHERWISE):
        return False
    wanted = _SAID_BY.get(release, ())
    if setting is not None:
        keys = [one.name for one in setting.origin.items] if isinstance(setting.origin, Argument) else []
        if isinstance(setting.origin, Entry) and isinstance(setting.origin.value.node, Mapping):
            keys = [one.name for one in setting.origin.value.node.entries]
        words = "".join(text.text for text in setting.text) if setting.origin is None else ""
        if any(one in keys or f'"{one}"' in words for one in wanted):
            return False
    if details_in(launch).form != "python":
        return setting is not None
    model = launch.values.get("model")
    return model is None or (isinstance(model, Known) and isinstance(model.value, str))


def _names(setting: Setting) -> list[Span]:
    """Where the old name stands as a key, unless the new one does as well."""
    if isinstance(setting.origin, Argument):
        items = setting.origin.items
        if any(one.name == NEW for one in items):
            return []
        return [one.name_span for one in items if one.name == OLD and one.renamable and one.name_span is not None]
    node = setting.origin.value.node if isinstance(setting.origin, Entry) else None
    entries = node.entries if isinstance(node, Mapping) else ()
    if any(one.name == NEW for one in entries):
        return []
    return [one.name_span for one in entries if one.name == OLD and len(one.name_span) == len(OLD)]


def _in_words(setting: Setting) -> list[Span]:
    """Where the old name stands as a key of the JSON text of a command, as long as that is read as it is written."""
    text = setting.text[0] if len(setting.text) == 1 else None
    if text is None or not text.known or text.text.count(f'"{OLD}"') != 1 or f'"{NEW}"' in text.text:
        return []
    start = text.text.index(OLD)
    span = text.span_of(start, start + len(OLD))
    return [span] if span is not None and len(span) == len(OLD) else []
