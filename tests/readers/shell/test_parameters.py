"""`${…}` and arithmetic."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import arguments, launch, origin, shown, texts


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ('"${A:-d}"', ["out/a b.sh"]),
        ('"${U:-d e}"', ["<d e>"]),
        ("${E:-d}", ["d"]),
        ("${E-d}x", ["x"]),
        ("${A:+set}", ["set"]),
        ("x${E:+set}", ["x"]),
        ("x${E+set}", ["xset"]),
        ('"${A%.sh}"', ["out/a b"]),
        ('"${A##*/}"', ["a b.sh"]),
        ('"${A%%/*}"', ["out"]),
        ('"${A#*/}"', ["a b.sh"]),
        ('"${A/a b/c}"', ["out/c.sh"]),
        ('"${A//[ab]/-}"', ["out/- -.sh"]),
        ('"${A/#out/in}"', ["in/a b.sh"]),
        ('"${A/%sh/py}"', ["out/a b.py"]),
        ('"${A// }"', ["out/ab.sh"]),
        ('"${A^^}" "${A^}" "${B,,}" "${B,}"', ["OUT/A B.SH", "Out/a b.sh", "qwen", "qWEN"]),
        ('"${A:4}" "${A:4:1}" "${A: -2}" "${A:0:-3}"', ["a b.sh", "a", "sh", "out/a b"]),
        ("${#A} ${#E} ${#L[@]}", ["10", "0", "2"]),
        ("${!N} ${!L[@]}", ["out/a", "b.sh", "0", "1"]),
        ("${B%n}${B#Q}", ["QWENWEN"]),
        ('"${B%N*}"', ["QWE"]),
        ("${L[0]} ${L[5]:-none}", ["x", "none"]),
        ('"${L[@]%y*}"', ["x", ""]),
        ('"${A@Q}"', ["<?>"]),
    ],
)
def test_operators_of_parameters(word: str, wanted: list[str]) -> None:
    assert arguments(f"A='out/a b.sh' B=QWEN E= N=A\nL=(x y)\nlaunch {word}") == wanted


def test_what_is_cut_out_of_a_value_keeps_its_place() -> None:
    script = 'MODEL=Qwen/Qwen2.5-7B\nlaunch "${MODEL##*/}" "${MODEL%%/*}" ${MODEL/7B/14B}\n'
    words = launch(script).words[1:]
    assert [origin(word, script) for word in words[:2]] == ["Qwen2.5-7B", "Qwen"]
    assert shown(words[2]) == "Qwen/Qwen2.5-14B"
    assert script[words[2].pieces[1].span.start :][:3] == "14B"


def test_a_default_is_assigned() -> None:
    assert arguments(': "${A:=x y}"\n: ${B:=z}\nB=set\nlaunch "$A" $B\n') == ["<x y>", "set"]
    assert arguments('unset A\n: "${A:=x y}"\nlaunch "$A"\n') == ["x y"]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("N + 1", "9"),
        ("$N * 2", "16"),
        ("${N} / 3", "2"),
        ("-7 / 2", "-3"),
        ("-7 % 3", "-1"),
        ("2 ** 3 ** 2", "512"),
        ("(N + 1) * 2", "18"),
        ("N > 4 ? 1 : 0", "1"),
        ("N == 8 && N != 7 || 0", "1"),
        ("1 << 3 | 1", "9"),
        ("~0 & 7 ^ 2", "5"),
        ("!N", "0"),
        ("0x1F + 010 + 2#101", "44"),
        ("M", "16"),
        ("X", "0"),
        ("N++ + N", "17"),
        ("++N", "9"),
        ("N += 2, N", "10"),
        ("L[1] * 2", "8"),
        ("9223372036854775807 + 1", "-9223372036854775808"),
        ("1 / 0", "<?>"),
        ("RANDOM % 3", "<?>"),
        ("N +", "<?>"),
        ("0 && U", "0"),
        ("1 ? 5 : U", "5"),
        ("U * 2", "<?>"),
        ("D * 2", "<12>"),
    ],
)
def test_arithmetic(expression: str, value: str) -> None:
    script = f"N=8 M='N * 2' X=''\nL=(3 4)\nD=${{D:-6}}\nlaunch \"$(({expression}))\"\n"
    assert arguments(script) == [value]


def test_commands_that_calculate() -> None:
    script = 'N=2\nlet "M = N * 3" K=1\n((N++))\n((N > 2)) && launch $N $M $K\nlaunch $((N)) $[N+1]\n'
    from tests.readers.shell.reading import launches, texts

    assert [texts(command.words[1:]) for command in launches(script)] == [["3", "6", "1"], ["3", "4"]]


def test_a_number_worked_out_is_traced_to_its_expression() -> None:
    script = "N=8\nlaunch --engines $((N / 2))\n"
    word = launch(script).words[2]
    assert origin(word, script) == "$((N / 2))"
    assert word.verbatim_span is None


def test_integer_variables_calculate_when_they_are_assigned() -> None:
    assert arguments("declare -i N=2+3\nN+=1\nlaunch $N\n") == ["6"]


GAPS = {
    'K=()\nK[1]=x\nlaunch "${K[-1]}" "${K[@]}" "${K[1]}" "${K[0]}" "${#K[@]}" "${!K[@]}"': [
        "x",
        "x",
        "x",
        "",
        "1",
        "1",
    ],
    'K[5]=z; K[3]=y; K[3]+=Y; K[-1]+=Z\nlaunch "${K[@]}" "${!K[@]}"': ["yY", "zZ", "3", "5"],
    'K=([1]=x [3]=y [5]=z)\nlaunch "${K[@]:2}" "${K[@]: -2}" "${K[@]: -3}"': ["y", "z", "z", "y", "z"],
    'K=([3]=x)\nK+=(n m)\nlaunch "${K[@]}" "${!K[@]}"': ["x", "n", "m", "3", "4", "5"],
    'K=([1]=x)\nK[0]=a\nlaunch "${K[@]}" "${!K[@]}" "$K"': ["a", "x", "0", "1", "a"],
    'K=([2]=p q [0]=r)\nlaunch "${K[@]}" "${!K[@]}"': ["r", "p", "q", "0", "2", "3"],
    'K=([2]=p)\nK=(a b)\nlaunch "${K[@]}" "${!K[@]}"': ["a", "b", "0", "1"],
    'declare -A M=([k]=a)\nM[k]+=b; M[-1]=c\nlaunch "${M[k]}" "${M[-1]}"': ["ab", "c"],
    'S=s; S[2]=t\nlaunch "${S[@]}" "${!S[@]}"': ["s", "t", "0", "2"],
}


@pytest.mark.parametrize(("script", "words"), GAPS.items())
def test_arrays_with_gaps_are_counted_by_subscript(script: str, words: list[str]) -> None:
    assert texts(launch(script).words[1:]) == words
