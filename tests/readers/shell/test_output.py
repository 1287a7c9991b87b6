"""What commands print whose output is known from their words, held against bash and the programs themselves."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.readers.shell.reading import arguments

BASH = shutil.which("bash")
PRINTED = [
    "echo -n a b",
    "echo -e a b",
    "echo a",
    "printf '%s' a",
    "printf '%s-%s' a b",
    "printf '%s ' a b c",
    "printf '%s%%' 5",
    "printf 'x%dy' 7",
    "printf '%d'",
    "printf '[%s]'",
    "printf 'a\\tb\\\\c'",
    "printf 'plain' unused",
    "printf -v x a",
    "dirname /a/b",
    "dirname /a/b/",
    "dirname /a//b",
    "dirname a",
    "dirname /a",
    "basename /a/b.sh",
    "basename /a/b.sh .sh",
    "basename b.sh .py",
    "basename .sh .sh",
    "basename a/",
    "seq 3",
    "seq 2 4",
    "seq 1 2 6",
    "seq 6 -2 1",
    "expr 2 + 3",
    "expr 2 - 3",
    "expr 2 '*' 3",
    "expr 7 / 2",
    "expr -7 / 2",
    "expr -7 % 3",
    "expr 7 % 3",
    "expr 9007199254740993 / 1",
    "expr 7 / -2",
    "expr -9007199254740993 / 2",
    "cat <<< 'a b'",
    "true",
    ":",
]
NOT_FOLLOWED = [
    "echo -e 'a\\nb'",
    "printf",
    "printf '%5d' 3",
    "printf '%d' seven",
    "basename /",
    "seq",
    "seq a",
    "seq 1 0 5",
    "seq 5000",
    "expr 1 / 0",
    "expr 1 % 0",
    "expr 1 + a",
    "expr length abc",
    "expr 1 '|' 2",
    "realpath a b",
    "realpath here",
    "cat file",
    "cat < file",
]


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("command", PRINTED)
def test_what_is_printed_is_what_bash_gets(command: str) -> None:
    script = f'launch "$({command})" end'
    done = subprocess.run(
        [str(BASH), "-c", f'launch() {{ printf "%s\\0" "$@"; }}; {script}'], capture_output=True, text=True, check=True
    )
    assert arguments(script) == done.stdout.split("\0")[:-1]


@pytest.mark.parametrize("command", NOT_FOLLOWED)
def test_what_is_not_followed_is_unknown(command: str) -> None:
    first, last = arguments(f'launch "$({command})" end')
    assert first.startswith("<")
    assert last == "end"


def test_parts_of_a_path_that_is_not_known_are_not_made_up() -> None:
    unknown = 'launch "$(basename "$P")" "$(dirname "$P/")" "$(basename "/x/$P")" "$(basename /x/a.sh "$P")"'
    assert all(one.startswith("<") for one in arguments(unknown))
    assert arguments('launch "$(basename "$P/a.sh" .sh)" "$(realpath -m /a/b)"') == ["a", "/a/b"]
