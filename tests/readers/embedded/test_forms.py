"""The forms in which YAML files, Dockerfiles and Makefiles may write the same command."""

from __future__ import annotations

import pytest
import yaml

from rlhflint.readers.embedded import embedded_scripts
from rlhflint.text import HOLE


def scripts(kind: str, text: str) -> list[str]:
    """The scripts of a text, each piece that is said to stand there letter for letter looked up."""
    found = list(embedded_scripts("f", text, kind))
    for script in found:
        for piece in script.pieces:
            if piece.verbatim and piece.span is not None:
                assert text[piece.span.start : piece.span.end] == piece.text
    return [script.text for script in found]


@pytest.mark.parametrize(
    "text",
    [
        "run: trl sft\n  --x 1\n",
        "run: trl sft\n\n  --x 1\n",
        "run: trl sft # why\n",
        "run: trl\r\n  sft\r\n\r\n  --x\r\n",
        'run: "trl sft\n  --x 1"\n',
        'run: "trl sft\\\n  \\ --x 1"\n',
        'run: "trl sft \\\n  --x"\n',
        'run: "trl\\tsft --x \\"a b\\""\n',
        "run: 'trl sft\n\n\n  --x ''a b'''\n",
        "run: 'trl sft\n  --x   \n  --y'\n",
        "run: ''\n",
        "run: |\n\nnext: 1\n",
        "run: |\n  trl sft",
        "run: |\r\n  trl sft\r\n  ls\r\n",
        "run: |\n\n  trl sft\n\n  ls\n",
        "run: |2\n   trl sft\n  ls\n",
        "run: |+\n  trl sft\n\n",
        "run: |-\n  trl sft\n\n\n",
        "run: >\n",
        "run: >\n\n  trl sft\n",
        "run: >\n  trl sft\n\n    --x 1\n  --y\n",
        "run: >-\n  trl sft\n  ls\n\n\nb: 1\n",
    ],
)
def test_a_scalar_is_the_text_that_yaml_reads(text: str) -> None:
    assert scripts("yaml", text) == [yaml.safe_load(text)["run"]]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # commands one after the other, or words of one command
        ("command:\n- trl sft --x\n- trl dpo --y\n", ["trl sft --x\ntrl dpo --y"]),
        ("command: [trl]\nargs: sft --x\n", ["trl sft --x"]),
        ("entrypoint: [bash, -c]\ncommand: trl sft\n", ["bash -c trl sft"]),
        # options without a program
        ("args: sft --x\n", []),
        # what is no text is no command
        ("command: [trl, [sft]]\nargs: [--x]\n", []),
        ("entrypoint: {a: 1}\nrun: [a, [b], c]\n", ["a\nc"]),
        ("run: {x: 1}\n", []),
        ("run: []\n", []),
        ("script: [[a]]\n", []),
        # what is told twice is read once
        ("a: &x\n  run: trl sft\nb: *x\n", ["trl sft"]),
        ("run: trl << parameters.y >> {{ z }}\n", [f"trl {HOLE} {HOLE}"]),
    ],
)
def test_commands_of_a_mapping(text: str, wanted: list[str]) -> None:
    assert scripts("yaml", text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # lines continued by another character than the shell's
        ("# escape=`\nFROM a\nRUN trl sft `\n  --x 1\n", ["trl sft \\\n  --x 1\n"]),
        # a variable set in the old way, which takes all of the line
        ("FROM a\nENV N 1 2\nCMD trl sft $N\n", ["export N='1 2'\ntrl sft $N\n"]),
        ('FROM a\nENV A=1 B="x y" \\\n  C=z\\ w\nRUN b\n', ['export A=1\nexport B="x y"\nexport C=z\\ w\nb\n']),
        # an argument without a value sets nothing
        ("FROM a\nARG N\nRUN trl sft $N\n", ["trl sft $N\n"]),
        # what a container starts
        ('FROM a\nENTRYPOINT trl sft\nCMD ["not-used"]\n', ["trl sft\n"]),
        ('FROM a\nENTRYPOINT ["trl"]\nENTRYPOINT trl sft\n', ["trl sft\n"]),
        ("FROM a\nCMD trl sft\nFROM b\nCMD trl dpo\n", ["trl sft\n", "trl dpo\n"]),
        ('FROM a\nENTRYPOINT ["tini", "--"]\nCMD trl sft --x "a b"\n', ["tini -- /bin/sh -c 'trl sft --x \"a b\"'"]),
        (
            'FROM a\nENV N=1\nCMD trl sft \\\n  --x $N\nENTRYPOINT ["./start"]\n',
            ["export N=1\n./start /bin/sh -c 'trl sft \\\n  --x $N'"],
        ),
        (
            'FROM a\nSHELL ["conda", "run", "/bin/bash", "-c"]\nENTRYPOINT ["tini"]\nCMD trl sft\n',
            ["tini conda run /bin/bash -c 'trl sft'"],
        ),
        ('FROM a\nENTRYPOINT ["tini"]\nCMD trl sft\nCMD ["trl", "dpo"]\n', ["tini trl dpo"]),
        (
            'FROM a\nENTRYPOINT ["tini"]\nSHELL ["bash", "-c"]\nFROM b\nENTRYPOINT ["a"]\nCMD b\n',
            ["tini", "a /bin/sh -c b"],
        ),
        # what another shell reads
        ('FROM a\nSHELL ["pwsh", "-c"]\nRUN trl sft\nRUN ["trl", "dpo"]\nENTRYPOINT ["tini"]\nCMD trl\n', ["trl dpo"]),
        ('FROM a\nSHELL ["cmd", "/C"]\nCMD ["no"]\nENTRYPOINT trl sft\n', []),
        # a continued line that nothing follows
        ("FROM a\nRUN trl sft \\\n\n\n", ["trl sft \\\n"]),
        ("FROM a\nRUN trl sft \\", ["trl sft \\"]),
        # what is no instruction, or in lower case
        ("FROM a\n  # RUN no\nrun trl sft\nWHAT\n", ["trl sft\n"]),
        # brackets that are no list
        ('FROM a\nRUN ["trl", 1]\n', ["trl 1"]),
        ("FROM a\nRUN [broken\n", ["[broken\n"]),
        ("FROM a\nRUN [[ -f x ]] && trl sft\n", ["[[ -f x ]] && trl sft\n"]),
        # here documents
        ("FROM a\nRUN --network=none bash <<EOF\ntrl sft\nEOF\n", ["bash <<EOF\ntrl sft\nEOF\n"]),
        ('FROM a\nRUN cat <<"E" > run.sh\ntrl dpo\nE\nRUN ls\n', ['cat <<"E" > run.sh\ntrl dpo\nE\n', "ls\n"]),
        ("FROM a\nRUN <<EOF\ntrl sft\n", ["trl sft\n"]),
    ],
)
def test_instructions_of_a_dockerfile(text: str, wanted: list[str]) -> None:
    assert scripts("dockerfile", text) == wanted


def test_a_dockerfile_of_very_many_instructions_is_read_in_part() -> None:
    assert 400 < len(scripts("dockerfile", "FROM a\n" + "RUN trl sft\n" * 2000)) < 600


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (".ONESHELL:\na:\n\tcd x\n\ttrl sft\nb:\n\ttrl dpo\n", ["cd x\ntrl sft\n", "trl dpo\n"]),
        # a line that belongs to no recipe
        ("\ttrl no\na:\n\ttrl sft\n", ["trl sft\n"]),
        ("a:\n\ttrl sft\nX = 1\n\ttrl no\n", ["trl sft\n"]),
        # blank lines, comments and conditions stand inside of a recipe
        ("a:\n\t@-trl sft\n\n# why\n\ttrl dpo\n", ["trl sft\n", "trl dpo\n"]),
        ("a:\nifdef X\n\ttrl sft\nelse\n\ttrl dpo\nendif\n", ["trl sft\n", "trl dpo\n"]),
        ("a:\n\ttrl sft \\", ["trl sft \\"]),
        # what make puts in
        ("a:\n\ttrl $(call f,(x)) ${wildcard *} $@ $(a b)\n", [f"trl {HOLE} {HOLE} {HOLE} {HOLE}\n"]),
        ("a:\n\ttrl sft $(not closed\n", [f"trl sft {HOLE}"]),
        ("X = 1\na:\n\ttrl $X $(f $(X)) $$X\n", [f"trl 1 {HOLE} $X\n"]),
        ("X = $(X)\na:\n\ttrl $(X)\n", [f"trl {HOLE}\n"]),
        ("X = a \\\n  b # why\na: \\\n  b\n\ttrl $(X)\n", ["trl a b\n"]),
        ("export override X = 1\na:\n\ttrl $(X)\n", ["trl 1\n"]),
        ("define R\ntrl x\nendef\nX = 1\na:\n\ttrl $(X)\n", ["trl 1\n"]),
        ("ifdef A\nX = 1\nelse\nX = 2\nendif\na:\n\ttrl $(X)\n", [f"trl {HOLE}\n"]),
        ("X ?= 1\nX ?= 2\na:\n\ttrl $(X)\n", [f"trl {HOLE}\n"]),
        ("X != date\na:\n\ttrl $(X)\n", [f"trl {HOLE}\n"]),
        ("X += 3\na:\n\ttrl $(X)\n", [f"trl {HOLE}\n"]),
    ],
)
def test_recipes_of_a_makefile(text: str, wanted: list[str]) -> None:
    assert scripts("makefile", text) == wanted
