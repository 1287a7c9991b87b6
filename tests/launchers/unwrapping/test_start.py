"""What a command starts, and through which launchers."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from launchers.written import command, texts, word
from rlhflint.command import Command
from rlhflint.launchers import FaultKind, start_of
from rlhflint.text import Span, Traced


def start(text, **more):
    found = start_of(command(text, **more))
    assert found is not None
    return found


def names(found):
    return [wrapper.name for wrapper in found.wrappers]


STARTS = """
deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --a 1
    deepspeed > module openrlhf.cli.train_sft : --a 1
deepspeed -i localhost:0,1 train.py x
    deepspeed > script train.py : x
deepspeed --no_python ./run.sh a
    deepspeed > script ./run.sh : a
torchrun --nproc-per-node 4 --tee 3 -m a.b --local_rank 0
    torchrun > module a.b : --local_rank 0
torchrun --standalone --nproc_per_node=gpu train.py
    torchrun > script train.py
python -m torch.distributed.run --nproc 2 t.py
    python > torchrun > script t.py
python3 -m torch.distributed.launch --use_env t.py
    python > torch.distributed.launch > script t.py
python -m deepspeed.launcher.runner --module a.b
    python > deepspeed > module a.b
python /opt/bin/torchrun t.py
    python > torchrun > script t.py
accelerate launch --config_file a.yaml t.py --config b
    accelerate launch > script t.py : --config b
accelerate-launch -m a.b
    accelerate launch > module a.b
python -m accelerate.commands.launch --multi-gpu t.py
    python > accelerate launch > script t.py
python -u -X dev t.py -m x
    python > script t.py : -m x
python3.11 -um a.b c
    python > module a.b : c
python -mpkg.mod c
    python > module pkg.mod : c
python -W ignore -Xdev t.py
    python > script t.py
python --check-hash-based-pycs never -I -m a.b
    python > module a.b
python --no-such-option -m a.b
    python > module a.b
python --version
    program python : --version
python -m
    program python : -m
python -c
    program python : -c
python
    program python
python -Wignore -c 'import x' y
    python > code 'import x' : y
~/venv/bin/python t.py
    python > script t.py
./t.py --a
    script ./t.py : --a
python - <
    program python : - <
python -m pdb -c continue t.py
    python > pdb > script t.py
python -m debugpy --listen 5678 --wait-for-client -m a.b
    python > debugpy > module a.b
coverage run -p -m a.b
    coverage > module a.b
coverage report -m
    program coverage : report -m
trl grpo --config g.yaml
    program trl : grpo --config g.yaml
python -m trl sft
    python > module trl : sft
nohup nice -n 10 time -p timeout -k 5 2h stdbuf -oL setsid -w python t.py
    nohup > nice > time > timeout > stdbuf > setsid > python > script t.py
env -u X A=1 B=2 python t.py
    env > python > script t.py
sudo -E -u me A=1 python t.py
    sudo > python > script t.py
exec -a name python t.py
    exec > python > script t.py
numactl --cpunodebind=0 -m 0 taskset -c 0-3 python t.py
    numactl > taskset > python > script t.py
srun -N1 -n 1 --gres=gpu:8 -w node1 --container-image img python t.py
    srun > python > script t.py
srun --mpi=pmix --cpu-bind=none -l python t.py
    srun > python > script t.py
mpirun -np 4 -x A=B --mca btl tcp --allow-run-as-root python t.py
    mpirun > python > script t.py
uv run --with trl --extra gpu -p 3.11 accelerate launch t.py
    uv run > accelerate launch > script t.py
uv run t.py a
    uv run > script t.py : a
uv run -m a.b
    uv run > module a.b
uv run -- python -m a.b
    uv run > python > module a.b
poetry run python t.py
    poetry run > python > script t.py
pdm run python t.py
    pdm run > python > script t.py
pipx run --spec accelerate accelerate launch t.py
    pipx run > accelerate launch > script t.py
conda run --no-capture-output -n rl python t.py
    conda run > python > script t.py
micromamba run -n rl -e A=B python t.py
    micromamba run > python > script t.py
docker run --rm -it --gpus all -v /a:/b --shm-size=8g img:1 python t.py
    docker run > python > script t.py
docker exec -it box bash -c 'python t.py'
    docker exec > bash > code 'python t.py'
singularity exec --nv -B /a,/b img.sif python t.py
    singularity exec > python > script t.py
apptainer exec --nv --env A=B img.sif python t.py
    apptainer exec > python > script t.py
kubectl exec -n ml pod-0 -c main -- python t.py
    kubectl exec > python > script t.py
kubectl exec -n ml pod-0 -- python t.py
    kubectl exec > python > script t.py
ssh -p 22 node1 'python t.py'
    ssh > code 'python t.py'
bash -x run.sh a
    bash > script run.sh : a
bash -lc 'python t.py'
    bash > code 'python t.py'
source env.sh
    source > script env.sh
bash -o pipefail -euc 'python t.py'
    bash > code 'python t.py'
bash --rcfile /dev/null -- run.sh a
    bash > script run.sh : a
sh +x run.sh
    sh > script run.sh
torchrun t.py -- --x
    torchrun > script t.py : --x
sbatch -N 2 job.slurm x
    sbatch > script job.slurm : x
sbatch -N 2 --wrap 'python t.py'
    sbatch > code 'python t.py'
echo python -m openrlhf.cli.train_sft
    program echo : python -m openrlhf.cli.train_sft
ray start --head
    program ray : start --head
ray job submit --address a --no-wait -- python -m a.b -v
    ray job submit > python > module a.b : -v
ray job submit --working-dir . python t.py
    ray job submit > python > script t.py
ray job submit -- deepspeed --module a.b
    ray job submit > deepspeed > module a.b
"""
"""Commands, and below each its wrappers, kind and target, and behind a colon its arguments."""


@pytest.mark.parametrize(
    ("text", "expected"), [tuple(pair.split("\n    ")) for pair in re.split(r"\n(?=\S)", STARTS.strip())]
)
def test_launchers_are_taken_off(text, expected):
    found = start(text)
    target = repr(found.target.text) if " " in found.target.text else found.target.text
    described = f"{' > '.join([*names(found), found.kind])} {target}"
    if found.arguments:
        described += f" : {' '.join(texts(found.arguments))}"
    assert described == expected
    assert found.faults == ()
    assert found.uncertain == ""


def test_the_words_of_each_wrapper_are_its_own_and_all_words_are_somewhere():
    found = start("srun -n 1 env A=1 ray job submit --no-wait -- python -u -m a.b --x 1")
    assert [texts(wrapper.words) for wrapper in found.wrappers] == [
        ["srun", "-n", "1"],
        ["env", "A=1"],
        ["ray", "job", "submit", "--no-wait", "--"],
        ["python", "-u", "-m"],
    ]
    assert found.wrapper("env").variables["A"].text == "1"
    assert found.wrapper("ray job submit").dashes


def test_operands_belong_to_the_wrapper():
    found = start("timeout 2h docker run img:1 python t.py")
    assert texts(found.wrapper("timeout").operands) == ["2h"]
    assert texts(found.wrapper("docker run").operands) == ["img:1"]


def test_the_commands_around_a_nested_text_are_wrappers_too():
    found = start(
        "ray job submit --address=x -- python3 -m a.b --c",
        within=["srun --nodes=1 -n 1 bash -c 'ray job submit …'", "bash -c 'x'"],
    )
    assert names(found) == ["srun", "bash", "bash", "ray job submit", "python"]
    assert found.around == (2, 1)
    assert found.wrapper("srun").value("nodes").text == "1"


def test_options_have_canonical_names_whatever_their_spelling():
    launcher = start(
        "accelerate launch --num-processes=4 --num_machines 1 --multi-gpu --config-file c.yaml t.py"
    ).launcher
    assert {name: value and value.text for name, value in launcher.values.items()} == {
        "num_processes": "4",
        "num_machines": "1",
        "multi_gpu": None,
        "config_file": "c.yaml",
    }
    assert launcher.given("num_processes").joined


def test_the_last_of_a_repeated_option_is_in_force():
    launcher = start("deepspeed --num_gpus 4 --num_gpus=8 t.py").launcher
    assert launcher.value("num_gpus").text == "8"
    assert texts(option.value for option in launcher.all("num_gpus")) == ["4", "8"]


def test_spans_point_at_the_words():
    text = "deepspeed --num_gpus=8 --module a.b"
    found = start(text, start=100)
    option = found.launcher.given("num_gpus")
    assert option.flag.span == Span("run.sh", 110, 120)
    assert option.value.span == Span("run.sh", 121, 122)
    assert found.span == Span("run.sh", 132, 135)


def test_accelerate_takes_no_abbreviation_but_torchrun_does():
    assert [option.flag.text for option in start("accelerate launch --num_proc 4 t.py").launcher.refused] == [
        "--num_proc"
    ]
    assert start("torchrun --nproc_per 4 t.py").launcher.value("nproc_per_node").text == "4"


class TestWhatIsNotKnown:
    def test_a_variable_with_options_in_front_of_the_target(self):
        found = start("torchrun $DIST train.py --x")
        assert (found.kind, found.target.text, found.uncertain) == ("script", "train.py", "")
        assert found.launcher.more == "$DIST comes from the environment"

    def test_options_before_it_may_be_given_again_and_those_behind_it_hold(self):
        launcher = start("deepspeed --num_gpus 4 $MORE --master_port 1 --module a.b").launcher
        assert not launcher.given("num_gpus").certain
        assert launcher.given("master_port").certain

    def test_an_interpreter_with_all_its_options(self):
        found = start("python $OPTS -m openrlhf.cli.train_sft --x")
        assert (found.module, texts(found.arguments)) == ("openrlhf.cli.train_sft", ["--x"])
        assert found.wrappers[0].more == "$OPTS comes from the environment"

    @pytest.mark.parametrize("text", ['python "$OPTS" -m a.b', "python $SCRIPT train.py", "python $SCRIPT"])
    def test_a_word_that_may_be_the_script(self, text):
        found = start(text)
        assert (found.kind, found.script) == ("script", None)
        assert found.uncertain

    def test_the_target_itself(self):
        found = start("python $SCRIPT --x 1")
        assert found.kind == "script"
        assert not found.target.known
        assert texts(found.arguments) == ["--x", "1"]
        assert found.uncertain == "$SCRIPT comes from the environment"
        assert found.script is None

    def test_the_folder_of_the_target(self):
        found = start("deepspeed $REPO/openrlhf/cli/train_sft.py")
        assert (found.kind, found.uncertain, found.script) == ("script", "", None)
        assert found.target.text.endswith("/openrlhf/cli/train_sft.py")

    def test_the_target_of_a_module_launcher(self):
        found = start("deepspeed --module $training")
        assert found.kind == "module"
        assert found.module is None
        assert found.uncertain

    def test_the_interpreter_in_front_of_a_module(self):
        found = start('"$PYTHON" -m openrlhf.cli.train_ppo_ray --x')
        assert (found.kind, found.module, found.uncertain) == ("module", "openrlhf.cli.train_ppo_ray", "")
        assert names(found) == [""]

    def test_an_interpreter_with_a_default_is_taken_for_it(self):
        assert names(start("${PYTHON:-python3} train.py")) == ["python"]

    def test_the_folder_of_the_interpreter(self):
        assert names(start("$CONDA_PREFIX/bin/python -m a.b")) == ["python"]

    def test_a_launcher_with_all_its_options(self):
        found = start("$LAUNCHER --num_gpus 8 --module openrlhf.cli.train_sft --x")
        assert (found.module, found.uncertain) == ("openrlhf.cli.train_sft", "")
        assert found.wrappers[0].more == "$LAUNCHER comes from the environment"

    def test_a_launcher_in_front_of_a_script(self):
        found = start("$LAUNCHER train.py --x")
        assert (found.kind, found.target.text, texts(found.arguments)) == ("script", "train.py", ["--x"])
        assert found.uncertain

    def test_a_whole_command(self):
        found = start("$COMMAND")
        assert (found.kind, found.uncertain) == ("program", "$COMMAND comes from the environment")

    def test_options_of_docker_in_front_of_the_image(self):
        found = start("docker run $OPTS img:1 python t.py")
        assert found.target.text == "t.py"
        assert texts(found.wrapper("docker run").operands) == ["img:1"]

    def test_an_image(self):
        found = start("docker run --rm $IMAGE python t.py")
        assert found.target.text == "t.py"
        assert found.wrapper("docker run").more == ""

    def test_the_value_of_an_option(self):
        launcher = start("torchrun --nproc_per_node $N --nnodes=$M train.py").launcher
        assert launcher.more == ""
        assert not launcher.value("nproc_per_node").known
        assert launcher.value("nnodes").because == "$M comes from the environment"

    @pytest.mark.parametrize(
        ("text", "value", "doubt"),
        [
            ("torchrun --brand-new train.py --x", None, False),
            ("accelerate launch --brand_new 3 --num_processes 2 train.py", "3", False),
            ("accelerate launch --brand_new=3 train.py", "3", False),
            ("accelerate launch --brand_new a.py train.py", None, True),
            ("torchrun --brand-new 3 train", "3", True),
            ("docker run --brand-new x img python train.py", "x", True),
        ],
    )
    def test_an_option_the_table_lacks(self, text, value, doubt):
        found = start(text)
        (option,) = found.wrappers[0].refused
        assert (option.value.text if option.value else None) == value
        assert ("brand" in found.uncertain) == doubt
        assert found.target.text in ("train.py", "train", "a.py")


class TestFaults:
    def faults(self, text):
        return [(fault.kind, fault.word.text, fault.replacement) for fault in start(text).faults]

    def test_module_without_m(self):
        text = "ray job submit -- python3 openrlhf.cli.train_ppo_ray --x 1"
        assert self.faults(text) == [
            (FaultKind.MODULE_WITHOUT_FLAG, "openrlhf.cli.train_ppo_ray", "-m openrlhf.cli.train_ppo_ray")
        ]
        assert start(text).module == "openrlhf.cli.train_ppo_ray"
        assert start(text).script is None

    def test_deepspeed_calls_the_flag_otherwise(self):
        assert self.faults("deepspeed openrlhf.cli.train_sft") == [
            (FaultKind.MODULE_WITHOUT_FLAG, "openrlhf.cli.train_sft", "--module openrlhf.cli.train_sft")
        ]

    @pytest.mark.parametrize(
        "text", ["python train.py", "python a.b/c", "python train", "python model.yaml", "python my-run.v2"]
    )
    def test_files_are_no_modules(self, text):
        assert self.faults(text) == []

    def test_path_for_module(self):
        assert self.faults("python -m openrlhf/cli/train_sft.py") == [
            (FaultKind.PATH_FOR_MODULE, "openrlhf/cli/train_sft.py", "openrlhf.cli.train_sft")
        ]
        assert start("python -m ./openrlhf/cli/train_sft.py").module == "openrlhf.cli.train_sft"
        assert self.faults("python -m train.py") == [(FaultKind.PATH_FOR_MODULE, "train.py", "train")]

    def test_a_path_that_does_not_tell_the_module(self):
        assert self.faults("torchrun -m /opt/openrlhf/cli/train_sft.py") == [
            (FaultKind.PATH_FOR_MODULE, "/opt/openrlhf/cli/train_sft.py", None)
        ]
        assert start("torchrun -m /opt/openrlhf/cli/train_sft.py").module is None

    def test_submission_without_dashes(self):
        text = "ray job submit --address x python3 -m a.b --c"
        assert self.faults(text) == [(FaultKind.NO_DASHES, "python3", "-- python3")]
        assert start(text).module == "a.b"

    def test_two_faults_at_once(self):
        kinds = [kind for kind, _, _ in self.faults("ray job submit python a.b.c --d")]
        assert kinds == [FaultKind.NO_DASHES, FaultKind.MODULE_WITHOUT_FLAG]


def test_no_words_start_nothing():
    assert start_of(Command((), Span("run.sh", 0, 0))) is None


def test_very_many_wrappers_are_not_followed_to_the_end():
    found = start("nohup " * 20_000 + "python t.py")
    assert len(found.wrappers) == 64
    assert "more than 64" in found.uncertain


def test_very_many_options_and_letters_are_read():
    found = start("torchrun " + "--what " * 20_000 + "train.py")
    assert found.target.text == "train.py"
    assert start("srun -" + "l" * 100_000 + " python t.py").wrapper("srun") is not None


_COMMON = (
    "python -m -c deepspeed --module torchrun accelerate launch ray job submit -- srun bash -n 4 env A=1 $X t.py a.b"
    " docker run -it uv --with timeout ssh sbatch --wrap eval ${X:-python} --nnodes=2 -u nohup pdb coverage kubectl"
)
_WORDS = st.lists(
    st.one_of(
        st.sampled_from(_COMMON.split(" ")),
        st.text(st.characters(exclude_characters=" '\t\n\r"), min_size=1, max_size=12),
    ),
    min_size=1,
    max_size=12,
)


@settings(deadline=None)
@given(_WORDS, st.lists(_WORDS, max_size=2))
def test_any_words_start_something(items, around):
    made = Command(
        tuple(word(item) for item in items),
        Span("run.sh", 0, 0),
        within=tuple(tuple(word(item) for item in outer) for outer in around),
    )
    found = start_of(made)
    assert found is not None
    own = found.wrappers[sum(found.around) :]
    spelt = "".join(item.text for item in made.words)
    taken = "".join(item.text for wrapper in own for item in wrapper.words)
    rest = found.target.text + "".join(item.text for item in found.arguments)
    # Words are handed on in their order; only the `--` of a submission may be dropped between them.
    assert (taken + rest).replace("--", "") == spelt.replace("--", "") or found.kind == "code"


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_target(text):
    traced = Traced.made(text, Span("run.sh", 0, 1))
    for front in ("python", "torchrun", "deepspeed", "python -m", "bash", "sudo"):
        words = tuple(word(item) for item in front.split())
        assert start_of(Command((*words, traced), Span("run.sh", 0, 1))) is not None
