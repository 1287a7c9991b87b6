"""What a shell refuses is told at its place, and nothing else is."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers.shell.reading import launches, problems, read, ways
from tests.readers.shell.scripts import scripts
from tests.readers.shell.test_against_bash import EXAMPLES

BASH = shutil.which("bash")


@pytest.mark.parametrize(
    ("script", "line", "place"),
    [
        ("launch 'a\nlaunch b\n", 1, "'"),
        ('launch --a "b\nlaunch b\n', 1, '"'),
        ("launch $(ls\nlaunch b\n", 1, "$("),
        ("launch ${A\nlaunch b\n", 1, "${"),
        ("launch `ls\nlaunch b\n", 1, "`"),
        ("launch\nif true; then\nlaunch\n", 2, "if"),
        ("for i in a; do\nlaunch\n", 1, "for"),
        ("launch\nfi\n", 2, "fi"),
        ("launch\ndone\n", 2, "done"),
        ("launch\n}\n", 2, "}"),
        ("launch )\n", 1, ")"),
        ("if true; then\nfi\nlaunch\n", 2, "fi"),
        ("for i in a; do done\nlaunch\n", 1, "done"),
        ("{ }\nlaunch\n", 1, "}"),
        ("if true; then\nfor i in a; do\nlaunch\nfi\ndone\n", 4, "fi"),
        ("while true\nlaunch\ndone\n", 3, "done"),
        ("for i in a\nlaunch\ndone\n", 2, "l"),
        ("launch (a)\n", 1, "("),
        ("launch --template User: (x)\n", 1, "("),
        ("launch &&\n", 1, "&&"),
        ("| launch\n", 1, "|"),
        ("launch ;;\n", 1, ";;"),
        ("launch >\n", 1, ">"),
        ("if true; then launch; fi x\n", 1, "x"),
        ("[[ a == b\nlaunch\n", 1, "[["),
        ("f() launch\n", 1, "launch"),
        ("case x in a) launch\n", 1, "case"),
        ("for x in a; { launch\n", 1, "for"),
        ("for x in a; { launch; done\nlaunch\n", 1, "done"),
        ("for x in a; do launch; }\nlaunch\n", 1, "}"),
        ("while true; { launch; }\nlaunch\n", 1, "while"),
        ("for x { launch; }\nlaunch\n", 1, "{"),
        ("for x ina b; do launch; done\n", 1, "ina"),
        ("for x > f; do launch; done\n", 1, "> f"),
        ("for x in a & do launch; done\n", 1, "&"),
        ("for ((i=0; i<3)); do launch; done\n", 1, "((i=0; i<3))"),
        ("for x in a; (launch); done\n", 1, "("),
        ("for x in a; if true; then launch; fi; done\n", 1, "i"),
        ("function\nlaunch\n", 1, "\n"),
        ("launch\nfunction", 2, "n"),
        ("function f launch\n", 1, "launch"),
        ("f() && launch\n", 1, "&&"),
        ("launch\nf()\n", 2, "()"),
        ("case x in a b) launch;; esac\n", 1, "b"),
        ("case x in a;; b) launch;; esac\n", 1, ";;"),
        ("case x in a\n) launch;; esac\n", 1, "\n"),
        ("case x in () launch;; esac\n", 1, ")"),
        ("case x y in a) launch;; esac\n", 1, "y"),
        ("{ launch && }\nlaunch\n", 1, "&&"),
        ("if launch ||\nthen launch; fi\n", 1, "||"),
        ("(launch |)\nlaunch\n", 1, "|"),
        ("if true; then !\nfi; { ! }\nlaunch\n", 2, "!"),
        ("launch <<\nlaunch\n", 1, "<<"),
        ("launch > 2>&1\nlaunch\n", 1, ">"),
        ("x=(a | b)\nlaunch\n", 1, "|"),
        ("x=(a # |\nb; c)\nlaunch\n", 2, ";"),
        ("in a; launch\n", 1, "in"),
        ("]] && launch\n", 1, "]]"),
        ("[[ a ]] [[ b ]]; launch\n", 1, "[[ b ]]"),
        ("[[ a == b c ]] && launch\n", 1, "c"),
        ("[[ -n ]] && launch\n", 1, "]]"),
        ("[[ a '==' b ]] && launch\n", 1, "'=='"),
        ("[[ ( a ]] && launch\n", 1, "]]"),
        ("#!/bin/bash\nlaunch !(a)\nlaunch\n", 2, "("),
    ],
)
def test_what_a_shell_refuses(script: str, line: int, place: str) -> None:
    assert ("syntax", line, place) in problems(script)
    assert refuses(script)
    assert launches(script) or "launch" not in script.replace("launch", "", 1)


@pytest.mark.parametrize(
    ("script", "hint"),
    [
        ("launch 'a\n", "write the other one"),
        ("launch $(ls\n", "write the `)`"),
        ("launch ${A\n", "write the `}`"),
        ("if true; then\nlaunch\n", "write `fi`"),
        ("for i in a\nlaunch\ndone\n", "write `do`"),
        ("launch (a)\n", "in quotes"),
        ("launch )\n", "in quotes"),
        ("launch --out < path >\n", "a placeholder, has to be in quotes"),
        ("launch &&\n", "write the command that is missing"),
        ("[[ a == b\nlaunch\n", "write `]]`"),
        ("if true; then\nlaunch \\\nfi\n", "remove the backslash"),
        ("#!/bin/bash\nlaunch x@(a|b)\n", "needs `shopt -s extglob`"),
    ],
)
def test_what_to_write_instead_is_said(script: str, hint: str) -> None:
    assert any(hint in problem.hint for problem in read(script).problems)


def test_what_stands_behind_a_mistake_is_read() -> None:
    script = "launch 'a\nlaunch b\nif true; then\nlaunch c\nfi fi\nlaunch d | | launch e\nlaunch f )\nlaunch g\n"
    assert [command.words[-1].text for command in launches(script)] == ["'a", "b", "c", "d", "e", "f", "g"]


VALID = [
    "[[ -n $A && ( $B == x || $C =~ ^(a|b)+$ ) ]] && ls",
    "if { true; }; then ls; elif ( ls ); then ls; else ls & fi",
    'case $1 in (a|b) ls;; "c d") ;; *.sh) ls ;& [0-9]*) ls ;;& *) esac',
    "for ((i = 0; i < 3; i++)); do ls; done",
    "for i do ls; done; for i in; do ls; done; for i\nin a\ndo\nls\ndone",
    "f () { ls; } > log 2>&1",
    "function g { ls; }; function h() ( ls )",
    "{ { ls; } } ; ( ( ls ) ); ( (ls) )",
    "((1 + (2))); ((1 << 2)) && ls",
    "! ls | cat; time ls; time -p { ls; }; time; !",
    "A=(a 'b' # c\n  \"$d\" [3]=x); A[1]=2 B+=x ls; declare -A M=([a]=b)",
    "cat <<A <<-'B' | cat\n$(unclosed\nA\n\tit's\n\tB\nls",
    "ls <(ls) >(cat) 2>&1 &> f >| f <> f 3>&- {fd}> f <<< x",
    'echo ${A:-$(ls "${B[@]}")} "${A//\\"/x}" $((1 << 2)) $\'\\\'\' "$(echo "`ls`")" ${#A} ${A/#x/y} \\#',
    "select x in a b; do break; done; until ls; do :; done",
    "coproc ls; coproc N { ls; }",
    "echo if then fi } done ]] esac case in a#b {} { !",
    'x=$(case a in a) echo ")";; esac); y=`echo \\`ls\\``',
    "ls &\n\nls && # why\n\n  ls |\n  ls",
    "if ls; then ls; fi | ls && while ls; do ls; done < f",
    "for i in a b; { ls; }; for i\nin a # c\n{ ls\n} > f; select i; { ls; } | ls && for i\n{ ls; }",
    "for ((i=0; i<2; i++)) { ls; }; for ((i=0;i<2;i++)){ ls; } & for ((i=0;i<2;i++))\n{ for i in a; { ls; }; }",
    "for((i=0;i<2;i++))do ls; done; for ((i=0;i<2;i++)); do ls; done; for ((i=0;i<2;i++)) # c\ndo ls; done",
    "for i # c\nin a; do ls; done; case a # c\nin # d\na) # e\nesac",
    "x=$(cat <<A\nb\nA)\nx=$(cat <<-A | ls\n\tb\n\tA )",
    "[[ # it's\na && # b\n! ( -n x || y < z ) ]] && ls",
    "if (ls)then ls;fi; { (ls)}; f() { ls;}; function g() ( ls ) > f; h()\n{ ls\n}",
    "! ; if !; then ls; fi; if !\nthen ls; fi; time\nls; { time; }",
]


@pytest.mark.parametrize("script", VALID)
def test_what_a_shell_accepts(script: str) -> None:
    assert problems(script + "\n") == []
    assert not refuses(script + "\n")


def refuses(script: str, *options: str) -> bool:
    """Whether bash refuses a script, of whose tests it complains without saying so by its status."""
    if BASH is None:
        pytest.skip("bash is not installed")
    done = subprocess.run([BASH, *options, "-n"], input=script.encode(), capture_output=True, check=False)
    told = [line for line in done.stderr.splitlines() if b"warning" not in line]
    return done.returncode != 0 or bool(told)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("function f\n", "this function has no body"),
        ("f()", "this function has no body"),
        ("launch &&", "`&&` has no command behind it"),
        ("launch | launch ||\n", "`||` has no command behind it"),
        ("{ ! }", "`!` has no command behind it"),
        ("f() launch", "the body of a function begins with `{` or `(`"),
        ("case x in a b) launch;; esac", "`)` or `|` is expected behind a pattern"),
        ("case x in | a) launch;; esac", "a pattern or `esac` is expected here"),
        ("case x in (|) launch;; esac", "a pattern is expected here"),
        ("case x y in a) launch;; esac", "`in` is expected here"),
        ("case ; in a) launch;; esac", "`case` is followed by a word"),
        ("for ; do launch; done", "the name of a variable is expected here"),
        ("for x y; do launch; done", "`in`, `do`, `;` or a line end is expected behind the variable of a loop"),
        ("for x in a | b; do launch; done", "the words of a loop end with `;` or a line end"),
        ("for ((;;)) x; do launch; done", "`do` is expected here"),
        ("function\nlaunch", "the name of a function is expected here"),
        ("if a; then launch; fi fi", "`fi` has no `if` before it"),
        ("{ launch; } launch", "the shell expects the end of the command here"),
        ("for x in a; launch; done", "`do` is missing between `for` and this command"),
        ("]] launch", "`]]` stands where a command begins"),
        ("x=(a; b) launch", "`;` stands between the elements of an array without quotes"),
        ("for ((i=0;i<3)); do launch; done", "a counting loop has three expressions, with `;` between them"),
        ("[[ a b ]]", "an operator is expected behind the first word of a test"),
        ("[[ -f ]]", "`-f` has nothing behind it to test"),
        ("[[ a == ]]", "`==` has nothing behind it to compare with"),
        ("[[ ( a == b ]]", "`)` is missing in this test"),
        ("[[ -f a b ]]", "`&&`, `||` or `]]` is expected behind a test"),
        ("[[ a || && b ]]", "a test is expected here"),
        ("launch <<", "`<<` has no word behind it to end its text"),
    ],
)
def test_what_is_wrong_is_said(script: str, message: str) -> None:
    assert refuses(script)
    assert message in [problem.message for problem in read(script).problems]


def test_a_pattern_is_spoken_of_where_one_may_be_meant() -> None:
    hints = [problem.hint for problem in read("#!/bin/sh\nlaunch (a)\nlaunch @(a)\n").problems]
    assert [("extglob" in hint) for hint in hints] == [False, True]


def test_what_is_never_closed_is_read_to_its_end() -> None:
    assert ways("case $x in a) launch 1;; b) launch 2") == {"x is a": "1", "x is b": "2"}
    assert [one.words[1].text for one in launches("f() launch 1\nf()\nlaunch 2\ng() { launch 3; }; g\nh()")] == [
        "1",
        "2",
        "3",
    ]


def test_one_bracket_too_many_is_told_once() -> None:
    assert problems("#!/bin/bash\nlaunch (a) b\nlaunch !(c) && launch )\n") == [
        ("syntax", 2, "("),
        ("syntax", 3, "("),
        ("syntax", 3, ")"),
    ]


_TOKENS = st.sampled_from(
    [
        *("x", "--flag", "if", "then", "fi", "else", "elif", "for", "i", "in", "do", "done", "while", "case", "esac"),
        *("{", "}", "(", ")", ";", "&&", "||", "|", "&", "\n", ";;", "!", "time", "function f", "f()", "[[ a == b ]]"),
        *("((1+1))", "> f", "2>&1", "<<E\nb\nE\n", "# c\n", "A=1", "'q'", '"q $x"', "$(x)", "`x`", "a)", "$((1))"),
        *(
            "for ((;;))",
            "for i in a;",
            "\\\n",
            "in",
            "]]",
            "!(a)",
            "@(",
            "f ()",
            "a=(",
            "[[",
            "==",
            "-n",
            "a|",
            "function",
            "[",
            "]",
            "$x",
            "{ x; }",
            "( x )",
            "if x; then x; fi",
            "while x; do x; done",
        ),
    ]
)


@settings(max_examples=EXAMPLES, deadline=None, derandomize="RLHFLINT_EXAMPLES" not in os.environ)
@given(st.lists(_TOKENS, min_size=1, max_size=8).map(" ".join))
def test_no_script_that_bash_accepts_is_refused(script: str) -> None:
    found = [problem for problem in read(script + "\n").problems if problem.kind == "syntax"]
    assert not found or refuses(script + "\n")


@settings(max_examples=EXAMPLES // 3, deadline=None, derandomize="RLHFLINT_EXAMPLES" not in os.environ)
@given(script=scripts())
def test_a_script_means_the_same_when_it_is_formatted(tool: Callable[[str], Path], script: str) -> None:
    done = subprocess.run([tool("shfmt"), "-ln", "bash"], input=script.encode(), capture_output=True, check=True)
    formatted = done.stdout.decode()
    assert [[word.text for word in one.words] for one in launches(script)] == [
        [word.text for word in one.words] for one in launches(formatted)
    ]
