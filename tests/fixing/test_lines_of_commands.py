"""Commands and lists of several lines keep their lines: what is added gets one, and what goes takes only its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixing.command import fix

FROM = {"requirements.txt": "openrlhf==0.8.11\n"}
TO = ("--to", "openrlhf=0.11.2", "--pin-defaults")
ADDED = ("--rollout.micro_batch_size 8", "--train.micro_batch_size 4")
LINES = (
    "python3 -m openrlhf.cli.train_ppo_ray",
    "--pretrain m",
    "--prompt_data d",
    "--remote_rm_url http://x/",
    "--vllm_num_engines 4",
    "--max_len 10",
)


@pytest.mark.parametrize("form", ["{}", "{} 2>&1 | tee log", 'CMD="{}"\neval $CMD', "srun bash -c '{}'"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_added_gets_lines_of_its_own(form: str, end: str, tmp_path: Path) -> None:
    gap = f" \\{end}    "
    text = form.format(gap.join(LINES)) + end
    after = fix(tmp_path, {"train.sh": text, **FROM}, *TO).files["train.sh"]
    assert gap.join(["--max_len 10", *ADDED]) in after
    assert after.count(end) == text.count(end) + 2


@pytest.mark.parametrize(
    "text",
    [
        " ".join(LINES) + "\n",
        " \\\n  ".join([*LINES[:-2], " ".join(LINES[-2:])]) + "\n",
        f"ARGS=(\n  {LINES[1]}\n  {' '.join(LINES[2:])}\n)\n{LINES[0]} ${{ARGS[@]}}\n",
    ],
)
def test_elsewhere_it_stands_on_the_line_of_others(text: str, tmp_path: Path) -> None:
    after = fix(tmp_path, {"train.sh": text, **FROM}, *TO).files["train.sh"]
    assert " ".join(["--max_len 10", *ADDED]) in after
    assert after.count("\n") == text.count("\n")


START = 'command: ["python3", "-m", "openrlhf.cli.train_sft", "--pretrain", "m", "--dataset", "d",\n'
MOVED = START.replace("--pretrain", "--model.model_name_or_path").replace("--dataset", "--data.dataset")


@pytest.mark.parametrize(
    "rest",
    [
        '    "--bf16", "--packing_samples"]\n',
        '    "--bf16",\n    "--packing_samples"]\n',
        '    "--packing_samples", "--bf16"]\n',
        '    "--packing_samples",\n    "--bf16"]\n',
    ],
)
def test_what_goes_from_a_list_does_not_join_its_lines(rest: str, tmp_path: Path) -> None:
    after = fix(tmp_path, {"job.yaml": START + rest, **FROM}, "--to", "openrlhf=0.11.2").files["job.yaml"]
    assert after == MOVED + '    "--ds.packing_samples"]\n'
