"""Idioms of scripts, one by one: what every launch gets is what bash gives it, and what is not followed is unknown."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.readers.shell.reading import launches, read, texts

BASH = shutil.which("bash")
FOLLOWED = [
    # what an array or the arguments have, or have not
    'a=(); launch "${a[@]-none}" "${a[@]+some}"',
    'a=(x "y z"); launch "${a[@]-none}" "${a[@]+some}" "${a[@]:+some}"',
    'set -- one two; launch "${@+given}" "${*:-none}" "$#"',
    'set --; launch "${@:-none}" "${1:-first}" "$#"',
    'set -- a b c d; shift 2; launch "$@"',
    'set -- a b; launch "${@:2}" "${@: -1}"',
    'name=HOST; HOST=h; launch "${!name}"',
    # replacing and cutting
    "v=a-b-c; launch ${v/-/+} ${v//-/+} ${v/#a/x} ${v/%c/x} ${v/-} ${v//[bc]/x}",
    "v=path/to/file.tar.gz; launch ${v%.*} ${v%%.*} ${v#*/} ${v##*/} ${v/%.gz/}",
    "v=abc123; launch ${v%%[0-9]*} ${v//[[:digit:]]/} ${v##[[:alpha:]]} ${v//[^a-c]/_}",
    "v='a.b'; launch ${v/./\\/} ${v%\\.b} \"${v/'.'/ }\"",
    "v=Mixed; launch ${v^^} ${v,,} ${v^} ${v,}",
    'v=abcdef; launch ${v:2} ${v:1:3} ${v: -2} ${v:0:-2} "${v:10}end"',
    'set -- a b c; launch "${@: -1}" "${@: -2:1}" "${@:3}" "${@:4}" "${*:2:2}"',
    'a=(1 2 3); launch "${a[@]: -2}" "${a[@]: -5}" "${a[@]:1:1}" "${a[@]:3}"',
    # conditions
    "if [[ abc == a* ]]; then launch yes; else launch no; fi",
    "if [[ abc == 'a*' ]]; then launch yes; else launch no; fi",
    "[[ abc != [x-z]* && abc < abd ]] && launch yes",
    "[[ ! ( 3 -gt 4 || -z x ) ]] && launch yes",
    "if [ 2 -le 3 ] && [ ! -z x ]; then launch yes; fi",
    "[ ! ab = cd ] && launch yes",
    "[ ! -n '' -a x = x ] && launch yes",
    '[ "(" x ")" ] && launch yes',
    "[ '' ] || launch no",
    "test 1 -eq 1 -o 2 -eq 3 && launch yes",
    "case linux-gnu in (darwin*) launch a;; linux*|bsd) launch b;; *) launch c;; esac",
    "case x in x) launch a;& y) launch b;; esac",
    # numbers
    "n=4; launch $((n * 2 + 1)) $((n ** 2)) $((n % 3)) $((7 / 2)) $((n > 3 ? 1 : 0))",
    "n=4; launch $((n++)) $((++n)) $((n--)) $n",
    "((n = 5, m = n * 2)); launch $n $m $((m -= 3)) $((m <<= 1)) $((~m)) $((!m))",
    "launch $((0x1f)) $((017)) $((2#101)) $((1 << 4 | 3)) $((6 & 3)) $((6 ^ 3))",
    "let 'n=3*2' m=4; launch $n $m",
    "i=0; while [ $i -lt 3 ]; do launch $i; i=$((i + 1)); done",
    "for ((i = 0; i < 3; i++)); do launch $i; done",
    "for i in {1..3} {a..c} x{1,2}y; do launch $i; done",
    "until false; do launch once; break; done",
    "for i in 1 2 3; do [ $i = 2 ] && continue; launch $i; done",
    "for i in 1 2; do for j in a b; do [ $j = b ] && continue 2; launch $i$j; done; done",
    # declarations
    "declare -a list; list+=(a b); launch ${list[@]}",
    "declare -A map=([x]=1); map[y]=2; launch ${map[x]} ${map[y]} ${#map[@]}",
    "declare -i n; n=3+4; launch $n",
    "f() { local v=in w; w=$v; launch $v $w; }; v=out; f; launch $v",
    "f() { local -a l=(a b); local -i n=2*3; launch ${l[1]} $n; }; f",
    "readonly R=5; export E=6; launch $R $E",
    'v=1; unset v; launch "${v-gone}"',
    "f() { launch in; }; unset -f f; launch out",
    # what is read
    "read -r a b <<< 'one two three'; launch $a \"$b\"",
    "IFS=, read -r a b <<< 'one,two'; launch $a $b",
    "read -ra parts <<< 'a b c'; launch ${parts[1]} ${#parts[@]}",
    "IFS=: ; v=a:b; launch $v",
    # arguments
    "f() { while [ $# -gt 0 ]; do case $1 in --x) launch $2; shift 2;; *) shift;; esac; done; }; f --x 1 y --x 2",
    'f() { shift; launch "$@"; }; f a b c',
    # quotes
    "launch $'a\\tb' $'it\\'s' \"a\\\"b\" 'a'\"b\"c a\\ b",
    'launch "$(echo "a $(echo b)")" `echo c`',
    'cmd=(launch --x 1); "${cmd[@]}" --y',
    "eval 'launch a b'",
    "v='launch c'; eval \"$v d\"",
    "bash -c 'echo' ; launch end",
    "( launch inside ); { launch group; }",
    "! false && launch yes",
    "time launch timed",
    "V=1 launch x",
    "a=(3 4); launch $((a[5] + 1)) $((a[-1]))",
    "getopts n; launch a",
    "getopts; launch a",
    "v=out; v=in true; launch $v",
    "f() { return 256; }; f && launch yes",
    "f() { return 255; }; if f; then launch no; else launch yes; fi",
    "(exit 3); if [ $? -eq 3 ]; then launch yes; fi",
]
NOT_FOLLOWED = [
    "n=1; m=$(wc -l < file); ((n = m * 2)); launch $n",
    "n=1; m=$(wc -l < file); ((n += m)); launch $n",
    "n=1; m=$(wc -l < file); ((m > 3 && n++)); launch $n",
    "n=1; ((--n, RANDOM)); launch $n",
    "n=1; echo $((RANDOM ? (n = 5) : 2)); launch $n",
    "a=(3 4); ((a[1]++)); launch ${a[1]}",
    "a=(3 4); ((a[a[0] - 3] = 7)); launch ${a[0]}",
    "[[ model-7b =~ ([0-9]+)b$ ]] && launch ${BASH_REMATCH[1]}",
    "while read -r line; do launch $line; done <<< a",
    "launch ${!prefix*}",
    "launch ${v@Q}",
    "v=$(hostname); launch ${v%%.*}",
    "v=$(hostname); launch ${v/a/b}",
    "launch $((RANDOM % 3))",
    "n=$(wc -l < file); launch $((n + 1))",
    "launch $((1 / 0))",
    "read -r v; launch $v",
    "read -r v < file; launch $v",
    "mapfile -t lines < file; launch ${lines[0]}",
    "a=(x); a[$n]=y; launch ${a[1]}",
    "shift $n; launch $1",
    "launch *.json",
]


def in_bash(script: str) -> list[list[str]]:
    """The arguments of every launch, as bash gives them."""
    stub = "launch() { printf '%d\\0' $# >&3; (( $# )) && printf '%s\\0' \"$@\" >&3; return 0; }\n"
    done = subprocess.run(
        [str(BASH), "--norc", "-c", f"exec 3>&1 1>/dev/null\n{stub}{script}\n"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin"},
    )
    words = done.stdout.split("\0")[:-1]
    found = []
    while words:
        count = int(words.pop(0))
        found.append(words[:count])
        del words[:count]
    return found


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("script", FOLLOWED)
def test_every_launch_gets_what_bash_gives_it(script: str) -> None:
    wanted = in_bash(script)
    assert wanted
    assert [texts(command.words[1:]) for command in launches(script)] == wanted


@pytest.mark.parametrize("script", NOT_FOLLOWED)
def test_what_only_a_run_knows_is_unknown(script: str) -> None:
    (command,) = launches(script)
    (word,) = command.words[1:]
    assert not word.known
    assert word.because


@pytest.mark.parametrize(
    "script", ["((", "launch $((1 +", "[[ a ==", "launch ${v", "launch $(echo", "a=(1 2", "launch 'x", "case x in"]
)
def test_what_no_shell_takes_is_told(script: str) -> None:
    assert "syntax" in {problem.kind for problem in read(f"{script}\n").problems}
