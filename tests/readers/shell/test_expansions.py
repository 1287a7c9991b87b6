"""What expansions, tests, loops and built-in commands do, held against bash: every launch gets what bash gives it."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import launches, texts
from tests.readers.shell.test_against_bash import run_in_bash
from tests.readers.shell.test_idioms import BASH, in_bash

ARITHMETIC = [
    "launch $(( )) $((  + 5)) $((-(-3)))",
    "n=1; ((n = 5, n == 5 && (n = 7))); launch $n",
    "launch $((2 ** 3 ** 2)) $((-2 ** 2))",
    "a=(1 2 3); i=1; launch $((a[i] + a[i+1])) $((a[-1])) $((a[9]))",
    "n=2; launch $((n > 1 ? n < 3 ? 10 : 20 : 30)) $((0 ? n++ : 4)) $n",
    "launch $((7 % 4)) $((-7 / 2)) $((-7 % 3)) $((~0)) $((!5)) $((!0))",
    "n=3; launch $((--n)) $((n--)) $n $((+n)) $((- -n))",
    "launch $(((1 + 2) * (3 + (4))))",
    "a=b b=c c=7; launch $((a))",
]
TESTS = [
    "v=3; [[ -v v ]] && launch set; [[ -v nothing_v ]] || launch unset",
    "declare v; [[ -v v ]] || launch declared-only",
    "[[ b > a && a < b ]] && launch order; [[ a > b ]] || launch other",
    "[ b \\> a ] && launch order; [ a \\< b ] && launch two",
    "[[ abc =~ ^a.c$ ]] && launch yes; [[ abc =~ ^x ]] || launch no",
    "[[ v1.2 =~ [[:digit:]] ]] && launch digit; [[ 'a b' =~ [[:space:]] ]] && launch space",
    "[[ abc =~ '(' ]] || launch no",
    "[ ! ! a ] && launch yes; [ ! -z '' ] || launch no",
    "[ a b ] || launch bad",
    "[ -z ] && launch one",
    "[ a = a -a b = b ] && launch both; [ a = b -o b = b ] && launch either",
    "[ \\( a = a -o x = y \\) -a b = b ] && launch grouped",
    "[[ ( a == a || x == y ) && ! b == c ]] && launch grouped",
    "[[ ! ! a == a ]] && launch yes",
    "[ a -eq 1 ] || launch bad",
    "[[ 5 -eq 5 && 3 -ne 4 && 2 -le 2 && 3 -ge 2 ]] && launch numbers",
    "[ 1 -lt x ] || launch bad",
    "[ ] || launch empty; test || launch empty",
    "[ a = a b ] || launch bad",
    "[[ a == * ]] && launch any; v=; [[ $v == * ]] && launch any",
    "[[ abc == a?c && abc == [a-c]* && abc != [!a]* ]] && launch yes",
    "p='a*'; [[ abc == $p ]] && launch pattern; [[ abc == \"$p\" ]] || launch literal",
    "[ '!' = '!' ] && launch mark",
    "[ x -a ] || launch bad",
    "[ '(' a ')' ] && launch one",
    "[[ $'a' == \"a\" && \"$(echo a)\" == a && `echo a` == a && a\\ b == 'a b' ]] && launch quotes",
    '[[ "a b" =~ a\\ b && x =~ $(echo x) && ab =~ ^(a|b)+$ ]] && launch match',
    "[[ (a == a) && a<b && ( x == x ) ]] && launch brackets",
    '[[ -z "" && -n x && ! -z x && ! -n "" ]] && launch words',
    '[[ abc == "a"* && \'a*c\' == a\\*c && "a" != "A" ]] && launch quoted',
    "[[ 3 -eq 3 || x -eq y ]] && launch short; [[ a = b && -z $(echo x) ]] || launch no",
    'if [[ -n "a" &&\n  b = b ]]; then launch lines; fi',
]
EDITS = [
    'v=aXbXc; launch "${v/X/}" "${v//X}" "${v/#a/-}" "${v/%c/-}" "${v/#b/-}" "${v/%b/-}"',
    "v=hello; launch ${v^} ${v^^} ${v,} ${v,,}",
    'v=HELLO; launch ${v,} ${v,,} "${v^}"',
    "v=aaa; launch ${v//a/b} ${v/a/b} ${v#a} ${v##a} ${v##*a}",
    "v=abc; launch ${v#x} ${v%x} ${v/x/y} ${v//}",
    'p=b; r=Z; v=abc; launch ${v/$p/$r} ${v#a$p} "${v/"$p"/"$r"}"',
    'a=(x.py y.py); launch ${a[@]%.py} "${a[@]/#/--}" ${a[*]^^}',
    'v=\'a  b\'; launch "${v// /_}" "${v/ /}"',
    'v=\'a[b*c\'; launch "${v//[/_}" "${v/\'*\'/_}" "${v//[\'*\']/_}" "${v//[b/_}" "${v%[*}"',
    "v=a1b22; launch ${v//[a-b[:digit:]]/_} ${v//[[:alpha:]]} ${v##*[0-9]} ${v%%[[:digit:]]*}",
    "v=abc; launch ${v/?/x} ${v//?/x} ${v/*/x} ${v//a*/x} ${v/%?/x} ${v/#?/x}",
    "[[ 'a]' == *[]] && '*' == [*] && ab == a[!a] ]] && launch sets",
]
PARAMETERS = [
    "v=x; n=v; launch ${!n} ${!n:-d} ${!n%x}",
    "declare -A m=([k]=v); launch ${!m[@]} ${#m[k]} ${m[k]:-d} ${m[z]:-d}",
    'a=(p q r); launch ${!a[@]} "${!a[*]}" ${#a[@]} ${#a[1]} ${a[*]}',
    'IFS=-; a=(p q r); launch "${a[*]}"',
    'set -- p q; launch "$*" "${*}" ${#@} ${#*} ${#1} "${1}" ${2:-z} ${3:-z}',
    'set -- p q; launch ${1+given} ${3+given} ${3-absent} "${3+given}"',
    "v=a; launch ${v:?needed} ${v?needed}",
    'v=abcdef; launch ${v:1} ${v:1:2} ${v:(-2)} ${v: -3:2} ${v:2:-1} "${v:9}" ${v:0:0}x',
    "v=abcdef; i=2; launch ${v:i} ${v:$i:2} ${v:i+1:i}",
    'set -- a b c; launch "${@:2:1}" "${@:0:0}" "${*:2}"',
    'set -- a b; launch ${#} $# "${#}" $#x',
    "v=\"${w:-$'a'}\"; launch ${v:+given}",
    'set -- a b c; launch "${@:1:2}" "${@:(-1)}" "${@: -2}" "${*: -2:1}"',
    'set -- 1 2 3 4 5 6 7 8 9 10 11; launch ${10} $10 "${11}" "${12-none}"',
]
OUTPUTS = [
    "launch \"$(printf 'a\\tb%%')\" \"$(printf 'x\\\\y')\" $(printf x)",
    "launch $(basename /a/b.sh) $(basename /a/b.sh .sh)",
    "launch $(basename b/) $(dirname /a/b) $(dirname a) $(dirname /a) $(dirname /a/b/)",
    "launch $(basename .sh .sh)",
    'launch $(seq 3) $(seq 2 4) $(seq 5 -2 1) "$(seq 2)"',
    "launch $(expr 3 + 4) $(expr 3 \\* 4) $(expr 7 / 2) $(expr 7 % 4) $(expr 3 - 5)",
    "launch $(expr -7 / 2) $(expr -7 % 4)",
    'launch "$(cat <<< \'here text\')" "$(cat <<E\na\nb\nE\n)"',
    'launch $(true && echo yes) $(: ; echo no) "$(cd /; pwd)"',
    'launch `echo \\`echo in\\`` `echo "a b"`',
    "launch $(echo hidden >/dev/null) $(echo both 2>/dev/null)",
    "launch $(v=1 echo a) $(set -e; echo b)",
    "printf -v out '%s-%s' a b; launch $out; printf -v out2 'plain'; launch $out2",
    'launch "$(readlink -f /)" $(realpath /)',
    "launch $(cat <<E\nx\nE\n)",
    "launch $(echo a # why )\n) end",
    'launch $(echo \\( \\) \'(\' ")") "$(echo "$(echo ")")")"',
    "launch $(echo a;) $(echo b\n)",
    "launch \"$(echo 'a\nb')\" $(true) end",
    'launch "$(cat <<-E\n\ttab\n\tE\n)" "$(cat <<\'E\'\n$x\nE\n)"',
    'launch "`cat <<E\nx\nE\n`"',
]
QUOTES = [
    'launch $((1 + (2 * 3))) "$(( (1 + 2) * 3 ))" $(( $(echo 2) + 1 )) $((\\\n1))',
    'a=(1 2 3); launch ${a[${a[0]}]} ${a[$((0 + 1))]} ${a["1"]} ${a[(1)]}',
    "launch $'a\\'b' $'\\x41\\102\\u0043' $'\\e' $'\\n' $'a\\\\b' $'\\q' $'\\cA'",
    'launch $"translated" "a"$\'b\'"c"',
    'launch a"$"b "$" $ "a$" $\'a\'$',
    'launch "a\\\nb" a\\',
]
BRACES = [
    "launch {a,b}{1,2} {1..5..2} {5..1} {a..e..2} {01..03} {a} {} {a,} x{,y} {1..} {a,b",
    'launch {a,{b,c}} "{a,b}" \\{a,b} {a\\,b,c} {$((1+1)),x} {-1..1} {z..x} a{1..2}b{3..4}',
    "v=1; launch {$v..3} {$v,2}",
]
LOOPS = [
    'set -- a b; for x; do launch $x; done; for x in "$@" c; do launch $x; done',
    "for ((;;)); do launch once; break; done",
    "for ((i=0, j=5; i<j; i+=2, j--)); do launch $i $j; done",
    "for i in 1 2 3; do for j in 1 2; do [ $i$j = 12 ] && continue 2; [ $i = 3 ] && break 2; launch $i$j; done; done",
    "for i in; do launch no; done; launch end",
    "i=3; while ((i-- > 0)); do launch $i; done",
    "f() { for i in 1 2; do return; done; }; f; launch back",
    "launch b",
    "for i in a; do break 5; done; launch out",
    "break; continue; launch top",
    "i=0; while ((i<3)); do ((i++)); [ $i = 2 ] && continue; launch $i; done",
    "for ((i=0;i<3;i++)); do break; done; launch $i",
    "f() { for ((i=0;i<3;i++)); do return; done; }; f; launch $i",
    "f() { while :; do return; done; }; f; launch end",
    "for i in 1 2; do launch $i; exit 0; done; launch no",
    "for ((i=3;i;i--)); do launch $i; done; for ((;i<2;)); do launch $((i++)); done",
    "for ((i=0;i<2;i++)); do for j in a b; do continue 2; done; launch no; done; launch $i",
    "x=1; while [ $x -lt 20 ]; do x=$((x * 3)); done; launch $x",
    "for f in a.yaml b.yaml; do n=${f%.yaml}; case $n in a) continue;; esac; launch $n; done",
    'for a in "x y" z; do set -- $a; launch $# $1; done',
    'l=(1 2); for i in "${l[@]}" "${l[@]/#/p}"; do launch $i; done; for i in ${!l[@]}; do launch $i=${l[i]}; done',
]
BUILTINS = [
    'set a b; launch $1 $2; set -- ; launch $#; set -e x; launch $1; set -o pipefail y; launch "$1"',
    "set - p q; launch $1; set -a; A=1; set +a; launch $A; set +x z; launch $1",
    "let n=5 n+=2 'm = n * 2'; launch $n $m; let 0 || launch zero",
    "eval; eval ''; launch after; eval \"launch 'a b'\" '; launch c'",
    'unset -v q; q=1; unset q; launch "${q-gone}"; a=(1 2 3); unset a; launch ${#a[@]}',
    "f() { launch in; }; unset f; launch out",
    "declare -x E=1; declare +x E; launch $E; export -n E; launch $E",
    'f() { local v; launch "${v-unset}"; v=1; local v; launch $v; }; v=out; f; launch $v',
    "typeset v=1; launch $v; declare -a a; a[2]=x; launch ${a[2]} ${#a[@]}",
    "declare -A m; m[a]=1; m+=([b]=2); launch ${m[a]} ${m[b]} ${#m[@]}",
    "read -r a b <<< 'x y z'; launch $a \"$b\"; read v <<< 'one'; launch $v",
    "IFS=: read -r a b c <<< '1:2:3'; launch $a $b $c",
    "read -a list <<< 'p q'; launch ${list[1]}; read -d, v <<< 'a,b'; launch $v",
    "read <<< 'reply text'; launch \"$REPLY\"",
    "mapfile -t l <<< $'a\\nb'; launch ${l[1]} ${#l[@]}",
    'cd /tmp && pushd / >/dev/null && launch "$PWD"; popd >/dev/null; launch back',
    "cd -- /tmp; launch $PWD; cd -P /; launch $PWD",
    "read -rd, v w <<< 'a b,c'; launch $v $w",
    "read -- v <<< x; launch $v; read -p ask v <<< y; launch $v",
    "read v <<< 'a\\ b\\\\c'; launch \"$v\"; read -r v <<< 'a\\ b'; launch \"$v\"",
    'read a b <<< \' x  y  z \'; launch "$a" "$b"; read -r a <<< \' x  y \'; launch "$a"',
    "IFS=, read -ra l <<< 'a,b,,c'; launch \"${l[@]}\" ${#l[@]}",
    'mapfile l <<< x; launch "${#l[@]}"; mapfile -t <<< x; launch "${MAPFILE[0]}"',
]
ASSIGNMENTS = [
    "a=1 b=$a; launch $b; a+=2; launch $a; a+=(x); launch ${a[1]}",
    "a=([2]=c [0]=a); launch ${a[0]} ${a[2]} ${#a[@]}",
    'a=(x y); a[0]=z; a[3]=w; launch "${a[@]}" ${!a[@]}',
    'a=(x y); a[1]+=more; a+=(z); launch "${a[@]}"',
    "v=~; launch ${v:+home}; v=a~b; launch $v",
    "a=(); a+=(); launch ${#a[@]} end",
    "declare -i n=5; n+=3; launch $n",
    'v="a b" ; w=$v; launch "$w" $w',
    "a=( x # comment\n y ); launch ${a[1]}",
    'declare -A m=([0]=z [k]=v); launch $m ${m[k]} "${m}"',
    "a=([0]=x [5]=y); launch $a ${a[5]} ${a[-1]} ${#a[@]} ${!a[@]}",
    'a=([5]=x); a+=(y z); launch ${!a[@]} ${a[6]} ${a[-1]} "$a"',
    'a=([2]=c); a+=([4]=e [1]=b); launch ${!a[@]} "${a[@]}"',
    "a=([2]=c); a[0]=a; a[2]+=d; launch ${a[@]}; unset a; a[3]=q; launch ${!a[@]}",
]
COMMANDS = [
    "launch a \\",
    "launch a; # x",
    "{ launch a; launch b; } > /dev/null; (launch c) &",
    "if true; then launch a; elif false; then launch b; else launch c; fi",
    "if false; then launch a; elif true; then launch b; fi",
    "case abc in a*) launch 1 ;;& *c) launch 2 ;; *) launch 3;; esac",
    'case "$x" in "") launch empty;; esac; case a in (b|a) launch x; esac',
    "case y in [xy]) launch cls;; esac; case 'a b' in 'a b') launch sp;; esac",
    "f () { launch f $1; }; function g { launch g $1; }; function h() { launch h; }; f 1; g 2; h",
    "f() ( launch sub; v=1 ); v=0; f; launch $v",
    "launch <<E a\ntext\nE",
    "launch <<-E b\n\ttext\n\tE",
    "launch <<'E' c; launch d\n$x\nE",
    "launch > /dev/null 2>&1 e; launch &> /dev/null f; 2>/dev/null launch g",
    "time -p launch a; coproc true; launch b",
    "[[ a ]] && launch a; [[ -n a && ( -z '' ) ]] && launch b",
    "launch a &",
    "wait; launch b",
    "if [[ a = a ]]; then\n  launch x\nfi",
    "while :; do launch y; break; done",
    "case x in esac; launch a; case x\nin\nx) launch b\nesac",
    "for x\nin a b\ndo launch $x; done",
    "for x in a b\ndo\nlaunch $x\ndone",
    "time launch a; ! ! launch b; ! { false; } && launch c",
    "cat <<A - <<B >/dev/null; launch a\none\nA\ntwo\nB",
    "cat >/dev/null <<'A B'; launch b\nx\nA B",
    "cat >/dev/null <<\\E; launch c\nx\nE",
    "if [[ a == a ]] then launch x; fi; while ! true; do :; done; launch y",
    "if ! false; then launch a; fi; if (false); then launch b; else launch c; fi; if { true; }; then launch d; fi",
    "until true; do launch no; done; launch end",
    "true && { launch a; false; } || launch b; false || true && launch c",
]
SHELLS = [
    "bash -c 'true'; launch a; sh -c \"exit 1\" || launch b",
    "bash <<< 'exit 0' && launch fed",
]
CASES = [
    'v=a/b/c; launch "${v///-}" "${v////-}" "${v///}" "${v////}"',
    'v=a/b/c; launch "${v/\\//-}" "${v///x/-}" "${v//}" "${v/}" "${v//\\//}" "${v///b/-}"',
    "launch {a..e..2} {e..a..2} {a..c..0} {A..C..-1}",
    "case abc in a*) launch 1 ;;& x) launch 2 ;;& *) launch 3;; esac",
    "case abc in a*) launch 1 ;& x) launch 2 ;;& y) launch 3 ;;& *c) launch 4; esac",
    "case a in a) launch 1 ;& esac; case a in a) launch 2 ;;& esac; case a in b) launch no;; esac; launch end",
    "v=x; case abc in a*) v=one ;;& *c) v=$v-two ;; *) v=none; esac; launch $v",
    'launch "$(echo a; echo b)" "$(echo -n a; echo -n b)" "$(echo -n a; echo b)"',
    'launch "$(printf a; printf b)" "$(echo; echo b)" "$(echo -e -n a; echo b)"',
    'launch "$(v=1; echo a)" "$(echo a; v=1; echo b)" "$(seq 3 1; echo a)"',
    'launch "$(printf \'a\\n\'; echo b)" "$(echo $\'a\\n\'; echo b)" "$(cat <<< a; echo b)" "$(true; echo b)"',
    'launch "$(basename /a/b; dirname /c/d; expr 1 + 1; seq 2)"',
    "launch $(echo a >/dev/null; echo b)",
]


SHELLS_OF_THEIR_OWN = [
    "bash -c 'launch \"$@\" $# \"$0\"' name a 'b c'",
    "bash -ec 'launch a'; bash -o pipefail -c 'launch b'; bash --norc -c 'launch c'",
    "bash +x -c 'launch d'; bash -O extglob -c 'launch e'",
    "bash -s a <<< 'launch $1 $#'; bash - <<< 'launch b'; bash /dev/stdin <<< 'launch c'",
    "bash <<E\nlaunch a\nlaunch b\nE",
    "bash -c; launch after",
    "cd /; bash -c 'launch \"$PWD\"'",
    "bash -c \"bash -c 'launch deep'\"",
    "echo 'launch piped' | bash; printf 'launch %s\\n' a b | bash",
    "cat <<E | bash\nlaunch fed\nE",
    'v=\'launch x\'; bash -c "$v"; eval "$v"; $v',
    "bash -c 'exit 1' || launch failed; bash -c 'launch a; exit 3' ; launch b",
    "nohup bash -c 'launch a' >/dev/null 2>&1; timeout 5 bash -c 'launch b'",
    "command bash -c 'launch c'; exec bash -c 'launch d'",
    "bash -x -- -c 2>/dev/null; launch end",
    "f() { launch f; }; export -f f; f",
    '(cd /; launch "$PWD"); { cd /; }; launch "$PWD"',
]


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    "script",
    [
        *ARITHMETIC,
        *TESTS,
        *EDITS,
        *PARAMETERS,
        *OUTPUTS,
        *QUOTES,
        *BRACES,
        *LOOPS,
        *BUILTINS,
        *ASSIGNMENTS,
        *COMMANDS,
        *SHELLS,
        *CASES,
    ],
)
def test_every_launch_gets_what_bash_gives_it(script: str) -> None:
    wanted = in_bash(script)
    assert wanted
    assert [texts(command.words[1:]) for command in launches(script)] == wanted


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("script", SHELLS_OF_THEIR_OWN)
def test_what_another_shell_launches_is_what_bash_launches_there(script: str) -> None:
    wanted = run_in_bash(script, {})
    assert wanted
    assert [texts(command.words[1:]) for command in launches(script)] == wanted
