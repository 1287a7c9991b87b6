"""Moving launches: defaults that changed, statements of releases, options of the command."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from rlhflint.cli import rlhflint
from tests.runner import runner

from .command import fix, fixed, run, write

PPO = "python3 -m openrlhf.cli.train_ppo_ray"
SFT = "deepspeed --module openrlhf.cli.train_sft"
FULL = f"{PPO} --pretrain m --reward_pretrain r --prompt_data d --vllm_num_engines 2"


def at(release: str) -> dict[str, str]:
    return {"requirements.txt": f"openrlhf=={release}\n"}


def test_changed_defaults_are_listed(tmp_path: Path) -> None:
    ran = fix(tmp_path, {**at("0.9.10"), "train.sh": f"{FULL}\n"}, "--to", "openrlhf=0.10.1")
    assert "the default of --micro_train_batch_size was 4 at OpenRLHF 0.9.10 and is 1 at 0.10.1" in ran.output
    assert ran.files["train.sh"] == f"{FULL}\n"


def test_changed_defaults_are_written_out_on_request(tmp_path: Path) -> None:
    ran = fix(tmp_path, {**at("0.9.10"), "train.sh": f"{FULL}\n"}, "--to", "openrlhf=0.10.1", "--pin-defaults")
    assert ran.files["train.sh"] == f"{FULL} --micro_rollout_batch_size 8 --micro_train_batch_size 4\n"
    assert "OR603" not in ran.output
    again = fix(tmp_path, {}, "--to", "openrlhf=0.10.1", "--pin-defaults")
    assert again.files == ran.files


def test_a_default_that_is_given_is_not_relied_on(tmp_path: Path) -> None:
    text = f"{FULL} --micro_train_batch_size 4\n"
    ran = fix(tmp_path, {**at("0.9.10"), "train.sh": text}, "--to", "openrlhf=0.10.1", "--pin-defaults")
    assert ran.files["train.sh"] == f"{FULL} --micro_train_batch_size 4 --micro_rollout_batch_size 8\n"


def test_a_switch_that_was_not_given_is_written_out(tmp_path: Path) -> None:
    text = f"{SFT} --pretrain m --dataset d --input_key q --bf16\n"
    ran = fix(tmp_path, {**at("0.8.9"), "train.sh": text}, "--to", "openrlhf=0.9.4", "--pin-defaults")
    after = f"{SFT} --pretrain m --dataset d --input_key q --attn_implementation eager\n"
    assert ran.files["train.sh"] == after


def test_what_no_value_means_any_more_is_told(tmp_path: Path) -> None:
    text = f"{SFT} --pretrain m --dataset d --input_key q --attn_implementation eager\n"
    ran = fix(tmp_path, {**at("0.9.0"), "train.sh": text}, "--to", "openrlhf=0.9.4", "--pin-defaults")
    assert "--param_dtype is 'bf16' at 0.9.4, which means something else than leaving it out did" in ran.output


def test_pins_are_written_once_though_the_stated_release_is_still_the_old_one(tmp_path: Path) -> None:
    text = f"{SFT} --pretrain m --dataset d --input_key q --bf16 --flash_attn --own_flag 1\n"
    first = fix(tmp_path, {**at("0.8.9"), "train.sh": text}, "--to", "openrlhf=0.11.2", "--pin-defaults")
    assert "eager" not in first.files["train.sh"]
    again = fix(tmp_path, {}, "--to", "openrlhf=0.11.2", "--pin-defaults")
    assert again.files == first.files


def test_pins_stand_before_arguments_that_may_give_them_too(tmp_path: Path) -> None:
    text = f'{FULL} "$@"\n'
    ran = fix(tmp_path, {**at("0.9.10"), "train.sh": text}, "--to", "openrlhf=0.10.1", "--pin-defaults")
    assert ran.files["train.sh"] == f'{FULL} --micro_rollout_batch_size 8 --micro_train_batch_size 4 "$@"\n'


def test_pins_stand_where_every_word_before_them_is_known(tmp_path: Path) -> None:
    text = f"{FULL} $X --max_len 5\n"
    ran = fix(tmp_path, {**at("0.9.10"), "train.sh": text}, "--to", "openrlhf=0.10.1", "--pin-defaults")
    assert ran.files["train.sh"].startswith(f"{FULL} --micro_rollout_batch_size 8 --micro_train_batch_size 4 $X ")
    text = f"{FULL} --adam_offload --n_samples_per_prompt $N\n"
    ran = fix(tmp_path, {"train.sh": text}, "--to", "openrlhf=0.10.1", "--pin-defaults")
    pins = "--micro_rollout_batch_size 8 --micro_train_batch_size 4"
    assert ran.files["train.sh"] == text.replace("$N\n", f"$N {pins}\n")


def test_pins_do_not_go_where_another_command_takes_them(tmp_path: Path) -> None:
    run, given = FULL.split(" --", 1)
    text = f"A='--{given}'\n{run} $A\npython other.py $A\n"
    ran = fix(tmp_path, {**at("0.9.10"), "train.sh": text}, "--to", "openrlhf=0.10.1", "--pin-defaults")
    assert ran.files["train.sh"] == text
    assert "since `python other.py` uses this text as well" in ran.output


def test_each_launch_gets_its_own_pins(tmp_path: Path) -> None:
    text = f"{FULL} --micro_rollout_batch_size 8\n{FULL} --micro_train_batch_size 4\n"
    ran = fix(tmp_path, {**at("0.9.10"), "train.sh": text}, "--to", "openrlhf=0.10.1", "--pin-defaults")
    assert ran.files["train.sh"] == (
        f"{FULL} --micro_rollout_batch_size 8 --micro_train_batch_size 4\n"
        f"{FULL} --micro_train_batch_size 4 --micro_rollout_batch_size 8\n"
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("--eval_steps -1", "--eval_steps changed its meaning at 0.8.1"),
        ("--eval_steps $N", "--eval_steps changed its meaning at 0.8.1"),
        ("--eval_steps 10", ""),
        ("--eval_dataset d", "--eval_steps is not given, and its default changed its meaning at 0.8.1"),
        ("--eval_dataset d --eval_steps 10", ""),
        ("--vllm_sync_backend gloo", "--vllm_sync_backend changed its meaning at 0.8.9"),
        ("--vllm_sync_backend nccl", ""),
    ],
)
def test_a_changed_meaning_is_told_of_the_values_that_it_concerns(given: str, told: str, tmp_path: Path) -> None:
    ran = fix(tmp_path, {**at("0.8.0"), "train.sh": f"{FULL} {given}\n"}, "--to", "openrlhf=0.9.0")
    if told:
        assert told in ran.output
    else:
        assert "changed its meaning" not in ran.output


def test_a_default_of_the_critic_changed_for_those_that_have_one(tmp_path: Path) -> None:
    for estimator, told in (("gae", True), ("group_norm", False), ("$E", True)):
        text = f"{FULL} --advantage_estimator {estimator}\n"
        ran = fix(tmp_path, {**at("0.8.0"), "train.sh": text}, "--to", "openrlhf=0.9.0")
        assert ("the critic may move further" in ran.output) is told, estimator


def test_a_program_that_ended_is_left_as_it_is(tmp_path: Path) -> None:
    text = "deepspeed --module openrlhf.cli.train_kto --pretrain m --dataset d\n"
    ran = fix(tmp_path, {"train.sh": text}, "--to", "openrlhf=latest")
    assert ran.files["train.sh"] == text
    assert "train_kto" in ran.output
    assert ran.exit_code == 1


def test_the_newest_release_by_name(tmp_path: Path) -> None:
    assert fixed(tmp_path, f"{SFT} --zero_stage 3\n", "--to", "openrlhf=latest") == f"{SFT} --ds.zero_stage 3\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--to", "openrlhf"], "is not NAME=VERSION"),
        (["--to", "openrlhf=>=0.9"], "is no release"),
        (["--to", "numpy=2.0"], "unknown package"),
        (["--to", "vllm=latest"], "not moved to a release of vllm, but to those of openrlhf, trl and transformers"),
        (["--to", "vllm=0.9"], "not moved to a release of vllm, but to those of openrlhf, trl and transformers"),
        (["--to", "openrlhf=0.11.2", "--to", "verl=0.7.0"], "not moved to a release of verl"),
        (["--to", "openrlhf=9.9"], "openrlhf 9.9 is not known; 0.3.6.post1 to 0.11.2 are"),
        (["--to", "transformers=3.0"], "transformers 3.0 is not known; "),
        (["--pin-defaults"], "--pin-defaults needs --to"),
    ],
)
def test_wrong_usage(tmp_path: Path, arguments: list[str], says: str) -> None:
    ran = fix(tmp_path, {"train.sh": f"{SFT}\n"}, *arguments)
    assert ran.exit_code == 2
    assert says in ran.errors


def test_check_writes_nothing_and_says_whether_it_would(tmp_path: Path) -> None:
    text = f"{SFT} --zero_stage 3\n"
    ran = fix(tmp_path, {"train.sh": text}, "--to", "openrlhf=0.11.2", "--check")
    assert (ran.exit_code, ran.output, ran.files["train.sh"]) == (1, "", text)
    assert "would change train.sh" in ran.errors
    done = fix(tmp_path, {"train.sh": f"{SFT} --ds.zero_stage 3\n"}, "--to", "openrlhf=0.11.2", "--check")
    assert done.exit_code == 0


def test_diff_writes_nothing(tmp_path: Path) -> None:
    text = f"{SFT} --zero_stage 3"
    ran = fix(tmp_path, {"scripts/train.sh": text}, "--to", "openrlhf=0.11.2", "--diff")
    assert ran.files["scripts/train.sh"] == text
    assert ran.output == (
        "--- a/scripts/train.sh\n+++ b/scripts/train.sh\n@@ -1 +1 @@\n"
        f"-{SFT} --zero_stage 3\n\\ No newline at end of file\n"
        f"+{SFT} --ds.zero_stage 3\n\\ No newline at end of file\n"
    )


def test_standard_input_is_fixed_to_standard_output(tmp_path: Path) -> None:
    write(tmp_path, {})
    text = f"{SFT} --pretrain m --dataset d --zero_stage 3\n"
    ran = run(tmp_path, "fix", "-", "--to", "openrlhf=0.11.2", text=text)
    assert ran.output == f"{SFT} --model.model_name_or_path m --data.dataset d --ds.zero_stage 3\n"


def test_what_is_left_is_reported_as_check_does(tmp_path: Path) -> None:
    files = {**at("0.11.2"), "train.sh": f"{SFT} --zero_stage 3 --no_such_flag\n"}
    ran = fix(tmp_path, files)
    assert ran.files["train.sh"] == f"{SFT} --ds.zero_stage 3 --no_such_flag\n"
    assert ran.output == run(tmp_path, "check", "--output-format", "concise").output
    assert ran.exit_code == 1


def test_only_what_is_selected_is_fixed(tmp_path: Path) -> None:
    text = f"{SFT} --zero_stage 3 --bf16\n"
    ran = fix(tmp_path, {**at("0.11.2"), "train.sh": text}, "--select", "OR604")
    assert ran.files["train.sh"] == f"{SFT} --zero_stage 3\n"


def test_nothing_is_written_where_a_fix_would_bring_up_another_finding(tmp_path: Path) -> None:
    """With its name put right the value counts, and that value is refused."""
    text = (
        f"{PPO} --actor.model_name_or_path m --data.prompt_dataset d --vllm.num_engines 2 "
        "--reward.model_name_or_path r --algo.advantage.estimator rloo --rollout.n_sample_per_prompt 1\n"
    )
    ran = fix(tmp_path, {**at("0.11.2"), "train.sh": text}, "--unsafe")
    assert ran.files["train.sh"] == text
    assert "warning[RL007] not done: write --rollout.n_samples_per_prompt, since OR223 would be found" in ran.output
    assert ran.exit_code == 1


def test_files_without_launches_and_unreadable_ones_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path, {"notes.sh": "echo openrlhf\n", "train.sh": f"{SFT} --zero_stage 3\n"})
    (tmp_path / "broken.sh").write_bytes(b"openrlhf \xff\n")
    with chdir(tmp_path):
        done = runner().invoke(rlhflint, ["fix", "--to", "openrlhf=0.11.2"], catch_exceptions=False)
    assert done.exit_code == 2
    assert "RL001" in done.output
    assert (tmp_path / "train.sh").read_text() == f"{SFT} --ds.zero_stage 3\n"
    assert (tmp_path / "broken.sh").read_bytes() == b"openrlhf \xff\n"


def test_a_word_that_is_not_known_behind_a_switch_keeps_only_the_switch(tmp_path: Path) -> None:
    text = f'{SFT} --bf16 $X --zero_stage $Z --learning_rate "$LR"\n'
    ran = fix(tmp_path, {**at("0.8.0"), "train.sh": text}, "--to", "openrlhf=0.11.2")
    assert '--bf16 $X --ds.zero_stage $Z --adam.lr "$LR"' in ran.files["train.sh"]
    assert "OR604] --bf16 ended" in ran.output
    assert "RL007" not in ran.output


def test_what_goes_at_the_start_of_a_text_takes_its_blank_along(tmp_path: Path) -> None:
    text = f'FLAGS="--bf16  --flash_attn --zero_stage 3"\nMORE=(--bf16 --max_len 5)\n{SFT} $FLAGS "${{MORE[@]}}"\n'
    after = fix(tmp_path, {**at("0.8.0"), "train.sh": text}, "--to", "openrlhf=0.11.2").files["train.sh"]
    assert after.startswith('FLAGS="--ds.zero_stage 3"\nMORE=(--data.max_len 5)\n')
