"""What means the same is judged the same, at the places where it stands now: launches in the ways people write them."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable
from contextlib import chdir
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fixing.scripts import Made, launches
from tests.robustness.weaving import Loom, Woven, same, told

QUIET = list(HealthCheck)


@pytest.fixture(autouse=True, scope="module")
def _elsewhere(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A folder that says nothing about releases."""
    folder = tmp_path_factory.mktemp("metamorphic")
    (folder / ".git").mkdir()
    with chdir(folder):
        yield


@dataclass(frozen=True)
class Launch:
    """What starts a program, and its flags with their words, all of them from one loom."""

    loom: Loom
    start: str
    flags: tuple[tuple[str, ...], ...]

    @property
    def groups(self) -> list[str]:
        """Each flag with its words."""
        return [" ".join(flag) for flag in self.flags]

    @property
    def plain(self) -> str:
        """The launch on one line."""
        return f"{self.start} {' '.join(self.groups)}\n"

    def quoted(self, quote: Callable[[str], str]) -> str:
        """The launch with each word in quotes."""
        return f"{self.start} {' '.join(quote(word) for flag in self.flags for word in flag)}\n"

    def woven(self, text: str) -> Woven:
        """The text as it is written."""
        return self.loom.woven(text)


def launch(start: str, flags: tuple[tuple[str, ...], ...]) -> Launch:
    """A launch of words that are followed to where they go."""
    loom = Loom()
    return Launch(loom, loom.word(start), tuple(tuple(map(loom.word, flag)) for flag in flags))


def of(made: Made) -> Launch:
    """The launch that was made up."""
    return launch(f"python3 -m openrlhf.cli.{made.program}", made.flags)


def _variables(one: Launch) -> str:
    lines, words = [], []
    for number, flag in enumerate(one.flags):
        words.append(flag[0])
        for place, word in enumerate(flag[1:]):
            lines.append(f"v{number}_{place}={word}\n")
            words.append(f'"$v{number}_{place}"')
    return "".join(lines) + f"{one.start} {' '.join(words)}\n"


def _parts(one: Launch) -> str:
    """Flags added to a variable one by one."""
    return "ARGS=''\n" + "".join(f'ARGS="$ARGS {group}"\n' for group in one.groups) + f"{one.start} $ARGS\n"


def _halved(one: Launch, form: str) -> str:
    half = len(one.groups) // 2
    first, second = " ".join(one.groups[:half]), " ".join(one.groups[half:])
    return form.format(start=one.start, first=first, second=second)


SPELLINGS: dict[str, Callable[[Launch], str]] = {
    "split lines": lambda one: " \\\n    ".join([one.start, *one.groups]) + "\n",
    "split in every gap": lambda one: " \\\n".join([one.start, *(word for flag in one.flags for word in flag)]) + "\n",
    "tabs and blanks": lambda one: "\t" + one.plain.replace(" ", "  \t "),
    "comments": lambda one: "#!/bin/bash\n# --bf16 --no_such\n\n" + one.plain.rstrip() + " # --no_such\n# end\n",
    "carriage returns": lambda one: one.plain.replace("\n", "\r\n"),
    "no line end": lambda one: one.plain.rstrip("\n"),
    "double quotes": lambda one: one.quoted('"{}"'.format),
    "single quotes": lambda one: one.quoted("'{}'".format),
    "half in quotes": lambda one: one.quoted(lambda word: word[:2] + shlex.quote(word[2:]) if word[2:] else word),
    "quotes in the middle": lambda one: one.quoted(lambda word: f'{word[:1]}"{word[1:2]}"{word[2:]}'),
    "values in variables": _variables,
    "all in a variable": lambda one: f"ALL='{' '.join(one.groups)}'\n{one.start} $ALL\n",
    "a variable in pieces": _parts,
    "half in a variable": lambda one: _halved(one, 'FIRST="{first}"\n{start} ${{FIRST}} {second}\n'),
    "a default": lambda one: _halved(one, "{start} {first} ${{NO_SUCH_VARIABLE_+}}{second}\n"),
    "equals signs": lambda one: (
        " ".join([one.start, *("=".join(flag) if len(flag) == 2 else " ".join(flag) for flag in one.flags)]) + "\n"
    ),
    "an array": lambda one: "A=(\n" + "".join(f"  {group}\n" for group in one.groups) + f')\n{one.start} "${{A[@]}}"\n',
    "an array with comments": lambda one: (
        "A=( # --no_such\n"
        + "".join(f"  {group} # --no_such\n" for group in one.groups)
        + f')\n{one.start} "${{A[@]}}"\n'
    ),
    "an array by another name": lambda one: f'MY_ARGS=({" ".join(one.groups)})\n{one.start} "${{MY_ARGS[@]}}"\n',
    "an array in pieces": lambda one: (
        "A=()\n" + "".join(f"A+=({group})\n" for group in one.groups) + f'{one.start} "${{A[@]}}"\n'
    ),
    "a here-document": lambda one: f"read -r -d '' cmd <<EOF\n{one.start}\n" + "\n".join(one.groups) + "\nEOF\n$cmd\n",
    "a shell's here-document": lambda one: f"bash <<'END'\n{one.plain}END\n",
    "a function": lambda one: f"run() {{\n  {one.plain}}}\nrun\n",
    "a function's arguments": lambda one: f'run() {{ {one.start} "$@"; }}\nrun {" ".join(one.groups)}\n',
    "a function that is local": lambda one: f"run() {{ local all='{' '.join(one.groups)}'; {one.start} $all; }}\nrun\n",
    "a branch": lambda one: f"if [ 1 = 1 ]; then\n  {one.plain}fi\n",
    "a branch that is not taken before": lambda one: f"if [ 1 = 2 ]; then\n  exit\nfi\n{one.plain}",
    "a loop": lambda one: f"for once in 1; do {one.plain}done\n",
    "a case": lambda one: f"case a in\n  b) exit ;;\n  *) {one.plain.strip()} ;;\nesac\n",
    "a subshell": lambda one: f"( cd . && {one.plain.strip()} )\n",
    "eval": lambda one: f'cmd="{one.plain.strip()}"\neval "$cmd"\n',
    "set": lambda one: f'set -- {" ".join(one.groups)}\n{one.start} "$@"\n',
    "a nested shell": lambda one: f"srun bash -c '{one.plain.strip()}'\n",
    "a nested shell in double quotes": lambda one: f'ssh host "cd /job; {one.plain.strip()}"\n',
    "in the background": lambda one: one.plain.rstrip() + " > log 2>&1 &\nwait\n",
    "behind a pipe": lambda one: f"set -e; {one.plain.strip()} 2>&1 | tee log\n",
    "an environment in front": lambda one: f"NO_SUCH=1 {one.plain}",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@settings(max_examples=6, deadline=None, suppress_health_check=QUIET)
@given(made=launches())
def test_however_a_launch_is_written(spelling: str, made: Made) -> None:
    one = of(made)
    same(one.woven(one.plain), one.woven(SPELLINGS[spelling](one)), "a.sh", made.release)


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
@given(launches(), st.data())
def test_in_whatever_order_flags_stand(made: Made, data: st.DataObject) -> None:
    one = of(made)
    other = replace(one, flags=tuple(data.draw(st.permutations(one.flags))))
    same(one.woven(one.plain), one.woven(other.plain), "a.sh", made.release)


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
@given(launches(), st.sampled_from(sorted(SPELLINGS)), st.integers(0, 2**32))
def test_written_and_ordered_otherwise_at_once(made: Made, spelling: str, seed: int) -> None:
    one = of(made)
    flags = list(one.flags)
    random.Random(seed).shuffle(flags)
    text = SPELLINGS[spelling](replace(one, flags=tuple(flags)))
    same(one.woven(one.plain), one.woven(text), "a.sh", made.release)


@settings(max_examples=20, deadline=None, suppress_health_check=QUIET)
@given(launches())
def test_what_is_written_is_judged_at_all(made: Made) -> None:
    """A flag that does not exist is found, so that there is a place to compare in every launch."""
    one = launch("python3 -m openrlhf.cli.train_sft", (*made.flags, ("--no_such_flag", "1")))
    woven = one.woven(one.plain)
    at = woven.text.index("--no_such_flag")
    assert (at, at + len("--no_such_flag")) in [place for _, _, _, place, _ in told(woven.text, "a.sh", made.release)]
