"""The variables that reach a started program."""

import pytest

from launchers.written import command, script
from rlhflint.launchers import start_of
from rlhflint.launchers.environment import environment_of
from rlhflint.text import Span, Traced


def made(value, start=0):
    return Traced.of_file("run.sh", value, start)


def environment(text, exported=None, given=None, within=(), of=None):
    command_ = command(
        text,
        within=within,
        exported={name: made(value, 9000) for name, value in (exported or {}).items()},
        environment={name: made(value, 9000) for name, value in (given or {}).items()},
    )
    return environment_of(start_of(command_), command_, of)


def texts(found):
    return {name: variable.value.text for name, variable in found.variables.items()}


OUTSIDE = {"A": "1", "B": "2"}


@pytest.mark.parametrize(
    ("text", "inside", "lost"),
    [
        ("python t.py", {"A": "1", "B": "2"}, ""),
        ("env B=3 C=4 python t.py", {"A": "1", "B": "3", "C": "4"}, ""),
        ("env -u A python t.py", {"B": "2"}, ""),
        ("env -i C=4 python t.py", {"C": "4"}, "env -i"),
        ("sudo C=4 python t.py", {"C": "4"}, "sudo"),
        ("sudo -E python t.py", {"A": "1", "B": "2"}, ""),
        ("sudo --preserve-env=A python t.py", {"A": "1"}, "sudo"),
        ("docker run img python t.py", {}, "docker run"),
        ("docker run -e A -e B=3 --env C=4 img python t.py", {"A": "1", "B": "3", "C": "4"}, ""),
        ("podman exec -e C=4 box python t.py", {"C": "4"}, "podman exec"),
        ("singularity exec img python t.py", {"A": "1", "B": "2"}, ""),
        ("apptainer exec -e --env C=4,D=5 img python t.py", {"C": "4", "D": "5"}, "apptainer exec"),
        ("srun python t.py", {"A": "1", "B": "2"}, ""),
        ("srun --export=NONE python t.py", {}, "srun --export"),
        ("srun --export=ALL,C=4 python t.py", {"A": "1", "B": "2", "C": "4"}, ""),
        ("srun --export=A,C=4 python t.py", {"A": "1", "C": "4"}, "srun --export"),
        ("mpirun -np 2 -x C=4 -genv D 5 python t.py", {"A": "1", "B": "2", "C": "4", "D": "5"}, ""),
        ("micromamba run -n x --clean-env -e C=4 python t.py", {"C": "4"}, "micromamba run --clean-env"),
        ("conda run -n x python t.py", {"A": "1", "B": "2"}, ""),
        ("uv run python t.py", {"A": "1", "B": "2"}, ""),
        ("micromamba run -n x -e C=4 python t.py", {"A": "1", "B": "2", "C": "4"}, ""),
        ("mpirun -np 2 -x A -genv D 5 python t.py", {"A": "1", "B": "2", "D": "5"}, ""),
        ("srun --export=NIL python t.py", {}, "srun --export"),
        ("apptainer exec --containall img python t.py", {}, "apptainer exec"),
        ("apptainer exec --cleanenv --env A,C=4 img python t.py", {"A": "1", "C": "4"}, "apptainer exec"),
        ("ssh host python t.py", {}, "ssh"),
        ("kubectl exec pod -- python t.py", {}, "kubectl exec"),
        ("ray job submit -- python t.py", {}, "ray job submit"),
        (
            """ray job submit --runtime-env-json='{"env_vars":{"B":"3"}}' -- env C=4 python t.py""",
            {"B": "3", "C": "4"},
            "ray job submit",
        ),
    ],
)
def test_wrappers_let_variables_through_or_not(text, inside, lost):
    found = environment(text, exported=OUTSIDE)
    assert texts(found) == inside
    assert {entry.through for entry in found.lost.values()} == ({lost} if lost else set())
    assert set(found.lost) == (set(OUTSIDE) - set(inside) if lost else set())


def test_a_variable_set_again_inside_is_not_lost():
    found = environment("docker run -e A=7 img python t.py", exported=OUTSIDE)
    assert list(found.lost) == ["B"]


def test_variables_in_front_of_the_command_are_set_before_its_wrappers():
    assert texts(environment("python t.py", exported={"A": "1"}, given={"A": "2"})) == {"A": "2"}
    assert texts(environment("env A=3 python t.py", given={"A": "2"})) == {"A": "3"}
    assert environment("docker run img python t.py", given={"A": "2"}).lost["A"].variable.value.text == "2"


@pytest.mark.parametrize("program", ["apptainer", "singularity"])
@pytest.mark.parametrize("prefix", ["APPTAINERENV_", "SINGULARITYENV_"])
def test_a_variable_meant_for_the_inside_of_a_container(program, prefix):
    found = environment(f"{program} exec --cleanenv img python t.py", exported={f"{prefix}C": "4", "A": "1"})
    assert texts(found) == {"C": "4"}
    assert set(found.lost) == {f"{prefix}C", "A"}


def test_a_variable_that_is_taken_out_is_not_lost():
    found = environment("env -u A -u C python t.py", exported=OUTSIDE)
    assert (texts(found), dict(found.lost)) == ({"B": "2"}, {})


@pytest.mark.parametrize(
    "text",
    [
        "docker run --env-file vars img python t.py",
        "docker run -e WANDB_API_KEY img python t.py",
        "uv run --env-file vars python t.py",
        "apptainer exec --env-file vars img python t.py",
        "docker run $OPTS img python t.py",
        "mpirun -x WANDB_API_KEY python t.py",
        "srun --export=$VARS python t.py",
        "ray job submit --runtime-env env.yaml -- python t.py",
        "ray job submit --runtime-env-json=$ENV -- python t.py",
    ],
)
def test_variables_that_cannot_be_seen(text):
    assert environment(text).more


def test_exports_inside_a_nested_text_come_after_the_wrappers_around_it():
    outer = "docker run img bash -c 'export C=5; python t.py'"
    place = outer.index("5;")
    made_ = command("python t.py", within=[outer], exported={"A": made("1", 9000), "C": made("5", place)})
    found = environment_of(start_of(made_), made_)
    assert texts(found) == {"C": "5"}
    assert list(found.lost) == ["A"]


def test_places_of_variables():
    text = """ray job submit --runtime-env-json='{"env_vars":{"B":"3"}}' -- env C=4 python t.py"""
    found = environment(text)
    b, c = found.variables["B"], found.variables["C"]
    assert (text[b.name_span.start : b.name_span.end], text[b.value_span.start : b.value_span.end]) == ("B", "3")
    assert (b.source, c.source) == ("--runtime-env-json", "env")
    assert c.value_span == Span("run.sh", text.index("4"), text.index("4") + 1)


class TestRayHeadOfTheSameScript:
    HEAD = "ray start --head"

    def found(self, job, *before, start="ray start --head"):
        head = command(start, start=100, exported={"NCCL_DEBUG": made("INFO", 9000)})
        submit = command(job, start=200, exported={"NCCL_DEBUG": made("INFO", 9000), "LATE": made("1", 9100)})
        return environment_of(start_of(submit), submit, script(head, submit) if not before else script(submit, head))

    def test_its_variables_reach_the_job(self):
        found = self.found("ray job submit --address http://127.0.0.1:8265 -- python t.py")
        assert texts(found) == {"NCCL_DEBUG": "INFO"}
        assert found.variables["NCCL_DEBUG"].source == "ray start"
        assert list(found.lost) == ["LATE"]

    def test_not_those_of_a_head_started_later(self):
        assert texts(self.found("ray job submit -- python t.py", "later")) == {}

    def test_not_those_of_a_worker(self):
        assert texts(self.found("ray job submit -- python t.py", start="ray start --address a:6379")) == {}

    def test_not_for_a_job_that_goes_elsewhere(self):
        assert texts(self.found("ray job submit --address http://other:8265 -- python t.py")) == {}
