"""Classes of the user and of a copy of the package: what their fields and constructors take."""

from __future__ import annotations

import pytest

from rlhflint.catalog.fields import Field, Missing
from rlhflint.catalog.source.module_source import read_module
from rlhflint.conversion import NotAChoice, WrongType
from rlhflint.frameworks.trl.catalog.commands import command_fields, parser_traits, script_at, subcommands
from rlhflint.frameworks.trl.catalog.imports import ClassRef, Deleted, Moved, NotYet, Other, Shim, Unknown, class_at
from rlhflint.frameworks.trl.catalog.lookup import config_fields, trainer_parameters
from rlhflint.frameworks.trl.catalog.parser import convert_words, options_of, reading_of
from rlhflint.frameworks.trl.catalog.programs import config_key, key_at, program_of, trainer_key
from rlhflint.frameworks.trl.catalog.tree import Tree
from rlhflint.frameworks.trl.catalog.unset import unset_value
from rlhflint.value import Known, OneOf, Value
from rlhflint.value import Unknown as NotKnown


def field(annotation: str, **more: object) -> Field:
    return Field("mine", annotation, "recipe.Mine", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("annotation", "words", "value"),
    [
        ("int | str", ["3"], 3),
        ("str | int", ["3"], 3),
        ("str | None", ["3"], "3"),
        ("None | float", ["3"], 3.0),
        ("bool", [], True),
        ("bool | None", ["no"], False),
        ("list[float]", ["1", "2.5"], [1.0, 2.5]),
        ("list[Kind]", ["one", "two"], ["one", "two"]),
        ("Literal['a', 'b']", ["b"], "b"),
        ("Literal[1, 2, 'all']", ["2"], 2),
        ("Literal[1, 2, 'all']", ["all"], "all"),
        ("Literal[Kind.ONE]", ["anything"], "anything"),
        ("dict[str, int]", [""], {}),
        ("Path", ["a/b"], "a/b"),
        ("float | None", ["null"], None),
    ],
)
def test_words_by_the_annotation_of_a_field(annotation: str, words: list[str], value: object) -> None:
    given = convert_words(field(annotation), words, none_words=True)
    assert (given, type(given)) == (value, type(value))


@pytest.mark.parametrize(
    ("annotation", "word", "error"),
    [
        ("int | str", "three", WrongType),
        ("Literal['a', 'b']", "c", NotAChoice),
        ("Literal[1, 2]", "3", NotAChoice),
        ("dict", "{}", WrongType),
        ("list[int]", "1.5", WrongType),
        ("bool", "2", WrongType),
    ],
)
def test_words_that_end_a_run(annotation: str, word: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        convert_words(field(annotation), [word], none_words=True)


@pytest.mark.parametrize(
    ("annotation", "refused"),
    [
        ("int | float", True),
        ("int | float | None", True),
        ("bool | str | None", True),
        ("bool | None", False),
        ("int | str", False),
        ("int | str | None", False),
        ("int | None", False),
    ],
)
def test_unions_that_no_parser_can_be_built_of(annotation: str, refused: bool) -> None:
    assert reading_of(field(annotation), none_words=True).refused is refused


def test_choices_that_upstream_computes_may_be_any() -> None:
    option = options_of({"mine": field("str", choices=None)})["--mine"]  # type: ignore[arg-type]
    assert option.choices is None
    assert convert_words(field("str", choices=None), ["x"], none_words=True) == "x"


@pytest.mark.parametrize(
    ("one", "value"),
    [
        (field("str", default=Missing.REQUIRED), NotKnown("it has no default")),
        (
            field("str", default=Missing.COMPUTED, expression="pick()"),
            NotKnown("upstream computes its default: pick()"),
        ),
        (field("str", default=3), Known(3)),
        (field("str", becomes="not other"), OneOf(False, "$OTHER")),
        (field("str", becomes="other"), OneOf(True, "$OTHER")),
        (field("str", becomes="'a' if other else 'b'"), NotKnown("$OTHER")),
        (field("str", becomes="'a' if True else pick()"), Known("a")),
        (field("str", becomes="[1, -2]"), Known([1, -2])),
        (field("str", becomes="pick(other)"), NotKnown("upstream computes it: pick(other)")),
        (field("str", becomes="not a name"), NotKnown("upstream computes it: not a name")),
    ],
)
def test_what_an_option_comes_to_that_is_not_given(one: Field, value: Value) -> None:
    assert unset_value(one, {"other": OneOf(True, "$OTHER")}.__getitem__) == value


TREE = Tree.read(
    {
        "trl/__init__.py": "from .trainer import SFTConfig, SFTTrainer, KTOConfig\nfrom .data import pack, nowhere\n",
        "trl/data.py": "def pack(rows): ...\n",
        "trl/broken.py": "def (\n",
        "trl/notes.txt": "",
        "trl/cli.py": "SUPPORTED_COMMANDS = ['sft', 'env', 'vllm-serve']\n",
        "trl/scripts/sft.py": """
from trl import SFTConfig, ModelConfig, TrlParser

def main():
    parser = TrlParser((SFTConfig, ModelConfig))
    parser.parse_args_and_config(return_remaining_strings=True)
""",
        "trl/scripts/env.py": "print()\n",
        "trl/trainer/__init__.py": "from .mine_config import *\nfrom .mine_trainer import *\nfrom .kto import *\n",
        "trl/trainer/mine_config.py": """
from dataclasses import dataclass
from enum import Enum
from transformers import TrainingArguments

class Way(Enum):
    FIRST = "first"
    LAST = "last"

@dataclass
class SFTConfig(TrainingArguments):
    sharpness: float = 0.5
    way: str = "first"

    def __post_init__(self):
        self.way = Way(self.way)
""",
        "trl/trainer/mine_trainer.py": """
from company import Trainer

class BaseTrainer:
    def __init__(self, model, args=None, *, callbacks=None): ...

class SFTTrainer(BaseTrainer):
    pass

class DPOTrainer(BaseTrainer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

class GRPOTrainer(Trainer):
    pass

class EmptyTrainer:
    pass

class RewardTrainer(BaseTrainer):
    def __init__(self, model, /, *rest, reward, **kwargs): ...
""",
        "trl/trainer/kto.py": """
import warnings
from dataclasses import dataclass
from ..experimental.kto import KTOConfig as _KTOConfig

@dataclass
class KTOConfig(_KTOConfig):
    def __post_init__(self):
        warnings.warn("it moved", FutureWarning)
        super().__post_init__()
""",
        "trl/experimental/kto/__init__.py": "from .kto_config import *\n",
        "trl/experimental/kto/kto_config.py": """
from dataclasses import dataclass
from transformers import TrainingArguments

@dataclass
class KTOConfig(TrainingArguments):
    desirable: float = 1.0
""",
    }
)


MOVED = ClassRef("experimental.kto:KTOConfig", "trl.experimental.kto.KTOConfig")


def test_a_file_that_is_no_python_is_told() -> None:
    assert TREE.unreadable == ("trl/broken.py",)
    assert TREE.text_of("trl/broken.py") is TREE.text_of("trl/absent.py") is None


def test_values_of_an_enumeration_of_the_package() -> None:
    fields = config_fields("trl:SFTConfig", TREE, "5.0.0")
    assert fields["way"].accepts == ("first", "last")
    assert fields["sharpness"].default == 0.5
    assert "learning_rate" in fields


def test_a_class_that_the_package_does_not_have() -> None:
    with pytest.raises(KeyError):
        config_fields("trl:GRPOConfig", TREE, "5.0.0")
    with pytest.raises(KeyError):
        trainer_parameters("trl:PPOTrainer", TREE)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("trl.SFTConfig", ClassRef("trl:SFTConfig", "trl.SFTConfig")),
        ("trl.pack", Other("trl.pack", "trl.data.pack")),
        ("trl.nowhere", Unknown()),
        ("trl.trainer.SFTTrainer", ClassRef("trl:SFTTrainer", "trl.trainer.SFTTrainer")),
        (
            "trl.KTOConfig",
            Shim(
                "trl:KTOConfig",
                ClassRef("experimental.kto:KTOConfig", "trl.experimental.kto.KTOConfig"),
                "FutureWarning",
            ),
        ),
        ("company.SFTConfig", Unknown()),
    ],
)
def test_what_a_name_of_the_package_is(path: str, found: object) -> None:
    assert class_at(path, TREE) == found


def test_programs_of_a_package() -> None:
    assert config_key("trl:sft", TREE) == "trl:SFTConfig"
    assert config_key("trl:kto", TREE) == "experimental.kto:KTOConfig"
    assert trainer_key("trl:dpo", TREE) == "trl:DPOTrainer"
    assert key_at("KTOConfig", TREE) == "experimental.kto:KTOConfig"
    assert config_key("trl:rloo", TREE) is config_key("trl:absent", TREE) is trainer_key("trl:absent", TREE) is None
    assert config_key("trl:vllm_serve", TREE) == "scripts.vllm_serve:ScriptArguments"


@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("GRPOConfig", "trl:grpo"),
        ("trl:GRPOTrainer", "trl:grpo"),
        ("scripts.vllm_serve:ScriptArguments", "trl:vllm_serve"),
        ("scripts.dpo:ModelConfig", None),
        ("Trainer", None),
    ],
)
def test_the_program_of_a_class(name: str, program: str | None) -> None:
    assert program_of(name) == program


@pytest.mark.parametrize(
    ("key", "names", "complete"),
    [
        ("trl:SFTTrainer", ["model", "args", "callbacks"], True),
        ("trl:DPOTrainer", ["model", "args", "callbacks"], True),
        ("trl:GRPOTrainer", [], False),
        ("trl:EmptyTrainer", [], True),
        ("trl:RewardTrainer", ["model", "reward"], False),
    ],
)
def test_what_a_trainer_of_the_package_takes(key: str, names: list[str], complete: bool) -> None:
    found = trainer_parameters(key, TREE)
    assert (list(found), len(found), found.complete) == (names, len(names), complete)


OWN = """
from trl import SFTTrainer, trainer
import company

class Mine(SFTTrainer):
    def __init__(self, model, bonus, **kwargs):
        super().__init__(model, **kwargs)

class Handing(SFTTrainer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

class Plain(trainer.SFTTrainer):
    pass

class Foreign(company.Trainer):
    pass
"""


@pytest.mark.parametrize("trl", ["1.0.0", TREE], ids=["release", "copy"])
def test_what_a_trainer_of_the_users_takes(trl: str | Tree) -> None:
    module = read_module(OWN, "recipe", package=False)
    own = {source.path: source for source in module.classes.values()}
    theirs = trainer_parameters("trl:SFTTrainer", trl)
    for name in ("Handing", "Plain"):
        found = trainer_parameters(f"recipe.{name}", trl, own)
        assert dict(found) == dict(theirs)
        assert found.at(0) == theirs["model"]
        assert found.at(99) is None
    mine = trainer_parameters("recipe.Mine", trl, own)
    assert (list(mine), mine.catches_all, mine["bonus"].required) == (["model", "bonus"], True, True)
    foreign = trainer_parameters("recipe.Foreign", trl, own)
    assert (foreign.unseen, foreign.complete) == ("company.Trainer", False)


def test_a_trainer_that_a_release_does_not_have() -> None:
    with pytest.raises(KeyError):
        trainer_parameters("trl:GRPOTrainer", "0.12.0")


@pytest.mark.parametrize(
    ("path", "release", "kind"),
    [
        ("trl.GRPOConfig", "0.12.0", NotYet),
        ("trl.experimental", "0.12.0", NotYet),
        ("trl.PPOv2Config", "1.0.0", Deleted),
        ("trl.Nonsense", "1.0.0", Unknown),
        ("trl.trainer.ppo_config.PPOConfig", "1.10.0", Moved),
        ("numpy.array", "1.0.0", Unknown),
    ],
)
def test_what_a_name_is_at_a_release(path: str, release: str, kind: type) -> None:
    assert isinstance(class_at(path, release), kind)


def test_the_command_line_of_a_package() -> None:
    found = subcommands(TREE)
    assert set(found) == {"sft", "env", "vllm-serve"}
    sft = found["sft"]
    assert (sft.script, sft.parser, sft.call) == ("trl.scripts.sft", "TrlParser", "parse_args_and_config")
    assert sft.classes == ("trl:SFTConfig", "trl:ModelConfig")
    assert sft.arguments == {"return_remaining_strings": True}
    assert found["env"].script == found["vllm-serve"].script == ""
    assert script_at("trl.scripts.env", TREE) is script_at("trl.scripts.absent", TREE) is script_at("", TREE) is None


@pytest.mark.parametrize(
    ("text", "transformers", "traits"),
    [
        (None, "4.45.2", (False, False)),
        (None, "5.0.0", (True, False)),
        ("class HfArgumentParser: ...", "4.45.2", (True, False)),
        ("def _accept_none(text): ...", "4.45.2", (True, True)),
    ],
)
def test_the_parser_of_a_package(text: str | None, transformers: str, traits: tuple[bool, bool]) -> None:
    texts = {"trl/__init__.py": ""} | ({"trl/scripts/_hf_argparser.py": text} if text else {})
    assert parser_traits(Tree.read(texts), transformers) == traits


def test_a_command_line_takes_an_option_of_the_first_class_that_has_it() -> None:
    fields = command_fields(("trl:SFTConfig", "experimental.kto:KTOConfig"), TREE, "5.0.0")
    assert fields["sharpness"].owner == "trl:SFTConfig"
    assert fields["desirable"].owner == "experimental.kto:KTOConfig"
    assert fields.complete
    with pytest.raises(KeyError):
        command_fields(("trl:ModelConfig",), TREE, "5.0.0")
