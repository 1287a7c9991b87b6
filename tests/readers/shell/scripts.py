"""Scripts made of the idioms that people write launches with, at random, for tests."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

STRINGS = ("A", "B", "C")
NUMBERS = ("N", "M")
ARRAYS = ("L", "K")
FUNCTIONS = ("run", "twice")
OUTSIDE = ("E1", "E2")
"""Variables that the script never assigns."""

_PLAIN = st.sampled_from(["x", "--flag", "a.b", "7", "out/ckpt", "-1", "1e-5", "k=v", "x,y", "été", "@", "100%", "a:b"])
_QUOTED = st.sampled_from(
    [
        "'a b'",
        '"x  y"',
        "''",
        '""',
        "'$A'",
        r"\$A",
        r"a\ b",
        r"'a\b'",
        r'"a\"b"',
        r'"a\\b"',
        r'"a\nb"',
        r"$'a\tb'",
        r"$'it\'s'",
    ]
)


def _parameters(name: str) -> SearchStrategy[str]:
    return st.sampled_from(
        [
            f"${name}",
            f"${{{name}}}",
            f'"${name}"',
            f'"${{{name}}}"',
            f"p${name}/q",
            f'"p ${name} q"',
            f'p"${name}"q',
            f"${{{name}:-d}}",
            f'"${{{name}:-d e}}"',
            f"${{{name}:-d e}}",
            f"${{{name}:+--set}}",
            f'${{{name}:+--set "${name}"}}',
            f"${{{name}+y}}",
            f"${{#{name}}}",
            f"${{{name}%/*}}",
            f"${{{name}##*/}}",
            f"${{{name}%%x*}}",
            f"${{{name}#?}}",
            f"${{{name}/a/b}}",
            f'"${{{name}//[ax]/-}}"',
            f'"${{{name}/#a/z}}"',
            f'"${{{name}/%b/z}}"',
            f"${{{name}^^}}",
            f"${{{name},,}}",
            f"${{{name}^}}",
            f'"${{{name}:1}}"',
            f'"${{{name}:0:2}}"',
            f'"${{{name}: -2}}"',
            f'"$(echo "${name}" end)"',
            f"$(echo ${name})",
            f'"`echo ${name}`"',
        ]
    )


def _lists(name: str) -> SearchStrategy[str]:
    return st.sampled_from(
        [
            f'"${{{name}[@]}}"',
            f"${{{name}[@]}}",
            f'"${{{name}[*]}}"',
            f"${{{name}[*]}}",
            f'"${{{name}[0]}}"',
            f"${name}",
            f"${{#{name}[@]}}",
            f'"${{{name}[@]:1}}"',
            f'"${{{name}[@]:0:1}}"',
            f'"pre${{{name}[@]}}post"',
            f'"${{{name}[-1]}}"',
            f'"${{{name}[@]/a/b}}"',
            f"${{!{name}[@]}}",
        ]
    )


_NUMBERS = st.sampled_from(
    [
        "$N",
        "$((N + 1))",
        "$((N * M))",
        "$(( (N + M) % 3 ))",
        "$((N > M ? N : M))",
        "$((-N ** 2))",
        "$((N << 1 | 1))",
        "$(($N / 2))",
        "$((N++))",
        "$((M += 2))",
        "$((0x10 + 010))",
    ]
)
_BRACES = st.sampled_from(
    ["{a,b}", "x{1..3}", "{a,b}{1,2}", "--{lr,wd}=1", "{a}", "{1..3..2}", "{c..a}", "x{,y}", '{"a b",c}', "{01..03}"]
)
_ARGUMENTS = st.sampled_from(['"$@"', "$@", '"$*"', "$1", '"$2"', "$#", '"${@:2}"'])

WORDS: SearchStrategy[str] = st.one_of(
    _PLAIN,
    _PLAIN,
    _QUOTED,
    st.sampled_from(STRINGS).flatmap(_parameters),
    st.sampled_from(STRINGS).flatmap(_parameters),
    st.sampled_from(ARRAYS).flatmap(_lists),
    _NUMBERS,
    _BRACES,
    _ARGUMENTS,
)
_VALUES = st.one_of(
    _PLAIN,
    _QUOTED,
    st.sampled_from(STRINGS).flatmap(_parameters),
    st.sampled_from(
        ['"${L[*]}"', "$((N + M))", '"$1"', '"$A $B"', "$A$B", "$A/$B/c", "\"--x 1 --y '2 3'\"", '"  a  b "']
    ),
)
_TESTS = st.sampled_from(
    [
        '[ "$A" = x ]',
        '[ "$A" != "$B" ]',
        "[[ $A == $B ]]",
        "[[ $A == *a* ]]",
        "[[ $A == x* || $B == ?b ]]",
        '[ -z "$A" ]',
        '[ -n "$B" ] && [ -n "$C" ]',
        "[[ -n $A && ! -z $B ]]",
        "[ $N -gt 1 ]",
        "[[ $N -le $M ]]",
        "(( N > M ))",
        "((N == 2 || M))",
        '! [ "$A" = x ]',
        "[ $N -eq 1 -o $M -eq 1 ]",
        "true",
        "false",
        "[[ $A =~ ^[a-z]+$ ]]",
        '[[ "$A" < "$B" ]]',
        "[ $# -gt 1 ]",
        'test "${L[0]}" = a',
        "[[ ( $N -eq 1 || $M -eq 2 ) && -n $A ]]",
    ]
)
_OUTSIDE_TESTS = st.sampled_from(
    [
        '[ "$E1" = x ]',
        "[[ $E1 == x ]]",
        '[[ "$E1" != x ]]',
        '[ -n "$E1" ]',
        '[ -z "${E1:-}" ]',
        "[[ $E1 == x && $E2 == y ]]",
        "[[ $E1 == x || $E2 == y ]]",
        '[ "${E2:-1}" = 1 ]',
        "[[ $E2 == y* ]]",
        '[ "$E2" -gt 3 ] 2>/dev/null',
        "[ -f /nonexistent ]",
    ]
)
OUTSIDE_WORDS = st.sampled_from(
    [
        '"$E1"',
        "--e1=$E1",
        '"${E1:-d}"',
        '"$A-$E2"',
        "${E1:+--set}",
        '${E2:+--e2 "$E2"}',
        '"${E2:---a b}"',
        "${E2:---a b}",
        '"${E1%x}"',
        '"${#E1}"',
        "${E1:-3}",
        "$E1",
    ]
)


@st.composite
def _simple(draw: DrawFn, outside: bool) -> str:
    words = st.one_of(WORDS, OUTSIDE_WORDS) if outside else WORDS
    kind = draw(st.integers(0, 13))
    name, number, array = draw(st.sampled_from(STRINGS)), draw(st.sampled_from(NUMBERS)), draw(st.sampled_from(ARRAYS))
    if kind < 4:
        return "launch " + " ".join(draw(st.lists(words, max_size=4)))
    if kind == 4:
        return f"{name}={draw(_VALUES)}"
    if kind == 5:
        return f"{name}+={draw(_VALUES)}"
    if kind == 6:
        return draw(
            st.sampled_from(
                [
                    f"{number}=$(({number} + 1))",
                    f"(({number}++))",
                    f'let "{number} = N * 2 + 1"',
                    f"{number}=3",
                    f"(({number} -= 1)) || :",
                ]
            )
        )
    if kind in (7, 8):
        elements = draw(st.lists(words, max_size=3))
        separator = draw(st.sampled_from([" ", "\n  ", " # a comment\n  "]))
        operator = draw(st.sampled_from(["=", "+="]))
        return f"{array}{operator}({separator.join(['', *elements])}\n)"
    if kind == 9:
        return draw(
            st.sampled_from(
                [
                    f"{array}[1]={draw(_VALUES)}",
                    "set -- a 'b c' \"$A\"",
                    "shift || :",
                    f"unset {name}",
                    f"printf -v {name} '%s-%s' a \"$B\"",
                    f'read -r {name} C <<< "$A tail"',
                    f'IFS=, read -ra {array} <<< "a,b c,$A"',
                    f"export {name}",
                    f'declare {name}="${name} z"',
                    f"mapfile -t {array} <<< $'one\\ntwo three'",
                    f': "${{{name}:=fallback}}"',
                    "cd /tmp || exit 1",
                ]
            )
        )
    if kind == 10:
        body = draw(
            st.sampled_from(["one $A\n  two \\\n three\n", "x '$B' \"y\"\n\n$((N))\n", "`echo a` \\$A ${B:-none}\n"])
        )
        quote = draw(st.sampled_from(["", "'"]))
        start, end = draw(
            st.sampled_from(
                [
                    (f"read -r -d '' {name} <<{quote}END{quote} || :\n", ""),
                    (f"{name}=$(cat <<{quote}END{quote}\n", "\n)"),
                ]
            )
        )
        return f"{start}{body}END{end}"
    if kind == 11:
        return draw(
            st.sampled_from(
                [
                    'eval "launch $A"',
                    "bash -c 'launch \"$1\" $0 $#' zero one two",
                    "bash -c \"launch $N '$M' in\"",
                    "export A; bash -c 'launch \"$A\"'",
                    "launch one | cat; launch two & wait",
                    "(A=inner; launch $A); { B=$A; launch $B; }",
                    f"{draw(st.sampled_from(FUNCTIONS))} $A 'b c' \"${{L[@]}}\" || :",
                    'A="$A" B=z launch "$A" $B',
                    "X=1 bash -c 'launch $X'",
                    "bash <<'END'\nlaunch from-heredoc $A\nEND",
                    "time launch timed",
                    "launch a \\\n  b \\\n  # no more\n",
                    "launch a \\\n",
                    "echo $(launch in-substitution) > /dev/null",
                ]
            )
        )
    return f"launch {draw(words)} {draw(words)}"


_FUNCTION = """{name}() {{
local C=$1
{body}
if {test}; then return; fi
launch in-{name} "$@"
shift
launch $# $C
}}"""


def _blocks(inner: SearchStrategy[str], outside: bool) -> SearchStrategy[str]:
    tests = st.one_of(_TESTS, _OUTSIDE_TESTS) if outside else _TESTS
    body = st.lists(inner, min_size=1, max_size=3).map("\n".join)
    subjects = st.sampled_from(['"$A"', "$N", "${B}"] + (['"$E1"', "$E2"] if outside else []))
    patterns = st.sampled_from(["x", "a*|b*", "1|2", "[0-9]", '"a b"', "?", "y"])
    return st.one_of(
        st.tuples(tests, body, body).map(lambda t: f"if {t[0]}; then\n{t[1]}\nelse\n{t[2]}\nfi"),
        st.tuples(tests, tests, body, body).map(lambda t: f"if {t[0]}; then\n{t[2]}\nelif {t[1]}; then\n{t[3]}\nfi"),
        st.tuples(tests, inner, inner).map(lambda t: f"{t[0]} && {{ {t[1]}\n}} || {{ {t[2]}\n}}"),
        st.tuples(tests, inner).map(lambda t: f"{t[0]} && {{\n{t[1]}\n}}"),
        st.tuples(tests, inner).map(lambda t: f"{t[0]} || {{\n{t[1]}\n}}"),
        st.tuples(st.lists(WORDS, max_size=3).map(" ".join), body).map(lambda t: f"for A in {t[0]}; do\n{t[1]}\ndone"),
        body.map(lambda t: f"for ((i = 0; i < 2; i++)); do\n{t}\nlaunch $i\ndone"),
        body.map(lambda t: f"i=0\nwhile [ $i -lt 2 ]; do\n{t}\ni=$((i + 1))\ndone"),
        st.tuples(tests, body).map(
            lambda t: f"for B in a b c; do\nif {t[0]}; then continue; fi\n{t[1]}\n[ $B = b ] && break\ndone"
        ),
        st.tuples(subjects, patterns, patterns, body, body, body).map(
            lambda t: f"case {t[0]} in\n{t[1]}) {t[3]} ;;\n({t[2]})\n{t[4]}\n;;\n*) {t[5]}\nesac"
        ),
        st.tuples(st.sampled_from(FUNCTIONS), body, tests).map(
            lambda t: _FUNCTION.format(name=t[0], body=t[1], test=t[2])
        ),
    )


def scripts(*, outside: bool = False) -> SearchStrategy[str]:
    """Scripts that start with every variable set. With `outside` they also depend on `$E1` and `$E2`."""
    statements = st.recursive(_simple(outside), lambda inner: _blocks(inner, outside), max_leaves=6)
    prologue = (
        "A=x B='a b' C=out/final\nN=2 M=1\nL=(a 'b c' d) K=()\n"
        'run() { launch run "$@"; }\ntwice() { run "$1"; local A=local; run $A "$#"; }\n'
    )
    return st.lists(statements, min_size=1, max_size=6).map(
        lambda found: prologue + "\n".join(found) + "\nlaunch $A $B\n"
    )
