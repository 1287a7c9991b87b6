"""Declarations: values expanded before any is given, attributes, and names that stand for other variables."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import arguments, launch, launches, texts, ways
from tests.readers.shell.test_against_bash import BASH, run_in_bash

KNOWN = [
    pytest.param("N=8; export N=96 M=$((N/4))\nlaunch $N $M\n", id="export expands all values first"),
    pytest.param('n=; f() { local n=3 m=$n; launch "$m"; }\nf\n', id="local expands all values first"),
    pytest.param(
        "f() { local n=$n m=4; n+=1; launch $n; }\nn=7\nf\nlaunch $n\n", id="a local variable from an outer one"
    ),
    pytest.param("declare L=(1 2) n=${#L[@]}\nlaunch $n\n", id="arrays are assigned on the way"),
    pytest.param(
        "L=(1); f() { local L=(0 ${L[@]}) n=${#L[@]}; launch ${L[@]} $n; }\nf\nlaunch ${L[@]}\n", id="local array"
    ),
    pytest.param("S=a; declare S=b L=($S)\nlaunch $L $S\n", id="an array sees what was before"),
    pytest.param(
        "declare -A M=([a]=1)\nf() { local -A M=([b]=${M[a]}); launch ${!M[@]} ${M[b]}; }\nf\n", id="local table"
    ),
    pytest.param("N=1 M=$N\nlaunch $M\n", id="plain assignments go one after the other"),
    pytest.param("i=1; declare n=$((i++))\nlaunch $n $i\n", id="a value is expanded once"),
    pytest.param('export "N=96" \'S=a b\'\nlaunch $N "$S"\n', id="an assignment in quotes"),
    pytest.param("X=N=3; declare $X\nlaunch $N\n", id="an assignment out of a variable"),
    pytest.param("declare -u U=abc\nlaunch $U\nU=de\nlaunch $U\nU+=f\nlaunch $U\n", id="capitals"),
    pytest.param("U=abc; declare -u U\nlaunch $U\nU+=d\nlaunch $U\n", id="capitals from the next value on"),
    pytest.param(
        "declare -l L=(AB Cd); launch ${L[@]}; declare -c C=hello; launch $C\n", id="small letters, a capital"
    ),
    pytest.param("declare -u U; declare +u U; U=abc; launch $U\n", id="capitals no longer"),
    pytest.param("declare -i N=3+4; launch $N; N=N+1; launch $N; N+=2; launch $N\n", id="integers"),
    pytest.param("declare -i N=3; declare +i N; N=1+1; launch $N\n", id="no longer an integer"),
    pytest.param(
        "f() { declare -i q=1; g; }; g() { local q=1+1; launch $q; }; f\n", id="attributes end at a local name"
    ),
    pytest.param("f() { declare -p X; launch $X; }; X=1; f\n", id="to print is not to declare"),
    pytest.param("f() { local a; a=1; local a; launch $a; }; f\n", id="declared twice"),
]

REFERENCES = [
    pytest.param('A=(--seed 1)\nf() { local -n o=$1; launch "${o[@]}" ${#o[@]} ${!o}; }\nf A\n', id="array"),
    pytest.param("S=x; f() { local -n o=$1; o=new; o+=er; }\nf S\nlaunch $S\n", id="scalar"),
    pytest.param(
        "f() { local -n out=$1; out=(a b); out+=(c); out[0]=z; }\nf R\nlaunch ${R[@]}\n", id="a list given back"
    ),
    pytest.param("S=1; declare -n r; r=S; r=5; launch $S $r\n", id="named later"),
    pytest.param("A=1; B=2; declare -n r; for r in A B; do r+=x; done; launch $A $B\n", id="the variable of a loop"),
    pytest.param("S=1; typeset -n q=S; declare -n r=q; r=2; launch $S ${!r}\n", id="a reference to a reference"),
    pytest.param("S=1; declare -n q=S; unset q; launch ${S-none}; q=2; unset -n q; launch $S ${q-none}\n", id="unset"),
    pytest.param("S=abc; declare -n q=S; declare q=7; export q; launch $S\n", id="declared through"),
    pytest.param("declare -A M; f() { local -n m=$1; m[k]=v; }; f M; launch ${M[k]} ${!M[@]}\n", id="table"),
    pytest.param("f() { local -n y=$1; local S=in; launch $y; }; S=out; f S\n", id="a local variable of that name"),
    pytest.param("S=1; f() { local -n o=$1; read -r o <<< 'a b'; }; f S; launch $S\n", id="read"),
    pytest.param("S=1; f() { local -n o=$1; ((o += 2)); printf -v T '%s' $o; }; f S; launch $S $T\n", id="arithmetic"),
    pytest.param(
        "f() { local -n o=$1; o=1; }; o=5; f S; launch $o $S\n", id="another variable of the reference's name"
    ),
    pytest.param("S=1; declare -n r=S; declare +n r; launch $r; r=2; launch $S\n", id="a reference no longer"),
    pytest.param(
        "S=; unset S; declare -n r=S; launch ${r:-none} ${#r}; r=1; launch ${r:-none}\n", id="what it names is not set"
    ),
]


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("script", [*KNOWN, *REFERENCES])
def test_declarations_are_what_bash_makes_of_them(script: str) -> None:
    assert [texts(command.words[1:]) for command in launches(script)] == run_in_bash(script, {})


def test_a_reference_to_what_is_not_known_is_not_known() -> None:
    assert arguments('A=1; declare -n r=$1; launch "$r" ${r[@]} ${!r}\n') == ["<?>", "<?>*", "<?>*"]
    assert launch("declare -n r=$1; launch $r\n").words[1].because == "$1 is an argument of the script"


def test_what_is_assigned_through_an_unknown_reference_may_be_any_variable() -> None:
    assert arguments("A=1; declare -n r=$1; r=2; launch --a=$A\n") == ["--a=<1>"]
    assert arguments("f() { local -n o=o; o=3; }\no=1\nf\nlaunch --o=$o\n") == ["--o=<?>"]


def test_a_reference_that_depends_on_the_way() -> None:
    script = 'A=1; B=2\nif [ -n "$X" ]; then declare -n r=A; else declare -n r=B; fi\nr=3\nlaunch $A $B $r\n'
    assert ways(script) == {"X is set": "3 2 3", "X is not set": "1 3 3"}
    assert arguments('A=1; for n in "$@"; do declare -n r=$n; done\nlaunch "$r"\n') == ["<?>"]


def test_a_variable_is_local_on_the_way_that_declares_it_alone() -> None:
    script = 'f() { local a+=(x) b=${X:+1}; launch "${a[@]}" "$b"; }\na=(out)\nf\nlaunch $a\n'
    assert list(ways(script).values()) == ["x ", "x 1", "out"]


def test_the_letters_of_what_is_not_known_stay_unknown() -> None:
    assert arguments('declare -u U=$X; U2=${X}; launch "$U" "$U2"\n') == ["<?>", "<?>"]
    assert arguments('declare -u U=${X:-abc}; launch "$U"\n') == ["<ABC>"]
    assert arguments("declare -i N; for N in 1+1 2; do :; done; declare -ai L=(1+1 2); launch ${L[@]}\n") == [
        "<?>*",
        "2",
    ]
    script = 'declare -u U=$X\n[ "$X" = a ] && [ "$U" = a ] && launch\n'
    assert list(ways(script)) == ["X is a and U is a"]
