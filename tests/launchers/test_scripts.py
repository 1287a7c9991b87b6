"""Whole scripts: from the shell's text to processes, variables and machines."""

import textwrap

import pytest

from rlhflint.launchers import FaultKind, start_of
from rlhflint.launchers.environment import environment_of
from rlhflint.launchers.machines.offer import offered
from rlhflint.launchers.machines.slurm import header_of
from rlhflint.launchers.processes.counting import processes
from rlhflint.launchers.ray.cluster import ray_starts
from rlhflint.launchers.ray.job import ray_job_of
from rlhflint.launchers.unwrapping.misplaced import misplaced_options
from rlhflint.readers.shell import read_script
from rlhflint.text import Traced


class Launched:
    """The starts of one target in a script."""

    def __init__(self, text, target):
        self.text = textwrap.dedent(text)
        self.script = read_script(Traced.of_file("run.sh", self.text), "run.sh")
        self.found = [
            (command, start)
            for command in self.script.commands
            if (start := start_of(command)) is not None and (start.module or start.script) == target
        ]

    @property
    def only(self):
        ((command, start),) = self.found
        return command, start

    def world(self):
        command, start = self.only
        return processes(start, command, self.script)

    def environment(self):
        command, start = self.only
        return environment_of(start, command, self.script)

    def offer(self):
        return offered(self.script, self.only[0])

    def at(self, span):
        return self.text[span.start : span.end]


def names(start):
    return [wrapper.name for wrapper in start.wrappers]


def test_flags_in_a_heredoc_behind_deepspeed():
    launched = Launched(
        """\
        read -r -d '' train <<EOF
        openrlhf.cli.train_sft --pretrain x
           --max_len 2048
        EOF
        GPUS=0,1,2,3
        [[ $1 != slurm ]] && deepspeed --include "localhost:$GPUS" --module $train
        """,
        "openrlhf.cli.train_sft",
    )
    world = launched.world()
    assert (world.total.number, world.nodes.number) == (4, 1)
    _, start = launched.only
    assert launched.at(start.span) == "openrlhf.cli.train_sft"
    assert [word.text for word in start.arguments] == ["--pretrain", "x", "--max_len", "2048"]


def test_a_submission_inside_srun():
    launched = Launched(
        r"""
        #!/bin/bash
        #SBATCH -N 2
        #SBATCH --gres=gpu:a100:8   # all of them
        #SBATCH --exclusive
        export NCCL_DEBUG=INFO
        head=$(hostname)
        srun --nodes=1 --ntasks=1 -w "$head" bash -c "ray start --head --port 6379 --num-gpus 8 --block" &
        srun --nodes=1 --ntasks=1 -w "$other" bash -c "ray start --address $head:6379 --num-gpus 8 --block" &
        srun --overlap -N1 -n1 bash -c "pip install x && ray job submit --address=http://localhost:8265 \
            --runtime-env-json='{\"working_dir\": \"/w\", \"env_vars\": {\"HF_HOME\": \"/cache\"}}' \
            -- python3 -m openrlhf.cli.train_ppo_ray --a 1"
        """.lstrip("\n"),
        "openrlhf.cli.train_ppo_ray",
    )
    _, start = launched.only
    assert names(start) == ["srun", "bash", "ray job submit", "python"]
    job = ray_job_of(start)
    assert (job.host, job.port, job.working_dir.text) == ("localhost", 8265, "/w")
    assert launched.at(job.env_vars["HF_HOME"].value.span) == "/cache"
    offer = launched.offer()
    assert [(group.nodes.number, group.gpus.number, group.gpu_type) for group in offer.groups] == [(2, 8, "a100")]
    assert (offer.gpus.number, offer.more) == (16, "")
    assert launched.at(offer.groups[0].gpus.span) == "gpu:a100:8"
    found = launched.environment()
    assert found.value("HF_HOME").text == "/cache"
    # The head was started with the variable exported, so Ray's workers have it.
    assert found.variables["NCCL_DEBUG"].source == "ray start"
    assert launched.world().total.number == 1


def test_a_variable_exported_behind_ray_start_does_not_reach_the_job():
    launched = Launched(
        """\
        ray start --head --num-gpus 8
        export NCCL_DEBUG=INFO
        ray job submit --address http://127.0.0.1:8265 -- python -m openrlhf.cli.train_ppo_ray
        """,
        "openrlhf.cli.train_ppo_ray",
    )
    found = launched.environment()
    assert "NCCL_DEBUG" not in found.variables
    assert found.lost["NCCL_DEBUG"].through == "ray job submit"
    assert launched.at(found.lost["NCCL_DEBUG"].variable.value_span) == "INFO"
    assert launched.offer().listed_gpus.number == 8


def test_visible_devices_of_an_export_and_of_a_prefix():
    launched = Launched(
        """\
        export CUDA_VISIBLE_DEVICES=0,1,2
        accelerate launch --num_processes 3 --mixed_precision bf16 grpo.py
        """,
        "grpo.py",
    )
    assert (launched.world().total.number, launched.world().devices.number) == (3, 3)
    assert launched.at(launched.world().devices.span) == "0,1,2"
    launched = Launched("CUDA_VISIBLE_DEVICES=0,1 deepspeed train.py\n", "train.py")
    assert launched.world().total.number == 2


def test_processes_in_a_loop_and_in_a_variable():
    launched = Launched(
        """\
        for n in 4 8; do
          torchrun --nproc_per_node $n --nnodes ${NODES:-2} train.py
        done
        """,
        "train.py",
    )
    worlds = [processes(start, command, launched.script) for command, start in launched.found]
    assert [world.per_node.number for world in worlds] == [4, 8]
    assert [world.total.default for world in worlds] == [8, 16]


def test_a_launcher_held_in_a_variable():
    launched = Launched(
        """\
        LAUNCHER="accelerate launch --config_file a.yaml --num_processes 4"
        CMD="train.py --config c.yaml"
        srun -N 1 bash -c "$LAUNCHER $CMD"
        """,
        "train.py",
    )
    assert names(launched.only[1]) == ["srun", "bash", "accelerate launch"]
    assert launched.world().total.number == 4
    assert launched.world().config_file.text == "a.yaml"


def test_a_launcher_function_with_arguments():
    launched = Launched(
        """\
        run() { deepspeed --num_gpus ${GPUS:-8} --module openrlhf.cli.train_dpo "$@"; }
        run --beta 0.1
        """,
        "openrlhf.cli.train_dpo",
    )
    assert (launched.world().per_node.number, launched.world().per_node.default) == (None, 8)


def test_a_container_in_a_job():
    launched = Launched(
        """\
        #SBATCH --gpus-per-node=4
        export WANDB_MODE=offline
        docker run --rm --gpus all -e HF_HOME=/hf -v $PWD:/w image:1 torchrun --nproc_per_node=gpu train.py
        """,
        "train.py",
    )
    found = launched.environment()
    assert (list(found.variables), list(found.lost)) == (["HF_HOME"], ["WANDB_MODE"])
    assert launched.world().total.number is None
    assert launched.offer().gpus.number == 4


@pytest.mark.parametrize(
    ("line", "fault", "place"),
    [
        ("python openrlhf.cli.train_sft --a 1", FaultKind.MODULE_WITHOUT_FLAG, "openrlhf.cli.train_sft"),
        ("deepspeed openrlhf.cli.train_sft --a 1", FaultKind.MODULE_WITHOUT_FLAG, "openrlhf.cli.train_sft"),
        ("python -m openrlhf/cli/train_sft.py --a 1", FaultKind.PATH_FOR_MODULE, "openrlhf/cli/train_sft.py"),
        ("ray job submit python -m openrlhf.cli.train_sft", FaultKind.NO_DASHES, "python"),
    ],
)
def test_faults_and_their_places(line, fault, place):
    launched = Launched(line + "\n", "openrlhf.cli.train_sft")
    (found,) = launched.only[1].faults
    assert (found.kind, launched.at(found.word.span)) == (fault, place)


def test_an_option_behind_the_module():
    launched = Launched("deepspeed --module openrlhf.cli.train_sft --num_gpus 8 --a 1\n", "openrlhf.cli.train_sft")
    (option,) = misplaced_options(launched.only[1])
    assert launched.at(option.flag.span) == "--num_gpus"
    assert launched.world().per_node.number is None


def test_lines_below_the_header():
    launched = Launched("#SBATCH -N 2\necho x\n#SBATCH --gres=gpu:8\npython train.py\n", "train.py")
    assert header_of(launched.script).nodes.number == 2
    assert not header_of(launched.script).asks_for_gpus


def test_which_machine_starts_the_head_is_not_known():
    launched = Launched(
        """\
        if [ "$RANK" = 0 ]; then
          ray start --head --num-gpus 8
          python -m openrlhf.cli.train_ppo_ray
        else
          ray start --address $MASTER:6379 --num-gpus 8 --block
        fi
        """,
        "openrlhf.cli.train_ppo_ray",
    )
    offer = launched.offer()
    assert [group.total_gpus.number for group in offer.groups] == [8]
    assert offer.more == "machines started elsewhere may join the cluster of this head"
    assert len(ray_starts(launched.script)) == 2
