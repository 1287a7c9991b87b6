"""What cannot be told from the script alone is unknown, with a reason, or asked; never taken for something."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import arguments, launches, problems, ways


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        # numbers: too deep, too long, no expression at all
        ("launch $((" + "(" * 20 + "1" + ")" * 20 + "))", ["<?>*"]),
        ("launch $((" + "+".join(["1"] * 1200) + "))", ["<?>*"]),
        ("launch $((RANDOM ? 1)) $((1 +)) $((x[)) $((1 2)) $((1 : 2))", ["<?>*"] * 5),
        ("launch $((2 ** -1)) $((++5)) $((7 / 0))", ["<?>*"] * 3),
        ("x=x; launch $((x))", ["<?>*"]),
        ("a=(1 *); launch $((a[0])); ", ["<?>*"]),
        ("declare -A m=([k]=1); launch $((m[k]))", ["<?>*"]),
        ("n=${N:-4}; launch $((n * 2)) $((n > 2 && n)) $((0 && N))", ["<8>*", "<1>*", "0"]),
        # texts that are changed: with a default the default is changed too
        ("v=$(cat f); launch ${v^^} ${v:1} ${#v}", ["<?>*", "<?>*", "<?>*"]),
        ("v=${V:-a.b}; launch ${v%.*} ${#v} ${v/a/x}", ["<a>*", "<3>*", "<x.b>*"]),
        ("v=ab; launch ${v/$(cat f)/x} ${v%$X} ${v^[a]}", ["<?>*", "<?>*", "<?>*"]),
        ("v=ab; launch ${v: $N} ${v:N} ${v//[[:nothing:]]/x}", ["<?>*", "<?>*", "<?>*"]),
        ("v=ab; launch ${v//@(a|b)/x} ${v//[a/x}", ["<?>*", "ab"]),
        # names and elements
        ("launch ${!A} ${!a[@]} ${#A} ${#a[@]}", ["<?>*"] * 4),
        ("launch ${a[@]:1} ${a[$X]} ${A?} ${A:?needed}", ["<?>*"] * 4),
        ("a=(1 2); a[$X]=y; launch ${a[0]} ${a[1]} ${a[5]}", ["<1>*", "<2>*", "<?>*"]),
        ("a=(x $A); a[0]=z; launch ${a[0]}", ["<x>*"]),
        ("a[$X]=y; launch ${a[0]}", ["<?>*"]),
        ("a=(1 2); unset a[0]; launch ${a[0]}", ["<?>*"]),
        ("declare -A m=([a]=1 [b]=2); m[$X]=3; m[c]=4; launch ${m[a]} ${m[c]} ${m[d]}", ["<1>*", "4", "<?>*"]),
        ("declare -A m=([a]=1); m[$X]=3; launch ${#m[@]} ${!m[@]} $m", ["<?>*", "<?>*", "<?>*"]),
        ("declare -A m=([a]=1); m[$X]=3; m[b]+=4; launch ${m[b]} ${m[@]}", ["<?>4", "<1>*", "<?>*", "<?>4"]),
        ("declare -A m=([a]=1 [$X]=2 [$Y]=3 [c]=4); launch ${m[a]} ${m[c]} ${m[d]}", ["<1>*", "4", "<?>*"]),
        ("declare -A m=($X 1 c 2); launch ${m[d]} ${m[c]}", ["<?>*", "2"]),
        ("a=([1]=x [$X]=y z); launch ${a[1]} ${#a[@]}", ["<?>*", "<?>*"]),
        ("a=($X); a+=([1]=y); launch ${a[0]} ${a[1]}", ["<?>*", "<?>*"]),
        (
            "declare -A m=([k]=v); while read -r l; do m[$l]=1; done < f; launch ${m[k]} ${m[z]} ${#m[@]}",
            ["<v>*"] + ["<?>*"] * 2,
        ),
        ("declare -A m; for l in *; do m[$l]=1; done; launch ${m[k]} ${#m[@]}", ["<?>*"] * 2),
        ("declare -A m=([a]=1 [b]=2); launch ${m[@]:1} end", ["<?>*", "end"]),
        ("declare -A m=([a]=q); m=([$X]=1 [a]+=2); launch ${m[a]} ${m[b]}", ["q2", "<?>*"]),
        ("declare -A m=([a]=q); m+=([$X]=1 [a]+=2); launch ${m[a]}", ["<q>2"]),
        ("read -ra l < f; launch ${l[0]} ${#l[@]}; ", ["<?>*", "<?>*"]),
        ("v='*.py'; launch $v $(seq 1 2 3 4)", ["<*.py>*", "<?>*"]),
        # more words than are followed
        ("launch {1..40}{1..40} {1..1025}x end", ["<?>*", "<?>*", "end"]),
        ("launch " + "{a," * 20 + "b" + "}" * 20, ["<?>*"]),
        ("launch {" + "a," * 1030 + "b}", ["<?>*"]),
        ("for x in {1..2000}; do launch $x; done", ["<?>*"]),
        # what an expression only reads stays what it is
        ("v=1; ((x = v + N)); launch $v $x", ["1", "<?>*"]),
        ("v=1 w=2; (([0] = v + w)); launch $v $w", ["1", "2"]),
        # what commands print
        ("launch $(seq 1 0 3) $(seq a) $(seq 1 99999) $(seq)", ["<?>*"] * 4),
        ("launch $(expr a + 1) $(expr 1 / 0) $(expr 1 = 1) $(expr length a)", ["<?>*"] * 4),
        ('launch $(basename $X) $(basename /) $(basename a $X) $(basename "$X/y.sh" .sh)', ["<?>*"] * 3 + ["y"]),
        ('launch $(dirname "$X") $(realpath a) $(realpath a b)', ["<?>*"] * 3),
        (r"launch $(echo -e 'a\tb') $(printf %5d 3) $(printf %d x) $(printf) $(printf -x)", ["<?>*"] * 5),
        ("printf -v v %q y; launch $v", ["<?>*"]),
        # folders
        ('cd "$X"; cd -; launch $PWD', ["<?>*"]),
        ("pushd +1; launch $PWD", ["<?>*"]),
        ("cd; launch $PWD", ["<?>*"]),
        ("cd /a; popd; launch $PWD", ["<?>*"]),
        # options and arguments
        ("getopts ab: o; launch $o $OPTARG", ["<?>*", "<?>*"]),
        ("set -- a b; shift $X; launch $1", ["<?>*"]),
        ("set -- $(cat f); shift; launch $1 $#", ["<?>*", "<?>*"]),
        # files that are not read, and code that is not known
        ("v=x; source missing.sh; launch $v", ["<x>*"]),
        ('v=x; source "$X"; launch $v', ["<x>*"]),
        ('eval "$X"; launch $v', ["<?>*"]),
        # what is set for one command alone
        ('f() { :; }; A=1 f; B=2 true; launch "$A" "$B"', ["<?>", "<?>"]),
        # loops of unknown length
        ("v=1; for x in $(ls); do v=$x; done; launch $v", ["<1>*"]),
        ("v=1; while read -r l; do v=$l; done < f; launch $v", ["<1>*"]),
        ("a=(x); for f in *.json; do a+=($f); done; launch ${a[0]} ${a[1]}", ["x", "<?>*"]),
        ("a=(x); for f in *.json; do a=($f); done; launch ${a[0]}", ["<?>*"]),
        ("cd /a; for f in */; do cd $f; done; launch $PWD", ["<?>*"]),
        ("set -- a; for f in *; do shift; done; launch $1", ["<?>*"]),
        ('set -- a; for f in *; do shift; done; launch "$@" $#', ["<?>*", "<?>*"]),
        ("for ((i = 0; i < N; i++)); do v=$i; done; launch $v", ["<?>*"]),
    ],
)
def test_what_is_not_known_is_not_made_up(script: str, wanted: list[str]) -> None:
    assert arguments(script) == wanted


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ('[ "$A" "$B" ] && launch x', {"A B": "x"}),
        ('[ -q "$A" ] && launch x', {"-q A": "x"}),
        ('[ "$A" = "$A" ] && launch x', {"": "x"}),
        ("[[ $A -nt b ]] && launch x", {"A -nt b": "x"}),
        ("[[ $A =~ ^a ]] && launch x", {"A matches ^a": "x"}),
        ("[[ a =~ [ ]] && launch x", {"a matches [": "x"}),
        ("[[ $A == $B ]] && launch x", {"A is B": "x"}),
        ("[[ $A == @(a|b) ]] && launch x", {"A matches @(a|b)": "x"}),
        ("[[ $A -eq $B ]] && launch x", {"A is B": "x"}),
        ("[[ $A == '' ]] && launch x", {"A is not set": "x"}),
        ("[[ -v A ]] && launch x", {"A is set": "x"}),
        ("[ -d out ] && launch x", {"out is a folder": "x"}),
        ("[ -f out ] || launch x", {"out does not exist": "x"}),
        # one answer settles what hangs on it
        ("if [ $A = ab ]; then [[ $A == a* ]] && launch x; fi", {"A is ab": "x"}),
        ("if [ $A = ab ]; then [[ $A == x* ]] && launch x; fi", {}),
        ("if [ $X ]; then v=1; else v=2; fi; launch $v", {"X is not set": "2", "X is set": "1"}),
        ('launch "${@:+x}"', {"$@ is not set": "", "$@ is set": "x"}),
        ('launch ${L[@]:+"x"}', {"L is not set": "", "L is set": "x"}),
        # items of a case that lead on to others
        ("case $X in a) launch a;;& *) launch b;; esac", {"X is a": "a", "": "b"}),
        (
            "case $X in a*) v=1;;& *b) v=2$v;; *) v=3;; esac; launch ${v:+$v}",
            {
                "X matches a* and X matches *b": "21",
                "not (X matches *b)": "3",
                "not (X matches a*) and X matches *b": "2<?>",
            },
        ),
    ],
)
def test_what_hangs_on_something_outside_is_told_with_it(script: str, wanted: dict[str, str]) -> None:
    assert ways(script) == wanted


@pytest.mark.parametrize(
    "script",
    [
        "gcloud compute tpus tpu-vm ssh node --command='launch a'",
        "ray exec cluster.yaml 'launch a'",
        "ssh -p 22 node 'launch a'",
        "cat > run.sh <<E\nlaunch a\nE",
        "tee -a run.sh <<E\nlaunch a\nE",
    ],
)
def test_code_for_another_machine_is_read(script: str) -> None:
    assert arguments(script) == ["a"]


@pytest.mark.parametrize(
    "script", ["cat <<E\nlaunch a", "tee notes.txt <<E\nlaunch a\nE", "exit; launch a", "[ ] && launch a"]
)
def test_what_is_no_code_or_never_run_is_no_launch(script: str) -> None:
    assert launches(script) == []


@pytest.mark.parametrize("code", ['eval "$X"', "$X a", 'bash -c "$X"', 'eval "$(cat f)"'])
def test_code_that_only_a_run_knows_is_told(code: str) -> None:
    assert problems(code) == [("not-static", 1, code)]


def test_a_sourced_file_beside_the_script_that_is_missing_is_told() -> None:
    assert problems('cd "$(dirname "$0")"\nsource common.sh\n') == [("sourced-file-missing", 2, "common.sh")]


@pytest.mark.parametrize(
    ("script", "because"),
    [
        ("v=$(cat f); launch ${v^[a]}", "$(cat f) is the output of a command"),
        ("v=ab; launch ${v^[a]}", "${v^[a]} is not followed"),
        ("n=4 m=${M:-2}; launch $((n + m))", "$M comes from the environment"),
        ("launch $(( $(cat f) + 1 ))", "$(cat f) is the output of a command"),
        ("launch {1..40}{1..40}", "{1..40}{1..40} stands for too many words"),
        ("declare -A m=([a]=1); m[$X]=2; launch ${m[a]}", "an element of $m is not known"),
        ("declare -A m=([a]=1); m[$X]=2; launch ${!m[@]}", "an element of $m is not known"),
    ],
)
def test_why_something_is_not_known(script: str, because: str) -> None:
    [command] = launches(script)
    assert command.words[1].because == because
