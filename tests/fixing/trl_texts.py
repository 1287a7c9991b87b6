"""Python files made up for properties: configurations of TRL of any release, written in the ways people write them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from rlhflint.catalog.fields import Field, Missing
from rlhflint.frameworks.trl.catalog.imports import ClassRef, Shim, class_at
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.transformers_beside import newest_transformers

CLASSES = ("SFTConfig", "DPOConfig", "GRPOConfig", "KTOConfig", "RewardConfig", "RLOOConfig", "ORPOConfig", "CPOConfig")
SINCE = "0.12.0"


@dataclass(frozen=True)
class Written:
    """A file that makes one configuration, the release it is written for, and what it gives."""

    name: str
    release: str
    text: str
    given: dict[str, object]


@st.composite
def configurations(draw: st.DrawFn) -> Written:
    """A configuration of a release, given some options in one of the usual ways."""
    name = draw(st.sampled_from(CLASSES))
    order = releases()
    there = [
        one
        for one in order[order.position(SINCE) :]
        if isinstance(class_at(f"trl.{name}", one), (ClassRef, Shim)) and key_at(name, one) is not None
    ]
    release = draw(st.sampled_from(there))
    key = key_at(name, release) or ""
    fields = config_fields(key, release, newest_transformers(release))
    chosen = draw(st.lists(st.sampled_from([*fields.values()]), max_size=8, unique_by=lambda one: one.name))
    given = {one.name: value for one in chosen if (value := draw(_value(one))) is not None}
    return Written(name, release, draw(_written(name, {"output_dir": "out", **given})), given)


def _value(one: Field) -> st.SearchStrategy[object]:
    if one.name == "output_dir" or one.name.startswith("_") or isinstance(one.default, Missing) or not one.init:
        return st.none()
    if one.choices or one.accepts:
        return st.sampled_from([*(one.choices or ()), *one.accepts])
    if one.type.startswith("bool"):
        return st.booleans()
    if one.type.startswith("int"):
        return st.integers(0, 5000)
    if one.type.startswith("float"):
        return st.sampled_from([0.0, 0.1, 1.0, 2.5, 1e-6])
    if one.type.startswith("str"):
        return st.sampled_from(["a", "größe", "it's"])
    return st.none()


def _written(name: str, given: dict[str, object]) -> st.SearchStrategy[str]:
    words = [f"{key}={value!r}" for key, value in given.items()]
    head = f"from trl import {name}\n\n"
    return st.sampled_from(
        [
            f"{head}args = {name}({', '.join(words)})\n",
            f"{head}args = {name}(\n    " + ",\n    ".join(words) + ",\n)\n",
            f"{head}args = {name}(\n    " + ",\n    ".join(words) + "\n)\n",
            f"{head}args = {name}(\n" + "".join(f"    {one},  # {one}\n" for one in words) + ")  # end\n# end\n",
            f"{head}args = {name}(\r\n\t" + ",\r\n\t".join(words) + ",\r\n)".replace("\n", "\r\n", 0),
            f"{head}args = {name}({words[0]},\n            " + ", ".join(words[1:]) + ")",
            f"import trl\n\n\ndef main():\n    return trl.{name}({', '.join(words)})\n",
        ]
    )
