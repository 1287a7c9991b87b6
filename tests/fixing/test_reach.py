"""When an option of a trainer goes to its configuration: only where its value is the same there."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import fix

HEAD = "from trl import SFTConfig, SFTTrainer\n"
STATED = "trl==0.11.4\ntransformers==4.44.2\n"


def moved(folder: Path, text: str) -> str:
    files = {"requirements.txt": STATED, "train.py": text}
    return fix(folder, files, "--to", "trl=1.16.0", "--to", "transformers=5.23.0").files["train.py"]


def script(value: str, before: str = "", between: str = "") -> str:
    return (
        f"{HEAD}{before}args = SFTConfig('o')\n{between}"
        f"SFTTrainer('m', args=args, train_dataset=d, max_seq_length={value})\n"
    )


@pytest.mark.parametrize(
    ("value", "before"),
    [
        ("2048", ""),
        ("LONGEST", "LONGEST = 2048\n"),
        ("LONGEST", "from sizes import LONGEST\n"),
        ("sizes.LONGEST", "import sizes\n"),
        ("lengths.LONGEST", "import sizes as lengths\n"),
        ("Sizes.longest", "class Sizes:\n    longest = 5\n\n"),
        ("2 * LONGEST + 1", "LONGEST: int = 2048\n"),
        ("sizes['m'][0]", "sizes = {'m': [4]}\n"),
        ("größe", "größe = 5\n"),
    ],
)
def test_what_is_the_same_there_goes(value: str, before: str, tmp_path: Path) -> None:
    after = moved(tmp_path, script(value, before))
    assert f"args = SFTConfig('o', max_length={value})\n" in after
    assert "SFTTrainer('m', args=args, train_dataset=d)\n" in after


@pytest.mark.parametrize(
    ("value", "before", "between"),
    [
        ("LONGEST", "", ""),
        ("LONGEST", "", "LONGEST = 2048\n"),
        ("LONGEST", "LONGEST = 1\n", "LONGEST = 2048\n"),
        ("LONGEST", "LONGEST = 1\n", "for LONGEST in sizes: pass\n"),
        ("LONGEST", "LONGEST = 1\n", "from sizes import LONGEST\n"),
        ("LONGEST", "LONGEST = 1\n", "def LONGEST(): ...\n"),
        ("longest()", "from sizes import longest\n", ""),
        ("max(x for x in sizes)", "sizes = [1]\n", ""),
        ("(n := 5)", "", ""),
        ("[n for n in sizes][0]", "sizes = [1]\n", ""),
        ("(lambda: 5)()", "", ""),
        ("A + B", "A = 1\n", "B = 1\n"),
        ("A + B", "A = 1\n", ""),
    ],
)
def test_what_may_be_another_one_stays(value: str, before: str, between: str, tmp_path: Path) -> None:
    text = script(value, before, between)
    assert moved(tmp_path, text) == text


IN_A_FUNCTION = """{head}
def configured(n):
    return SFTConfig('o')

async def main(n):
    {first}
    SFTTrainer('m', args={args}, train_dataset=d, max_seq_length=n)
"""


@pytest.mark.parametrize(
    ("first", "args", "goes"),
    [
        ("args = SFTConfig('o')", "args", True),
        ("args = SFTConfig('o'); n = 5", "args", False),
        ("n = 5", "SFTConfig('o', seed=n)", True),
        ("pass", "configured(n)", False),
    ],
)
def test_functions_have_names_of_their_own(first: str, args: str, goes: bool, tmp_path: Path) -> None:
    text = IN_A_FUNCTION.format(head=HEAD, first=first, args=args)
    after = moved(tmp_path, text)
    assert ("max_length=n" in after) is goes
    assert goes or after == text


def test_what_is_bound_nowhere_is_the_same_beside_itself(tmp_path: Path) -> None:
    text = f"{HEAD}SFTTrainer('m', args=SFTConfig('o'), train_dataset=d, max_seq_length=LONGEST)\n"
    assert "SFTConfig('o', max_length=LONGEST)" in moved(tmp_path, text)


def test_a_configuration_of_the_module_does_not_get_what_a_function_is_given(tmp_path: Path) -> None:
    text = (
        f"{HEAD}\nn = 4\nargs = SFTConfig('o')\n\n\ndef train(n):\n"
        "    SFTTrainer('m', args=args, train_dataset=d, max_seq_length=n)\n"
    )
    assert moved(tmp_path, text) == text


def test_a_function_goes_as_far_as_its_last_line(tmp_path: Path) -> None:
    text = (
        f"{HEAD}\nasync def train(n):\n    args = SFTConfig('o')\n"
        "    return SFTTrainer('m', args=args, train_dataset=d, max_seq_length=n)\n\n\nn = 5\n"
    )
    assert "SFTConfig('o', max_length=n)" in moved(tmp_path, text)
    on_its_first = (
        f"{HEAD}n = 4\nargs = SFTConfig('o')\n"
        "def train(n): SFTTrainer('m', args=args, train_dataset=d, max_seq_length=n)\n"
    )
    assert moved(tmp_path, on_its_first) == on_its_first
