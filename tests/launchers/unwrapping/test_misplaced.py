"""Launcher options behind the target."""

import pytest

from launchers.written import command
from rlhflint.launchers import start_of
from rlhflint.launchers.unwrapping.misplaced import misplaced_options
from rlhflint.text import Span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deepspeed --module a.b --num_gpus 8 --lr 1", [("--num_gpus", "8")]),
        ("deepspeed a.b --module", [("--module", None)]),
        ("torchrun t.py --nproc-per-node=4 --lr 1", [("--nproc-per-node", "4")]),
        ("accelerate launch t.py --num_processes 2 --x c --tpu", [("--num_processes", "2"), ("--tpu", None)]),
        ("deepspeed --num_gpus 8 t.py --lr 1", []),
        ("deepspeed t.py --num_gp 8 -H x", []),
        ("python t.py --num_gpus 8", []),
    ],
)  # fmt: skip
def test_options_the_program_gets(text, expected):
    found = misplaced_options(start_of(command(text)))
    assert [(option.flag.text, option.value.text if option.value else None) for option in found] == expected


def test_their_places():
    (option,) = misplaced_options(start_of(command("deepspeed t.py --num_gpus=8")))
    assert (option.flag.span, option.value.span) == (Span("run.sh", 15, 25), Span("run.sh", 26, 27))
