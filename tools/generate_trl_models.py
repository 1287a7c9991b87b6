"""Writes `rlhflint/frameworks/trl/models/`: one typed model for each program of TRL, made from the catalog.

    python tools/generate_trl_models.py           write the modules
    python tools/generate_trl_models.py --check   write nothing; exit 1 if a module is not what the catalog gives

A model holds, by newest name, every option that the program's configuration class had in any release, the options of
its command line, and the keywords of its trainer. Types are the union over releases, defaults those of the newest
release that has the option.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rlhflint.catalog.annotations import parts_of  # noqa: E402
from rlhflint.catalog.fields import Field, Missing  # noqa: E402
from rlhflint.frameworks.trl.catalog.commands import command_fields, subcommands  # noqa: E402
from rlhflint.frameworks.trl.catalog.lookup import config_fields, trainer_parameters  # noqa: E402
from rlhflint.frameworks.trl.catalog.over_releases import canonical  # noqa: E402
from rlhflint.frameworks.trl.catalog.programs import (  # noqa: E402
    PROGRAMS,
    key_at,
    program_of_subcommand,
)
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases  # noqa: E402

FOLDER = ROOT / "rlhflint" / "frameworks" / "trl" / "models"
SHARED = ("ModelConfig", "ScriptArguments", "DatasetMixtureConfig")
"""Classes that a script parses beside the configuration of its trainer."""
KEYWORDS = (
    *("model", "processing_class", "train_dataset", "eval_dataset", "data_collator", "peft_config"),
    *("quantization_config", "compute_metrics", "callbacks", "optimizers", "preprocess_logits_for_metrics"),
)
"""Keywords that the trainers have in common."""
HANDLES = {"args", "config"}
"""Keywords of a trainer that hold the configuration itself."""
ORDER = ("bool", "int", "float", "str", "list[int]", "list[float]", "list[str]", "None")


@dataclass
class Option:
    """One field of a model, as it grows release by release."""

    types: set[str] = field(default_factory=set)
    default: object = None

    def add(self, one: Field) -> None:
        """Take in the field of a further, newer release."""
        self.types.update(types_of(one.type))
        unknown = isinstance(one.default, Missing)
        self.default = None if unknown else one.default
        if unknown or one.default is None:
            self.types.add("None")

    def line(self, name: str) -> str:
        """Its line in the class."""
        return f"    {name}: {annotation(self.types)} = {self.default!r}"


Options = dict[str, Option]


def types_of(text: str) -> Iterator[str]:
    """The types a model tells apart, of the annotation of a field."""
    for part in parts_of(text):
        if part in ("int", "float", "str", "bool", "None", "list[str]", "list[float]", "list[int]"):
            yield part
        elif part.startswith("Literal[") or re.fullmatch(r"\w+(?:Strategy|Type|Names|Option)", part):
            yield "str"
        else:
            yield "Any"


def annotation(types: set[str]) -> str:
    """The annotation for a union of types."""
    if "Any" in types:
        return "Any"
    return " | ".join(name for name in ORDER if name in types and not (name == "int" and "float" in types))


def training_arguments() -> Options:
    """The options of TrainingArguments over the releases of transformers."""
    options: Options = {}
    for release in transformers_releases():
        key = "transformers:TrainingArguments"
        collect(options, key, config_fields(key, releases().newest, release).values(), None)
    return options


def collect(options: Options, name: str, fields: Iterable[Field], release: str | None) -> None:
    """Take in the fields of a class at one release, by newest name; an old name gives way to the new one beside it."""
    found: dict[str, Field] = {}
    for one in fields:
        newest = canonical(name, one.name, release)
        if newest == one.name or newest not in found:
            found[newest] = one
    for newest, one in found.items():
        options.setdefault(newest, Option()).add(one)


def own_options(name: str, *, inherited: bool = False) -> Options:
    """The options of the classes called `name` over all releases; with `inherited` those of TrainingArguments too."""
    options: Options = {}
    for release in releases():
        if key := key_at(name, release):
            fields = config_fields(key, release, transformers_releases().newest).values()
            wanted = [one for one in fields if inherited or not one.owner.startswith("transformers:")]
            collect(options, name, wanted, release)
    return options


def command_options(program: str) -> Options:
    """The options of the scripts that the subcommand of a program starts, over all releases."""
    options: Options = {}
    for release in releases():
        for word, command in subcommands(release).items():
            if program_of_subcommand(word) == program:
                fields = command_fields(command.classes, release, transformers_releases().newest)
                own = [one for one in fields.values() if one.owner.startswith(("scripts.", "trl:ScriptArguments"))]
                collect(options, program, own, release)
    return options


def keywords(stems: Iterable[str]) -> Options:
    """The keywords of a program's trainer over all releases, as values that are not looked into."""
    options: Options = {}
    for stem in stems:
        for release in releases():
            if key := key_at(f"{stem}Trainer", release):
                for written in trainer_parameters(key, release):
                    name = canonical(key, written)
                    if name not in HANDLES:
                        options[name] = Option({"Any"})
    return options


def shared() -> Options:
    """What all models have in common."""
    options = training_arguments()
    for name in SHARED:
        options |= own_options(name)
    options |= own_options("_BaseConfig")
    return options | {name: Option({"Any"}) for name in KEYWORDS}


def module_text(program: str, name: str, base: str, options: Options) -> str:
    """The text of a module with one model."""
    fields = "\n".join(option.line(option_name) for option_name, option in options.items())
    about = f"The settings of `{program}`." if program else "The settings that all trainers of TRL have in common."
    typing = [*(["Any"] if re.search(r"\bAny\b", fields) else []), *(["ClassVar"] if program else [])]
    home = "rlhflint.model" if base == "ProgramModel" else "rlhflint.frameworks.trl.models.shared"
    return "\n".join(
        [
            f'"""{about} Made by `tools/generate_trl_models.py`."""',
            "",
            "from __future__ import annotations",
            "",
            f"from typing import {', '.join(typing)}",
            "",
            f"from {home} import {base}",
            "",
            "",
            f"class {name}({base}):",
            f'    """{about}"""',
            "",
            *([f'    program: ClassVar[str] = "{program}"', ""] if program else []),
            fields,
            "",
        ]
    )


def program_options(program: str, stems: Iterable[str]) -> Options:
    """All options of a program."""
    options: Options = {}
    for stem in reversed(list(stems)):
        options |= own_options(f"{stem}Config", inherited=True)
    for extra in (keywords(stems), command_options(program)):
        options |= {name: option for name, option in extra.items() if name not in options}
    return options


def modules() -> dict[str, str]:
    """The text of every module by its name."""
    common = shared()
    programs = {program: program_options(program, stems) for program, stems in PROGRAMS.items()}
    for options in programs.values():
        for name in options.keys() & common.keys():
            common[name].types |= options[name].types
    found = {"shared": module_text("", "TrainerModel", "ProgramModel", common)}
    for program, options in programs.items():
        for name in options.keys() & common.keys():
            options[name].types = common[name].types
        own = {
            name: option
            for name, option in options.items()
            if name not in common or (name not in KEYWORDS and option.line(name) != common[name].line(name))
        }
        found[program.partition(":")[2]] = module_text(program, f"{PROGRAMS[program][0]}Model", "TrainerModel", own)
    served = command_options("trl:vllm_serve")
    found["vllm_serve"] = module_text("trl:vllm_serve", "VllmServeModel", "ProgramModel", served)
    return formatted(found)


def formatted(texts: dict[str, str]) -> dict[str, str]:
    """The modules as the project's formatter leaves them."""
    with tempfile.TemporaryDirectory() as name:
        paths = {module: Path(name) / f"{module}.py" for module in texts}
        for module, path in paths.items():
            path.write_text(texts[module], encoding="utf-8")
        command = [sys.executable, "-m", "ruff", "format", "--quiet", "--config", str(ROOT / "pyproject.toml"), name]
        subprocess.run(command, check=True)
        return {module: path.read_text(encoding="utf-8") for module, path in paths.items()}


def main() -> int:
    """Write or compare the modules; 1 if `--check` finds a difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; say what differs")
    options = parser.parse_args()
    stale = []
    for name, text in modules().items():
        path = FOLDER / f"{name}.py"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not options.check:
                path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name}.py {'differs from the catalog' if options.check else 'written'}")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
