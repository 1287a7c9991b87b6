"""Moving launches of which the estimator, or a switch, decides what is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixing.command import fix

PPO = (
    "python3 -m openrlhf.cli.train_ppo_ray --pretrain m --prompt_data d --remote_rm_url http://x/ --vllm_num_engines 4"
)
TO = ("--to", "openrlhf=0.11.2")
FROM = {"requirements.txt": "openrlhf==0.8.11\n"}
BOTH, ALONE = "--actor.max_norm 1.0 --critic.max_norm 1.0", "--actor.max_norm 1.0"


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("{} --advantage_estimator group_norm --n_samples_per_prompt 8 --max_norm 1.0", ALONE),
        ("{} --max_norm 1.0 --n_samples_per_prompt 8 --advantage_estimator group_norm", ALONE),
        ("if [ $A ]; then\n  {} --advantage_estimator reinforce --max_norm 1.0\nfi", ALONE),
        ("{} --advantage_estimator gae --max_norm 1.0", BOTH),
        ("{} --max_norm 1.0", BOTH),
        ("{} --advantage_estimator $E --max_norm 1.0", BOTH),
        ("for E in reinforce gae; do\n  {} --advantage_estimator $E --max_norm 1.0\ndone", BOTH),
    ],
)
def test_a_flag_of_actor_and_critic_is_the_actors_where_no_critic_is_built(
    text: str, norm: str, tmp_path: Path
) -> None:
    ran = fix(tmp_path, {"train.sh": text.format(PPO) + "\n", **FROM}, *TO)
    assert norm in ran.files["train.sh"]
    assert ("--critic.max_norm" in ran.files["train.sh"]) is (norm == BOTH)
    assert "RL007" not in ran.output


def test_it_comes_back_as_it_went(tmp_path: Path) -> None:
    text = f"{PPO} --advantage_estimator group_norm --n_samples_per_prompt 8 --max_norm 1.0\n"
    there = fix(tmp_path, {"train.sh": text, **FROM}, *TO).files["train.sh"]
    back = fix(tmp_path, {"train.sh": there, "requirements.txt": "openrlhf==0.11.2\n"}, "--to", "openrlhf=0.8.11")
    assert back.files["train.sh"] == text


@pytest.mark.parametrize(("given", "matters"), [("", False), (" --enable_vllm_is_correction", True)])
def test_a_default_that_is_not_looked_at_is_no_change(given: str, matters: bool, tmp_path: Path) -> None:
    told = fix(tmp_path, {"train.sh": f"{PPO}{given}\n", **FROM}, *TO)
    assert ("is_correction_threshold" in told.output) is matters
    pinned = fix(tmp_path, {"train.sh": f"{PPO}{given}\n", **FROM}, *TO, "--pin-defaults")
    assert ("--algo.advantage.is_correction_threshold 0.0 2" in pinned.files["train.sh"]) is matters
    assert "OR239" not in pinned.output
