"""How a model is loaded: the name of the dtype, and what is left to TRL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.call import Argument
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.dtype_keys import NEW, OLD, old_keys
from rlhflint.frameworks.trl.session import details_in
from rlhflint.mapping import Entry, Mapping
from rlhflint.proposal import Change, Rewrite
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch, Setting

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
    return tuple(Rewrite(span, NEW) for span in dict.fromkeys(old_keys(setting)))


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
    return isinstance(model, Known) and isinstance(model.value, str)
