"""However a class is imported, its calls are found; a class of the same name from elsewhere is none."""

from __future__ import annotations

import pytest

from readers.python.reading import calls, read


@pytest.mark.parametrize(
    ("statement", "callee", "target"),
    [
        ("from trl import SFTConfig", "SFTConfig", "trl.SFTConfig"),
        ("from trl import SFTConfig as Config", "Config", "trl.SFTConfig"),
        ("import trl", "trl.SFTConfig", "trl.SFTConfig"),
        ("import trl as t", "t.SFTConfig", "trl.SFTConfig"),
        ("import os, trl as t", "t.SFTConfig", "trl.SFTConfig"),
        ("import trl.trainer.sft_config", "trl.trainer.sft_config.SFTConfig", "trl.trainer.sft_config.SFTConfig"),
        ("import trl.trainer.sft_config as c", "c.SFTConfig", "trl.trainer.sft_config.SFTConfig"),
        ("from trl.trainer import sft_config", "sft_config.SFTConfig", "trl.trainer.sft_config.SFTConfig"),
        ("from trl.experimental.ppo import PPOConfig", "PPOConfig", "trl.experimental.ppo.PPOConfig"),
        ("from trl import (\n    SFTTrainer,\n    SFTConfig,\n)", "SFTConfig", "trl.SFTConfig"),
        ("from trl import *", "SFTConfig", "trl.SFTConfig"),
        ("import importlib\nt = importlib.import_module('trl')", "t.SFTConfig", "trl.SFTConfig"),
        ("t = __import__('trl')", "t.SFTConfig", "trl.SFTConfig"),
        ("import trl\nC = trl.SFTConfig", "C", "trl.SFTConfig"),
        ("import trl\nKINDS = {'sft': trl.SFTConfig}", "KINDS['sft']", "trl.SFTConfig"),
        ("import trl", "getattr(trl, 'SFTConfig')", "trl.SFTConfig"),
        ("from trl \\\n    import SFTConfig", "SFTConfig", "trl.SFTConfig"),
        ("try:\n    import trl\nexcept KeyError:\n    pass", "trl.SFTConfig", "trl.SFTConfig"),
        ("if True: import trl", "trl.SFTConfig", "trl.SFTConfig"),
    ],
)
def test_a_class_is_called_by_its_dotted_path(statement: str, callee: str, target: str) -> None:
    (call,) = read(f"{statement}\n{callee}(output_dir='out')\n").calls
    assert call.target == target
    assert [argument.name for argument in call.arguments] == ["output_dir"]


def test_an_import_inside_a_function_counts_in_that_function_only() -> None:
    text = "def f():\n    from trl import SFTConfig\n    SFTConfig(a=1)\n\ndef g():\n    SFTConfig(a=2)\n"
    assert [call.scope for call in calls(text)] == ["f"]


@pytest.mark.parametrize(
    "text",
    [
        "from lab.config import SFTConfig\nimport trl\nSFTConfig(max_seq_length=1)\n",
        "import trl\nclass SFTConfig:\n    pass\nSFTConfig(max_seq_length=1)\n",
        "from trl import SFTConfig\nfrom lab import SFTConfig\nSFTConfig(max_seq_length=1)\n",
        "from trl import SFTConfig\ndef SFTConfig(**kw): return kw\nSFTConfig(max_seq_length=1)\n",
        "import trl\nimport lab as trl\ntrl.SFTConfig(max_seq_length=1)\n",
        "import trl\nlab.SFTConfig(max_seq_length=1)\n",
        "from .trl import SFTConfig\nimport trl\nSFTConfig(max_seq_length=1)\n",
        "from trl import SFTConfig\ndef f(SFTConfig):\n    SFTConfig(max_seq_length=1)\n",
        "from trl import SFTConfig\n'SFTConfig(max_seq_length=1)'\n# SFTConfig(max_seq_length=1)\n",
    ],
)
def test_a_class_of_the_same_name_from_elsewhere_is_left_alone(text: str) -> None:
    assert read(text).calls == ()


def test_imports_are_given_with_their_places() -> None:
    text = (
        "import trl as t\nfrom trl.trainer import (SFTConfig as C,  # here\n    DPOConfig)\n"
        "from unsloth import FastModel\n"
    )
    found = {one.path: one for one in read(text).imports}
    assert list(found) == ["trl", "trl.trainer.SFTConfig", "trl.trainer.DPOConfig", "unsloth.FastModel"]
    config = found["trl.trainer.SFTConfig"]
    cut = {name: text[span.start : span.end] for name, span in {"span": config.span, "name": config.name_span}.items()}
    assert cut == {"span": "SFTConfig as C", "name": "SFTConfig"}
    assert config.bound == "C"
    assert config.module_span is not None
    assert text[config.module_span.start : config.module_span.end] == "trl.trainer"
    assert text[config.statement.start : config.statement.end].endswith("DPOConfig)")


def test_a_star_import_is_given() -> None:
    assert [one.path for one in read("from trl import *\n").imports] == ["trl.*"]


def test_imports_only_for_type_checkers_are_not_made() -> None:
    text = "import trl\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from trl import PPOConfig\n"
    assert "trl.PPOConfig" not in [one.path for one in read(text).imports]


@pytest.mark.parametrize("text", ["import torch\nx = (\n", "from lab import y\nthis is not python\n", "print 'trl'\n"])
def test_a_text_that_imports_nothing_of_interest_is_not_parsed(text: str) -> None:
    module = read(text)
    assert module.problems == ()
    assert module.imports == ()
