"""Make `schemas/transformers/` from released wheels of transformers.

training_arguments.json   `releases`, and in `classes` TrainingArguments and Seq2SeqTrainingArguments in the form of
                          `schemas/trl/configs/`; enumerations that a field is turned into have their values listed
changes.json              changes.toml, which is written by hand, in a form that loads quickly
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from rlhflint.catalog.source.class_source import ClassSource
from rlhflint.catalog.source.module_source import ModuleSource, read_module
from rlhflint.frameworks.trl.catalog.names import class_key
from tools.schemas.class_tables import ClassTable
from tools.schemas.histories import to_json
from tools.schemas.overlay import compile_changes
from tools.schemas.wheel_texts import by_release, texts

CHANGES = Path(__file__).resolve().parent.parent.parent / "schemas" / "transformers" / "changes.toml"
_MODULES = ("training_args", "training_args_seq2seq", "trainer_utils")
_CLASSES = ("TrainingArguments", "Seq2SeqTrainingArguments")


def build(wheels: Sequence[Path]) -> dict[str, str]:
    """The text of every data file by its path below `schemas/`."""
    tables: dict[str, ClassTable] = defaultdict(ClassTable)
    order: list[str] = []
    for release, wheel in by_release(wheels).items():
        order.append(release)
        found = texts(wheel, *(f"transformers/{name}.py" for name in _MODULES))
        modules = [
            read_module(text, path.removesuffix(".py").replace("/", "."), package=False) for path, text in found.items()
        ]
        classes = {name: source for module in modules for name, source in module.classes.items()}
        for name in _CLASSES:
            bases = [class_key(_absolute(base, modules)) for base in classes[name].bases]
            tables[f"transformers:{name}"].add(release, classes[name], bases, "", _values_of(classes))
    content = {
        "releases": order,
        "classes": {key: table.to_json(order) for key, table in sorted(tables.items())},
    }
    return {
        "transformers/training_arguments.json": to_json(content, 4),
        "transformers/changes.json": compile_changes(CHANGES),
    }


def _values_of(classes: dict[str, ClassSource]):  # noqa: ANN202
    def values(_: ClassSource, enumeration: str) -> Sequence[str] | None:
        found = classes.get(enumeration)
        return None if found is None else found.values

    return values


def _absolute(base: str, modules: Sequence[ModuleSource]) -> str:
    for module in modules:
        if base in module.classes:
            return f"{module.name}.{base}"
    return base
