"""Scripts that mean the same are read the same, however they are written."""

from __future__ import annotations

import shlex
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers.shell.reading import launch, read, texts

_WORD = st.text("ab-=.,/:{}\"'$\\ é#*?[]!~<>|&;()", min_size=1, max_size=8)
WORDS = st.lists(
    st.one_of(st.sampled_from(["--lr", "5e-7", "--name", "a b", "--packing", "x=1", "{}", "é"]), _WORD), max_size=8
)
PLAIN = st.lists(st.sampled_from(["--lr", "5e-7", "--packing", "x=1", "a/b", "-1", "é", "1,2"]), min_size=1, max_size=8)


def _single(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def _double(word: str) -> str:
    return '"' + "".join("\\" + char if char in '"\\$`' else char for char in word) + '"'


def _ansi(word: str) -> str:
    return "$'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _escaped(word: str) -> str:
    if word.isspace():
        return _single(word)  # a blank alone behind a backslash, before a flag, was meant to be a line end
    return "".join("\\" + char if char not in "ab-=.,/:é" else char for char in word)


def _pieces(word: str) -> str:
    half = len(word) // 2
    return _single(word[:half]) + _double(word[half:])


@given(WORDS, st.randoms(use_true_random=False))
def test_however_a_word_is_quoted(words: list[str], random: object) -> None:
    ways: list[Callable[[str], str]] = [shlex.quote, _single, _double, _ansi, _escaped, _pieces]
    script = "launch " + " ".join(random.choice(ways)(word) for word in words)  # type: ignore[attr-defined]
    assert texts(launch(script).words[1:]) == words


def _lines(words: str) -> str:
    return "launch " + words.replace(" ", " \\\n   ") + " \\\n\n"


FORMS: dict[str, Callable[[str], str]] = {
    "lines": _lines,
    "carriage returns": lambda words: _lines(words).replace("\n", "\r\n"),
    "array": lambda words: f'A=(\n  {words}\n  # --not\n)\nlaunch "${{A[@]}}"\n',
    "array by parts": lambda words: (
        "A=()\n" + "".join(f"A+=({word})\n" for word in words.split()) + 'launch "${A[@]}"\n'
    ),
    "variable": lambda words: f'A="{words}"\nlaunch $A\n',
    "appended": lambda words: "A=\n" + "".join(f'A="$A {word}"\n' for word in words.split()) + "launch $A\n",
    "added": lambda words: "A=\n" + "".join(f'A+=" {word}"\n' for word in words.split()) + "launch $A\n",
    "here-document": lambda words: f"read -r -d '' A <<EOF\n{words}\nEOF\nlaunch $A\n",
    "lines of a here-document": lambda words: (
        "read -r -d '' A <<EOF\n" + words.replace(" ", " \\\n") + "\nEOF\nlaunch $A\n"
    ),
    "cat": lambda words: f"A=$(cat <<'EOF'\n{words}\nEOF\n)\nlaunch $A\n",
    "function": lambda words: f'run() {{ launch "$@"; }}\nrun {words}\n',
    "renamed": lambda words: f'run() {{ local x="$*"; launch $x; }}\nrun {words}\n',
    "nested": lambda words: f"srun bash -c 'launch {words}'\n",
    "nested with a variable": lambda words: f'A="{words}"\nsrun bash -c "launch $A"\n',
    "eval": lambda words: f'CMD="launch {words}"\neval "$CMD"\n',
    "command in a variable": lambda words: f'CMD="launch {words}"\n$CMD\n',
    "arguments": lambda words: f'set -- {words}\nlaunch "$@"\n',
    "condition": lambda words: f"if [ 1 = 1 ]; then\n  launch {words}\nfi\n",
    "case": lambda words: f"X=b\ncase $X in\n  a) ;;\n  b) launch {words} ;;\nesac\n",
    "loop": lambda words: f"for _ in once; do launch {words}; done\n",
    "comments": lambda words: f"# launch --not\nlaunch {words} # --not\n# --not\n",
    "background": lambda words: f"launch {words} > log 2>&1 &\nwait\n",
    "pipe": lambda words: f"launch {words} 2>&1 | tee log\n",
    "group": lambda words: f"{{ launch {words}; }} 2> err\n(: ; true)\n",
    "sourced": lambda words: f"source ./args.sh\nlaunch $ARGS #{words}\n",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@settings(max_examples=20)
@given(words=PLAIN)
def test_wherever_words_are_kept(form: Callable[[str], str], words: list[str]) -> None:
    files = {"scripts/args.sh": f'ARGS="{" ".join(words)}"\n'}
    command = launch(form(" ".join(words)), files)
    assert texts(command.words[1:]) == words
    assert all(word.verbatim_span is not None for word in command.words)
    assert command.choices == ()


@given(
    PLAIN, st.sampled_from(["\n", "\t", "   ", " \\\n", "# é\n"]), st.sampled_from(["\n", "\n\n", "\n# 模型\n", "; "])
)
def test_what_stands_around_moves_places_and_nothing_else(words: list[str], before: str, after: str) -> None:
    script = f"A=1\nlaunch {' '.join(words)}"
    plain, moved = launch(script), launch(f"A=1\n{before}launch {' '.join(words)}{after}ls\n")
    assert texts(plain.words) == texts(moved.words)
    shift = len(before)
    assert [word.span.start + shift for word in plain.words] == [word.span.start for word in moved.words]


def test_flags_in_another_order_are_the_same_flags() -> None:
    one, other = read("launch --a 1 --b\n").commands[0], read("launch --b --a 1\n").commands[0]
    assert sorted(texts(one.words)) == sorted(texts(other.words))
