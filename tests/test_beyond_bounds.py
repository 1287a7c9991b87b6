"""What stands behind a bound, and may hide a launch, is told of every file that may hold one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlhflint.check import Checker

LAUNCH = "deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d\n"


def unread(folder: Path, name: str, text: str) -> list[int]:
    """The lines of the advice that not all of a file was read."""
    path = folder / name
    path.write_text(text)
    [file] = Checker().check([str(path)]).files
    source = next(iter(file.sources.values()), None)
    return [source.position(one.span.start).line for one in file.findings if source is not None and one.code == "RL006"]


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        pytest.param("run.sh", "#\n# " + "x" * 1_000_000 + "\n" + LAUNCH, [2], id="a long script"),
        pytest.param("run.sh", 'if [ "$X" ]; then\n' * 600 + LAUNCH + "fi\n" * 600, [60], id="a deep script"),
        pytest.param("run.py", "import trl\n#" + "x" * 400_000, [1], id="a long module"),
        pytest.param("run.py", "import trl\n" + "trl.SFTConfig()\n" * 6_000, [1], id="a module that makes too many"),
        pytest.param("run.yaml", "a: openrlhf.cli.train_sft\n#" + "x" * 500_000, [1], id="long YAML"),
        pytest.param("run.yaml", f"a: {LAUNCH}#" + "x" * 1_000_000, [1, 1], id="YAML too long to look for scripts in"),
        pytest.param("run.sh", "# " + "x" * 1_000_000 + "\necho\n", [], id="nothing suspect in it"),
    ],
)
def test_what_was_not_read_is_told_where_it_begins(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    assert unread(tmp_path, name, text) == lines


def test_a_finding_that_hangs_on_a_way_is_not_told_where_not_all_ways_were_followed(tmp_path: Path) -> None:
    def told(count: int) -> list[str]:
        appends = "".join(f'[ -n "$V{n}" ] && A+=(--train.seed {n})\n' for n in range(count))
        path = tmp_path / "run.sh"
        path.write_text(f'A=(--x)\n[ -n "$N" ] && A=(--model.nope 1)\n{appends}{LAUNCH.rstrip()} "${{A[@]}}"\n')
        [file] = Checker().check([str(path)]).files
        return [one.message for one in file.findings if "nope" in one.message]

    assert [message.endswith("(when N is set)") for message in told(1)] == [True]
    assert told(9) == []
