"""What zsh makes of words, as its manual has it: without quotes a text is one word, and an array all its elements."""

from __future__ import annotations

import pytest

from rlhflint.command import Command
from rlhflint.readers.shell import read_script
from rlhflint.text import Traced
from tests.readers.shell.reading import texts

ZSH = "#!/usr/bin/env zsh\n"


def commands(text: str, path: str = "train.sh") -> list[Command]:
    found = read_script(Traced.of_file(path, text), path).commands
    return [command for command in found if command.words[0].text == "launch"]


def words(text: str) -> list[str]:
    [command] = commands(ZSH + text)
    return texts(command.words[1:])


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("a=(--x 1 '' 'b c'); launch $a", ["--x", "1", "b c"]),
        ('a=(--x 1); launch ${a} "$a" "${a[@]}" "${a[*]}"', ["--x", "1", "--x 1", "--x", "1", "--x 1"]),
        ("a=(--x 1); launch ${a[@]} $a[@]", ["--x", "1", "<?>[@]"]),
        ("s='--x 1'; launch $s ${s} \"$s\"", ["--x 1", "--x 1", "--x 1"]),
        ("s='*.json'; e=; launch $s $e \"$e\"", ["*.json", ""]),
        ("s=; launch ${s:-a b} ${s:+no} x${s}y", ["a b", "xy"]),
        ("a=(x y); launch ${#a} ${a[1]} ${a[2]} ${a[3]} $a[1]", ["2", "x", "y", "<?>*", "<?>[1]"]),
        ("a=(x y); a[1]=z; launch $a", ["<?>*"]),
        ("a=(x); a+=y; launch $a", ["x", "y"]),
        ("a=(x y); a=z; launch $a", ["z"]),
        ("a=(x y); launch $((a[1])) ${a:1} ${(j:,:)a} $#a ${=a}", ["<?>*", "<?>*", "<?>*", "<?>a", "<?>*"]),
        ("typeset -A m; m=(k 'v w'); launch ${m[k]} $m", ["v w", "<?>*"]),
        ("set -- 'a b' c; launch $@ $1 \"$@\"", ["a b", "c", "a b", "a b", "c"]),
        ("x=abcdef; launch ${x:0:3} ${x%f} ${x:h} $x:h ${x^^}", ["abc", "abcde", "<?>*", "<?>:h", "<?>*"]),
        ("s='a b'; a=(1 2); setopt sh_word_split; launch $s $a \"$s\"", ["<?>*", "<?>*", "a b"]),
        ("emulate -L sh; s='a b'; launch $s", ["<?>*"]),
        ("launch $X $@", ["<?>*", "<?>*"]),
        ("x=1; echo 2 | read x; launch --x=$x", ["--x=<1>"]),
        ("x=1; echo 2 | tee log; launch --x=$x", ["--x=1"]),
        ("a=(x y); for w in $a; do b+=($w); done; launch $b[1] $w", ["<?>[1]", "y"]),
    ],
)
def test_words_of_zsh(script: str, expected: list[str]) -> None:
    assert words(script + "\n") == expected


def test_zsh_is_told_by_the_first_line_or_else_by_the_name() -> None:
    script = "s='a b'; launch $s\n"
    split, whole = ["a", "b"], ["a b"]

    def read(text: str, path: str) -> list[str]:
        [command] = commands(text + script, path)
        return texts(command.words[1:])

    assert read("", "run.sh") == read("#!/bin/bash\n", "run.zsh") == read("#!/bin/sh\n", "run.sh") == split
    assert read("", "run.zsh") == read("#!/bin/zsh -e\n", "run.sh") == read("#!/usr/bin/env zsh\n", "run") == whole


def test_shells_inside_are_read_each_in_its_way() -> None:
    script = "s='a b'; launch $s"
    assert texts(commands(f'zsh -c "{script}"\n'.replace("$", r"\$"))[0].words[1:]) == ["a b"]
    assert texts(commands(ZSH + f'bash -c "{script}"\n'.replace("$", r"\$"))[0].words[1:]) == ["a", "b"]


def test_what_bash_would_refuse_is_not_an_error_in_zsh_and_nothing_behind_it_is_read() -> None:
    script = ZSH + "launch 1\nfor x (a b) { launch $x }\nlaunch 2\n"
    read = read_script(Traced.of_file("train.sh", script), "train.sh")
    assert [texts(command.words) for command in read.commands] == [["launch", "1"]]
    [problem] = read.problems
    assert problem.kind == "not-static"
    assert script[problem.span.start :].startswith("(a b)")
