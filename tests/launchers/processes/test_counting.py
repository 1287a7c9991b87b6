"""How many processes a command starts."""

import pytest

from launchers.written import command, script
from rlhflint.launchers import start_of
from rlhflint.launchers.processes.accelerate import handed_to_accelerate
from rlhflint.launchers.processes.counting import processes
from rlhflint.launchers.processes.world import ConfigValue
from rlhflint.text import Span, Traced
from rlhflint.value import Known, OneOf, Undetermined, Unknown


def world(text, directives=(), within=(), exported=None, **more):
    made = command(text, start=sum(len(line) + 2 for line in directives), within=within, exported=exported or {})
    return processes(start_of(made), made, script(made, directives=directives), **more)


def numbers(found):
    return found.per_node.number, found.nodes.number, found.total.number


VISIBLE = {"CUDA_VISIBLE_DEVICES": Traced.made("0,1,2", Span("run.sh", 5, 10))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deepspeed --num_gpus 8 --module a.b", (8, 1, 8)),
        ("deepspeed --num_accelerators=4 t.py", (4, 1, 4)),
        ("deepspeed --include localhost:0,1,2,3 t.py", (4, 1, 4)),
        ("deepspeed -i a:0,1@b:0,1,2 t.py", (None, 2, 5)),
        ("deepspeed -i a:0,1@b:2,3 t.py", (2, 2, 4)),
        ("deepspeed -i a@b t.py", (None, 2, None)),
        ("deepspeed -i localhost:0,x t.py", (None, None, None)),
        ("deepspeed -e localhost:0 t.py", (None, 1, None)),
        ("deepspeed t.py", (None, 1, None)),
        ("deepspeed --num_gpus -1 t.py", (None, 1, None)),
        ("deepspeed --num_gpus 0 t.py", (None, 1, None)),
        ("deepspeed --num_gpus $N t.py", (None, 1, None)),
        ("deepspeed --num_gpus 4 $MORE t.py", (None, None, None)),
        ("deepspeed --num_nodes 2 --num_gpus 8 t.py", (8, None, None)),
        ("deepspeed --hostfile hosts --num_nodes 2 --num_gpus 8 t.py", (8, 2, 16)),
        ("deepspeed -H hosts t.py", (None, None, None)),
        ("torchrun t.py", (1, 1, 1)),
        ("torchrun --nproc_per_node 8 t.py", (8, 1, 8)),
        ("torchrun --nproc-per-node=8 --nnodes=2 t.py", (8, 2, 16)),
        ("torchrun --nproc-per-node=8 --nnodes=2:2 t.py", (8, 2, 16)),
        ("torchrun --nproc-per-node=8 --nnodes=1:4 t.py", (8, None, None)),
        ("torchrun --standalone --nproc_per_node 2 t.py", (2, 1, 2)),
        ("torchrun --nproc_per_node gpu t.py", (None, 1, None)),
        ("torchrun --nproc_per_node auto t.py", (None, 1, None)),
        ("env PET_NPROC_PER_NODE=4 PET_NNODES=2 torchrun t.py", (4, 2, 8)),
        ("torchrun $DIST t.py", (None, None, None)),
        ("torchrun $DIST --nproc_per_node 4 --nnodes 1 t.py", (4, 1, 4)),
        ("python -m torch.distributed.launch --nproc_per_node 4 t.py", (4, 1, 4)),
        ("accelerate launch --num_processes 3 t.py", (3, 1, 3)),
        ("accelerate launch --num_processes 16 --num_machines 2 t.py", (8, 2, 16)),
        ("accelerate launch --num_processes=$N t.py", (None, 1, None)),
        ("accelerate launch t.py", (None, 1, None)),
        ("accelerate launch --config_file a.yaml t.py", (None, None, None)),
        ("accelerate launch --config_file a.yaml --num_processes 4 t.py", (None, None, 4)),
        ("accelerate launch --cpu --num_processes 4 t.py", (1, 1, 1)),
        ("python t.py", (1, 1, 1)),
        ("./t.py", (1, 1, 1)),
        ("ray job submit -- python -m a.b", (1, 1, 1)),
        ("srun -n 1 python t.py", (1, 1, 1)),
        ("srun -n 8 python t.py", (None, None, None)),
        ("srun -n 8 ray job submit -- python -m a.b", (1, 1, 1)),
        ("mpirun -np 4 python t.py", (None, None, None)),
        ("env WORLD_SIZE=8 python t.py", (None, None, None)),
        ("$LAUNCHER -m a.b", (None, None, None)),
        ("srun -N 2 $MORE python t.py", (None, None, None)),
        ("srun -N 1 python t.py", (1, 1, 1)),
        ("srun -n 1 mpirun -np 1 python t.py", (1, 1, 1)),
        ("mpirun python t.py", (None, None, None)),
        ("srun -N 2 --ntasks-per-node=1 torchrun --nnodes 2 --nproc_per_node 8 t.py", (8, 2, 16)),
    ],
)
def test_processes_per_machine_machines_and_all(text, expected):
    found = world(text)
    assert numbers(found) == expected
    for count in (found.per_node, found.nodes, found.total):
        assert count.known or count.because


@pytest.mark.parametrize(
    ("text", "expected", "devices"),
    [
        ("deepspeed t.py", 3, 3),
        ("deepspeed --num_gpus 8 t.py", 8, None),
        ("torchrun --nproc_per_node gpu t.py", 3, 3),
        ("torchrun --nproc_per_node 4 t.py", 4, 3),
        ("accelerate launch t.py", None, 3),
        ("accelerate launch --gpu_ids 0,1 --num_processes 2 t.py", 2, 2),
        ("accelerate launch --gpu_ids all --num_processes 2 t.py", 2, None),
        ("python t.py", 1, 3),
        ("docker run --gpus 2 img torchrun --nproc_per_node gpu t.py", None, 2),
        ("docker run --gpus '\"device=0,1\"' img python t.py", 1, 2),
        ("docker run --gpus all img python t.py", 1, None),
    ],
)
def test_visible_devices(text, expected, devices):
    found = world(text, exported=VISIBLE)
    assert found.per_node.number == expected
    assert (found.devices.number if found.devices else None) == devices


def test_deepspeed_drops_visible_devices_where_it_is_told_which_gpus_to_use():
    found = world("deepspeed --num_gpus 8 t.py", exported=VISIBLE)
    assert [(ignored.name, ignored.span) for ignored in found.ignored] == [
        ("CUDA_VISIBLE_DEVICES", Span("run.sh", 5, 10))
    ]
    assert "--num_gpus" in found.ignored[0].because
    assert world("deepspeed t.py", exported=VISIBLE).ignored == ()
    assert world("deepspeed --num_gpus 8 t.py").ignored == ()


def test_numbers_know_their_place_and_what_says_them():
    found = world("torchrun --nproc_per_node 8 --nnodes=2 t.py")
    assert (found.per_node.span, found.per_node.source) == (Span("run.sh", 26, 27), "--nproc_per_node")
    assert found.nodes.span == Span("run.sh", 37, 38)
    assert found.total.source == "--nproc_per_node and --nnodes"


def test_a_default_is_kept_beside_what_is_not_known():
    found = world("torchrun --nproc_per_node ${N:-8} --nnodes 2 t.py")
    assert found.per_node.value == OneOf(8, "$N comes from the environment")
    assert found.total.value == OneOf(16, "$N comes from the environment")
    assert found.nodes.value == Known(2)
    with pytest.raises(Undetermined, match="processes"):
        found.total.need("processes")
    assert isinstance(world("deepspeed t.py").total.value, Unknown)


class TestConfigurationOfAccelerate:
    def config(self, **values):
        return {name: ConfigValue(value, Span("a.yaml", 0, 1)) for name, value in values.items()}

    def test_numbers_come_from_the_file(self):
        config = self.config(num_processes=8, num_machines=2, distributed_type="FSDP")
        found = world("accelerate launch --config_file a.yaml t.py", accelerate_config=config)
        assert numbers(found) == (4, 2, 8)
        assert found.total.span == Span("a.yaml", 0, 1)
        assert found.config_file.text == "a.yaml"

    def test_options_win_over_the_file(self):
        config = self.config(num_processes=8, num_machines=1, distributed_type="DEEPSPEED")
        text = "accelerate launch --config_file a.yaml --num_processes 4 t.py"
        assert numbers(world(text, accelerate_config=config)) == (4, 1, 4)

    def test_no_distribution_is_one_process_whatever_the_number(self):
        config = self.config(num_processes=8, num_machines=1, distributed_type="NO")
        text = "accelerate launch --config_file a.yaml t.py"
        assert numbers(world(text, accelerate_config=config)) == (1, 1, 1)
        forced = "accelerate launch --config_file a.yaml --multi_gpu t.py"
        assert numbers(world(forced, accelerate_config=config)) == (8, 1, 8)

    @pytest.mark.parametrize("kind", [False, "MULTI_CPU"])
    def test_other_ways_to_say_one_process(self, kind):
        config = self.config(num_processes=8, distributed_type=kind)
        assert numbers(world("accelerate launch --config_file a.yaml t.py", accelerate_config=config)) == (1, 1, 1)

    def test_mpirun_and_sagemaker(self):
        text = "accelerate launch --config_file a.yaml t.py"
        config = self.config(num_processes=8, distributed_type="MULTI_CPU", mpirun_config={"mpirun_ccl": "1"})
        assert numbers(world(text, accelerate_config=config)) == (8, 1, 8)
        config = self.config(num_machines=2, distributed_type="NO", compute_environment="AMAZON_SAGEMAKER")
        assert numbers(world(text, accelerate_config=config)) == (None, None, None)

    def test_a_number_that_is_none(self):
        config = self.config(num_processes="many", distributed_type="MULTI_GPU")
        found = world("accelerate launch --config_file a.yaml t.py", accelerate_config=config)
        assert numbers(found) == (None, 1, None)
        assert "many" in found.total.because

    def test_a_file_without_the_number_of_processes(self):
        found = world("accelerate launch --config_file a.yaml t.py", accelerate_config=self.config(num_machines=2))
        assert numbers(found) == (None, 2, None)


class TestOptionsHandedToAccelerate:
    def handed(self, text, own=()):
        wrapper = handed_to_accelerate(start_of(command(text)), own)
        return {name: value and value.text for name, value in wrapper.values.items()}, wrapper.more

    def test_they_stand_anywhere_among_those_of_the_program(self):
        text = "trl grpo --config g.yaml --num_processes 4 --learning_rate 1e-6 --multi_gpu --config_file=a.yaml"
        assert self.handed(text)[0] == {"num_processes": "4", "multi_gpu": None, "config_file": "a.yaml"}

    def test_the_program_keeps_some_to_itself(self):
        assert self.handed("trl sft --gradient_accumulation_steps 2", {"gradient_accumulation_steps"})[0] == {}

    def test_more_may_be_given(self):
        assert self.handed("trl sft --num_processes 4 $MORE")[1] == "$MORE comes from the environment"


class TestHostfile:
    def test_all_machines(self):
        found = world("deepspeed --hostfile hosts t.py", hostfile={"a": 8, "b": 8})
        assert numbers(found) == (8, 2, 16)

    def test_machines_that_differ(self):
        assert numbers(world("deepspeed --hostfile hosts t.py", hostfile={"a": 8, "b": 4})) == (None, 2, 12)

    def test_the_first_of_them(self):
        text = "deepspeed --hostfile hosts --num_nodes 1 t.py"
        assert numbers(world(text, hostfile={"a": 8, "b": 4})) == (8, 1, 8)

    def test_fewer_gpus_of_each(self):
        text = "deepspeed --hostfile hosts --num_gpus 2 t.py"
        assert numbers(world(text, hostfile={"a": 8, "b": 4})) == (2, 2, 4)


class TestTasks:
    HEADER = ("SBATCH --nodes=2", "SBATCH --ntasks-per-node=4")

    @pytest.mark.parametrize(
        ("text", "tasks"),
        [
            ("python t.py", 1),
            ("srun python t.py", 8),
            ("srun -N 1 python t.py", 4),
            ("srun -n 2 python t.py", 2),
            ("srun -N 2 --ntasks-per-node=3 python t.py", 6),
            ("srun -n $N python t.py", None),
            ("srun -n 2 mpirun -np 3 python t.py", 6),
            ("srun -n 2 ssh host python t.py", 1),
        ],
    )
    def test_the_header_says_what_srun_leaves_open(self, text, tasks):
        assert world(text, directives=self.HEADER).tasks.number == tasks

    def test_one_task_for_each_machine_by_default(self):
        assert world("srun python t.py", directives=("SBATCH -N 3",)).tasks.number == 3
        assert world("srun python t.py").tasks.number == 1
        assert world("srun -N 2 python t.py").tasks.number == 2

    def test_a_nested_text_is_started_by_the_srun_around_it(self):
        found = world("torchrun --nproc_per_node 8 t.py", within=["srun -n 2 bash -c '…'"])
        assert (found.tasks.number, numbers(found)) == (2, (8, 1, 8))
