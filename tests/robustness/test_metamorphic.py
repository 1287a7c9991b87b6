"""What means the same is judged the same, at the places where it stands now."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlhflint.check import Checker
from rlhflint.project.settings import Settings
from tests.fixing.scripts import Made, launches
from tests.test_cases import CASES
from tools.run_cases import Case, copy_input

SEEN = ("OR", "TR", "LA", "VE")
"""Codes that are about launches; how a text is written has rules of its own."""
_QUOTES = re.compile(r"""["'\\\s]|^--""")
BROKEN_LINES = "LA104"
"""Carriage returns behind the backslashes of a script, told besides the rest."""
Findings = Counter[tuple[str, tuple[str, ...]]]


@pytest.fixture(autouse=True, scope="module")
def _elsewhere(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A folder that says nothing about releases."""
    folder = tmp_path_factory.mktemp("metamorphic")
    (folder / ".git").mkdir()
    with chdir(folder):
        yield


def findings(text: str, name: str = "a.sh", release: str = "") -> tuple[Findings, list[str]]:
    """Codes with settings, and for those about one setting the text that is underlined, without quotes."""
    checker = Checker(Settings(framework_versions={"openrlhf": release} if release else {}))
    result = checker.check_text(text, name)
    assert not result.broken, [one.message for one in result.findings]
    counted = [one for one in result.findings if one.code.startswith(SEEN)]
    places = []
    for one in counted:
        underlined = text[one.span.start : one.span.end]
        if one.settings and len(one.settings) == 1:
            places.append(f"{one.code} {_QUOTES.sub('', underlined)}")
    return Counter((one.code, tuple(sorted(one.settings))) for one in counted), sorted(places)


# --- launches made up, written in many ways ---------------------------------------------------------------------------


def _start(made: Made) -> str:
    return f"python3 -m openrlhf.cli.{made.program}"


def _groups(made: Made) -> list[str]:
    return [" ".join(flag) for flag in made.flags]


def _plain(made: Made) -> str:
    return f"{_start(made)} {' '.join(_groups(made))}\n"


def _quoted(made: Made, quote: Callable[[str], str]) -> str:
    return f"{_start(made)} {' '.join(quote(word) for flag in made.flags for word in flag)}\n"


def _variables(made: Made) -> str:
    lines, words = [], []
    for number, flag in enumerate(made.flags):
        words.append(flag[0])
        for place, word in enumerate(flag[1:]):
            lines.append(f"v{number}_{place}={word}\n")
            words.append(f'"$v{number}_{place}"')
    return "".join(lines) + f"{_start(made)} {' '.join(words)}\n"


SPELLINGS: dict[str, Callable[[Made], str]] = {
    "split lines": lambda made: " \\\n    ".join([_start(made), *_groups(made)]) + "\n",
    "comments": lambda made: "#!/bin/bash\n# --bf16 --no_such\n\n" + _plain(made).rstrip() + " # --no_such\n# end\n",
    "carriage returns": lambda made: _plain(made).replace("\n", "\r\n"),
    "double quotes": lambda made: _quoted(made, '"{}"'.format),
    "single quotes": lambda made: _quoted(made, "'{}'".format),
    "half in quotes": lambda made: _quoted(made, lambda word: word[:2] + shlex.quote(word[2:]) if word[2:] else word),
    "values in variables": _variables,
    "equals signs": lambda made: (
        " ".join([_start(made), *("=".join(flag) if len(flag) == 2 else " ".join(flag) for flag in made.flags)]) + "\n"
    ),
    "an array": lambda made: (
        "A=(\n" + "".join(f"  {one}\n" for one in _groups(made)) + f')\n{_start(made)} "${{A[@]}}"\n'
    ),
    "an array by another name": lambda made: f'MY_ARGS=({" ".join(_groups(made))})\n{_start(made)} "${{MY_ARGS[@]}}"\n',
    "a here-document": lambda made: (
        f"read -r -d '' cmd <<EOF\n{_start(made)}\n" + "\n".join(_groups(made)) + "\nEOF\n$cmd\n"
    ),
    "a function": lambda made: f"run() {{\n  {_plain(made)}}}\nrun\n",
    "a function's arguments": lambda made: f'run() {{ {_start(made)} "$@"; }}\nrun {" ".join(_groups(made))}\n',
    "a branch": lambda made: f"if [ 1 = 1 ]; then\n  {_plain(made)}fi\n",
    "a loop": lambda made: f"for once in 1; do {_plain(made)}done\n",
    "eval": lambda made: f'cmd="{_plain(made).strip()}"\neval "$cmd"\n',
    "a nested shell": lambda made: f"srun bash -c '{_plain(made).strip()}'\n",
    "in the background": lambda made: _plain(made).rstrip() + " > log 2>&1 &\nwait\n",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(made=launches())
def test_however_a_launch_is_written(spelling: str, made: Made) -> None:
    before, places = findings(_plain(made), release=made.release)
    after, moved = findings(text := SPELLINGS[spelling](made), release=made.release)
    assert after == before, text
    if spelling not in ("values in variables", "equals signs"):
        assert moved == places, text


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(launches(), st.randoms(use_true_random=False))
def test_in_whatever_order_flags_stand(made: Made, random: object) -> None:
    flags = list(made.flags)
    random.shuffle(flags)  # type: ignore[attr-defined]
    other = Made(made.program, made.release, "", tuple(flags))
    assert findings(_plain(other), release=made.release) == findings(_plain(made), release=made.release)


# --- the cases, changed as a whole ------------------------------------------------------------------------------------


def _above(text: str, name: str) -> str:
    """A comment and an empty line below the first comments (`#!`, `#SBATCH`)."""
    if name.endswith(".py"):
        return "# rlhf\n\n" + text
    lines = text.splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "".join([*lines[:at], "# --no_such_flag 1\n\n", *lines[at:]])


def _carriage_returns(text: str, name: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _below(text: str, name: str) -> str:
    return text.rstrip("\n") + "\n\n# --no_such_flag 1\n"


def _in_function(text: str, name: str) -> str:
    if not name.endswith(".sh"):
        return text
    lines = text.splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    body = "".join(lines[at:]).rstrip("\n")
    return "".join(lines[:at]) + f'main() {{\n{body}\n}}\nmain "$@"\n'


def _in_group(text: str, name: str) -> str:
    return "{\n" + text.rstrip("\n") + "\n}\n" if name.endswith(".sh") and not text.startswith("#") else text


_NAME = re.compile(r"^(?:local )?([A-Z][A-Z_0-9]*)=", re.MULTILINE)
_MEANT = re.compile(
    r"export|source |^\. |MASTER|NCCL|CUDA|RAY|SLURM|GPUS|NODES|WORLD|PYTHON|VLLM|HF_|TOKEN|declare|read "
)


def _renamed(text: str, name: str) -> str:
    """Variables that mean nothing to other programs, by other names."""
    if not name.endswith(".sh") or _MEANT.search(text):
        return text
    for variable in set(_NAME.findall(text)):
        text = re.sub(rf"(?<![\w-]){variable}(?![\w-])", f"my_{variable}", text)
    return text


CHANGES = {
    "a comment above": _above,
    "a comment below": _below,
    "carriage returns": _carriage_returns,
    "a function around it": _in_function,
    "braces around it": _in_group,
    "variables renamed": _renamed,
}


def _files(case: Case) -> Iterator[Path]:
    for path in sorted(case.folder.rglob("*")):
        if path.suffix in (".sh", ".py", ".yaml") and "after" not in path.parts:
            yield path.relative_to(case.folder)


def found_in(case: Case, folder: Path, changed: str, text: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """What a case comes to with another text in one of its files: file, code, underlined line, settings."""
    copy_input(case, folder)
    (folder / changed).write_bytes(text.encode())
    from rlhflint.cli import rlhflint
    from tests.runner import runner

    with chdir(folder):
        done = runner().invoke(rlhflint, ["check", "--output-format", "json", *case.args, "."], catch_exceptions=False)
        told = []
        for one in json.loads(done.stdout)["findings"]:
            lines = Path(one["path"]).read_text().splitlines()
            line = lines[one["line"] - 1].strip() if one["line"] <= len(lines) else ""
            if one["code"].startswith(SEEN) and one["code"] != BROKEN_LINES:
                told.append((one["path"], one["code"], line.replace("my_", ""), tuple(one["settings"])))
    return sorted(told)


SAMPLE: Sequence[tuple[Case, Path]] = [(case, path) for case in CASES for path in _files(case)]


def test_there_are_files_to_change() -> None:
    assert len(SAMPLE) > 120
    for name, change in CHANGES.items():
        texts = [((case.folder / path).read_bytes().decode(), path.name) for case, path in SAMPLE]
        assert sum(change(text, path) != text for text, path in texts) >= 10, name


@pytest.mark.parametrize(("case", "path"), SAMPLE, ids=[f"{case.name}/{path}" for case, path in SAMPLE])
def test_a_case_changed_without_a_change_of_meaning(case: Case, path: Path, tmp_path: Path) -> None:
    text = (case.folder / path).read_bytes().decode()
    before = found_in(case, tmp_path / "before", str(path), text)
    for number, (name, change) in enumerate(CHANGES.items()):
        other = change(text, path.name)
        if other != text:
            after = found_in(case, tmp_path / str(number), str(path), other)
            assert after == before, name
