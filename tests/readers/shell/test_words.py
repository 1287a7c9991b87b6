"""What words become, and the characters that made them."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import arguments, launch, launches, origin, read, shown, texts


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("launch a 'b c' \"d e\" f\\ g h\"i\"'j'k", ["a", "b c", "d e", "f g", "hijk"]),
        ("launch '' \"\" $EMPTY x", ["", "", "x"]),
        ('launch "a\\"b" \'a\\b\' "a\\nb" \\\\', ['a"b', "a\\b", "a\\nb", "\\"]),
        (r"launch $'User: {}\nAssistant: ' $'\x41\u00e9\101\'' $" + '"x"', ["User: {}\nAssistant: ", "AéA'", "x"]),
        ("launch a \\\n  b \\\n# done\n", ["a", "b"]),
        ("launch a\\\nb", ["ab"]),
        ("launch a#b #c", ["a#b"]),
        (
            "launch --a=b=c -x {} {a} @ 100% a,b [1] ~/x",
            ["--a=b=c", "-x", "{}", "{a}", "@", "100%", "a,b", "[1]", "~/x"],
        ),
        ("launch été naïve-模型 🙂", ["été", "naïve-模型", "🙂"]),
        ("launch a\u00a0b", ["a\u00a0b"]),
        ("launch $EMPTY$EMPTY", []),
        ('A=1; launch $A/$A/c $A$A "$A"x x$A', ["1/1/c", "11", "1x", "x1"]),
        ("X=$A/$B/c; A=1 B=2; launch done", ["done"]),
        ("A=1 B=2; X=$A/$B/c; launch $X", ["1/2/c"]),
        ('launch \'{"working_dir": "\'"$A"\'"}\'', ['{"working_dir": "x y"}']),
        ("launch if fi done in do", ["if", "fi", "done", "in", "do"]),
        ("launch 2>&1 > log a >> b c < d &> e", ["a", "c"]),
        ("> log launch a", ["a"]),
        ("launch a >log b", ["a", "b"]),
        ("time launch a", ["a"]),
        ("time -p launch a", ["a"]),
        ("! launch a", ["a"]),
        ("launch a & wait", ["a"]),
        ("launch a; ", ["a"]),
        ("launch a\t\t", ["a"]),
    ],
)
def test_words_are_what_a_shell_makes_of_them(script: str, wanted: list[str]) -> None:
    assert arguments("EMPTY=''; A='x y'\n" + script) == wanted


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("{a,b}c", ["ac", "bc"]),
        ("x{1..3}", ["x1", "x2", "x3"]),
        ("{01..03}", ["01", "02", "03"]),
        ("{5..1..2}", ["5", "3", "1"]),
        ("{a..c}", ["a", "b", "c"]),
        ("{a,b}{1,2}", ["a1", "a2", "b1", "b2"]),
        ("{a,{b,c}}", ["a", "b", "c"]),
        ("{,x}y", ["y", "xy"]),
        ('{"a b",$A}', ["a b", "v"]),
        ("'{a,b}' {a} {a,b \\{a,b}", ["{a,b}", "{a}", "{a,b", "{a,b}"]),
        ("{wandb_token}", ["{wandb_token}"]),
    ],
)
def test_braces_stand_for_several_words(word: str, wanted: list[str]) -> None:
    assert arguments(f"A=v\nlaunch {word}") == wanted


def test_a_word_is_traced_to_where_it_was_written() -> None:
    script = "LR=5e-7\nlaunch --lr $LR \"x${LR}y\" 'q r' \\$\n"
    command = launch(script)
    assert [origin(word, script) for word in command.words] == [
        "launch",
        "--lr",
        "5e-7",
        '5e-7\nlaunch --lr $LR "x${LR}y',
        "q r",
        "$",
    ]
    assert [word.verbatim_span is not None for word in command.words] == [True, True, True, False, True, True]


def test_an_empty_word_has_a_place() -> None:
    script = "launch --name ''"
    assert origin(launch(script).words[2], script) == "''"


def test_arrays_keep_their_elements_apart() -> None:
    script = """
ARGS=(
   --lr 5e-7  # why
   # --zero_stage 3
   --name "a b"
)
ARGS+=(--packing)
launch "${ARGS[@]}" ${#ARGS[@]} "${ARGS[1]}" ${ARGS[0]} "${ARGS[-1]}" "${ARGS[@]:1:2}" x"${ARGS[@]:3}"y
"""
    wanted = [
        "--lr",
        "5e-7",
        "--name",
        "a b",
        "--packing",
        "5",
        "5e-7",
        "--lr",
        "--packing",
        "5e-7",
        "--name",
        "xa b",
        "--packingy",
    ]
    assert arguments(script) == wanted
    assert [origin(word, script) for word in launch(script).words[1:6]] == [
        "--lr",
        "5e-7",
        "--name",
        "a b",
        "--packing",
    ]


def test_a_list_without_quotes_falls_into_words() -> None:
    assert arguments("A=('a b' c)\nlaunch ${A[@]} | cat\n") == ["a", "b", "c"]
    assert arguments("A=('a b' c)\nlaunch ${A[*]}\n") == ["a", "b", "c"]
    assert arguments("A=('a b' c)\nlaunch \"${A[*]}\"\n") == ["a b c"]
    assert arguments('A=(a b c); IFS=,\nlaunch "${A[*]}"\n') == ["a,b,c"]
    assert arguments('A=()\nlaunch "${A[@]}" ${A[*]} end\n') == ["end"]


def test_arrays_with_gaps() -> None:
    assert arguments(
        'A=(); A[1]=x; A[3]=y\nlaunch "${A[@]}" "${A[@]:2}" "${A[@]:1:1}" ${#A[@]} ${!A[@]} "${A[3]}"\n'
    ) == [*("x", "y", "y", "x", "2", "1", "3", "y")]


def test_associative_arrays() -> None:
    script = """
declare -A M=([small]=1b [large]='7 b'); M[huge]=70b
launch ${M[small]} "${M[large]}" ${M[huge]} ${#M[@]} "${!M[@]}"
"""
    assert arguments(script) == ["1b", "7 b", "70b", "3", "small", "large", "huge"]


def test_text_in_a_variable_falls_into_words_that_keep_their_place() -> None:
    script = 'ARGS="--lr 5e-7 \\\n  --packing"\nARGS="$ARGS --beta 0.1"\nARGS+=" --last"\nlaunch $ARGS\n'
    words = launch(script).words[1:]
    assert texts(words) == ["--lr", "5e-7", "--packing", "--beta", "0.1", "--last"]
    assert [origin(word, script) for word in words] == ["--lr", "5e-7", "--packing", "--beta", "0.1", "--last"]
    assert all(word.verbatim_span is not None for word in words)


def test_quotes_inside_a_variable_mean_nothing() -> None:
    assert arguments("A=\"--x 'a b'\"\nlaunch $A\n") == ["--x", "'a", "b'"]


@pytest.mark.parametrize(
    "script",
    [
        "read -r -d '' A <<EOF\nopenrlhf --lr ${LR} \\\n   --name \"x\"\nEOF\nlaunch $A\n",
        "read -r -d '' A <<EOF || true\nopenrlhf --lr ${LR} \\\n   --name \"x\"\nEOF\nlaunch $A\n",
        'A=$(cat <<EOF\nopenrlhf --lr ${LR} \\\n   --name "x"\nEOF\n)\nlaunch $A\n',
        'A=`cat <<EOF\nopenrlhf --lr ${LR} \\\n   --name "x"\nEOF\n`\nlaunch $A\n',
        'A=$(cat <<-EOF\n\topenrlhf --lr ${LR}\n\t\t--name "x"\n\tEOF\n)\nlaunch $A\n',
        'read -r -d \'\' A <<< "openrlhf --lr ${LR} --name \\"x\\""\nlaunch $A\n',
    ],
)
def test_a_here_document_becomes_words(script: str) -> None:
    script = "LR=5e-7\n" + script
    assert arguments(script) == ["openrlhf", "--lr", "5e-7", "--name", '"x"']
    assert origin(launch(script).words[1], script) == "openrlhf"


def test_nothing_is_expanded_in_a_here_document_with_a_quoted_delimiter() -> None:
    assert arguments("read -r -d '' A <<'EOF'\na $HOME `b` \\$\nEOF\nlaunch $A\n") == ["a", "$HOME", "`b`", "\\$"]
    assert arguments("read -d '' A <<'EOF'\na \\\nb\nEOF\nlaunch $A\n") == ["a", "b"]


def test_a_here_document_may_hold_anything() -> None:
    script = "cat > notes.txt <<EOF\nif it's ( \"broken\n--flag\nEOF\nlaunch a\n"
    assert arguments(script) == ["a"]
    assert read(script).problems == ()


def test_two_here_documents_of_one_line() -> None:
    assert arguments("cat <<A - <<B\nx\nA\ny\nB\nlaunch z\n") == ["z"]


def test_variables_filled_by_read_mapfile_and_printf() -> None:
    assert arguments('read -r A B <<< \'x y z\'\nlaunch "$A" "$B"\n') == ["x", "y z"]
    assert arguments('IFS=, read -ra A <<< \'x,y z,\'\nlaunch "${A[@]}" "$IFS"\n')[:2] == ["x", "y z"]
    assert arguments('mapfile -t A <<EOF\none\ntwo 2\nEOF\nlaunch "${A[@]}"\n') == ["one", "two 2"]
    assert arguments("printf -v A '%s-%d\\n' x 3\nlaunch $A\n") == ["x-3"]


def test_what_commands_print_is_known_where_it_follows_from_their_words() -> None:
    script = """
N=$(seq 2 3); D=$(dirname a/b/c.sh); B=$(basename a/b/c.sh .sh); E=$(echo "x  y" z); F=`expr 3 \\* 4`
J=$(IFS=,; echo "${L[*]}"); P=$(printf '%s/' a b)
launch $N $D $B "$E" $F $J $P
"""
    assert arguments("L=(1 2)\n" + script) == ["2", "3", "a/b", "c", "x  y z", "12", "1,2", "a/b/"]


def test_declarations_do_not_split() -> None:
    script = """
f() { local A=$X; declare B=$X; launch "$A" "$B" "$C" "$D"; }
X="a b"; export C=$X; readonly D=$X; f
launch "${A-none}"
"""
    assert [texts(command.words[1:]) for command in launches(script)] == [["a b"] * 4, ["<none>"]]


def test_an_assignment_before_a_command_is_its_environment() -> None:
    command = launch("A=1\nexport B=2 C=3\nA=x \\\n  C=$A launch $A\n")
    assert {name: shown(value) for name, value in command.environment.items()} == {"A": "x", "C": "x"}
    assert {name: shown(value) for name, value in command.exported.items()} == {"B": "2"}
    assert texts(command.words[1:]) == ["1"]


def test_set_a_exports_everything() -> None:
    assert set(launch("set -a\nA=1\nset +a\nB=2\nlaunch\n").exported) == {"A"}
    assert set(launch("export A=1\nexport -n A\nlaunch\n").exported) == set()


def test_positional_parameters_can_be_set() -> None:
    assert arguments("set -- a 'b c' d\nshift\nlaunch $1 $# \"$@\"\n") == ["b", "c", "2", "b c", "d"]


def test_the_folder_of_a_command() -> None:
    assert launch("launch").directory is None
    assert shown(launch("cd a; cd b; launch").directory) == "a/b"
    assert shown(launch("cd /x && launch").directory) == "/x"
    assert shown(launch('cd "$(dirname "$0")/.." || exit 1\nlaunch').directory) == "<?>/.."
    assert launch("(cd a); launch").directory is None


def test_redirections_are_kept_with_the_command() -> None:
    [command] = launches("launch a > out/$N.log 2>&1 <<EOF\nx $N\nEOF\n")
    assert [(one.operator, shown(one.target)) for one in command.redirects] == [
        (">", "out/<?>.log"),
        (">&", "1"),
        ("<<", "x <?>\n"),
    ]


def test_texts_given_to_variables_are_listed() -> None:
    script = read("WANDB_KEY=abc\nexport TOKEN=def\n")
    assert [(name, shown(value)) for name, value in script.assigned] == [("WANDB_KEY", "abc"), ("TOKEN", "def")]


def test_directives_of_slurm_are_listed() -> None:
    script = read("#!/bin/bash\n#SBATCH --nodes=2\n##SBATCH --off\n#SBATCH --gpus-per-node=8\nlaunch\n")
    assert texts(script.directives) == ["SBATCH --nodes=2", "SBATCH --gpus-per-node=8"]


def test_what_is_read_into_a_variable_is_assigned() -> None:
    assert ("v", "x") in [(name, value.text) for name, value in read("read v <<< x\n").assigned]


def test_declarations_are_commands_and_tests_are_none() -> None:
    script = "B='y z'; export A=x B=$B C; declare L=(1 2)\n[ a = b ]; test c; [[ d ]]\n"
    assert [texts(one.words) for one in read(script).commands] == [
        ["export", "A=x", "B=y z", "C"],
        ["declare", "L=(1 2)"],
    ]
