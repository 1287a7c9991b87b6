"""Changes of single settings in a shell command: what has to change does, and the words stay those that bash makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.edits import applied
from rlhflint.fixing.proposals import anchored, edits_of
from rlhflint.launch import Launch, Setting
from rlhflint.project.settings import Settings
from rlhflint.proposal import Add, Change, Remove, Rename, Replace, Rewrite, SetValue
from rlhflint.source import Source
from rlhflint.text import Span

from .command import fix

Make = Callable[[dict[str, Setting]], Change]
RUN = "python3 -m openrlhf.cli.train_ppo_ray"


@pytest.fixture
def launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Launch]:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)

    def read(text: str) -> Launch:
        (tmp_path / "run.sh").write_bytes(text.encode())
        (file,) = Checker(Settings(framework_versions={"openrlhf": "0.9.0"})).results(["run.sh"])
        (judged,) = file.launches
        return judged.launch

    return read


def changed(launch: Launch, text: str, make: Make) -> str:
    changes = anchored([make({one.name: one for one in launch.settings})], launch, [launch])
    return applied(text, edits_of(changes, launch, {launch.path: Source(launch.path, text)}))


def rename(old: str, *new: str) -> Make:
    return lambda settings: Rename(settings[old], new)


def put(name: str, value: object) -> Make:
    return lambda settings: SetValue(settings[name], value)


def remove(name: str) -> Make:
    return lambda settings: Remove(settings[name])


def replace(name: str, *by: tuple[str, tuple[object, ...] | None]) -> Make:
    return lambda settings: Replace(settings[name], by)


def add(name: str, value: object) -> Make:
    return lambda settings: Add(name, value)


@pytest.mark.parametrize(
    ("before", "make", "after"),
    [
        ("--max_len 5 --bf16", replace("--max_len"), "--bf16"),
        ("--max_len 5 --bf16", replace("--max_len", ("--a", None), ("--b", ())), "--a 5 --b --bf16"),
        ("--max_len 5 --bf16", replace("--max_len", ("--a", ()), ("--b", (1, 2))), "--a --b 1 2 --bf16"),
        ("--max_len=5 --bf16", replace("--max_len", ("--a", (7,)), ("--b", (1,))), "--a=7 --b=1 --bf16"),
        ("--max_len=5 --bf16", replace("--max_len", ("--a", None), ("--b", (1, 2))), "--a=5 --b 1 2 --bf16"),
        ("--max_len '5' --bf16", replace("--max_len", ("--a", (7,))), "--a 7 --bf16"),
        ("--bf16 --l2 1", replace("--bf16", ("--a", None), ("--b", ("x",))), "--a --b x --l2 1"),
        ("--bf16 --l2 1", put("--bf16", True), "--bf16 --l2 1"),
        ("--bf16 --l2 1", rename("--bf16", "--a", "--b"), "--a --b --l2 1"),
        ("--l2 1 --bf16", put("--bf16", "full"), "--l2 1 --bf16 full"),
        ("--l2 1 --bf16", put("--l2", True), "--l2 --bf16"),
        ("--l2=1 --bf16", put("--l2", True), "--l2 --bf16"),
        ("--l2 1 --bf16", put("--l2", [1, 2]), "--l2 1 2 --bf16"),
        ("--adam_betas 0.9 0.95 --bf16", put("--adam_betas", [0.9, 0.99]), "--adam_betas 0.9 0.99 --bf16"),
        ("--adam_betas 0.9 0.95 --bf16", put("--adam_betas", 1), "--adam_betas 1 --bf16"),
        ("--l2 1 --bf16", add("--a", [1, 2]), "--l2 1 --bf16 --a 1 2"),
        ("--l2 1 --bf16", add("--a", True), "--l2 1 --bf16 --a"),
        ("'--l2' 1 --bf16", remove("--l2"), "--bf16"),
        ('"--bf16" --l2 1', remove("--bf16"), "--l2 1"),
        ("'--l2=1' --bf16", remove("--l2"), "--bf16"),
        ("'--l2' '1' --bf16", remove("--l2"), "--bf16"),
        ('"--l2" "1" --bf16', rename("--l2", "--a", "--b"), '"--a" "1" --b "1" --bf16'),
        ("--save_path out#1 --bf16", remove("--save_path"), "--bf16"),
        ("--save_path out --bf16>log", remove("--bf16"), "--save_path out >log"),
        ("--l2 3 --bf16&>log", remove("--bf16"), "--l2 3 &>log"),
        ("--l2 3 --bf16 2>log", remove("--bf16"), "--l2 3 2>log"),
        ("--l2 3 \\\n--bf16>log", remove("--bf16"), "--l2 3 \\\n>log"),
        ("--l2 3 \\\n   --bf16 --seed 4", remove("--bf16"), "--l2 3 \\\n   --seed 4"),
        ('"--l2=1" --bf16', rename("--l2", "--a"), '"--a=1" --bf16'),
        ("--save_path 'a b' --bf16", rename("--save_path", "--a", "--b"), "--a 'a b' --b 'a b' --bf16"),
        ("--save_path a\\ b --bf16", rename("--save_path", "--a", "--b"), "--a a\\ b --b a\\ b --bf16"),
        ('--save_path "$D"/x --bf16', rename("--save_path", "--a", "--b"), '--a "$D"/x --b "$D"/x --bf16'),
        ("--save_path ${D:-it} --bf16", remove("--save_path"), "--bf16"),
        ("--save_path `pwd`/o --bf16", rename("--save_path", "--a", "--b"), "--a `pwd`/o --b `pwd`/o --bf16"),
        ("--save_path= --bf16", rename("--save_path", "--a", "--b"), "--a= --b= --bf16"),
        ("--save_path '' --bf16", remove("--save_path"), "--bf16"),
        ("--bf16 --l2 \\\n  1 \\\n  --seed 4", remove("--l2"), "--bf16 \\\n  --seed 4"),
        ("--bf16 --l2 1 # it's --l2", remove("--l2"), "--bf16 # it's --l2"),
    ],
)
def test_in_a_command(before: str, make: Make, after: str, launch: Callable[[str], Launch]) -> None:
    text = f"D=$HOME\n{RUN} {before}\n"
    assert changed(launch(text), text, make) == f"D=$HOME\n{RUN} {after}\n"


@pytest.mark.parametrize(
    ("before", "make", "after"),
    [
        (
            'B="0.9 0.95"\n{run} --adam_betas $B --l2 1\n',
            rename("--adam_betas", "--a", "--b"),
            'B="0.9 0.95"\n{run} --a $B --b $B --l2 1\n',
        ),
        ("# it's for one \\\n{run} --l2 1 --seed 4\n", remove("--l2"), "# it's for one \\\n{run} --seed 4\n"),
        ("B=0.9\n{run} --adam_betas $B 0.95 --l2 1\n", remove("--adam_betas"), "B=0.9\n{run} --l2 1\n"),
        (
            "A=('--l2 1' --seed 4)\n{run} ${{A[@]}}\n",
            rename("--l2", "--a", "--b"),
            "A=('--a 1 --b 1' --seed 4)\n{run} ${{A[@]}}\n",
        ),
        ("A=(\n  --l2 1  # it's\n  --seed 4\n)\n{run} ${{A[@]}}\n", remove("--seed"), None),
        (
            'bash -c "{run} --l2 1" && echo "x"\n',
            rename("--l2", "--a", "--b"),
            'bash -c "{run} --a 1 --b 1" && echo "x"\n',
        ),
        ('bash -c "{run} --l2 \'1\' --seed \\"4\\""\n', remove("--seed"), "bash -c \"{run} --l2 '1'\"\n"),
    ],
)
def test_values_in_variables_and_texts(
    before: str, make: Make, after: str | None, launch: Callable[[str], Launch]
) -> None:
    text = before.format(run=RUN)
    wanted = text.replace("  --seed 4\n", "") if after is None else after.format(run=RUN)
    assert changed(launch(text), text, make) == wanted


@pytest.mark.parametrize(
    ("before", "make", "because"),
    [
        ("--l2 1", put("--l2", "a b"), "would have to be quoted"),
        ("--l2 1", put("--l2", "$(x)"), "would have to be quoted"),
        ("--l2 1", add("--a", "it's"), "would have to be quoted"),
        ('--l"2" 1', rename("--l2", "--a"), "put together from several parts"),
        ("--save_path 'a\nb' --l2 1", remove("--save_path"), "stands elsewhere"),
        ("--save_path " + "xx" + "a\\b" * 4000, remove("--save_path"), "part of a longer word"),
        ("--l2 1$X", put("--l2", 2), "put together from several parts"),
        ("'--l2'=1", remove("--l2"), "stands elsewhere"),
        ("$'--bf16' --l2 1", remove("--bf16"), "an empty word would be left"),
    ],
)
def test_what_is_not_certain_is_not_done(
    before: str, make: Make, because: str, launch: Callable[[str], Launch]
) -> None:
    text = f"X=0\n{RUN} {before}\n"
    with pytest.raises(Doubt, match=because):
        changed(launch(text), text, make)


def test_a_comment_between_a_flag_and_its_value(launch: Callable[[str], Launch]) -> None:
    text = f"A=(\n  --save_path # where\n  out\n)\n{RUN} ${{A[@]}}\n"
    with pytest.raises(Doubt):
        changed(launch(text), text, remove("--save_path"))
    assert changed(launch(text), text, rename("--save_path", "--a")) == text.replace("--save_path", "--a")


def test_a_flag_and_its_value_in_a_list_of_words_are_not_taken_apart(tmp_path: Path) -> None:
    words = '["python3", "-m", "openrlhf.cli.train_ppo_ray", "--vllm_num_engines", "2", "--max_norm", "1"]'
    ran = fix(tmp_path, {"Dockerfile": f"CMD {words}\n"}, "--to", "openrlhf=0.11.2")
    assert ran.files["Dockerfile"] == f"CMD {words}\n"
    assert "--max_norm would be refused and is not rewritten" in ran.output


def test_there_is_nothing_to_write_it_behind(launch: Callable[[str], Launch]) -> None:
    text = f"{RUN}\n"
    with pytest.raises(Doubt, match="no setting to write it behind"):
        changed(launch(text), text, add("--l2", 1))


def test_a_text_put_in_the_place_of_another_one(launch: Callable[[str], Launch]) -> None:
    text = f"{RUN} --l2 1\n"
    made = changed(launch(text), text, lambda _: Rewrite(Span("run.sh", 0, 7), "python"))
    assert made == text.replace("python3", "python")


@pytest.mark.parametrize("head", ['F="--l2"\n', 'F="--l2"; ', "F=--l2\n"])
def test_a_flag_whose_value_stands_elsewhere_stays_with_all_of_its_launch(head: str, tmp_path: Path) -> None:
    text = f"{head}{RUN} $F 1 --vllm_num_engines 2\n"
    ran = fix(tmp_path, {"train.sh": text}, "--to", "openrlhf=0.11.2")
    assert ran.files["train.sh"] == text
    assert "--l2 ended with OpenRLHF 0.10.1.post2" in ran.output
    assert "since the value of --l2 stands elsewhere" in ran.output


def test_the_next_assignment_is_no_value_of_a_flag(tmp_path: Path) -> None:
    text = f"F=--l2\nG=1\n{RUN} $F $G --vllm_num_engines 2\n"
    ran = fix(tmp_path, {"train.sh": text}, "--to", "openrlhf=0.11.2")
    assert ran.files["train.sh"] == text
    assert ran.output.count("RL007") == 1
    assert "since the value of --l2 stands elsewhere" in ran.output


def test_an_element_of_an_array_by_its_number_is_not_left_empty(launch: Callable[[str], Launch]) -> None:
    text = f"A=([0]=--bf16 [1]=--l2 [2]=1)\n{RUN} ${{A[@]}}\n"
    with pytest.raises(Doubt, match="an empty element"):
        changed(launch(text), text, remove("--bf16"))
