"""Hostile files: each ends within the bounds that docs/bounds.md states, and leaves the others to be checked.

Every test gives the whole pipeline its file in a process that may have 30 s of processor time and 2 GiB of memory.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.project.settings import Settings
from tools.fuzz.worker import MEMORY

from .limited import SECONDS, limited

SHELL = "python -m openrlhf.cli.train_sft --max_len 8 "
PYTHON = "import trl\nargs = trl.GRPOConfig(beta=0.1)\n"
MILLION = 1_000_000


def _notebook(body: str) -> str:
    code = {"cell_type": "code", "metadata": {}, "outputs": []}
    cells = [{**code, "source": PYTHON + body}, {**code, "source": ["%%bash\n", SHELL + body]}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


KINDS: dict[str, Callable[[str], str]] = {
    "a.sh": lambda body: SHELL + body + "\n",
    "a.py": lambda body: PYTHON + body,
    "a.yaml": lambda body: "trl: 1\nbeta: 0.1\nx: " + body + "\n",
    "job.yaml": lambda body: "run: |\n  " + SHELL + body + "\n",
    "Dockerfile": lambda body: "FROM a\nRUN " + SHELL + body + "\n",
    "Makefile": lambda body: "all:\n\t" + SHELL + body + "\n",
    "a.md": lambda body: "```bash\n" + SHELL + body + "\n```\n",
    "a.ipynb": _notebook,
}
"""A body put where each kind of file has its text."""
LARGE = bool(os.environ.get("RLHFLINT_LARGE"))
"""Set: every hostile text is tried in every kind of file, not only in those with a reader of their own."""
READ = list(KINDS) if LARGE else ["a.sh", "a.py", "a.yaml", "a.ipynb"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path) -> object:
    (tmp_path / ".git").mkdir()
    with chdir(tmp_path):
        yield


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    """What is loaded when it is needed is loaded before processes are split off."""
    for name, wrap in KINDS.items():
        Checker(Settings(markdown=True)).check_text(wrap(""), name)


def checked(files: dict[str, str | bytes], *paths: str) -> dict[str, list[str]]:
    """The codes found in each file."""
    for name, content in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    settings = Settings(markdown=True)

    def work() -> dict[str, list[str]]:
        result = Checker(settings).check(paths or ["."])
        assert "RL003" not in {one.code for one in result.findings}, [one.message for one in result.findings][:3]
        return {file.path: sorted({one.code for one in file.findings}) for file in result.files}

    return limited(work)


def every_kind(body: str) -> dict[str, list[str]]:
    """A body in a file of each kind."""
    return {path: codes for name in READ for path, codes in checked({name: KINDS[name](body)}, name).items()}


def test_the_bounds_are_stated() -> None:
    from rlhflint.disk import LARGEST
    from rlhflint.fixing import rounds, standing
    from rlhflint.readers import shell
    from rlhflint.readers.embedded import makefile, scripts
    from rlhflint.readers.python import run, source
    from rlhflint.readers.shell import reading
    from rlhflint.readers.yaml import builder, document

    stated = (Path(__file__).parents[2] / "docs" / "bounds.md").read_text(encoding="utf-8")
    assert f"within {SECONDS} s of processor time and {MEMORY >> 30} GiB of memory" in stated
    rows = re.findall(r"^\| .* \| ([\d,]+)(?: MiB)? \|$", stated, re.MULTILINE)
    assert [int(number.replace(",", "")) for number in rows] == [
        LARGEST >> 20,
        shell.LONGEST,
        source.MOST_CHARACTERS,
        document.MOST_CHARACTERS,
        builder.DEEPEST,
        reading.MOST_STEPS,
        reading.MOST_WORK,
        reading.MOST_WAYS,
        reading.MOST_RECURSIONS,
        run.MOST_STEPS,
        scripts.MOST_SCRIPTS,
        makefile.MOST,
        rounds.MOST_ROUNDS,
        standing.MOST_TRIES,
    ]
    assert scripts.MOST_CHARACTERS == shell.LONGEST


def test_a_line_of_ten_megabytes() -> None:
    assert set(every_kind("x" * 10 * MILLION)) == set(READ)
    every_kind("--a " * (10 * MILLION // 4))


@pytest.mark.parametrize("bracket", ["(", "[", "{", "$(", "${", "$((", "[a"])
def test_a_hundred_thousand_nested_brackets(bracket: str) -> None:
    closing = bracket.translate(str.maketrans("([{", ")]}", "$a"))[::-1]
    every_kind(bracket * 100_000 + closing * (100_000 if LARGE or bracket in "([{" else 0))


@pytest.mark.parametrize("quote", ["'", '"', "`", "\"'", "'''", "\\", "\\\n", "$'", 'f"{'])
def test_a_hundred_thousand_quotes(quote: str) -> None:
    every_kind(quote * 100_000)


def test_aliases_that_multiply() -> None:
    lines = ["trl: 1", "a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    checked({"a.yaml": "\n".join([*lines, "model_name_or_path: *a39"])})
    lines = ["trl: 1", "a0: &a0 {x0: 1, y0: 2}"]
    lines += [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}, *a{n - 1}], x{n}: 1}}" for n in range(1, 400)]
    checked({"a.yaml": "\n".join([*lines, "<<: *a399", "beta: 0.1"])})
    checked({"a.yaml": "trl: 1\na: &a [*a, *a]\nb: &b {<<: *b, c: *b}\n"})


def test_scripts_that_source_each_other() -> None:
    files = {f"s{n}.sh": f". ./s{(n + 1) % 50}.sh\nsource s{n}.sh\n{SHELL}$A\n" for n in range(50)}
    found = checked({"a.sh": f"source ./s0.sh\n{SHELL}\n", **files})
    assert set(found) == {"a.sh", *files}


def test_variables_that_double_themselves() -> None:
    shell = "A=x\n" + 'A="$A$A"\n' * 200 + f"{SHELL} $A\n"
    array = "A=(x)\n" + 'A+=("${A[@]}" "${A[@]}")\n' * 200 + f'{SHELL} "${{A[@]}}"\n'
    function = f'f() {{ f "$@" "$@"; {SHELL} "$@"; }}\nf a\n'
    python = PYTHON + "x = 'a'\ny = [1]\n" + "x = x + x\ny = y + y\nx = f'{x}{x}'\ny = [*y, *y]\n" * 100
    python += (
        "trl.GRPOConfig(output_dir=x, beta=y, seed=10**10**10, eval_steps='a' * 10**10, a=[[0] * 10**9] * 10**9)\n"
    )
    make = "A = x\n" + "A := $(A)$(A)\n" * 100 + f"all:\n\t{SHELL} $(A)\nB = $(B)$(B)\nb:\n\t{SHELL} $(B)\n"
    docker = "FROM a\nENV A=x\n" + "ENV A=$A$A\n" * 100 + f"RUN {SHELL} $A\n"
    checked({"a.sh": shell, "b.sh": array, "c.sh": function, "a.py": python, "Makefile": make, "Dockerfile": docker})


def test_lists_of_a_million() -> None:
    shell = f"A=({'x ' * (MILLION - 1)}x)\n{SHELL} ${{A[@]}}\n"
    loop = f"for i in {'x ' * MILLION}; do\n{SHELL} $i\ndone\nfor i in {{1..1000000}}; do {SHELL} $i; done\n"
    python = PYTHON + f"x = [{'1,' * MILLION}]\ntrl.GRPOConfig(beta=x)\n"
    short = PYTHON + f"x = [{'1,' * 150_000}]\nfor i in x:\n    trl.GRPOConfig(beta=i)\ntrl.GRPOConfig(beta=x[7])\n"
    yaml = "trl: 1\nx: [" + "1," * MILLION + "1]\n"
    block = "trl: 1\nx:\n" + "- 1\n" * 120_000
    keys = "trl: 1\n" + "".join(f"k{n}: {n}\n" for n in range(40_000))
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": ["import trl\n"] * MILLION}], "nbformat": 4})
    files = {
        "a.sh": shell,
        "b.sh": loop,
        "a.py": python,
        "b.py": short,
        "a.yaml": yaml,
        "b.yaml": block,
        "c.yaml": keys,
    }
    for name, text in {**files, "a.ipynb": notebook}.items():
        checked({name: text}, name)


MANY = {
    "Makefile": "all:\n\t" + SHELL + "\n" + "\ta\n" * 300_000,
    "a.yaml": "x:\n- run: " + SHELL + "\n" + "- run: a\n" * 50_000,
    "a.md": "```bash\n" + SHELL + "\n```\n" + "```sh\na\n```\n" * 70_000,
    "Dockerfile": "FROM a\nRUN " + SHELL + "\n" + "RUN a\n" * 150_000,
    "a.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": [f"!{SHELL}\n", *["!a\n"] * 50_000]}]}),
}


@pytest.mark.parametrize("name", MANY)
def test_very_many_shell_texts_in_one_file(name: str) -> None:
    assert checked({name: MANY[name]}, name)[name]


def test_very_many_launches_in_one_file() -> None:
    assert checked({"a.sh": f"{SHELL} --no_such 1\n" * (20_000 if LARGE else 2_000)}, "a.sh")["a.sh"]
    assert checked(
        {"a.py": "import trl\n" + "trl.GRPOConfig(beta=1, nope=2)\n" * (12_000 if LARGE else 1_000)}, "a.py"
    )["a.py"]


def test_patterns_that_go_back_and_forth() -> None:
    word = "a" * 20_000
    shell = f"A={word}\ncase $A in {'*a' * 60}b) exit;; esac\n[[ $A =~ ^(a+)+(a|aa)+b$ ]] || B=${{A//{'*a' * 50}b/x}}\n"
    shell += f"C=${{A##{'a*' * 60}b}}\n[[ $A == {'+(a|aa)' * 20}b ]]\n{SHELL} $B $C\n"
    config = f'exclude = ["{"*a" * 60}b", "{"**/a" * 60}b", "{"[!b]*" * 60}z"]\n'
    ignore = f"{'*a' * 60}b\n{'**/*a*/' * 40}z\n{'?*' * 60}b\n"
    files = {"rlhflint.toml": config, ".gitignore": ignore, f"{'a' * 200}.sh": shell, f"{'a/' * 60}a.sh": SHELL}
    assert len(checked(files)) == 2


REPEATED = [*"a0 \t\r\n-#=\\:,.*&|<>!?%@~/é_$;", "\u0301", "\U0010fffd"]
REPEATED += [
    "a ",
    "- ",
    "# ",
    "$a",
    "a=",
    "a: ",
    "a.",
    "a/",
    "-a ",
    "1+",
    "x\n",
    "\n#",
    "\r\n",
    "- - ",
    "? ",
    "&& ",
    "| ",
    "; ",
]
REPEATED += ["<<E\n", "<<", "not ", "lambda:", "**", "if a:\n", "# rlhflint: ignore[", "#SBATCH -", "%%", "<!--"]
REPEATED += ["```", "a.py", "trl", "@a\n"]


@pytest.mark.parametrize("name", KINDS)
def test_the_same_few_characters_over_and_over(name: str) -> None:
    """Where a search takes the square of a length, 200,000 characters (with `RLHFLINT_LARGE`) take minutes."""
    chosen = REPEATED if LARGE else REPEATED[::3]
    assert chosen
    for few in chosen:
        found = checked({name: KINDS[name](few * ((200_000 if LARGE else 20_000) // len(few)))}, name)
        assert set(found) == {name}, repr(few)


def test_bytes_that_are_no_text() -> None:
    files: dict[str, str | bytes] = {}
    for name, wrap in KINDS.items():
        start = wrap("").encode()
        for number, bytes_ in enumerate((b"\xff\xfe", b"\xc3", b"\x80" * 1000, b"a\0b", b"\xed\xa0\x80", b"\0" * 100)):
            files[f"{number}/{name}"] = start + bytes_
    found = checked(files)
    assert set(found) == set(files)
    assert all(codes == ["RL001"] for codes in found.values())


def test_lone_surrogates_in_the_text_of_an_editor() -> None:
    def work() -> list[list[str]]:
        texts = [(wrap("\ud800 \udfff"), name) for name, wrap in KINDS.items()]
        results = [Checker(Settings(markdown=True)).check_text(text, name) for text, name in texts]
        return [[one.code for one in result.findings] for result in results]

    assert not any("RL003" in codes for codes in limited(work))


def test_names_of_files_that_are_no_text() -> None:
    name = os.fsdecode(b"\xff\xfe.sh")
    Path(name).write_text(SHELL)
    assert list(limited(lambda: [file.path for file in Checker().check(["."]).files])) == [name]


def test_pipes_and_devices_are_not_read() -> None:
    os.mkfifo("pipe.sh")
    os.mkfifo("rlhflint.toml")
    os.mkfifo("requirements.txt")
    os.symlink("/dev/zero", "zero.sh")
    os.symlink("/dev/zero", "pyproject.toml")
    found = checked({"a.sh": f"source ./pipe.sh\nsource ./zero.sh\nsource /dev/stdin\n{SHELL}\n"})
    assert set(found) == {"a.sh"}
    named = checked({}, "pipe.sh", "/dev/zero", "/dev/stdin", "zero.sh")
    assert named
    assert all(codes == ["RL001"] for codes in named.values())


def test_links_that_lead_in_circles() -> None:
    Path("b/c").mkdir(parents=True)
    os.symlink("..", "b/up")
    os.symlink("../..", "b/c/up")
    os.symlink("self", "self")
    os.symlink("self.sh", "self.sh")
    os.symlink("rlhflint.toml", "rlhflint.toml")
    found = checked({"b/a.sh": f"source ../self.sh\nsource up/up/up/b/a.sh\n{SHELL}\n"}, "b")
    assert set(found) == {"b/a.sh"}
    assert checked({}, "self.sh", "self") == {"self.sh": ["RL001"], "self": ["RL001"]}


def test_a_folder_of_very_many_files() -> None:
    """100,000 with `RLHFLINT_LARGE=1`, else 5,000, most of which have nothing to do with a launch."""
    count = 100_000 if LARGE else 5_000
    for number in range(count // 1_000):
        Path(str(number)).mkdir()
        for one in range(1_000):
            ending = ("txt", "py", "yaml", "sh", "json")[one % 5]
            Path(f"{number}/{one}.{ending}").write_bytes(b"x: 1\n")
    Path("deep" + "/d" * 400).mkdir(parents=True)
    found = checked({"0/train.sh": SHELL + "--no_such_flag 1\n"})
    assert "OR101" in found["0/train.sh"]
    assert len(found) == count * 3 // 5 + 1


def test_a_file_larger_than_is_read(tmp_path: Path) -> None:
    with open("a.sh", "wb") as file:
        file.truncate(1 << 40)
    found = checked({"b.sh": SHELL})
    assert found["a.sh"] == ["RL001"]
    assert found["b.sh"] == ["OR112"]


def test_thousands_of_findings_in_every_form_of_report() -> None:
    Path("a.sh").write_text(f"{SHELL} --no_such_flag 1\n" * 300)

    def work() -> list[int]:
        from rlhflint.cli import rlhflint
        from tests.runner import runner

        forms = ("text", "json", "sarif", "github", "gitlab", "junit")
        runs = [runner().invoke(rlhflint, ["check", "--output-format", form, "a.sh"]) for form in forms]
        assert {run.exit_code for run in runs} == {1}
        return [len(run.output) for run in runs]

    assert min(limited(work)) > 300


def test_what_takes_too_long_or_too_much_fails_the_test() -> None:
    """The bounds of these tests hold anything back at all."""
    with pytest.raises(AssertionError, match="MemoryError"):
        limited(lambda: len(bytes(3 << 30)))
    with pytest.raises(AssertionError, match="ended"):
        limited(lambda: os.kill(os.getpid(), 9))
    assert limited(lambda: "within") == "within"
