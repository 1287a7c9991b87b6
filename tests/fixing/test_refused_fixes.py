"""What is written of a file, and what is told, where something speaks against one of its fixes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlhflint.fixing import rounds
from rlhflint.fixing.standing import Tries

from .command import fix, run

PPO = "python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --data.prompt_dataset d --vllm.num_engines 2"
SFT = "python3 -m openrlhf.cli.train_sft"
REFUSED = f"{PPO} --reward.model_name_or_path r --algo.advantage.estimator rloo --rollout.n_sample_per_prompt 1"
"""With its name put right the value counts, and that value is refused."""
TODAY = ("--to", "openrlhf=0.11.2")
OLD = {"requirements.txt": "openrlhf==0.9.0\n"}
NEW = {"requirements.txt": "openrlhf==0.11.2\n"}
AN_EMPTY_WORD = "would be given other words that no option takes"
"""What is left of a variable in quotes that held a switch which is gone."""


def test_the_other_fixes_of_the_file_are_made(tmp_path: Path) -> None:
    text = f"{SFT} --bf16 --data.max_len 5\n{REFUSED} --bf16\n{SFT} --zero_stage 2\n"
    ran = fix(tmp_path, {**NEW, "train.sh": text}, "--unsafe", "--verbose")
    assert ran.files["train.sh"] == text.replace(" --bf16", "").replace("--zero_stage", "--ds.zero_stage")
    at = 1 + REFUSED.index("--rollout.n_sample_per_prompt")
    assert (
        f"train.sh:2:{at}: warning[RL007] not done: write --rollout.n_samples_per_prompt, since OR223 would be found "
        "then: rloo with --rollout.n_samples_per_prompt 1"
    ) in ran.output
    assert ran.output.count("RL007") == 1
    assert "  OR604: Remove --bf16 (2 times)\n" in ran.errors
    assert "  OR601: Write --ds.zero_stage\n" in ran.errors
    assert ran.exit_code == 1
    again = run(tmp_path, "fix", "--unsafe", "--verbose", "--output-format", "concise")
    assert again.files == ran.files
    assert again.output == ran.output


def test_what_is_no_change_of_settings_is_done_where_all_of_those_are_refused(tmp_path: Path) -> None:
    text = f"{REFUSED}\n# rlhflint: ignore[OR203]\n{SFT} --data.max_len 5\n"
    ran = fix(tmp_path, {**NEW, "train.sh": text}, "--unsafe")
    assert ran.files["train.sh"] == f"{REFUSED}\n{SFT} --data.max_len 5\n"
    assert "train.sh:1:" in ran.output.partition("warning[RL007] not done")[0].splitlines()[-1]


def test_check_tells_whether_anything_would_be_written(tmp_path: Path) -> None:
    assert fix(tmp_path, {**NEW, "train.sh": f"{REFUSED}\n"}, "--unsafe", "--check").exit_code == 0
    assert fix(tmp_path, {"train.sh": f"{REFUSED} --bf16\n"}, "--unsafe", "--check").exit_code == 1


def test_the_fixes_of_a_sourced_file_and_of_those_that_source_it(tmp_path: Path) -> None:
    files = {
        **NEW,
        "common.sh": 'ARGS="--zero_stage 2"\n',
        "one.sh": f"source common.sh\n{SFT} $ARGS --bf16\n",
        "two.sh": f"source common.sh\n{SFT} $ARGS\n{REFUSED}\n",
    }
    ran = fix(tmp_path, files, "--unsafe")
    assert ran.files["common.sh"] == 'ARGS="--ds.zero_stage 2"\n'
    assert ran.files["one.sh"] == f"source common.sh\n{SFT} $ARGS\n"
    assert ran.files["two.sh"] == files["two.sh"]
    assert "two.sh:3:" in ran.output.partition("RL007")[0].splitlines()[-1]


def test_no_launch_is_moved_in_part(tmp_path: Path) -> None:
    stays = f'E="--bf16"\n{SFT} --max_len 3 "$E" --zero_stage 2\n'
    ran = fix(tmp_path, {**OLD, "train.sh": f"{SFT} --max_len 1\n{stays}{SFT} --zero_stage 3 --bf16\n"}, *TODAY)
    assert ran.files["train.sh"] == f"{SFT} --data.max_len 1\n{stays}{SFT} --ds.zero_stage 3\n"
    told = f"train.sh:3:12: warning[RL007] nothing of this launch of train_sft is changed: train_sft {AN_EMPTY_WORD}"
    assert told in ran.output
    assert ran.output.count("RL007") == 1
    assert ran.exit_code == 1
    assert run(tmp_path, "fix", *TODAY).files == ran.files


def test_launches_that_share_a_text_with_one_that_stays_stay_as_well(tmp_path: Path) -> None:
    stays = f'E="--bf16"\nBOTH="--max_len 3"\n{SFT} $BOTH "$E"\n{SFT} $BOTH --zero_stage 2\n'
    ran = fix(tmp_path, {**OLD, "train.sh": f"{stays}{SFT} --zero_stage 3\n"}, *TODAY)
    assert ran.files["train.sh"] == f"{stays}{SFT} --ds.zero_stage 3\n"
    assert ran.output.count("RL007") == 2


def test_what_a_move_has_to_say_is_said_once(tmp_path: Path) -> None:
    """All is begun anew where a launch has to stay."""
    stays = f'E="--bf16"\n{SFT} --max_len 3 "$E"\n'
    alone = f"{SFT} --zero_stage 3\n"
    before = fix(tmp_path, {**OLD, "train.sh": alone}, *TODAY).output
    assert "OR603" in before
    after = fix(tmp_path, {"train.sh": f"{stays}{alone}"}, *TODAY).output
    assert after.count("OR603") == before.count("OR603") == 1
    assert "train.sh:3:12: warning[OR603]" in after


def test_entries_of_a_file_that_a_launch_that_stays_takes_as_well(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "trl==0.12.2\n",
        "sft.yaml": "model_name_or_path: m\ndataset_name: d\nevaluation_strategy: 'no'\n",
        "train.sh": 'E="--overwrite_output_dir"\ntrl sft --config sft.yaml --output_dir a "$E"\n'
        "trl sft --config sft.yaml --output_dir b --max_seq_length 3\n"
        "trl sft --dataset_name d --output_dir c --max_seq_length 4\n",
    }
    ran = fix(tmp_path, files, "--to", "trl=1.16.0", "--to", "transformers=5.0.0", "--unsafe")
    assert ran.files["sft.yaml"] == files["sft.yaml"]
    assert ran.files["train.sh"] == files["train.sh"].replace("max_seq_length 4", "max_length 4")
    assert ran.output.count("nothing of this launch of sft is changed") == 2


RUN = "accelerate launch --num_processes 4 trl/scripts/sft.py --model_name_or_path m --dataset_name d --dtype bfloat16"


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.sh", "#SBATCH --nodes=1\n{run}\n", "#SBATCH --nodes=1\n{more}\n{run}\n"),
        ("a.sh", "#SBATCH --nodes=1\r\n{run}\r\n", "#SBATCH --nodes=1\r\n{more}\r\n{run}\r\n"),
        (
            "a.yaml",
            "- run: |\n    #SBATCH --nodes=1\n    {run}\n",
            "- run: |\n    #SBATCH --nodes=1\n    {more}\n    {run}\n",
        ),
        ("a.yaml", "run: |\r #SBATCH -N 1\r {run}\r", "run: |\r #SBATCH -N 1\r {more}\r {run}\r"),
    ],
)
def test_a_further_line_stands_as_the_one_before_it(name: str, before: str, after: str, tmp_path: Path) -> None:
    more = "#SBATCH --gpus-per-node=4"
    ran = fix(tmp_path, {name: before.format(run=RUN)}, "--unsafe", "--select", "LA402")
    assert ran.files[name] == after.format(run=RUN, more=more)


def test_a_key_that_only_one_of_two_launches_of_a_file_knows(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "trl==0.12.2\n",
        "both.yaml": "model_name_or_path: m\ndataset_name: d\nmax_seq_length: 3\n",
        "train.sh": "trl sft --config both.yaml --output_dir a\ntrl dpo --config both.yaml --output_dir b\n",
    }
    ran = fix(tmp_path, files, "--to", "trl=1.16.0", "--to", "transformers=5.0.0")
    assert ran.files["both.yaml"] == files["both.yaml"].replace("max_seq_length", "max_length")


def test_fixes_that_do_not_come_to_an_end_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MOST_ROUNDS", 1)
    text = f"{SFT} --zero_stage 2\n"
    settled = fix(tmp_path, {**NEW, "train.sh": text})
    assert settled.files["train.sh"] == text.replace("--zero", "--ds.zero")
    monkeypatch.setattr(rounds, "MOST_ROUNDS", 0)
    ran = fix(tmp_path, {"train.sh": text})
    assert ran.files["train.sh"] == text
    assert "train.sh:1:1: warning[RL007] nothing is changed: 0 rounds of fixes did not come to an end" in ran.output
    assert ran.exit_code == 2


def test_tries_come_to_an_end_and_what_was_not_told_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tries, "__init__", lambda self: setattr(self, "left", 1))
    text = f"{REFUSED}\n{SFT} --bf16\n"
    ran = fix(tmp_path, {**NEW, "train.sh": text}, "--unsafe")
    assert ran.files["train.sh"] == text
    assert ran.output.count("since 100 tries did not tell which of the changes of these files can be made") == 2
    assert ran.exit_code == 1
    moved = fix(tmp_path, {**OLD, "train.sh": f'E="--bf16"\n{SFT} --max_len 3 "$E"\n{SFT} --max_len 1\n'}, *TODAY)
    assert "--data.max_len" not in moved.files["train.sh"]
    assert moved.output.count("nothing of this launch of train_sft is changed: 100 tries") == 2
