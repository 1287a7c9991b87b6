"""Scripts written in many ways, run by bash before and after they are moved: the words a launch gets are the same.

But for the names of its options: those that moved have their new name or are left, and switches that ended are gone or
left.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlhflint.check import Checker
from rlhflint.fixing.fixer import Fixer
from rlhflint.fixing.migration import Mover
from rlhflint.migration import Targets
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import FileKind
from rlhflint.project.settings import Settings

RUN = "python3 -m openrlhf.cli.train_sft"
MOVED = {
    "--max_len": "--data.max_len",
    "--zero_stage": "--ds.zero_stage",
    "--save_path": "--ckpt.output_dir",
    "--seed": "--train.seed",
    "--packing_samples": "--ds.packing_samples",
    "--learning_rate": "--adam.lr",
}
ENDED = "--bf16"
SWITCHES = (ENDED, "--packing_samples")
NAMES = ("--max_len", "--zero_stage", "--save_path", "--seed", *SWITCHES)
VALUES = ("3", "'3'", '"3"', "$V", "${V}", '"$V"', "$(echo 3)", "`echo 3`", "${Z:-3}", "a#b", "3\\ 4", "$V$V", "é")
TAILS = ("", ">log", " >log", "&>log", " 2>&1", " | cat", " && :", ";", " # --bf16 note", "  ", " || exit 1")
STAND_IN = "#!/bin/bash\nprintf 'RAN'; printf ' <%s>' \"$@\"; printf '\\n'\n"


def quoted(random: Random, name: str) -> str:
    """A name in one of the ways in which a word can be written."""
    ways = [name] * 6 + [
        f"'{name}'",
        f'"{name}"',
        f"$'{name}'",
        f'{name[:3]}"{name[3:]}"',
        f"\\{name}",
        f"{name[:4]}''{name[4:]}",
    ]
    return random.choice(ways)


def flags(random: Random, within: str = "") -> list[str]:
    """Some options; `within` is the quote that they stand in."""
    found = []
    for name in random.sample(NAMES, random.randint(1, 4)):
        written = name if within else quoted(random, name)
        value = random.choice(("3", "2", "$V" if within == '"' else "4") if within else VALUES)
        found.append(written if name in SWITCHES else written + random.choice(" =\t") + value)
    return found


def joined(random: Random, words: list[str], within: str = "") -> str:
    gaps = (" ", "  ") if within == "'" else (" ", "  ", "\t", " \\\n  ", " \\\n\t")
    return "".join(word + (random.choice(gaps) if index < len(words) - 1 else "") for index, word in enumerate(words))


def script(random: Random) -> str:
    """A script with launches."""

    def given(within: str = "") -> str:
        return joined(random, flags(random, within), within)

    tail = random.choice(TAILS)
    items = "".join(f"  {word} # it's {word.split()[0]}\n" for word in flags(random))
    lines = "\n".join(flags(random, "'"))
    ways: list[Callable[[], str]] = [
        lambda: f"{RUN} {given()}{tail}",
        lambda: f'A=({given().replace(chr(92), "")})\n{RUN} "${{A[@]}}"{tail}',
        lambda: f"A=(\n{items})\n{RUN} ${{A[@]}} {given()}{tail}",
        lambda: f"A='{given(chr(39))}'\n{RUN} $A{tail}",
        lambda: f'A="{given(chr(34))}"\nA+=" {given(chr(34))}"\n{RUN} $A {given()}{tail}',
        lambda: f"bash -c '{RUN} {given(chr(39))}'{tail}",
        lambda: f'bash -c "{RUN} {given(chr(34))}"{tail}',
        lambda: f"bash <<EOF\n{RUN} {given(chr(39))}\nEOF",
        lambda: f'f() {{ {RUN} "$@" {given()}; }}\nf {given()}\nf {given()}',
        lambda: f'set -- {given()}\n{RUN} "$@"{tail}',
        lambda: f"if [ -e /none ]; then\n  E=\"{given(chr(34))}\"\nelse\n  E=''\nfi\n{RUN} $E {given()}{tail}",
        lambda: f"for s in 1 2; do\n  {RUN} {given()} --learning_rate $s\ndone",
        lambda: f'({RUN} {given()})\nx=$({RUN} {given()})\necho "$x"',
        lambda: f'CMD="{RUN}\n  {given(chr(39))}\n  {given(chr(39))}\n"\n$CMD',
        lambda: f"read -r -d '' A <<EOF\n{lines}\nEOF\n{RUN} $A{tail}",
        lambda: f"E={ENDED}\n{RUN} {given()} {random.choice(['$E', chr(34) + '$E' + chr(34)])} {given()}{tail}",
        lambda: f"A='{given(chr(39))}'\n{RUN} $A {given()}\npython3 other.py {random.choice(['$A', 'x'])}",
    ]
    return f"V=7\n{random.choice(ways)()}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository, with a stand-in for Python that tells the words it gets."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    path = tmp_path_factory.mktemp("bash")
    (path / ".git").mkdir()
    (path / "python3").write_text(STAND_IN)
    (path / "python3").chmod(0o755)
    with chdir(path):
        yield path


def ran(folder: Path, text: str) -> list[list[str]]:
    """The words of every run of Python."""
    environment = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["bash", "-c", text], cwd=folder, env=environment, capture_output=True, check=False)
    lines = done.stdout.decode().splitlines()
    log = folder / "log"
    if log.exists():
        lines += log.read_text().splitlines()
        log.unlink()
    return [re.findall("<(.*?)>", line) for line in lines if line.startswith("RAN")]


def fits(before: list[str], after: list[str]) -> bool:
    """Whether words are those of before, with names that moved."""
    rest = list(after)
    for word in before:
        name, sign, value = word.partition("=")
        if rest and rest[0] in (word, f"{MOVED.get(name, name)}{sign}{value}"):
            rest.pop(0)
        elif word != ENDED:
            return False
    return not rest


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(seed=st.integers(0, 1_000_000), move=st.booleans())
def test_a_launch_gets_the_words_it_got(folder: Path, seed: int, move: bool) -> None:
    text = script(Random(seed))
    checker = Checker(Settings(framework_versions={"openrlhf": "0.9.0" if move else "0.11.2"}))
    mover = Mover(Targets({"openrlhf": "0.11.2"})) if move else None
    after = Fixer(checker, mover=mover).fix_text(Candidate("train.sh", FileKind.SHELL), text).text
    one, other = ran(folder, text), ran(folder, after)
    assert len(one) == len(other), after
    for words, moved in zip(one, other, strict=True):
        assert fits(words, moved), after
