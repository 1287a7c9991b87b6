"""Any text is read in bounded time and memory. Beyond a bound the rest stays unread, which is told."""

from __future__ import annotations

import pytest

from rlhflint.readers.shell import LONGEST, read_script
from rlhflint.text import Traced
from tests.readers.shell.reading import launches, read

MANY = 50_000

TOO_MUCH = {
    "a script of ten million characters": "launch " + "x " * 5_000_000,
    "one word of ten million characters": "launch " + "x" * 10_000_000,
    "very many commands": "launch x;" * 50_000,
    "open groups": "{ " * MANY,
    "loops in braces": "for x in a; { launch; " * 3_000 + "}" * 3_000,
    "open conditions": "if x; then " * MANY,
    "open substitutions": "launch " + "$(" * MANY,
    "substitutions in substitutions": "launch " + "$(" * 200 + "x" + ")" * 200,
    "open parameters": "launch " + "${A:-" * 10_000,
    "parameters in parameters": "launch " + "${A:-" * 1_000 + "x" + "}" * 1_000,
    "cases in cases": "case x in x) " * 3_000 + "esac " * 3_000,
    "pipes": "x | " * MANY + "x",
    "a chain": "x && " * MANY + "x",
    "assignments": "A=1 " * MANY + "launch",
    "more conditions than steps": "".join(f'if [ -n "$x{n}" ]; then A="$A {n}"; fi\n' for n in range(3_000)),
    "functions that call one another": "f() { g; g; }; g() { f; f; }; f",
    "shells that start shells": 'export A=\'bash -c "$A"; bash -c "$A"\'; bash -c "$A"',
    "code that grows while it is run": 'A=\'eval "$A" "$A"\'; eval "$A"',
}
ENOUGH = {
    "lines before the words of a loop": "for x" + "\n" * MANY + "in a; do launch; done",
    "comments before what are not the words of a loop": "for x" + "\n# # # # # #" * 10_000 + "\ninner",
    "keys that are not known": "declare -A m\n" + "m[$x]=1\n" * 5_000 + "launch ${m[a]}",
    "a list of keys that are not known": "declare -A m=(" + "[$x]=1 " * 10_000 + ")\nlaunch ${m[a]}",
    "a chain in a test": "[[ " + "a || " * 10_000 + "a ]] && launch",
    "files that are not read": "f() { launch; }\n" * 1_000 + "source x.sh\n" * 1_000 + "f\n",
    "open quotes": '"' * (MANY + 1),
    "quotes in turn": "\"'" * MANY,
    "backquotes": "`" * (MANY + 1),
    "open brackets": "(" * 10_000,
    "brackets": "(" * 1_000 + "x" + ")" * 1_000,
    "unclosed here-documents": "cat <<E\n" * 20_000,
    "here-documents of one line": "cat " + "<<E " * 10_000 + "\n" + "E\n" * 10_000,
    "continued lines": "launch \\\n" * 10_000,
    "lost flags": "launch\n" + "--x\n" * 10_000,
    "comments": "# x\n" * MANY,
    "carriage returns": "\r\n" * MANY,
    "a variable that doubles": "A=x\n" + 'A="$A$A"\n' * 100 + "launch $A",
    "an array that doubles": "A=(x)\n" + 'A+=("${A[@]}")\n' * 60 + 'launch "${A[@]}"',
    "a large array": "A=(" + "x " * 300_000 + ")\nlaunch ${#A[@]}",
    "a large value": "A='" + "x " * 400_000 + "'\nfor i in $A; do launch $i; done",
    "braces that multiply": "launch " + "{a,b}" * 40,
    "a large sequence": "launch {1..1000000000}",
    "braces in braces": "launch " + "{a," * 5_000 + "}" * 5_000,
    "open braces": "launch " + "{" * MANY,
    "arithmetic in brackets": "launch $((" + "(" * 5_000 + "1" + ")" * 5_000 + "))",
    "long arithmetic": "launch $((" + "1+" * 50_000 + "1))",
    "large powers": "launch $((2 ** 99999999))",
    "a variable that is itself": "A=A+1; launch $((A)); B=C; C=B; launch ${!B}",
    "patterns that go back": "A=" + "a" * 50_000 + "\nlaunch ${A//" + "*a" * 50 + "b/x} ${A##*" + "a*" * 50 + "b}",
    "expressions that go back": "[[ " + "a" * 900 + "! =~ ^(a+)+$ ]] && launch",
    "brackets in tests": "[[ " + "( " * 10_000 + "x" + " )" * 10_000 + " ]] && launch",
    "negated tests": "[[ " + "! " * MANY + "x ]] && launch",
    "many items": "case $x in " + "".join(f"a{n}) A={n};; " for n in range(1_000)) + "esac; launch $A",
    "loops in loops": "for a in {1..60}; do for b in {1..60}; do for c in {1..60}; do launch $a$b$c; done; done; done",
    "a long loop": "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); launch $i; done",
    "a loop without end": "while true; do i=$((i+1)); launch $i; done",
    "a function that calls itself": "f() { if [ $1 ]; then f; fi; if [ $2 ]; then f; fi; }; f",
    "a bomb": ":(){ :|:& };:",
    "characters that are none": "launch \0\0 a\0b \ud800 \ufffe \U0010ffff",
    "our own mark for an unknown part": "launch \U0010fffd ${\U0010fffd}",
}


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_beyond_the_bounds_the_rest_is_not_read(text: str) -> None:
    script = read_script(Traced.of_file("a.sh", text), "a.sh")
    assert "too-large" in {problem.kind for problem in script.problems}


@pytest.mark.parametrize("text", ENOUGH.values(), ids=ENOUGH.keys())
def test_texts_that_would_take_for_ever(text: str) -> None:
    script = read_script(Traced.of_file("a.sh", text), "a.sh")
    assert len(script.commands) <= 10_000
    assert len(script.problems) <= 200


def test_files_that_source_themselves() -> None:
    script = read_script(
        Traced.of_file("a.sh", "source ./a.sh\n" * 100), "a.sh", read_file=lambda path: "source ./b.sh\nsource ./a.sh\n"
    )
    assert len(script.sourced) <= 32


def test_what_stands_before_a_bound_is_read() -> None:
    assert [command.words[1].text for command in launches("launch first\n" + "#\n" * LONGEST)] == ["first"]


def test_the_same_text_is_read_the_same_way_every_time() -> None:
    script = "for i in 1 2; do [ $X = $i ] && A+=($i); done\nexport B=${B:-1}\nlaunch ${A[@]} $B\n"
    assert read(script) == read(script)
