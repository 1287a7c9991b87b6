"""What is taken without pydantic is what pydantic would make of it."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from rlhflint.fitting import Misfit, fitted
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.frameworks.openrlhf.models import model_of as openrlhf_model
from rlhflint.frameworks.openrlhf.models.train_sft import TrainSFT
from rlhflint.frameworks.trl.catalog.programs import PROGRAMS
from rlhflint.frameworks.trl.models import model_of as trl_model
from rlhflint.given import Given
from rlhflint.model import ProgramModel, build, leaves
from rlhflint.validation import validated
from rlhflint.value import Known, Undetermined, Unknown

MODELS: list[type[ProgramModel]] = [
    *(openrlhf_model(name) for name in openrlhf().programs),
    *(trl_model(name) for name in [*PROGRAMS, "trl:vllm_serve"]),
]
FIELDS = sorted({field.types for model in MODELS for _, field in leaves(model)})
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(),
    st.sampled_from(["1e-6", "8", "true", "no", "\udc80", "ä", ""]),
)
VALUES = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.text(max_size=3), SCALARS, max_size=2)


ANNOTATIONS = {f"field_{number}": " | ".join(types) for number, types in enumerate(FIELDS)}
Every: type[ProgramModel] = type(
    "Every", (ProgramModel,), {"__module__": __name__, "__annotations__": ANNOTATIONS, **dict.fromkeys(ANNOTATIONS)}
)
"""A field for every annotation that a generated model has."""


def test_there_are_fields_to_compare() -> None:
    assert len(FIELDS) > 10
    assert [field.types for field in Every.model_fields.values()] == FIELDS


def same(one: object, other: object) -> bool:
    """Equal, and of the same type all the way down; not-a-number is itself."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return one == other


@given(VALUES)
def test_a_value_that_fits_is_what_pydantic_makes_of_it(value: object) -> None:
    for name, field in Every.model_fields.items():
        try:
            found = fitted(field.types, value)
        except Misfit:
            continue
        held, refused = validated(Every, {name: value})
        assert refused == ()
        assert same(held[name], found), (field.types, value)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.program)
def test_pydantic_makes_a_model_with_its_defaults_of_nothing(model: type[ProgramModel]) -> None:
    def flat(tree: dict[str, object], prefix: str = "") -> dict[str, object]:
        found: dict[str, object] = {}
        for name, value in tree.items():
            group = f"{prefix}{name}." in groups
            found |= flat(value, f"{prefix}{name}.") if group and isinstance(value, dict) else {prefix + name: value}
        return found

    names = [name for name, _ in leaves(model)]
    groups = {name[: at + 1] for name in names for at, letter in enumerate(name) if letter == "."}
    adapter = TypeAdapter(model)
    made = adapter.validate_python({})
    assert type(made) is model
    assert flat(adapter.dump_python(made)) == {name: field.default for name, field in leaves(model)}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.program)
def test_pydantic_describes_every_field_of_a_model(model: type[ProgramModel]) -> None:
    def described(part: dict[str, Any], prefix: str = "") -> Iterator[str]:
        for name, field in part["properties"].items():
            if "properties" in field:
                yield from described(field, f"{prefix}{name}.")
            else:
                yield prefix + name

    assert sorted(described(TypeAdapter(model).json_schema())) == sorted(name for name, _ in leaves(model))


def test_a_model_is_a_field_of_somebody_elses_pydantic_model() -> None:
    class Job(BaseModel):
        launch: TrainSFT

    job = Job.model_validate({"launch": {"adam": {"lr": "1e-6"}}})
    assert job.launch.adam.lr == 1e-6
    assert job.launch.adam.model_fields_set == {"lr"}
    assert job.model_dump(mode="json")["launch"]["adam"]["lr"] == 1e-6
    with pytest.raises(ValidationError) as caught:
        Job.model_validate({"launch": {"adam": {"lr": "quick"}, "nothing": 1}})
    places = {detail["loc"] for detail in caught.value.errors()}
    assert places == {("launch", "adam", "lr"), ("launch", "nothing")}


def test_a_converter_that_refuses_is_told_the_same_with_and_without_pydantic() -> None:
    def whole(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise ValueError(f"takes a whole number, not {text!r}") from None

    model = trl_model("trl:sft")
    given_ = {"max_steps": Given("1e5", whole), "learning_rate": Given("0.5", float)}
    plain, refused = build(model, given_, {})
    assert [(one.canonical, one.message) for one in refused] == [("max_steps", "takes a whole number, not '1e5'")]
    _, by_pydantic = validated(model, given_)
    assert [(one.canonical, one.message) for one in by_pydantic] == [(one.canonical, one.message) for one in refused]
    assert plain.learning_rate == 0.5
    with pytest.raises(Undetermined, match="its value is not valid"):
        _ = plain.max_steps


def test_values_that_have_to_be_converted_are_converted_by_pydantic() -> None:
    model, refused = build(trl_model("trl:sft"), {"max_steps": Known("12"), "seed": Known("twelve")}, {})
    assert model.max_steps == 12
    assert [(one.canonical, "integer" in one.message) for one in refused] == [("seed", True)]


def test_a_default_of_one_model_is_not_shared_with_the_next() -> None:
    kind = openrlhf_model("train_sft")
    kind().adam.betas.append(1.0)
    assert kind().adam.betas == [0.9, 0.95]


def test_an_unknown_setting_does_not_show_the_default_of_its_class() -> None:
    model, _ = build(openrlhf_model("train_sft"), {"adam.lr": Unknown("$LR is not known")}, {})
    with pytest.raises(Undetermined, match="LR"):
        _ = model.adam.lr
    assert model.adam.weight_decay == 0.0
    with pytest.raises(AttributeError):
        _ = model.adam.nothing


def test_values_that_fit_load_no_pydantic() -> None:
    program = (
        "import sys\n"
        "from rlhflint.frameworks.openrlhf.models import model_of\n"
        "from rlhflint.model import build\n"
        "from rlhflint.value import Known\n"
        "build(model_of('train_sft'), {'adam.lr': Known(1)}, {'data.dataset': 'org/data'})\n"
        "assert 'pydantic' not in sys.modules\n"
        "build(model_of('train_sft'), {'adam.lr': Known('1')}, {})\n"
        "assert 'pydantic' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
