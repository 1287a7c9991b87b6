"""Launches made small: what is printed is read again, and nothing speaks against its sizes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.explain.rehearsal import NoRehearsal, rehearsal
from rlhflint.finding import Severity
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import kind_of_name

CASES = Path(__file__).parents[1] / "cases"


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def made(name: str, text: str, releases: str = "openrlhf==0.11.2\n") -> str:
    """The text of a file with all its launches made small, which is read again without an error."""
    Path("requirements.txt").write_text(releases)
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)
    return again(name)


def again(name: str) -> str:
    kind = kind_of_name(name)
    assert kind is not None
    candidate = Candidate(name, kind)
    before = Checker().check_file(candidate)
    assert before is not None
    new = rehearsal(Checker(), candidate, range(len(before.launches))).text
    after = Checker().check_text(new, name, kind)
    known = {one.code for one in before.findings}
    assert [one.code for one in after.findings if one.severity is Severity.ERROR and one.code not in known] == []
    assert [one.code for one in after.findings if one.code[2] == "3" and one.severity is not Severity.ADVICE] == []
    assert len(after.launches) == len(before.launches)
    return new


def numbers(text: str) -> dict[str, int]:
    return {name: int(value) for name, value in re.findall(r"--([\w.]+)[ =](\d+)", text)}


PPO = """\
python3 -m openrlhf.cli.train_ppo_ray \\
   --actor.num_gpus_per_node 8 --ref.num_gpus_per_node 8 --vllm.num_engines 8 --train.colocate_all \\
   --vllm.enable_sleep --vllm.gpu_memory_utilization 0.5 \\
   --reward.remote_url http://rewards:5000/score --algo.advantage.estimator reinforce_baseline \\
   --rollout.n_samples_per_prompt 4 --rollout.batch_size 128 --train.batch_size 512 \\
   --train.micro_batch_size 1 --rollout.micro_batch_size 4 --data.prompt_dataset d --actor.model_name_or_path m
"""


def test_ppo_gets_eight_prompts_and_a_batch_that_they_fill() -> None:
    small = numbers(made("train.sh", PPO))
    assert small["data.max_samples"] == small["rollout.batch_size"] == 8
    assert small["train.batch_size"] <= 8 * 4
    assert small["train.batch_size"] % 8 == 0


def test_micro_batches_become_smaller_where_chunks_would_be_too_few() -> None:
    small = numbers(made("train.sh", PPO.replace("--rollout.micro_batch_size 4", "--rollout.micro_batch_size 16")))
    assert small["data.max_samples"] == 8
    assert small["rollout.micro_batch_size"] == 1


def test_many_gpus_get_as_many_samples_as_they_need() -> None:
    wide = PPO.replace("--actor.num_gpus_per_node 8", "--actor.num_nodes 16 --actor.num_gpus_per_node 8")
    wide = wide.replace("--ref.num_gpus_per_node 8", "--ref.num_nodes 16 --ref.num_gpus_per_node 8")
    wide = wide.replace("--vllm.num_engines 8", "--vllm.num_engines 128")
    small = numbers(made("train.sh", wide))
    assert small["data.max_samples"] * 4 >= 128
    assert small["train.batch_size"] % 128 == 0


FLAT = """\
python3 -m openrlhf.cli.train_ppo_ray \\
   --actor_num_nodes 1 --actor_num_gpus_per_node 4 --ref_num_nodes 1 --ref_num_gpus_per_node 4 \\
   --critic_num_nodes 1 --critic_num_gpus_per_node 4 --remote_rm_url http://rewards:5000/score \\
   --vllm_num_engines 4 --pretrain m --prompt_data d --bf16 --flash_attn \\
   --rollout_batch_size 128 --micro_rollout_batch_size 4 --train_batch_size 128 --micro_train_batch_size 2
"""


@pytest.mark.parametrize("release", ["0.6.4", "0.7.3", "0.8.4", "0.8.9", "0.9.5", "0.10.1"])
def test_the_spelling_is_that_of_the_release(release: str) -> None:
    flags = FLAT if release < "0.8.9" or release == "0.10.1" else FLAT.replace(" --flash_attn", "")
    flags = flags.replace(" --bf16 --flash_attn", "") if release == "0.10.1" else flags
    small = made("train.sh", flags, f"openrlhf=={release}\n")
    assert "--max_samples 8" in small
    assert "--data.max_samples" not in small


@pytest.mark.parametrize("program", ["train_sft", "train_rm", "train_dpo"])
def test_other_programs_have_one_batch_at_least(program: str) -> None:
    data = "--data.dataset d --model.model_name_or_path m --train.batch_size 128 --train.micro_batch_size 4"
    small = numbers(made("train.sh", f"deepspeed --num_gpus 8 --module openrlhf.cli.{program} {data}\n"))
    assert small["data.max_samples"] >= small["train.batch_size"]
    assert small["train.batch_size"] % (small["train.micro_batch_size"] * 8) == 0


def test_every_launch_of_a_script_is_made_small() -> None:
    sft = "deepspeed --num_gpus 4 --module openrlhf.cli.train_sft --data.dataset d --model.model_name_or_path m\n"
    assert made("train.sh", sft + PPO).count("--data.max_samples 8") == 2


def test_trl_takes_two_steps_with_its_batches_as_they_are() -> None:
    text = "from trl import GRPOConfig\n\nargs = GRPOConfig(\n    output_dir='out',\n    num_generations=4,\n)\n"
    small = made("train.py", text, "trl==1.16.0\ntransformers==5.24.0\n")
    assert "max_steps=2" in small
    assert "num_generations=4" in small


def test_a_command_of_trl_gets_flags() -> None:
    text = "trl sft --model_name_or_path m --dataset_name d --output_dir out\n"
    assert "--max_steps 2" in made("train.sh", text, "trl==1.16.0\ntransformers==5.24.0\n")


def test_a_configuration_file_gets_keys() -> None:
    text = "model_name_or_path: m\ndataset_name: d\noutput_dir: out\nlogging_steps: 10\n"
    Path("run.sh").write_text("trl sft --config sft.yaml\n")
    small = made("sft.yaml", text, "trl==1.16.0\ntransformers==5.24.0\n")
    assert "max_steps: 2\n" in small
    assert "logging_steps: 1\n" in small


def test_what_is_no_training_has_no_trial() -> None:
    with pytest.raises(NoRehearsal, match="has no trial"):
        made("serve.sh", "python -m openrlhf.cli.serve_rm --reward.model_name_or_path m\n")


def test_sizes_in_another_file_are_named_for_the_owner_to_write() -> None:
    Path("sizes.env").write_text("BATCH=100000\n")
    with pytest.raises(NoRehearsal, match=r"sizes\.env.*--data\.max_samples 8"):
        made("train.sh", "source sizes.env\n" + PPO.replace("--train.batch_size 512", "--train.batch_size $BATCH"))


def test_groups_that_no_batch_goes_with_are_told() -> None:
    ring = PPO.replace("--train.colocate_all", "--train.colocate_all --ds.ring_attn_size 3 --ds.packing_samples")
    with pytest.raises(NoRehearsal, match="OR301"):
        made("train.sh", ring)


GOOD = sorted(path.name for path in CASES.glob("openrlhf-ok-*") if list(path.glob("*.sh")))


@pytest.mark.parametrize("case", GOOD)
def test_good_launches_have_a_trial_or_a_reason(case: str, tmp_path: Path) -> None:
    shutil.copytree(CASES / case, tmp_path, dirs_exist_ok=True)
    for script in sorted(tmp_path.glob("*.sh")):
        if Checker().check_text(script.read_text(), script.name).launches:
            tried(script.name)


def tried(name: str) -> None:
    """A trial is right, or there is none for a reason."""
    try:
        again(name)
    except NoRehearsal as error:
        reason = str(error)
    else:
        reason = "it was right"
    assert reason
