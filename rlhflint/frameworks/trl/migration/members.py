"""Members of enumerations that are not there in the end: the text to write instead, or that there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.call import Argument
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.proposal import SetValue
from rlhflint.records import dataclass
from rlhflint.value import Known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Setting


@dataclass(frozen=True, slots=True)
class _Ended:
    """An enumeration: the first release of its package whose options take texts alone, or which does not have it."""

    package: int
    release: str
    members: Mapping[str, str]


_ENUMERATIONS = {
    # dpo_config.py@0.27.2, @0.28.0: `f_divergence_type: str`
    "FDivergenceType": _Ended(
        0,
        "0.28.0",
        {
            "REVERSE_KL": "reverse_kl",
            "JS_DIVERGENCE": "js_divergence",
            "ALPHA_DIVERGENCE": "alpha_divergence",
        },
    ),
    # trainer_utils.py@4.57.6, @5.0.0
    "EvaluationStrategy": _Ended(1, "5.0.0", {"NO": "no", "STEPS": "steps", "EPOCH": "epoch"}),
}
_MEMBERS_GONE = {
    # training_args.py@4.50.0, @5.8.0
    ("OptimizerNames", "ADAMW_HF"): "4.50.0",
    ("OptimizerNames", "ADAMW_APEX_FUSED"): "5.8.0",
}


def as_text(setting: Setting, ends: Ends) -> SetValue | None:
    """The text for a member of an enumeration that is not taken in the end; None where it stays as it is."""
    found = _member(setting)
    ended = _ENUMERATIONS.get(found[0]) if found is not None else None
    if found is None or ended is None or not _from(ended.package, ended.release, ends):
        return None
    value = ended.members.get(found[1], found[1] if found[1] in ended.members.values() else None)
    return SetValue(setting, value) if value is not None else None


def not_there(setting: Setting, ends: Ends) -> str:
    """What to say of a member that its enumeration does not have in the end; nothing where it has it."""
    found = _member(setting)
    release = _MEMBERS_GONE.get(found) if found is not None else None
    if found is None or release is None or not _from(1, release, ends):
        return ""
    return f"{found[0]} of transformers {ends.to[1]} has no {found[1]}: it went with {release}, and nothing is like it"


def _from(package: int, release: str, ends: Ends) -> bool:
    order = (releases(), transformers_releases())[package]
    return order.position(ends.to[package]) >= order.position(release)


def _member(setting: Setting) -> tuple[str, str] | None:
    """The class and the member, or its value, that a setting is given: `X.MEMBER`, `X.MEMBER.value`, `X("value")`."""
    one = setting.origin
    if not isinstance(one, Argument):
        return None
    if one.named is not None and not one.named.local:
        owner, _, member = one.named.path.removesuffix(".value").rpartition(".")
        return (owner.rpartition(".")[2], member) if owner.startswith(("trl.", "transformers.")) else None
    call = one.made.call if one.made is not None and one.made.index is None else None
    if call is None or len(call.arguments) != 1 or not call.target.startswith(("trl.", "transformers.")):
        return None
    value = call.arguments[0].value
    return (call.target.rpartition(".")[2], str(value.value)) if isinstance(value, Known) else None
