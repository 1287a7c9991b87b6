"""What a migrated shell script looks like: every character that need not change stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import fix, fixed

NEWEST = ("--to", "openrlhf=0.11.2")
SFT = "deepspeed --module openrlhf.cli.train_sft"
PPO = "python3 -m openrlhf.cli.train_ppo_ray"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            f"{SFT} --pretrain a --zero_stage=3\n",
            f"{SFT} --model.model_name_or_path a --ds.zero_stage=3\n",
            id="a value behind an equals sign",
        ),
        pytest.param(
            f'{SFT} --save_path "out/$NAME run" --max_len  2048   # --max_len\n',
            f'{SFT} --ckpt.output_dir "out/$NAME run" --data.max_len  2048   # --max_len\n',
            id="quotes, blanks and comments",
        ),
        pytest.param(
            f"{PPO} --max_norm=1.0 --l2 $L2 --vllm_num_engines 2\n",
            f"{PPO} --actor.max_norm=1.0 --critic.max_norm=1.0 "
            "--actor.adam.weight_decay $L2 --critic.adam.weight_decay $L2 --vllm.num_engines 2\n",
            id="split flags take the value along as it is written",
        ),
        pytest.param(
            f'{PPO} --lr_scheduler "$(cat sched.txt)" --vllm_num_engines 2\n',
            f'{PPO} --actor.lr_scheduler "$(cat sched.txt)" --critic.lr_scheduler "$(cat sched.txt)" '
            "--vllm.num_engines 2\n",
            id="a split flag with a command substitution",
        ),
        pytest.param(
            f"{PPO} --adam_betas 0.9 0.95 --vllm_num_engines 2\n",
            f"{PPO} --actor.adam.betas 0.9 0.95 --critic.adam.betas 0.9 0.95 --vllm.num_engines 2\n",
            id="a split flag with two values",
        ),
        pytest.param(
            f"{PPO} --perf --vllm_num_engines 2 --ptx_coef 0.05 --actor_init_on_gpu\n",
            f"{PPO} --vllm.num_engines 2\n",
            id="flags that are gone, at the start, in the middle and at the end of a line",
        ),
        pytest.param(
            f"{PPO} \\\n  --perf \\\n  --vllm_num_engines 2 \\\n  --ptx_coef 0.05 \\\n  --actor_init_on_gpu\necho\n",
            f"{PPO} \\\n  --vllm.num_engines 2\necho\n",
            id="flags that are gone, on lines of their own",
        ),
        pytest.param(
            f"ARGS=(\n  --perf # why\n  --vllm_num_engines 2 # engines\n  --ptx_coef 0.05\n)\n{PPO} ${{ARGS[@]}}\n",
            f"ARGS=(\n  # why\n  --vllm.num_engines 2 # engines\n)\n{PPO} ${{ARGS[@]}}\n",
            id="flags that are gone from an array, comments stay",
        ),
        pytest.param(
            f'cmd="{PPO} --perf"\ncmd+=" --vllm_num_engines 2 --actor_init_on_gpu"\n$cmd\n',
            f'cmd="{PPO}"\ncmd+=" --vllm.num_engines 2"\n$cmd\n',
            id="a command put together in a string",
        ),
        pytest.param(
            f'bash -c "{PPO} --vllm_num_engines 2 --save_path \\"$OUT dir\\" --max_norm \'1.0\' --perf"\n',
            f'bash -c "{PPO} --vllm.num_engines 2 --ckpt.output_dir \\"$OUT dir\\" '
            "--actor.max_norm '1.0' --critic.max_norm '1.0'\"\n",
            id="quotes in quotes",
        ),
        pytest.param(
            f"{SFT} \\\r\n\t--pretrain größe \\\r\n\t--bf16 \\\r\n\t--max_len 12",
            f"{SFT} \\\r\n\t--model.model_name_or_path größe \\\r\n\t--data.max_len 12",
            id="carriage returns, tabs, letters outside ASCII, no line end at the end",
        ),
        pytest.param(
            f"{PPO} --prompt_max_len  512 --generate_max_len 1024 --vllm_num_engines 2\n",
            f"{PPO} --data.max_len  1536 --rollout.max_new_tokens 1024 --vllm.num_engines 2\n",
            id="two lengths become a budget",
        ),
        pytest.param(
            f"{PPO} --flash_attn --bf16 --use_kl_estimator_k3 --vllm_num_engines 2\n",
            f"{PPO} --algo.kl.estimator k3 --vllm.num_engines 2\n",
            id="switches that became the default, and one that became a value",
        ),
        pytest.param(
            f'{SFT} --pretrain a --bf16 "$@"\n', f'{SFT} --model.model_name_or_path a "$@"\n', id="arguments go on"
        ),
    ],
)
def test_migrated(tmp_path: Path, before: str, after: str) -> None:
    assert fixed(tmp_path, before, *NEWEST) == after
    assert fixed(tmp_path, after, *NEWEST) == after


def test_a_switch_before_a_word_that_is_not_known_is_reported(tmp_path: Path) -> None:
    ran = fix(tmp_path, {"train.sh": f"X=$1\n{SFT} --pretrain a --bf16 $X\n"}, *NEWEST)
    assert "--bf16 $X" in ran.files["train.sh"]
    assert "OR604" in ran.output
    assert ran.exit_code == 1


def test_programs_that_share_a_text_and_need_it_differently(tmp_path: Path) -> None:
    script = f'BOTH="--pretrain a --max_norm 1"\n{SFT} $BOTH --max_len 1\n{PPO} $BOTH --vllm_num_engines 2\n'
    ran = fix(tmp_path, {"train.sh": script}, *NEWEST)
    assert ran.files["train.sh"] == script
    assert ran.output.count("RL007") == 2
    assert "train_ppo_ray shares this text" in ran.output


def test_programs_that_share_a_text_and_need_the_same(tmp_path: Path) -> None:
    rm = SFT.replace("sft", "rm")
    script = f'BOTH="--pretrain a"\n{SFT} $BOTH --max_len 1\n{rm} $BOTH --max_len 2\n'
    after = fixed(tmp_path, script, *NEWEST)
    assert after == script.replace("--pretrain", "--model.model_name_or_path").replace("--max_len", "--data.max_len")


def test_a_text_that_a_command_of_its_own_uses_stays(tmp_path: Path) -> None:
    script = f'LENGTH="--max_len 2048"\n{SFT} --pretrain a $LENGTH\npython evaluate.py $LENGTH\necho $LENGTH\n'
    ran = fix(tmp_path, {"train.sh": script}, *NEWEST)
    assert ran.files["train.sh"] == script
    assert "`python evaluate.py` uses this text as well" in ran.output
    script = script.replace("python evaluate.py", "./evaluate.sh")
    ran = fix(tmp_path, {"train.sh": script}, *NEWEST)
    assert ran.files["train.sh"] == script


def test_flags_in_a_file_that_is_sourced(tmp_path: Path) -> None:
    files = {
        "common.sh": 'ARGS="--zero_stage 3 --bf16"\n',
        "one.sh": f"source common.sh\n{SFT} --pretrain a $ARGS\n",
        "two.sh": f". common.sh\n{SFT} --pretrain b $ARGS\n",
    }
    ran = fix(tmp_path, files, *NEWEST)
    assert ran.files["common.sh"] == 'ARGS="--ds.zero_stage 3"\n'
    assert ran.files["two.sh"] == f". common.sh\n{SFT} --model.model_name_or_path b $ARGS\n"


def test_a_setting_that_is_lost_stays_and_is_reported(tmp_path: Path) -> None:
    script = f"{PPO} --pretrain_data x/y --vllm_num_engines 2\n"
    ran = fix(tmp_path, {"train.sh": script}, *NEWEST)
    assert ran.files["train.sh"] == f"{PPO} --pretrain_data x/y --vllm.num_engines 2\n"
    assert "OR602" in ran.output
    unsafe = fix(tmp_path, {"train.sh": script}, *NEWEST, "--unsafe")
    assert unsafe.files["train.sh"] == f"{PPO} --vllm.num_engines 2\n"
    assert "RL008" in unsafe.output
    assert "--pretrain_data is taken out" in unsafe.output


def test_a_flag_given_in_both_spellings_is_left_to_its_owner(tmp_path: Path) -> None:
    script = f"{SFT} --zero_stage 2 --ds.zero_stage 3\n"
    ran = fix(tmp_path, {"train.sh": script}, "--framework-version", "openrlhf=0.11.2")
    assert ran.files["train.sh"] == script
    assert ran.exit_code == 1


def test_the_statement_of_the_release_is_named_and_not_edited(tmp_path: Path) -> None:
    files = {"requirements.txt": "openrlhf==0.9.0\n", "train.sh": f"{SFT} --pretrain a\n"}
    ran = fix(tmp_path, files, *NEWEST)
    assert ran.files["requirements.txt"] == "openrlhf==0.9.0\n"
    assert "requirements.txt line 1 says openrlhf 0.9.0: change it to 0.11.2" in ran.errors


def test_a_value_that_a_release_understands_otherwise(tmp_path: Path) -> None:
    files = {"requirements.txt": "openrlhf==0.9.0\n", "train.sh": f"{PPO} --vllm_is_truncated_threshold 2\n"}
    ran = fix(tmp_path, files, "--to", "openrlhf=0.9.2")
    assert ran.files["train.sh"] == f"{PPO} --vllm_is_truncated_threshold 0.0 2.0\n"
    assert fix(tmp_path, {}, "--to", "openrlhf=0.9.2").files["train.sh"] == ran.files["train.sh"]


def test_names_written_in_short(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "openrlhf==0.9.8\n",
        "train.sh": f"{PPO} --train_batch 64 --vllm_num_eng 2 --micro_train_b 1\n",
    }
    after = f"{PPO} --train.batch_size 64 --vllm.num_engines 2 --train.micro_batch_size 1\n"
    assert fix(tmp_path, files, *NEWEST).files["train.sh"] == after


def test_back_to_an_older_release(tmp_path: Path) -> None:
    script = f"{PPO} --actor.max_norm 1 --critic.max_norm 1 --actor.adam.lr 1e-6 --actor.lr_scheduler constant\n"
    ran = fix(tmp_path, {"train.sh": script}, "--to", "openrlhf=0.10.0")
    assert ran.files["train.sh"] == (f"{PPO} --max_norm 1 --actor_learning_rate 1e-6 --actor.lr_scheduler constant\n")
    assert ran.exit_code == 1


EMBEDDED = [
    pytest.param(
        "Dockerfile",
        'CMD ["deepspeed", "--module", "openrlhf.cli.train_sft", "--bf16", "--pretrain", "m"]\n',
        'CMD ["deepspeed", "--module", "openrlhf.cli.train_sft", "--model.model_name_or_path", "m"]\n',
        id="a list of words in a Dockerfile",
    ),
    pytest.param(
        "Dockerfile",
        f'CMD ["bash", "-c", "{SFT} --pretrain m --bf16", "x"]\n',
        f'CMD ["bash", "-c", "{SFT} --model.model_name_or_path m", "x"]\n',
        id="a command in a list of words in a Dockerfile",
    ),
    pytest.param(
        "Dockerfile",
        f"RUN {SFT} --pretrain m \\\n    --max_len 8 \\\n    --bf16\n",
        f"RUN {SFT} --model.model_name_or_path m \\\n    --data.max_len 8\n",
        id="a command in a Dockerfile",
    ),
    pytest.param(
        "rayjob.yaml",
        f"kind: RayJob\nspec:\n  entrypoint: >-\n    {PPO}\n    --max_norm 1\n    --perf\n    --vllm_num_engines 2\n",
        f"kind: RayJob\nspec:\n  entrypoint: >-\n    {PPO}\n    --actor.max_norm 1 --critic.max_norm 1\n"
        "    --vllm.num_engines 2\n",
        id="the entrypoint of a RayJob",
    ),
    pytest.param(
        "pod.yaml",
        'command: [python3, -m, openrlhf.cli.train_sft]\nargs: [--bf16, --pretrain, m, --perf, "--bf16", --seed, 8]\n',
        "command: [python3, -m, openrlhf.cli.train_sft]\n"
        "args: [--model.model_name_or_path, m, --perf, --train.seed, 8]\n",
        id="a list of words in YAML, with quotes and without",
    ),
    pytest.param(
        "pod.yaml",
        "command: [python3, -m, openrlhf.cli.train_sft, --pretrain, m, --bf16 , --seed, 8]\n"
        "command2: [--bf16]\n---\ncommand: [python3, -m, openrlhf.cli.train_sft]\nargs: [--bf16]\n",
        "command: [python3, -m, openrlhf.cli.train_sft, --model.model_name_or_path, m , --train.seed, 8]\n"
        "command2: [--bf16]\n---\ncommand: [python3, -m, openrlhf.cli.train_sft]\nargs: [--bf16]\n",
        id="blanks before a comma, and a list of one word",
    ),
    pytest.param(
        "pod.yaml",
        "command: [python3, -m, openrlhf.cli.train_sft]\n"
        "args:\n  - --bf16\n  - '--flash_attn'\n  - --pretrain\n  - m\n  - --bf16\n  # why\n  - \"--max_len=8\"\n",
        "command: [python3, -m, openrlhf.cli.train_sft]\n"
        'args:\n  - --model.model_name_or_path\n  - m\n  # why\n  - "--data.max_len=8"\n',
        id="words in YAML with lines of their own",
    ),
    pytest.param(
        "pod.yaml",
        f"command: [{', '.join(PPO.split())}]\n"
        "args:\n  - --eps_clip\n  - '0.2'\n  - --max_ckpt_num\n  - 3\n  - --ptx_coef\n  - 0.05\n  - --ptx_coef=1\n",
        f"command: [{', '.join(PPO.split())}]\nargs:\n  - --actor.eps_clip\n  - '0.2'\n  - --ckpt.max_num\n  - 3\n",
        id="options with values in YAML, each word on a line of its own",
    ),
    pytest.param(
        "Makefile",
        f"train:\n\t{SFT} --pretrain $(BASE) \\\n\t  --bf16\n",
        f"train:\n\t{SFT} --model.model_name_or_path $(BASE)\n",
        id="a recipe of a Makefile",
    ),
]


@pytest.mark.parametrize(("name", "before", "after"), EMBEDDED)
def test_commands_in_other_files(tmp_path: Path, name: str, before: str, after: str) -> None:
    assert fix(tmp_path, {name: before}, *NEWEST).files[name] == after
    assert fix(tmp_path, {}, *NEWEST).files[name] == after


def test_what_two_rules_ask_for_alike_is_written_once(tmp_path: Path) -> None:
    before = f"{PPO} --packing_samples --ring_attn_size 2 --vllm_num_engines 2\n"
    done = fix(tmp_path, {"train.sh": before}, "--framework-version", "openrlhf=0.8.3")
    assert done.files["train.sh"] == before.replace("engines 2", "engines 2 --flash_attn")
    assert "RL007" not in done.output
