"""Words behind switches, which nothing takes, are taken out whole: with their quotes, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixing.command import fix, fixed

START = "deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d"
REQUIREMENTS = {"requirements.txt": "openrlhf==0.11.2\n"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{} --ds.packing_samples True --train.seed 3", "{} --ds.packing_samples --train.seed 3"),
        ('{} --ds.packing_samples "True"', "{} --ds.packing_samples"),
        ('{} --ds.packing_samples Tr"ue" --train.seed 3', "{} --ds.packing_samples --train.seed 3"),
        ("{} --ds.packing_samples=True --train.seed 3", "{} --ds.packing_samples --train.seed 3"),
        ('{} "--ds.packing_samples=True"', '{} "--ds.packing_samples"'),
        ('{} "--ds.packing_samples" "True"', '{} "--ds.packing_samples"'),
        ('{} --ds.packing_samples \\\n  "True" \\\n  --train.seed 3', "{} --ds.packing_samples \\\n  --train.seed 3"),
        ('T=True\n{} --ds.packing_samples "$T"', "T=True\n{} --ds.packing_samples"),
        ("T=True\n{} --ds.packing_samples $T --train.seed 3", "T=True\n{} --ds.packing_samples --train.seed 3"),
        ('A=(--ds.packing_samples "True")\n{} "${{A[@]}}"', 'A=(--ds.packing_samples)\n{} "${{A[@]}}"'),
        ("F=--ds.packing_samples\n{} $F 'True'", "F=--ds.packing_samples\n{} $F"),
        ("""CMD='{} --ds.packing_samples "True"'\neval $CMD""", "CMD='{} --ds.packing_samples'\neval $CMD"),
    ],
)
def test_nothing_of_the_word_is_left(tmp_path: Path, before: str, after: str) -> None:
    found = fix(tmp_path, {"train.sh": before.format(START) + "\n", **REQUIREMENTS})
    assert found.files["train.sh"] == after.format(START) + "\n"
    assert "OR105" not in found.output


@pytest.mark.parametrize(
    "text",
    [
        "F=--ds.packing_samples T=True\n{} $F $T",
        'F=--ds.packing_samples\nT="True"\n{} $F "$T"',
        "REST='True --train.seed 3'\n{} --ds.packing_samples $REST",
        "{} --ds.packing_samples False",
    ],
)
def test_where_it_cannot_be_taken_out_alone_it_stays(tmp_path: Path, text: str) -> None:
    found = fix(tmp_path, {"train.sh": text.format(START) + "\n", **REQUIREMENTS})
    assert found.files["train.sh"] == text.format(START) + "\n"
    assert "OR105" in found.output


def test_a_switch_that_goes_takes_the_word_with_it(tmp_path: Path) -> None:
    text = "python3 -m openrlhf.cli.train_sft --pretrain m --dataset d --bf16 'True' --max_len 8\n"
    now = fixed(tmp_path, text, "--to", "openrlhf=0.11.2")
    assert "bf16" not in now
    assert "True" not in now
