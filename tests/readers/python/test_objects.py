"""Configs are joined to the trainers they are handed to, with what was set on them in between."""

from __future__ import annotations

import pytest

from readers.python.reading import assigned, call, calls, given, read, shown, values
from rlhflint.call import Made, Origin
from rlhflint.value import Unknown

HEAD = "from trl import SFTConfig, SFTTrainer\n"


def made(text: str) -> Made:
    """The object handed as `args` to the one trainer."""
    (argument,) = [one for one in call(text, "trl.SFTTrainer").arguments if one.name == "args"]
    assert argument.made is not None
    return argument.made


def handed(text: str) -> tuple[dict[object, object], dict[str, object]]:
    """The arguments and the attributes of the config that the one trainer gets."""
    one = made(text)
    return dict(given(one.call)), {argument.name: shown(argument) for argument in one.assigned}


def test_a_config_by_name_and_one_made_in_place() -> None:
    assert handed(f"{HEAD}cfg = SFTConfig(n=1)\nSFTTrainer(args=cfg)\n") == ({"n": 1}, {})
    assert handed(f"{HEAD}SFTTrainer(args=SFTConfig(n=1))\n") == ({"n": 1}, {})


def test_the_config_of_a_trainer_has_the_site_of_its_call() -> None:
    text = f"{HEAD}cfg = SFTConfig(n=1)\nother = SFTConfig(n=2)\nSFTTrainer(args=cfg)\n"
    assert made(text).call.site == calls(text)[0].site


def test_attributes_set_before_the_trainer_count_in_order() -> None:
    text = f"{HEAD}cfg = SFTConfig(n=1)\ncfg.n = 2\ncfg.n = 3\ncfg.m = 4\nSFTTrainer(args=cfg)\ncfg.late = 5\n"
    assert handed(text) == ({"n": 1}, {"n": 3, "m": 4})
    assert assigned(call(text)) == {"n": 3, "m": 4, "late": 5}


def test_an_attribute_has_the_place_of_its_assignment() -> None:
    text = f"{HEAD}cfg = SFTConfig()\ncfg.loss_typ = 'ipo'  # here\nSFTTrainer(args=cfg)\n"
    (argument,) = made(text).assigned
    assert argument.origin is Origin.ATTRIBUTE
    assert argument.name_span is not None
    assert text[argument.name_span.start : argument.name_span.end] == "loss_typ"
    assert argument.renamable
    assert text[argument.span.start : argument.span.end] == "cfg.loss_typ = 'ipo'"


def test_an_attribute_of_a_name_that_was_bound_anew_belongs_to_the_new_object() -> None:
    text = f"{HEAD}cfg = SFTConfig(n=1)\nold = cfg\ncfg = SFTConfig(n=2)\ncfg.m = 3\nSFTTrainer(args=old)\n"
    assert handed(text) == ({"n": 1}, {})


def test_an_attribute_set_in_a_branch_is_there_on_that_way() -> None:
    text = f"{HEAD}cfg = SFTConfig(n=1)\nif fast:\n    cfg.m = 1\nSFTTrainer(args=cfg)\n"
    found = [
        [one.name for one in argument.made.assigned]
        for trainer in calls(text, "trl.SFTTrainer")
        for argument in trainer.arguments
        if argument.made
    ]
    assert found == [["m"], []]


def test_setattr() -> None:
    text = f"{HEAD}cfg = SFTConfig()\nsetattr(cfg, 'n', 1)\nSFTTrainer(args=cfg)\n"
    assert handed(text)[1] == {"n": 1}
    unknown = made(f"{HEAD}cfg = SFTConfig()\nfor k, v in load():\n    setattr(cfg, k, v)\nSFTTrainer(args=cfg)\n")
    assert "setattr" in unknown.more


def test_attributes_of_a_config_are_read_back() -> None:
    text = f"{HEAD}cfg = SFTConfig(n=4, p='x')\ncfg.n = 5\nSFTTrainer(args=cfg, n=cfg.n * 2, p=cfg.p, q=cfg.q)\n"
    found = values(text, "trl.SFTTrainer")
    assert (found["n"], found["p"]) == (10, "x")
    assert str(found["q"]).startswith("?")


def test_a_dictionary_changed_through_the_config_is_a_change_of_the_config() -> None:
    text = f"{HEAD}cfg = SFTConfig(kw={{'dtype': 'a'}})\ncfg.kw['dtype'] = 'b'\nSFTTrainer(args=cfg)\n"
    assert handed(text) == ({"kw": {"dtype": "a"}}, {"kw": {"dtype": "b"}})


@pytest.mark.parametrize(
    "replace", ["from dataclasses import replace", "import dataclasses\nreplace = dataclasses.replace"]
)
def test_replace_makes_a_config_of_the_same_class(replace: str) -> None:
    text = f"{HEAD}{replace}\nbase = SFTConfig(n=1, m=2)\nbase.k = 3\nSFTTrainer(args=replace(base, n=5, j=6))\n"
    assert handed(text)[0] == {"m": 2, "k": 3, "n": 5, "j": 6}
    assert made(text).call.replaces == calls(text)[0].site
    assert text[made(text).call.name_span.start : made(text).call.name_span.end] == "replace"


@pytest.mark.parametrize("copy", ["copy.copy(a)", "copy.deepcopy(a)"])
def test_a_copy_is_another_object(copy: str) -> None:
    text = f"import copy\n{HEAD}a = SFTConfig(n=1)\na.m = 2\nb = {copy}\nb.m = 3\nSFTTrainer(args=a)\n"
    assert handed(text) == ({"n": 1}, {"m": 2})


def test_functions_that_got_the_config_are_named() -> None:
    assert made(f"{HEAD}cfg = SFTConfig()\npatch(cfg)\nprint(cfg)\nSFTTrainer(args=cfg)\n").handed == ("patch",)


def test_a_function_of_the_file_that_gets_the_config_is_followed() -> None:
    text = f"{HEAD}def patch(c):\n    c.n = 7\n\ncfg = SFTConfig()\npatch(cfg)\nSFTTrainer(args=cfg)\n"
    assert handed(text) == ({}, {"n": 7})
    assert made(text).handed == ()


def test_results_that_are_unpacked_are_parts_of_one_call() -> None:
    text = (
        "from unsloth import Fast\nfrom trl import SFTTrainer\n"
        "model, *_, tok = Fast.from_pretrained('m')\nSFTTrainer(model, tok)\n"
    )
    model, tok = call(text, "trl.SFTTrainer").arguments
    assert model.made is not None
    assert tok.made is not None
    assert (model.made.index, tok.made.index) == (0, -1)
    assert model.made.call == tok.made.call


def test_a_method_is_called_by_the_path_of_its_maker() -> None:
    text = f"{HEAD}t = SFTTrainer(n=1)\nt.train(resume=True)\n"
    (train,) = calls(text, "trl.SFTTrainer.train")
    assert given(train) == {"resume": True}
    assert train.receiver is not None
    assert train.receiver.call.target == "trl.SFTTrainer"


def test_attributes_set_on_a_parameter_are_given_with_it() -> None:
    text = f"{HEAD}def train(args):\n    args.mode = 'server'\n    SFTTrainer(args=args)\n"
    (argument,) = call(text, "trl.SFTTrainer").arguments
    assert isinstance(argument.value, Unknown)
    assert [(one.name, shown(one)) for one in argument.assigned] == [("mode", "server")]


def test_a_config_that_is_no_longer_known_after_a_loop() -> None:
    text = f"{HEAD}cfg = SFTConfig(n=1)\nfor x in load():\n    cfg.n = x\nSFTTrainer(args=cfg)\n"
    assert made(text).more


def test_objects_made_of_objects_without_end() -> None:
    text = f"{HEAD}x = SFTConfig()\n" + "x = SFTConfig(a=x, b=x, c=x)\n" * 200
    assert len(read(text).calls) == 201


def test_a_dictionary_that_holds_itself() -> None:
    text = f"{HEAD}d = {{'a': 1}}\nd['d'] = d\nSFTConfig(x=d)\n"
    assert isinstance(call(text).arguments[0].value, Unknown)
