"""Calls that a test expects to fail, does not run everywhere, or calls with something else in their place."""

from __future__ import annotations

import pytest

from readers.python.reading import calls

HEAD = "import pytest\nimport unittest\nfrom unittest import mock\nimport trl\nfrom trl import SFTConfig\n"


@pytest.mark.parametrize(
    "manager",
    [
        "pytest.raises(TypeError)",
        "pytest.raises(TypeError, match='x') as caught",
        "pytest.warns(FutureWarning)",
        "pytest.deprecated_call()",
        "self.assertRaises(TypeError)",
        "self.assertRaisesRegex(TypeError, 'x')",
        "self.assertWarns(FutureWarning)",
    ],
)
def test_what_is_expected_to_fail_is_guarded_and_what_follows_is_not(manager: str) -> None:
    first, second = calls(f"{HEAD}with {manager}:\n    SFTConfig(a=1)\nSFTConfig(a=2)\n")
    assert [guard.kind for guard in first.guards] == ["exception"]
    assert not first.choices
    assert not second.guards


def test_the_exceptions_that_are_expected_are_named() -> None:
    (found,) = calls(f"{HEAD}with pytest.raises(TypeError):\n    SFTConfig(a=1)\n")
    assert found.guards[0].catches == ("TypeError",)


def test_another_manager_guards_nothing() -> None:
    (found,) = calls(f"{HEAD}with mock.patch('builtins.print'):\n    SFTConfig(a=1)\n")
    assert not found.guards


@pytest.mark.parametrize("name", ["test_refused", "refused"])
def test_a_manager_that_a_test_is_given_may_expect_any_failure(name: str) -> None:
    (found,) = calls(f"{HEAD}def {name}(expectation):\n    with expectation:\n        SFTConfig(a=1)\n")
    assert bool(found.guards) is name.startswith("test")


def test_a_manager_of_its_own_in_a_test_guards_nothing() -> None:
    (found,) = calls(f"{HEAD}def test(other):\n    with device:\n        SFTConfig(a=1)\n")
    assert not found.guards


@pytest.mark.parametrize(
    "mark",
    [
        "pytest.mark.xfail",
        "pytest.mark.xfail(raises=TypeError)",
        "unittest.expectedFailure",
        "pytest.mark.skipif(OLD, reason='x')",
    ],
)
def test_a_marked_test_is_guarded_and_the_next_is_not(mark: str) -> None:
    text = f"{HEAD}@{mark}\ndef test_a():\n    SFTConfig(a=1)\ndef test_b():\n    SFTConfig(a=2)\n"
    assert [bool(one.guards) for one in calls(text)] == [True, False]


def test_every_test_of_a_marked_class_is_guarded() -> None:
    text = f"{HEAD}@pytest.mark.xfail\nclass Tests:\n    def test_a(self):\n        SFTConfig(a=1)\n"
    assert [bool(one.guards) for one in calls(text)] == [True]


@pytest.mark.parametrize(
    ("call", "guarded"),
    [
        ("self.assertRaises(TypeError, make)", True),
        ("pytest.raises(TypeError, make)", True),
        ("retry(make)", False),
    ],
)
def test_a_function_that_is_handed_over_to_be_seen_failing_is_guarded(call: str, guarded: bool) -> None:
    (found,) = calls(f"{HEAD}def make():\n    SFTConfig(a=1)\n{call}\n")
    assert bool(found.guards) is guarded


@pytest.mark.parametrize(
    "statement",
    [
        "trl.SFTConfig = mock.MagicMock()",
        "setattr(trl, 'SFTConfig', Fake)",
        "SFTConfig.__init__ = init",
        "monkeypatch.setattr('trl.SFTConfig', Fake)",
        "monkeypatch.setattr(trl, 'SFTConfig', Fake)",
        "mock.patch('trl.SFTConfig').start()",
        "mock.patch(f'{__name__}.SFTConfig').start()",
        "mock.patch.object(trl, 'SFTConfig').start()",
        "mock.patch.object(SFTConfig, '__init__').start()",
        "mock.patch.multiple('trl', SFTConfig=Fake).start()",
        "mock.patch.multiple(trl, SFTConfig=Fake).start()",
        "with mock.patch('trl.SFTConfig') as fake:\n    pass",
        "@mock.patch('trl.SFTConfig')\ndef test(fake):\n    pass",
    ],
)
def test_calls_of_a_class_that_the_file_replaces_are_guarded(statement: str) -> None:
    text = f"{HEAD}{statement}\nSFTConfig(a=1)\ntrl.DPOConfig(a=1)\n"
    (found,), (other,) = calls(text), calls(text, "trl.DPOConfig")
    assert [guard.kind for guard in found.guards] == ["replaced"]
    assert not other.guards


@pytest.mark.parametrize(
    "statement",
    [
        "trl.trainer.helper = mock.MagicMock()",
        "SFTConfig.note = 1",
        "holder.SFTConfig = 1",
        "mock.patch('os.environ').start()",
        "mock.patch(name).start()",
        "requests.patch('SFTConfig')",
        "thing.object(trl, 'SFTConfig')",
    ],
)
def test_what_leaves_the_class_as_it_is_guards_nothing(statement: str) -> None:
    (found,) = calls(f"{HEAD}{statement}\nSFTConfig(a=1)\n")
    assert not found.guards
