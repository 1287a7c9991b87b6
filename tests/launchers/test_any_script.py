"""Whatever stands in a script, it is read to an end."""

from hypothesis import given, settings
from hypothesis import strategies as st

from launchers.written import PATH, word
from rlhflint.command import Command, Script
from rlhflint.launchers import start_of
from rlhflint.launchers.environment import environment_of
from rlhflint.launchers.machines.offer import offered
from rlhflint.launchers.machines.slurm import header_of
from rlhflint.launchers.processes.counting import processes
from rlhflint.launchers.ray.job import ray_job_of
from rlhflint.launchers.unwrapping.misplaced import misplaced_options
from rlhflint.text import Span, Traced

_LAUNCHING = (
    "python -m deepspeed --num_gpus --include localhost:0,1@b --hostfile h --module torchrun --nproc_per_node --nnodes"
    " 1:2 gpu accelerate launch --num_processes --num_machines --config_file --gpu_ids ray start --head --address a:1"
    ' --num-gpus --port job submit --runtime-env-json {} {"env_vars":{"A":"1"}} -- srun -n -N 2 8 0 -1 --export A=1,B'
    " mpirun -np -x docker run --gpus device=0 all -e A=1 img env -i -u sudo apptainer exec --env t.py a.b $X ${Y:-4}"
)
_DIRECTIVES = (
    "--nodes=2 -N 2-4 --gres=gpu:8 --gres=gpu:a100 --gres=,gpu: --gpus=8 --gpus-per-node=a:b:1 --gpus-per-task 1 -n 4 "
    "--ntasks-per-node=0 --mem=0 --mem=9T --exclusive --cpus-per-gpu=4 # \"x y ' $X --nodes -c"
)
_WORD = st.sampled_from(_LAUNCHING.split(" ")) | st.text(
    st.characters(exclude_characters="' \t\n\r"), min_size=1, max_size=9
)
_COMMAND = st.lists(_WORD, min_size=1, max_size=9)
_VARIABLES = st.dictionaries(
    st.sampled_from(["CUDA_VISIBLE_DEVICES", "WORLD_SIZE", "PET_NNODES", "PET_NPROC_PER_NODE", "A"]),
    st.sampled_from(["0,1", "", "2", "-1", "$X", "${Y:-0,1}"]),
)


def made(items, start, variables):
    return Command(
        tuple(word(item, start) for item in items),
        Span(PATH, start, start + 10),
        environment={name: word(value) for name, value in variables.items()},
    )


@settings(deadline=None)
@given(
    st.lists(st.tuples(_COMMAND, _VARIABLES), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from(_DIRECTIVES.split(" ")), max_size=3), max_size=4),
)
def test_any_script(lines, directives):
    commands = tuple(made(items, 1000 + 20 * index, variables) for index, (items, variables) in enumerate(lines))
    header = tuple(Traced.of_file(PATH, "SBATCH " + " ".join(words), 1) for words in directives)
    script = Script(PATH, Span(PATH, 0, 2000), commands, directives=header)
    request = header_of(script)
    if request is not None:
        assert request.nodes.known or request.nodes.because
    for command in commands:
        start = start_of(command)
        world = processes(start, command, script)
        for count in (world.per_node, world.nodes, world.total, world.tasks):
            assert (count.number is None) == bool(count.because)
            assert count.number is None or count.number >= 0
        found = environment_of(start, command, script)
        assert not set(found.variables) & set(found.lost)
        offer = offered(script, command)
        assert (offer.gpus.number is None) == bool(offer.gpus.because)
        ray_job_of(start)
        misplaced_options(start)
