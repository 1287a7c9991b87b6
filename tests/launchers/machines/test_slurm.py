"""What an #SBATCH header asks for."""

import pytest

from launchers.written import command, script, texts
from rlhflint.launchers.machines.slurm import directive_words, header_of
from rlhflint.text import Span, Traced


def header(*lines, body=("python t.py",)):
    return header_of(script(*body, directives=lines and tuple(f"SBATCH {line}" for line in lines)))


def test_no_header():
    assert header() is None


@pytest.mark.parametrize(
    ("lines", "nodes", "each", "total"),
    [
        (["--nodes=2", "--gpus-per-node=8"], 2, 8, 16),
        (["-N 2", "--gpus-per-node 8"], 2, 8, 16),
        (["-N2", "--gres=gpu:8"], 2, 8, 16),
        (["-N 2 --gres=gpu:a100:4"], 2, 4, 8),
        (["--nodes 1", "--gres gpu"], 1, 1, 1),
        (["--gres=gpu:h100"], 1, 1, 1),
        (["--gres=gpu:a100:4,gpu:v100:2,license:1"], 1, 6, 6),
        (["--gres=gres/gpu:2"], 1, 2, 2),
        (["--gres=gpu:8(S:0-1)"], 1, 8, 8),
        (["--gres=license:2"], 1, None, None),
        (["--gpus=8"], 1, 8, 8),
        (["-G 16", "-N 2"], 2, None, 16),
        (["--gpus=h100:4"], 1, 4, 4),
        (["-N 2", "--gpus-per-task=1", "--ntasks-per-node=8"], 2, 8, 16),
        (["-N 2", "--gpus-per-task=8"], 2, 8, 16),
        (["-n 16", "--ntasks-per-node=8", "--gpus-per-node=8"], 2, 8, 16),
        (["-n 4", "--gpus-per-task=2"], None, None, 8),
        (["-n 1", "--gres=gpu:8"], 1, 8, 8),
        (["--nodes=2-4", "--gres=gpu:8"], None, 8, None),
        (["--nodes=2-2", "--gres=gpu:8"], 2, 8, 16),
        (["--nodes=1k"], 1024, None, None),
        (["--nodes=$N", "--gres=gpu:8"], None, 8, None),
        (["--nodelist=a,b", "--gres=gpu:8"], None, 8, None),
        (["--nodes=2", "--gpus-per-socket=4"], 2, None, None),
        (["--nodes=2"], 2, None, None),
        (["--nodes=2", "--exclusive"], 2, None, None),
        (["--nodes=1", "--nodes=3", "--gpus-per-node=8"], 3, 8, 24),
        (["--gpus-per-n=8"], 1, 8, 8),
        (["--gpus-per-node=a100:4,v100:4"], 1, 8, 8),
        (["--gpus-per-node=some"], 1, None, None),
        (["--nodes=4-2k", "--gres=gpu:8"], None, 8, None),
        (["--nodes=few", "--gres=gpu:8"], None, 8, None),
        (["-n 3", "-N 2", "--gpus-per-task=1"], 2, None, 3),
        (["--ntasks-per-gpu=1", "--gpus-per-task=1"], 1, None, None),
        (["-N 2", "--gres=gpu:lots:of"], 2, None, None),
        (["-N 2", "--gres=$GRES"], 2, None, None),
    ],
)
def test_machines_and_gpus(lines, nodes, each, total):
    found = header(*lines)
    assert (found.nodes.number, found.gpus_per_node.number, found.gpus.number) == (nodes, each, total)
    for count in (found.nodes, found.gpus_per_node, found.gpus):
        assert count.known or count.because


def test_the_type_of_gpu():
    assert header("--gres=gpu:A100:4").gpu_type == "a100"
    assert header("--gpus-per-node=h100:8").gpu_type == "h100"
    assert header("--gres=gpu:4").gpu_type == ""


def test_numbers_know_their_place():
    found = header("--job-name x", "--gpus-per-node=8")
    place = "#SBATCH --job-name x\n#SBATCH --gpus-per-node=8".index("8")
    assert (found.gpus_per_node.source, found.gpus_per_node.span) == (
        "--gpus-per-node",
        Span("run.sh", place, place + 1),
    )


@pytest.mark.parametrize(
    ("lines", "cpus"),
    [
        (["--cpus-per-task=96"], 96),
        (["-c 8", "--ntasks-per-node=4"], 32),
        (["--cpus-per-gpu=12", "--gres=gpu:8"], 96),
        (["--cpus-per-gpu=12"], None),
        (["-c 8", "--exclusive"], None),
        (["-n 8", "-c 4", "-N 2"], 16),
        ([], None),
    ],
)
def test_cpus_of_a_machine(lines, cpus):
    assert header("--job-name=x", *lines).cpus_per_node.number == cpus


@pytest.mark.parametrize(
    ("lines", "mebibytes"),
    [
        (["--mem=512G"], 512 * 1024),
        (["--mem=64000"], 64000),
        (["--mem 2T"], 2 * 1024 * 1024),
        (["--mem=2048K"], 2),
        (["--mem=0"], None),
        (["--mem-per-gpu=100G", "--gres=gpu:4"], 400 * 1024),
        (["--mem-per-cpu=4G"], None),
        (["--mem=lots"], None),
        (["--mem=$MEM"], None),
        (["--mem=1.5G"], None),
        (["--mem-per-gpu=100G"], None),
    ],
)
def test_memory_of_a_machine(lines, mebibytes):
    assert header(*lines).memory.number == mebibytes


def test_lines_behind_the_first_command_are_comments_to_slurm():
    first = Traced.of_file("run.sh", "SBATCH --nodes=2", 1)
    late = Traced.of_file("run.sh", "SBATCH --gres=gpu:8", 60)
    whole = script(command("set -x", start=30))
    found = header_of(type(whole)(whole.path, whole.span, whole.commands, directives=(first, late)))
    assert (found.nodes.number, found.asks_for_gpus) == (2, False)


def test_words_of_a_line():
    line = Traced.of_file("x", """SBATCH --comment="a b" -N 2 '--gres=gpu:8' --x=a'b c'd # -N 4""")
    assert texts(directive_words(line)) == ["SBATCH", "--comment=a b", "-N", "2", "--gres=gpu:8", "--x=ab cd"]
