"""What is read is what bash does: scripts at random, their launches recorded by bash itself."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from rlhflint.command import Command
from rlhflint.readers.shell import read_script
from rlhflint.text import HOLE, Traced
from tests.readers.shell.scripts import scripts
from tests.readers.shell.statuses import statuses

BASH = shutil.which("bash")
EXAMPLES = int(os.environ.get("RLHFLINT_EXAMPLES", "60"))
"""Scripts for each test; raise it to search for long."""
MOST_LAUNCHES = 300
"""Launches of a script that is compared: one with more goes round far longer than is followed."""

pytestmark = pytest.mark.skipif(BASH is None, reason="bash is not installed")
_SETTINGS = settings(
    max_examples=EXAMPLES,
    derandomize="RLHFLINT_EXAMPLES" not in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
_RECORD = '() {  printf \'%s\\0\' "$#" "$@" >> "$RECORDED"\n}'


def run_in_bash(
    script: str, outside: Mapping[str, str], arguments: Sequence[str] = (), seconds: float = 20
) -> list[list[str]]:
    """The arguments of every `launch` that bash gets to."""
    with tempfile.TemporaryDirectory() as folder:
        recorded = Path(folder, "recorded")
        recorded.touch()
        Path(folder, "empty").mkdir()
        Path(folder, "script.sh").write_text(script)
        environment = {
            "PATH": os.environ["PATH"],
            "LC_ALL": "C.UTF-8",
            "RECORDED": str(recorded),
            "BASH_FUNC_launch%%": _RECORD,
            **outside,
        }
        with subprocess.Popen(
            [str(BASH), "../script.sh", *arguments],
            cwd=Path(folder, "empty"),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as bash:
            try:
                bash.communicate(timeout=seconds)  # until what runs in the background has ended, too
            finally:
                with suppress(ProcessLookupError):  # a script that starts itself starts ever more
                    os.killpg(bash.pid, signal.SIGKILL)
        words = recorded.read_text().split("\0")[:-1]
    found = []
    while words:
        count = int(words.pop(0))
        found.append(words[:count])
        del words[:count]
    return found


def launches(script: str) -> tuple[list[Command], bool]:
    """The launches that are read, and whether a shell would refuse a part of the script."""
    read = read_script(Traced.of_file("script.sh", script), "script.sh")
    refused = any(problem.kind == "syntax" for problem in read.problems)
    return [one for one in read.commands if one.words[0].text == "launch"], refused


@_SETTINGS
@given(scripts())
def test_every_launch_gets_the_arguments_that_bash_gives_it(script: str) -> None:
    script = "set -- one 'two words'\n" + script
    read, refused = launches(script)
    run = run_in_bash(script, {})
    # What is not known is told so, and may be anything.
    assert [words for words in run if not foreseen(words, read)] == []
    # Whether a program succeeds is not known either: what is read for its failure need not happen.
    sure = [one for one in read if not any(_hangs_on_failure(choice.taken) for choice in one.choices)]
    texts = [[word.text for word in one.words[1:]] for one in sure if all(word.known for word in one.words)]
    assert refused or [words for words in texts if words not in run] == []


@_SETTINGS
@given(statuses())
def test_what_hangs_on_the_ends_of_commands_is_launched_as_by_bash(script: str) -> None:
    script = "set -- one 'two words'\n" + script
    try:
        run = run_in_bash(script, {}, seconds=2)
    except subprocess.TimeoutExpired:
        reject()  # made up so that it never ends
    assume(len(run) <= MOST_LAUNCHES)
    read, refused = launches(script)
    assert [words for words in run if not foreseen(words, read)] == []
    sure = [one for one in read if not any(_hangs_on_failure(choice.taken) for choice in one.choices)]
    texts = [[word.text for word in one.words[1:]] for one in sure if all(word.known for word in one.words)]
    assert refused or [words for words in texts if words not in run] == []


def _hangs_on_failure(taken: str) -> bool:
    return "fails" in taken or "holds" in taken


@_SETTINGS
@given(
    scripts(outside=True),
    st.fixed_dictionaries(
        {}, optional={"E1": st.sampled_from(["", "x", "5"]), "E2": st.sampled_from(["y", "yes", "7", ""])}
    ),
)
def test_whatever_comes_from_outside_some_way_has_foreseen_the_launch(script: str, outside: dict[str, str]) -> None:
    script = "set -- one 'two words'\n" + script
    read, _ = launches(script)
    assert [words for words in run_in_bash(script, outside) if not foreseen(words, read)] == []


def foreseen(words: Sequence[str], read: Sequence[Command]) -> bool:
    """Whether one of the commands read may have these arguments."""
    line = "".join(f"{word}\0" for word in words)
    return any(pattern_of(one).fullmatch(line) for one in read)


def pattern_of(command: Command) -> re.Pattern[str]:
    """An expression for the arguments a command may have, each followed by a NUL."""
    parts = []
    for word in command.words[1:]:
        if word.many:
            parts.append(r"(?:[^\x00]*\x00)*")
            continue
        inner = [r"[^\x00]*" if piece.text == HOLE else re.escape(piece.text) for piece in word.pieces]
        parts.append("".join(inner) + r"\x00")
    return re.compile("".join(parts), re.DOTALL)
