"""Functions and classes of the file: followed with what they are given, or with anything if nothing calls them."""

from __future__ import annotations

import pytest

from readers.python.reading import call, calls, given, read, shown, values
from rlhflint.call import Named, Parameter
from rlhflint.value import Known, OneOf, Unknown

HEAD = "from dataclasses import dataclass, field\nfrom trl import SFTConfig, SFTTrainer, GRPOConfig\n"


def test_a_function_is_followed_for_each_call() -> None:
    text = f"{HEAD}def make(lr, **more):\n    return SFTConfig(lr=lr, **more)\nmake(1, n=2)\nmake(lr=3)\n"
    assert [given(one) for one in calls(text)] == [{"lr": 1, "n": 2}, {"lr": 3}]
    assert {one.scope for one in calls(text)} == {"make"}


def test_what_a_function_gives_back_is_known() -> None:
    text = (
        f"{HEAD}def base():\n    return {{'a': 1}}\n\ndef lr(lora):\n    if lora:\n"
        "        return 1\n    return 2\n\nSFTConfig(**base(), lr=lr(True), m=lr(False))\n"
    )
    assert values(text) == {"a": 1, "lr": 1, "m": 2}


def test_globals_are_read_as_they_are_when_the_function_is_called() -> None:
    text = f"{HEAD}def make():\n    return SFTConfig(n=N)\nN = 1\nmake()\nN = 2\nmake()\n"
    assert [given(one) for one in calls(text)] == [{"n": 1}, {"n": 2}]


def test_a_function_that_nothing_calls_has_unknown_parameters() -> None:
    found = call(f"{HEAD}def make(lr, n=4, *, m=None):\n    SFTConfig(lr=lr, n=n, m=m)\n")
    assert isinstance(found.arguments[0].value, Unknown)
    assert "parameter of make()" in found.arguments[0].value.because
    assert isinstance(found.arguments[1].value, OneOf)
    assert found.arguments[1].value.default == 4


def test_a_decorated_function_may_be_called_with_anything() -> None:
    text = f"{HEAD}import hydra\n@hydra.main()\ndef main(cfg=None):\n    SFTConfig(lr=cfg.lr)\nmain()\n"
    assert isinstance(call(text).arguments[0].value, Unknown)


@pytest.mark.parametrize(
    "body",
    [
        "def main():\n    SFTConfig(n=1)\nif __name__ == '__main__':\n    main()\n",
        "async def main():\n    SFTConfig(n=1)\nimport asyncio\nasyncio.run(main())\n",
        "class Runner:\n    def run(self):\n        SFTConfig(n=1)\n",
        "class Runner:\n    cfg = SFTConfig(n=1)\n",
        "make = lambda: SFTConfig(n=1)\n",
        "make = lambda: SFTConfig(n=1)\nmake()\n",
        "def outer():\n    def inner():\n        return SFTConfig(n=1)\n    return inner\n",
        "xs = [SFTConfig(n=1) for x in load()]\n",
        "with open('x') as f:\n    SFTConfig(n=1)\n",
        "def main():\n    yield SFTConfig(n=1)\n",
        "print(f'{SFTConfig(n=1)}')\n",
        "assert SFTConfig(n=1)\n",
        "x = load() or SFTConfig(n=1)\n",
        "while True:\n    SFTConfig(n=1)\n    break\n",
        "fire.Fire(main)\ndef main():\n    SFTConfig(n=1)\n",
        "import sys\nif len(sys.argv) > 1:\n    sys.exit()\nSFTConfig(n=1)\n",
    ],
)
def test_a_call_is_found_wherever_it_stands(body: str) -> None:
    assert values(HEAD + body) == {"n": 1}


def test_recursion_ends() -> None:
    text = f"{HEAD}def f(n):\n    SFTConfig(n=n)\n    return f(n + 1)\nf(0)\n"
    assert values(text) == {"n": 0}


def test_functions_that_call_one_another_twice_over_end() -> None:
    text = (
        HEAD
        + "".join(f"def f{n}():\n    f{n + 1}()\n    f{n + 1}()\n" for n in range(30))
        + "def f30():\n    SFTConfig(n=1)\nf0()\n"
    )
    assert len(read(text).calls) < 2_000


def test_objects_of_classes_of_the_file() -> None:
    text = f"""{HEAD}
class Settings:
    lr = 1e-5
    def __init__(self, n, m=2):
        self.n = n
        self.m = m
    def config(self, k):
        return SFTConfig(lr=self.lr, n=self.n, m=self.m, k=k)

Settings(7).config(k=8)
"""
    assert values(text) == {"lr": 1e-5, "n": 7, "m": 2, "k": 8}


def test_fields_of_a_dataclass() -> None:
    text = f"""{HEAD}
@dataclass
class Args:
    lr: float = 1e-5
    n: int = field(default=4)
    names: list = field(default_factory=list)

args = Args(n=8)
SFTConfig(lr=args.lr, n=args.n, names=args.names)
"""
    assert values(text) == {"lr": 1e-5, "n": 8, "names": []}


def test_attributes_of_a_class_used_as_a_namespace() -> None:
    assert values(f"{HEAD}class CFG:\n    lr = 1\n    n = 2\nCFG.n = 3\nSFTConfig(lr=CFG.lr, n=CFG.n)\n") == {
        "lr": 1,
        "n": 3,
    }


def test_an_attribute_of_self_is_only_a_default_where_nothing_made_the_object() -> None:
    found = call(f"{HEAD}class Run:\n    lr = 1\n    def go(self):\n        SFTConfig(lr=self.lr, n=self.n)\n")
    assert isinstance(found.arguments[0].value, OneOf)
    assert isinstance(found.arguments[1].value, Unknown)


def test_partial() -> None:
    text = f"from functools import partial\n{HEAD}make = partial(SFTConfig, n=1)\nmake(m=2)\n"
    assert values(text) == {"n": 1, "m": 2}


def test_arguments_that_do_not_fit_a_function_are_not_followed() -> None:
    assert isinstance(call(f"{HEAD}def f(a):\n    SFTConfig(a=a)\nf(1, 2)\n").arguments[0].value, Unknown)


def test_a_derived_config_is_called_by_its_base() -> None:
    text = f"""{HEAD}
@dataclass
class Plus(GRPOConfig):
    '''More.'''
    curriculum: str = field(default="none", metadata={{"help": "x"}})
    max_prompt_length: int = 768
    rounds: int

@dataclass
class More(Plus):
    rounds: int = 2

More(beta=0.1, curriculum="a")
"""
    found = call(text, "trl.GRPOConfig")
    assert [one.name for one in found.subclass] == ["More", "Plus"]
    plus = found.subclass[1]
    assert plus.dataclass
    assert plus.bases == ("trl.GRPOConfig",)
    assert [(one.name, one.annotation, one.default) for one in plus.fields] == [
        ("curriculum", "str", Known("none")),
        ("max_prompt_length", "int", Known(768)),
        ("rounds", "int", None),
    ]
    assert text[plus.name_span.start : plus.name_span.end] == "Plus"
    assert {one.name for one in read(text).classes} == {"Plus", "More"}


def test_a_derived_trainer_with_parameters_of_its_own() -> None:
    text = f"""{HEAD}
class Mine(SFTTrainer):
    def __init__(self, *args, extra, gamma=1.0, **kwargs):
        super().__init__(*args, **kwargs)
    def compute_loss(self): ...

Mine("m", extra=1)
"""
    (found,) = calls(text, "trl.SFTTrainer")
    (mine,) = found.subclass
    assert mine.init == (
        Parameter("args", "*", has_default=True),
        Parameter("extra", "keyword-only", has_default=False),
        Parameter("gamma", "keyword-only", has_default=True),
        Parameter("kwargs", "**", has_default=True),
    )
    assert mine.forwards


def test_a_class_derived_from_an_unknown_one_is_not_a_watched_one() -> None:
    text = f"{HEAD}class Mine(make(SFTConfig)):\n    n: int = 1\nMine(a=1)\n"
    assert calls(text) == []
    assert read(text).classes[0].open_bases


def test_the_parser_is_given_its_classes_and_the_trainer_its_part_of_the_result() -> None:
    text = f"""{HEAD}from trl import TrlParser, ModelConfig
@dataclass
class Data:
    name: str = "x"

def main():
    parser = TrlParser((Data, SFTConfig, ModelConfig))
    data, args, model = parser.parse_args_and_config(return_remaining_strings=True)[:3]
    data, args, model = parser.parse_args_and_config()
    args.packing = True
    SFTTrainer(model=model.model_name_or_path, args=args)
main()
"""
    parser = call(text, "trl.TrlParser")
    assert [one.named for one in parser.arguments[0].items] == [
        Named("Data", local=True),
        Named("trl.SFTConfig"),
        Named("trl.ModelConfig"),
    ]
    model, args = call(text, "trl.SFTTrainer").arguments
    assert isinstance(model.value, Unknown)
    assert args.made is not None
    assert (args.made.index, args.made.call.target) == (1, "trl.TrlParser.parse_args_and_config")
    assert args.made.call.receiver is not None
    assert args.made.call.receiver.call.site == parser.site
    assert [(one.name, shown(one)) for one in args.made.assigned] == [("packing", True)]


def test_a_parser_for_one_class() -> None:
    text = (
        f"{HEAD}from trl import TrlParser\n(args,) = TrlParser(SFTConfig).parse_args_and_config()\n"
        "SFTTrainer(args=args)\n"
    )
    (argument,) = call(text, "trl.SFTTrainer").arguments
    assert argument.made is not None
    assert argument.made.index == 0


def test_arguments_of_argparse_are_unknown() -> None:
    text = (
        f"{HEAD}import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', default=1)\n"
        "args = p.parse_args()\nSFTConfig(lr=args.lr)\n"
    )
    assert isinstance(call(text).arguments[0].value, Unknown)


def test_a_namespace_of_constants() -> None:
    text = (
        f"{HEAD}from types import SimpleNamespace\nc = SimpleNamespace(lr=1, **{{'n': 2}})\n"
        "c.m = 3\nSFTConfig(lr=c.lr, n=c.n, m=c.m)\n"
    )
    assert values(text) == {"lr": 1, "n": 2, "m": 3}


def test_global_and_nonlocal_names() -> None:
    text = (
        f"{HEAD}n = 1\ndef setup():\n    global n\n    n = 2\n    m = 1\n    def inner():\n"
        "        nonlocal m\n        m = 5\n    inner()\n    return m\nSFTConfig(m=setup(), n=n)\n"
    )
    assert values(text) == {"m": 5, "n": 2}
