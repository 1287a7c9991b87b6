"""What bash refuses is told as wrong, and what it takes is not: one mistake, or one oddity, at a time."""

from __future__ import annotations

import subprocess

import pytest

from tests.readers.shell.reading import read
from tests.readers.shell.test_syntax import BASH, refuses

REFUSED = [
    "launch ${",
    "launch $(",
    'launch "$(echo "a)"',
    "launch $((1",
    "launch $[1",
    "launch `a",
    "launch <(a",
    'launch $"a',
    "launch ${a:-$(}",
    "[[ $(a",
    '[[ "a',
    '[[ a =~ "b',
    "[[ a =~ \\",
    "for",
    "for ((i=0",
    "for x in",
    "case",
    "case x in a",
    "case x in a)",
    "case x in a) launch b",
    "if",
    "if a; then",
    "f(",
    "f()",
    "{",
    "(",
    "((1",
    "launch ;;",
    "launch )",
    "}",
    "fi",
    "done",
    "esac",
    "then",
    "else",
    "launch &&",
    "| launch",
    "launch <",
    "a=(",
    "a=(x",
    "launch $((\\",
    "select x in",
    "while",
    "until x; do",
    "launch @(a",
    "#!/bin/bash\nlaunch x@(a)",
    "#!/usr/bin/env bash\ncase x in !(a)) launch;; esac",
    "#!/bin/bash -e\ncase x in x+(a|b)) launch;; esac",
    "#!/bin/bash\nfor x in ?(a); do launch; done",
    "[[ a == (b) ]]",
    "[[ ( a ]]",
    "[[ a == b ]] && [[ c == d e ]]",
    "[[ a -eq b -o c ]]",
    "[[ -z && a ]]",
    "[[ == a ]]",
    "[[ a <= b ]]",
    "#!/bin/sh\nlaunch !(a)",
    "for x in a; do launch $x; done; }",
    "case x in (a) launch;; esac;;",
    'launch "${a[@]',
    "launch $'a",
    'launch a"b',
    "if true; then launch a; fi fi",
    "{ launch; ",
    "( launch",
    "for i in 1; do launch $i; done done",
    "[[ a == b",
    "[[ a ]] ]]",
    "f() { launch; } }",
    "f() launch",
    "launch (a)",
    "launch a(b)",
    "a=b(c)",
    "echo a; ; launch",
    "; launch",
    "launch; & x",
    "launch & & x",
    "launch || ",
    "while do done",
    "{ }",
    "( )",
    "launch > ",
    "launch >> > x",
    "((a)",
    "if a; then b; else; fi",
    "if a; then; fi",
    "elif a; then",
    "case a in a) b ;; c) d esac",
    "{launch; }",
    "echo $'a",
    'echo "a\\"',
]
TAKEN = [
    "launch ${}",
    "launch ${%x}",
    "launch ${a b}",
    "launch ${a[}",
    'launch <<""\nx\n\nlaunch b',
    "launch <<E",
    "launch \\",
    "launch a\\\n",
    "#!/bin/bash\nlaunch",
    "launch {a,b",
    "time",
    "! ",
    "[[ a == !(b) ]] && launch",
    "launch ${a@Q} ${a@}",
    "launch ${!a*} ${!a@}",
    "launch ${a/} ${a//} ${a:} ${a:1:}",
    "launch ${#} ${#a[} ${#@}",
    "for ((;;)) ; do launch; break; done",
    "launch\ra\r\nlaunch b\r\n",
    "$(launch a)",
    "`launch a`",
    '"$(launch a)"',
    "x=$(launch a)",
    "launch $(launch b)",
    "case $(launch a) in *) launch b;; esac",
    "for x in $(launch a); do launch b; done",
    "if launch a; then launch b; fi",
    "while launch a; do break; done",
    "[ $(launch a) ] && launch b",
    "cat <<E\n$(launch a)\nE",
    'cat <<"E"\n$(launch a)\nE',
    "launch > $(launch b)",
    "echo ${x:-$(launch a)}",
    "((x = $(launch a)))",
    "a=($(launch a))",
    "a[$(launch x)]=1",
    "export A=$(launch a)",
    "launch a | launch b & launch c",
    "f() { launch $1; }; f a & f b | f c",
    'trap "launch a" EXIT',
    "xargs -n1 launch a",
    "find . -exec launch a \\;",
    "exec launch a",
    "command launch a",
    "env -i A=1 launch a",
    "sudo launch a",
    "nohup launch a &",
    "timeout 5 launch a",
    "time launch a",
    "srun launch a",
    "A=1 B=$A launch $A",
    "launch() { :; }; launch a",
    "alias launch=x; launch a",
    "if [[ a ]] then launch; fi",
    "case a in a|b) launch;; esac",
    "a=(1 2) launch",
    "launch ||\nx",
    "launch |&\nx",
    "if\ntrue\nthen\nlaunch\nfi",
    "(())",
    "for in in in; do launch; done",
    "for 1 in a; do :; done",
    "function 1a { launch; }",
    "launch 2>&1",
    "launch >&2 <&0 2>&-",
    "launch <<E >x\nE",
    "launch <<E | cat\nE\n",
    'launch "$(cat <<E\n"\nE\n)"',
    'launch "${a:-"b"}"',
    'launch "${a:-}"}',
    'launch "`echo "a"`"',
    "launch $(case x in x) echo;; esac)",
    "launch $(case x in (x) echo;; esac)",
    "launch $( # it's\n)",
    "launch $((a[1]))",
    "launch $((a[1))",
    "((a))",
    "((a) )",
    "[[ a =~ (b) ]]",
    "[ a && b ]",
    "select x; do launch; done",
    "until a; do b; done",
    "time { launch; }",
    "! { launch; }",
    "coproc launch",
    "if ! a; then b; fi",
    "case a in esac",
    "case a in a) ;; esac",
    "case a\nin a) b;; esac",
    "case a in a) b & ;; esac",
    "fi=1",
    "done=1; launch $done",
    "launch if then fi",
    "launch } {",
    "{a",
    "echo 'a\nb' \"c\nd\"",
    "[[ == == == ]]",
    "[[ -n -n && x = ! && ! ! ( -1 -lt 2 ) ]]",
    "[[ a =~ (b|c) && a>b ]]",
    "a=(<(b) # |\n 'c;d' $(e; f))",
    "launch >&2>f",
    "function in { launch; }; function f\n((1))",
    "case x in (esac) launch;; in|{) launch; esac",
    "echo $'a\\'b'",
    'echo "a\\""',
]


REFUSED_WHEN_RUN = ["[[ ]]", "[[ a && ]]", "[[ ! ]]"]
EXTENDED = [
    "launch !(a) @(a|b)c ?(c) x*(d) +(e)x",
    "case $x in !(a|b)) launch;; @(d)|+(e)) launch;; esac",
    "for x in !(a|b); do launch $x; done",
    "a=(!(b) c)",
    "launch !( a | b ) > f!(x)",
    "launch !(a\nb)",
    "[[ a == !(b) && c != @(d) ]] && launch",
    "a=!(b) launch",
    "!(launch a)",
    "${a%%+(b)}",
]
LETTING = [
    "#!/bin/bash\nshopt -s extglob",
    "#!/bin/bash\nshopt -s nullglob extglob 2> /dev/null",
    "#!/bin/bash\nif true; then shopt -s extglob; fi",
    "#!/bin/bash\nsource lib.sh",
    "#!/bin/bash\n. ./lib.sh",
    '#!/bin/bash\neval "$SETUP"',
    "#!/bin/bash -O extglob",
    "#!/bin/zsh",
    "#!/usr/bin/env ksh",
    "# sourced by a script that allows them",
]


def _is_told(script: str) -> bool:
    return "syntax" in {problem.kind for problem in read(script).problems}


@pytest.mark.parametrize("script", REFUSED)
def test_what_bash_refuses_is_told(script: str) -> None:
    assert refuses(script)
    assert _is_told(script)


@pytest.mark.parametrize("script", TAKEN)
def test_what_bash_takes_is_not_told(script: str) -> None:
    assert not refuses(script)
    assert not _is_told(script)


@pytest.mark.parametrize("script", REFUSED_WHEN_RUN)
def test_what_bash_refuses_when_it_gets_there_is_told(script: str) -> None:
    if BASH is None:
        pytest.skip("bash is not installed")
    done = subprocess.run([BASH, "-s"], input=f"{script}\necho further\n".encode(), capture_output=True, check=False)
    assert b"further" not in done.stdout
    assert _is_told(script)


@pytest.mark.parametrize("script", EXTENDED)
@pytest.mark.parametrize("line", LETTING)
def test_extended_patterns_are_not_told_where_something_may_let_them_through(line: str, script: str) -> None:
    assert not refuses(script, "-O", "extglob")
    assert not _is_told(f"{line}\n{script}")


@pytest.mark.parametrize("script", EXTENDED[:3])
def test_extended_patterns_are_told_where_nothing_lets_them_through(script: str) -> None:
    assert refuses(f"#!/bin/bash\n{script}")
    assert _is_told(f"#!/bin/bash\n{script}\nshopt -s extglob")


def test_a_file_that_lets_extended_patterns_through_does_so_for_what_is_read_later() -> None:
    files = {"scripts/lib.sh": "shopt -s extglob\n", "scripts/more.sh": "launch !(b)\n"}
    script = "#!/bin/bash\nsource lib.sh\nlaunch !(a)\nsource more.sh\nbash -c 'launch @(c)'\n"
    assert read(script, files).problems == ()
    script = "#!/bin/bash\nlaunch @(a)\nsource lib.sh\n"
    assert [problem.kind for problem in read(script, files).problems] == ["syntax"]


@pytest.mark.parametrize("text", ["case $x in $items *) launch;; esac", "launch $more)", "launch '$end"])
def test_code_with_a_part_that_is_not_known_may_be_right(text: str) -> None:
    assert _is_told(text)
    assert not _is_told(f'eval "{text}"')
    assert not _is_told(f'bash -c "{text}"')
