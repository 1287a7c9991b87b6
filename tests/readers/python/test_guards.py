"""Calls that depend on the release that is installed say so."""

from __future__ import annotations

import pytest

from readers.python.reading import calls, given, read

HEAD = (
    "import trl\nfrom packaging import version\nfrom packaging.version import Version, parse\n"
    "import importlib.metadata\n"
)


@pytest.mark.parametrize(
    "test",
    [
        'Version(trl.__version__) >= Version("0.20")',
        'version.parse(trl.__version__) >= version.parse("0.20")',
        'Version("0.20") <= Version(trl.__version__)',
        'not Version(trl.__version__) < Version("0.20")',
        'parse(importlib.metadata.version("trl")) >= parse("0.20")',
    ],
)
def test_a_test_of_the_release_guards_both_ways(test: str) -> None:
    text = (
        f"{HEAD}kw = {{}}\nif {test}:\n    kw['max_length'] = 1\nelse:\n"
        "    kw['max_seq_length'] = 1\ntrl.SFTConfig(**kw)\n"
    )
    found = [
        (list(given(one)), [(guard.kind, guard.package, guard.specifier) for guard in one.guards])
        for one in calls(text)
    ]
    assert found == [
        (["max_length"], [("version", "trl", ">=0.20")]),
        (["max_seq_length"], [("version", "trl", "<0.20")]),
    ]
    assert all(not one.choices for one in calls(text))


def test_the_two_spellings_of_one_test_agree() -> None:
    text = (
        f"{HEAD}a = b = 0\nif Version(trl.__version__) >= Version('0.20'): a = 1\n"
        "if Version(trl.__version__) < Version('0.20'): b = 1\ntrl.SFTConfig(a=a, b=b)\n"
    )
    assert [given(one) for one in calls(text)] == [{"a": 1, "b": 0}, {"a": 0, "b": 1}]


@pytest.mark.parametrize(
    "test",
    [
        "hasattr(trl, 'ORPOConfig')",
        "trl.__version__ >= '0.20'",
        "trl.__version__.startswith('0.')",
        "'max_length' in inspect.signature(trl.SFTConfig).parameters",
        "'max_length' in trl.SFTConfig.__dataclass_fields__",
        "trl.import_utils.is_vllm_available()",
        "Version(trl.__version__).major >= 1",
        "trl.FLAG",
    ],
)
def test_a_probe_of_the_package_guards_both_ways(test: str) -> None:
    text = f"{HEAD}import inspect\nif {test}:\n    trl.SFTConfig(a=1)\nelse:\n    trl.SFTConfig(b=1)\n"
    found = calls(text)
    assert len(found) == 2
    assert all([(guard.kind, guard.package) for guard in one.guards] == [("probe", "trl")] for one in found)


@pytest.mark.parametrize(
    "test", ["torch.cuda.is_available()", "sys.version_info >= (3, 12)", "args.x", "is_bf16_supported()"]
)
def test_other_tests_are_plain_choices(test: str) -> None:
    text = f"{HEAD}import torch, sys\nif {test}:\n    trl.SFTConfig(a=1)\n"
    (found,) = calls(text)
    assert found.guards == ()
    assert len(found.choices) == 1


@pytest.mark.parametrize("caught", ["TypeError", "ImportError", "(ImportError, AttributeError)", "ModuleNotFoundError"])
def test_a_handler_that_goes_on_in_another_way_guards_both(caught: str) -> None:
    text = (
        f"{HEAD}try:\n    c = trl.SFTConfig(a=1)\nexcept {caught}:\n    c = trl.SFTConfig(b=1)\n"
        "trl.SFTTrainer(args=c)\n"
    )
    assert [guard.kind for one in calls(text) for guard in one.guards] == ["exception", "exception"]
    trainers = calls(text, "trl.SFTTrainer")
    assert [[guard.kind for guard in one.guards] for one in trainers] == [["exception"], ["exception"]]


@pytest.mark.parametrize(
    "handler",
    [
        "except ImportError:\n    raise",
        "except TypeError:\n    sys.exit(1)",
        "except ValueError:\n    pass",
        "finally:\n    close()",
    ],
)
def test_a_handler_that_gives_up_guards_nothing(handler: str) -> None:
    text = f"import sys\n{HEAD}try:\n    trl.SFTConfig(a=1)\n{handler}\n"
    (found,) = calls(text)
    assert found.guards == ()


def test_a_broad_handler_guards_only_where_it_tries_again() -> None:
    text = f"{HEAD}try:\n    trl.SFTConfig(a=1)\nexcept Exception as e:\n    print(e)\n"
    assert calls(text)[0].guards == ()
    text = text.replace("print(e)", "trl.SFTConfig(b=1)")
    assert [bool(one.guards) for one in calls(text)] == [True, True]


def test_imports_in_a_try_are_guarded() -> None:
    text = (
        "try:\n    from trl.experimental.ppo import PPOConfig\nexcept ImportError:\n"
        "    from trl import PPOConfig\nPPOConfig(a=1)\n"
    )
    module = read(text)
    assert [[guard.kind for guard in one.guards] for one in module.imports] == [["exception"], ["exception"]]
    assert {one.target for one in module.calls} == {"trl.PPOConfig", "trl.experimental.ppo.PPOConfig"}
    assert all(one.guards for one in module.calls)


def test_contextlib_suppress_guards() -> None:
    text = f"import contextlib\n{HEAD}with contextlib.suppress(TypeError):\n    trl.SFTConfig(a=1)\n"
    assert calls(text)[0].guards[0].catches == ("TypeError",)


def test_a_refusal_of_old_releases_guards_what_follows() -> None:
    text = (
        f"{HEAD}if Version(trl.__version__) < Version('0.20'):\n    raise RuntimeError('too old')\ntrl.SFTConfig(a=1)\n"
    )
    (found,) = calls(text)
    assert [(guard.kind, guard.specifier) for guard in found.guards] == [("version", ">=0.20")]
    assert found.choices == ()


def test_assigning_in_a_try_that_always_works_makes_no_ways_when_the_handler_stops() -> None:
    text = f"{HEAD}try:\n    n = int(x)\nexcept ValueError:\n    raise SystemExit\ntrl.SFTConfig(n=n)\n"
    assert len(calls(text)) == 1
