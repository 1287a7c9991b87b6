"""Scripts whose launches hang on how commands end, at random, for tests."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

NAMES = ("A", "B", "C")

_TESTS = st.sampled_from(
    [
        "true",
        "false",
        ":",
        '[ "$A" = x ]',
        "[ $N -gt 1 ]",
        "[[ $B == a* ]]",
        "(( N > M ))",
        "(( N - 2 ))",
        "! true",
        "! false",
        "! [ $M = 1 ]",
        "let N-2",
        "test -z ''",
        "[ $N -lt 9 ] && [ $M = 1 ]",
        "[[ $A == y || -n $B ]]",
    ]
)
_SIMPLE = st.one_of(
    st.sampled_from(NAMES).flatmap(
        lambda name: st.sampled_from(["launch", f"launch ${name}", f'launch a "${name}" $N'])
    ),
    st.sampled_from(
        [
            "A=x",
            "A=y",
            "B=$A",
            "C=$(echo ok)",
            "N=$((N + 1))",
            "N=2",
            "((N++))",
            "((N--))",
            "((N = 0))",
            "M=$((M - 1)) || :",
            "shift",
            "set -- p q",
            "unset A",
            "let N=N-1",
            "export B",
            "f",
            "g x",
            "echo out > /dev/null",
            "read -r A <<< one",
            "printf -v B %s z",
            "[ $# -gt 2 ]",
            "A=n false",
            "declare D=1",
            "C=$(false)",
            "C=$(true)",
            "local=1",
            "eval false",
            "eval 'A=e'",
            "eval '[ $N = 2 ]'",
        ]
    ),
    _TESTS,
)


def _blocks(inner: SearchStrategy[str]) -> SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map("\n".join)
    known = st.one_of(
        _TESTS,
        st.tuples(_TESTS, _TESTS).map(" && ".join),
        _TESTS.map(lambda t: f"{{ {t}\n}}"),
        _TESTS.map(lambda t: f"( {t}\n)"),
        _TESTS.map(lambda t: f"! {{ {t}\n}}"),
        _TESTS.map(lambda t: f"for D in 1 2; do {t}\ndone"),
    )
    cond = st.one_of(_TESTS, inner.map(lambda t: f"{{ {t}\n}}"), st.tuples(_TESTS, inner).map("\n".join))
    leave = st.sampled_from(["break", "continue", "break 2", "continue 2", "exit", "exit 3", ":"])
    returns = st.sampled_from(["return", "return 0", "return 1", "exit 1", "break", ":"])
    words = st.sampled_from(["", "one", "a b c", '"$@"', "$A $A", "x x", "$E", "{1..3}", "$(echo p q)"])
    group = st.one_of(inner, body.map(lambda t: f"{{\n{t}\n}}"), body.map(lambda t: f"(\n{t}\n)"))
    return st.one_of(
        st.tuples(group, group).map(lambda t: f"{t[0]} && {t[1]}"),
        st.tuples(group, group).map(lambda t: f"{t[0]} || {t[1]}"),
        st.tuples(_TESTS, group, group).map(lambda t: f"{t[0]} && {{ {t[1]}\n}} || {{ {t[2]}\n}}"),
        st.tuples(group, group, group).map(lambda t: f"{{ {t[0]}\n}} || {{ {t[1]}\n}} && {{ {t[2]}\n}}"),
        group.map(lambda t: f"! {{ {t}\n}}"),
        st.tuples(words, body).map(lambda t: f"for C in {t[0]}; do\n{t[1]}\ndone"),
        st.tuples(words, body, known, leave).map(
            lambda t: f"for B in {t[0]}; do\n{t[1]}\nif {t[2]}; then {t[3]}; fi\ndone"
        ),
        st.tuples(words, known, leave, body).map(lambda t: f"for B in {t[0]}; do\n{t[1]} && {t[2]}\n{t[3]}\ndone"),
        st.tuples(words, body, known, leave).map(lambda t: f"for B in {t[0]}; do\n{t[1]}\n{t[2]} && {t[3]}\ndone"),
        st.tuples(cond, body).map(lambda t: f"if {t[0]}; then\n{t[1]}\nfi"),
        st.tuples(cond, body, body).map(lambda t: f"if {t[0]}; then\n{t[1]}\nelse\n{t[2]}\nfi"),
        st.tuples(cond, body, cond, body).map(lambda t: f"if {t[0]}; then\n{t[1]}\nelif {t[2]}; then\n{t[3]}\nfi"),
        st.tuples(body, cond).map(lambda t: f"i=0\nwhile [ $i -lt 3 ]; do\ni=$((i + 1))\n{t[0]}\n{t[1]}\ndone"),
        st.tuples(body, cond).map(lambda t: f"i=0\nuntil {{ i=$((i + 1)); [ $i -gt 2 ]; }}; do\n{t[0]}\n{t[1]}\ndone"),
        st.tuples(cond, body).map(lambda t: f"while {t[0]}; do\n{t[1]}\nbreak\ndone"),
        body.map(lambda t: f"for ((j = 0; j < N; j++)); do\n{t}\n[ $j -gt 3 ] && break\ndone"),
        body.map(lambda t: f"for ((j = 0; j < 2; j++)); do\n{t}\ndone"),
        st.tuples(st.sampled_from(['"$A"', "$N"]), st.sampled_from(["x", "2", "y|z", "*"]), body, body).map(
            lambda t: f"case {t[0]} in\n{t[1]})\n{t[2]}\n;;\nq) {t[3]} ;;\nesac"
        ),
        st.tuples(st.sampled_from(["f", "g"]), body, known, returns).map(
            lambda t: f"{t[0]}() {{\nA=in\n{t[2]} && {t[3]}\nlaunch in-{t[0]} $A\n{t[1]}\n}}"
        ),
        st.tuples(st.sampled_from(["f", "g"]), body).map(
            lambda t: f"{t[0]}() {{\n{t[1]}\n}}\n{t[0]} && launch {t[0]} went well || launch {t[0]} failed"
        ),
        st.tuples(group, group).map(lambda t: f"{{ {t[0]}\n}} | {{ {t[1]}\n}}"),
        group.map(lambda t: f"{{ {t}\n}} && launch well || launch badly"),
        group.map(lambda t: f"{{ {t}\n}}\nlaunch status $?"),
    )


def statuses() -> SearchStrategy[str]:
    statements = st.recursive(_SIMPLE, _blocks, max_leaves=6)
    prologue = "A=x B=ab C=c\nN=2 M=1 E= i=0\nf() { [ $N = 2 ]; }\ng() { f && launch g; }\n"
    return st.lists(statements, min_size=1, max_size=5).map(
        lambda found: prologue + "\n".join(found) + "\nlaunch end $A $B $N\n"
    )
