"""Scripts inside the words of commands."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import launch, launches, origin, read, shown, texts, ways


@pytest.mark.parametrize(
    "script",
    [
        "bash -c 'launch a \"b c\"'",
        "sh -c \"launch a 'b c'\"",
        "bash -lc 'launch a b\\ c'",
        "/bin/bash -eux -o pipefail -c 'set -x; launch a \"b c\"'",
        "srun -N1 --ntasks=1 bash -c 'launch a \"b c\"'",
        'srun --overlap -w "$head" --container-image="$IMAGE" bash -c \\\n  "cd /x \\\n && launch a \'b c\'" &>> log &',
        "ssh -p 22 user@host 'launch a \"b c\"'",
        "ssh host launch a \"'b c'\"",
        "timeout 3h bash -c 'launch a \"b c\"'",
        "nohup bash -c 'launch a \"b c\"' > log 2>&1 &",
        "docker run --gpus all -v $PWD:/w image bash -c 'launch a \"b c\"'",
        "singularity exec --nv x.sif bash -c 'launch a \"b c\"'",
        "conda run -n rl bash -c 'launch a \"b c\"'",
        "sbatch --wrap 'launch a \"b c\"'",
        "sbatch -N1 --wrap=\"launch a 'b c'\"",
        "eval 'launch a \"b c\"'",
        "eval launch a \"'b c'\"",
        "su - user -c 'launch a \"b c\"'",
        "tmux new-session -d -s run 'launch a \"b c\"'",
        "ray job submit --address x -- bash -c 'launch a \"b c\"'",
        "exec bash -c 'launch a \"b c\"'",
        "bash <<'EOF'\nlaunch a \"b c\"\nEOF",
        'srun -N1 bash <<EOF\nlaunch a "b c"\nEOF',
        "ssh host bash -s <<'EOF'\nlaunch a \"b c\"\nEOF",
        "ssh host <<'EOF'\nlaunch a \"b c\"\nEOF",
        "sbatch <<'EOF'\n#!/bin/bash\nlaunch a \"b c\"\nEOF",
        "bash <<< 'launch a \"b c\"'",
        "cat > job.sbatch <<'EOF'\nlaunch a \"b c\"\nEOF",
        "tee run.sh > /dev/null <<'EOF'\nlaunch a \"b c\"\nEOF",
        "echo 'launch a \"b c\"' | bash",
        "cat <<'EOF' | sh\nlaunch a \"b c\"\nEOF",
        'bash -c "bash -c \'launch a \\"b c\\"\'"',
    ],
)
def test_a_script_in_the_words_of_a_command_is_read(script: str) -> None:
    command = launch(script + "\n")
    assert texts(command.words) == ["launch", "a", "b c"]
    assert origin(command.words[1], script) == "a"
    assert command.within


@pytest.mark.parametrize(
    "script",
    [
        "cat > notes.txt <<EOF\nlaunch a\nEOF",
        "echo bash -c 'launch a'",
        "printf '%s' 'launch a'",
        "grep bash -c launch",
        "cat <<EOF\nlaunch a\nEOF",
    ],
)
def test_text_that_no_shell_reads_is_text(script: str) -> None:
    assert launches(script + "\n") == []


def test_the_commands_around_are_named_outermost_first() -> None:
    command = launch("srun -N2 bash -c \"bash -c 'launch'\"\n")
    assert [texts(words)[0] for words in command.within] == ["srun", "bash"]
    assert shown(command.within[0][-1]) == "bash -c 'launch'"


def test_flags_inside_quotes_keep_their_place() -> None:
    script = """
OPTS=(--zero_stage 3)
EXTRA='--ckpt out'
srun bash -c "launch --a \\"x y\\" \\
  ${OPTS[*]} $EXTRA \\$HOME"
"""
    command = launch(script)
    assert texts(command.words[1:]) == ["--a", "x y", "--zero_stage", "3", "--ckpt", "out", "<?>*"]
    assert [origin(word, script) for word in command.words[1:6]] == ["--a", "x y", "--zero_stage", "3", "--ckpt"]
    assert command.words[3].verbatim_span is not None


def test_json_inside_quotes_inside_quotes() -> None:
    script = 'srun bash -c "launch --env=\'{\\"working_dir\\": \\"$PWD\\"}\' -- python3"\n'
    assert texts(launch(script).words[1:]) == ['--env={"working_dir": "<?>"}', "--", "python3"]


def test_a_nested_shell_sees_what_is_exported() -> None:
    script = "A=1; export B=2\nC=3 bash -c 'launch \"$A\" $B $C'\nssh host 'launch \"$B\"'\n"
    assert [texts(command.words[1:]) for command in launches(script)] == [["<?>", "2", "3"], ["<?>"]]


def test_a_nested_shell_has_arguments_of_its_own() -> None:
    assert texts(launch("bash -c 'launch $0 $1 $#' zero one two\n").words[1:]) == ["zero", "one", "2"]
    assert texts(launch('set -- a b\nbash -c \'launch "$@"\' _ "$@"\n').words[1:]) == ["a", "b"]


def test_eval_runs_in_this_very_shell() -> None:
    assert texts(launch("eval 'A=1'\neval \"B=\\$A\"\nlaunch $A $B\n").words[1:]) == ["1", "1"]


def test_a_command_in_a_variable_that_is_run_by_eval() -> None:
    script = (
        'CMD="launch --model $1"\nCMD+=" --lr 1e-5"\n[ -n "$PACK" ] && CMD+=" --packing"\necho "$CMD"\neval "$CMD"\n'
    )
    assert ways(script) == {
        "PACK is set": "--model <?>* --lr 1e-5 --packing",
        "PACK is not set": "--model <?>* --lr 1e-5",
    }
    assert "--packing" in [origin(word, script) for command in launches(script) for word in command.words]


def test_problems_inside_a_nested_script_are_told_at_their_place() -> None:
    script = "srun bash -c '\nlaunch --a 1\n  --b 2\n'\n"
    [problem] = read(script).problems
    assert (problem.kind, problem.span.start) == ("missing-backslash", script.index("1") + 1)
    assert texts(launch(script).words[1:]) == ["--a", "1", "--b", "2"]


def test_shells_inside_shells_end() -> None:
    script = "A='bash -c \"$A\"'\nexport A\n" + "eval " * 30 + "launch\n" + 'bash -c "$A"\n'
    read(script)


@pytest.mark.parametrize(
    "script",
    [
        "launch a 'launch b'",
        "ray start --head 'launch b'",
        "launch run.sh <<E\nlaunch b\nE",
        "cat run.sh 'launch b'",
    ],
)
def test_words_that_no_shell_reads_are_no_scripts(script: str) -> None:
    assert len(read(script).commands) == 1
