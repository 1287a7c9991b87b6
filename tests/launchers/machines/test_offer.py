"""The machines on offer, as far as a script tells."""

from dataclasses import replace

import pytest

from launchers.written import command, script
from rlhflint.command import Choice
from rlhflint.launchers.count import Count
from rlhflint.launchers.machines.offer import NodeGroup, Offer, offered
from rlhflint.launchers.ray.cluster import ray_starts, ray_stops
from rlhflint.text import Span, Traced

TRAIN = "python -m openrlhf.cli.train_ppo_ray"
SUBMIT = "ray job submit --address http://127.0.0.1:8265 -- python -m openrlhf.cli.train_ppo_ray"


def offer(*lines, directives=(), exported=None):
    made, at = [], 1000
    for line in lines:
        made.append(line if not isinstance(line, str) else command(line, start=at, exported=exported or {}))
        at += 200
    return offered(script(*made, directives=directives), made[-1])


def described(found):
    return [
        (group.nodes.number, group.gpus.number, group.cpus.number, group.total_gpus.number) for group in found.groups
    ]


HEADER = ("SBATCH -N 2", "SBATCH --gpus-per-node=8", "SBATCH --cpus-per-task=96")


def test_a_job():
    found = offer(TRAIN, directives=HEADER)
    assert described(found) == [(2, 8, 96, 16)]
    assert (found.gpus.number, found.nodes.number, found.more) == (16, 2, "")
    assert found.groups[0].what == "the #SBATCH header"


def test_nothing_is_said():
    found = offer(TRAIN)
    assert found.groups == ()
    assert found.gpus.because == found.more == "nothing in the script says what there is"


def test_a_job_in_which_ray_says_the_same():
    found = offer("ray start --head --num-gpus 8", TRAIN, directives=("SBATCH --nodes=1", "SBATCH --gpus-per-node=8"))
    assert (described(found), found.more, found.groups[0].what) == ([(1, 8, None, 8)], "", "the #SBATCH header")


def test_a_job_in_which_ray_is_given_less():
    head = "srun -N1 -n1 ray start --head --num-gpus=4 --num-cpus 32"
    worker = "srun -N1 -n1 -w b ray start --address $head:6379 --num-gpus=4 --num-cpus 32"
    found = offer(head, worker, TRAIN, directives=HEADER)
    assert described(found) == [(2, 4, 32, 8)]
    assert found.groups[0].what == "the #SBATCH header and ray start"


def test_a_job_alone_on_its_machines_may_have_more_gpus_than_it_asks_for():
    alone = offer(TRAIN, directives=("SBATCH -N 1", "SBATCH --gres=gpu:4", "SBATCH --exclusive"))
    assert (alone.gpus.number, alone.listed_gpus.number) == (None, 4)
    assert "--exclusive" in alone.gpus.because
    whole = offer(TRAIN, directives=("SBATCH -N 1", "SBATCH --gres=gpu:8", "SBATCH --exclusive"))
    assert whole.gpus.number == 8


def test_an_srun_outside_a_job():
    found = offer(f"srun -N 2 --gres=gpu:h100:4 {TRAIN}")
    assert (described(found), found.groups[0].what, found.gpu_types) == ([(2, 4, None, 8)], "srun", ("h100",))


def test_an_srun_inside_a_job_does_not_make_it_larger():
    assert offer(f"srun -N 1 -n 1 {TRAIN}", directives=HEADER).gpus.number == 16


class TestRay:
    def test_a_head_that_others_may_join(self):
        found = offer("ray start --head --num-gpus 8 --num-cpus 64", SUBMIT)
        assert described(found) == [(1, 8, 64, 8)]
        assert found.listed_gpus.number == 8
        assert found.gpus.because == found.more == "machines started elsewhere may join the cluster of this head"

    def test_a_script_that_starts_the_workers_too(self):
        found = offer(
            "ray start --head --num-gpus 8",
            command("ray start --address a:6379 --num-gpus 4", start=1200, within=["ssh b 'ray start …'"]),
            SUBMIT,
        )
        assert (found.gpus.number, found.more) == (12, "")

    def test_a_head_that_counts_itself(self):
        assert described(offer("ray start --head", SUBMIT)) == [(1, None, None, None)]
        visible = {"CUDA_VISIBLE_DEVICES": Traced.made("0,1", None)}
        assert described(offer("ray start --head", SUBMIT, exported=visible)) == [(1, 2, None, 2)]

    def test_a_job_that_goes_elsewhere(self):
        found = offer("ray job submit --address http://10.0.0.5:8265 -- python t.py")
        assert found.more == "nothing in the script says what there is"
        found = offer("ray job submit --address http://10.0.0.5:8265 -- python t.py", directives=HEADER)
        assert "10.0.0.5" in found.gpus.because

    def test_a_worker_of_a_head_started_elsewhere(self):
        assert (
            offer("ray start --address a:6379 --num-gpus 8", SUBMIT).more
            == "the head of the cluster is started elsewhere"
        )

    def test_lines_of_which_each_machine_runs_one(self):
        place = Span("run.sh", 5, 900)
        head = command("ray start --head --num-gpus 8", start=1000, choices=(Choice(place, "RANK is 0", False),))
        worker = command(
            "ray start --address a:6379 --num-gpus 8", start=1200, choices=(Choice(place, "RANK is not 0", False),)
        )
        found = offer(head, worker, SUBMIT)
        assert "depends on the machine" in found.more
        assert len(found.groups) == 1

    def test_the_way_of_the_command_is_the_way_of_the_head(self):
        place = Span("run.sh", 5, 900)
        ways = [(Choice(place, "BIG is 1", False),), (Choice(place, "BIG is not 1", False),)]
        heads = [
            command(f"ray start --head --num-gpus {n}", start=1000, choices=way)
            for n, way in zip((8, 4), ways, strict=True)
        ]
        for n, way in zip((8, 4), ways, strict=True):
            assert offer(*heads, command(SUBMIT, start=2000, choices=way)).listed_gpus.number == n

    def test_rounds_of_a_loop_all_happen(self):
        place = Span("run.sh", 5, 900)
        workers = [
            command("ray start --address a:6379 --num-gpus 8", start=1000, choices=(Choice(place, f"n is {n}", True),))
            for n in (1, 2)
        ]
        assert offer("ray start --head --num-gpus 8", *workers, SUBMIT).listed_gpus.number == 24

    def test_what_a_line_says(self):
        first = "nohup ray start --head --port 6380 --dashboard-port=8266 --num-gpus=8 --block"
        second = "ray start --address=head:6379 --num-gpus $N"
        (head, worker) = ray_starts(script(first, second, "ray stop --force", "ray status"))
        assert (head.head, head.port.number, head.gpus.number) == (True, 6380, 8)
        assert (worker.head, worker.port.number, worker.gpus.number, worker.cpus) == (False, 6379, None, None)
        assert worker.address.text == "head:6379"
        place = f"{first}\n{second}".index("6379")
        assert worker.port.span == Span("run.sh", place, place + 4)

    def test_ports_that_are_not_said(self):
        head, worker, bare = ray_starts(script("ray start --head", "ray start --address $A", "ray start"))
        assert head.port.number == 6379
        assert worker.port.because == "$A comes from the environment"
        assert not bare.port.known

    def test_stops(self):
        assert len(ray_stops(script("ray stop --force", "ray start --head", "bash x.sh", "ray stop"))) == 2

    @pytest.mark.parametrize(
        ("line", "machines"),
        [
            ("ray start --address a:1", 1),
            ("srun -N 3 ray start --address a:1", 3),
            ("srun -n 1 ray start --address a:1", 1),
            ("srun -w node1 ray start --address a:1", 1),
            ('srun -w "$host" ray start --address a:1', 1),
            ("srun -w node[1-3] ray start --address a:1", None),
            ("srun ray start --address a:1", None),
        ],
    )
    def test_machines_a_line_runs_on(self, line, machines):
        assert ray_starts(script(line))[0].machines.number == machines


def test_visible_devices_bound_the_machine():
    visible = {"CUDA_VISIBLE_DEVICES": Traced.made("0,1,2,3", Span("run.sh", 1, 8))}
    found = offer("torchrun t.py", exported=visible)
    assert (found.gpus.number, found.visible.number, found.groups[0].what) == (4, 4, "CUDA_VISIBLE_DEVICES")
    assert offer(SUBMIT, exported=visible).groups == ()


def test_groups_made_by_other_readers():
    head = NodeGroup.of(Count(1), Count(0), Count(8), "the RayJob's head")
    workers = replace(NodeGroup.of(Count(2), Count(8), Count(96), "the RayJob's workers"), gpu_type="h100")
    found = Offer((head, workers))
    assert (found.gpus.number, found.nodes.number, found.gpu_types) == (16, 3, ("h100",))
    assert Offer((head, workers), more="it may grow").gpus.because == "it may grow"
