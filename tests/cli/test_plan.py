"""`rlhflint plan`: which part of a launch sits on which GPU, and what it takes there."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

LAUNCH = """\
python -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path Qwen/Qwen2.5-7B --vllm.num_engines 4 \\
   --vllm.tensor_parallel_size 2 --reward.remote_url http://rewards:5000 {more}
"""
CLUSTER = "[cluster]\nnodes = {nodes}\ngpus-per-node = 8\ngpu-memory = {memory}\n"


def planned(run: Run, *arguments: str) -> dict[str, Any]:
    (one,) = json.loads(run("plan", *arguments, "--output-format", "json").output)["launches"]
    assert isinstance(one, dict)
    return one


def groups(one: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(" + ".join(group["parts"]), group["first"], group["gpus"]) for group in one["groups"]]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (
            "--train.colocate_all",
            [("actor + reference + critic + vLLM (4 engines of 2)", 0, 8)],
        ),
        (
            "--train.colocate_all --train.async_enable",
            [("actor + reference + critic", 0, 8), ("vLLM (4 engines of 2)", 8, 8)],
        ),
        (
            "--algo.advantage.estimator rloo --rollout.n_samples_per_prompt 4",
            [("actor", 0, 8), ("vLLM (4 engines of 2)", 8, 8), ("reference", 16, 8)],
        ),
        (
            "--train.colocate_actor_ref --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4",
            [("actor + reference", 0, 4), ("vLLM (4 engines of 2)", 4, 8), ("critic", 12, 8)],
        ),
    ],
)
def test_groups_of_a_ppo_launch(run: Run, project: Path, more: str, expected: list[tuple[str, int, int]]) -> None:
    (project / "train.sh").write_text(LAUNCH.format(more=more))
    one = planned(run, "train.sh")
    found = groups(one)
    assert sorted(name for name, _, _ in found) == sorted(name for name, _, _ in expected)
    assert one["asked"] == sum(gpus for _, _, gpus in expected)
    ends = [(first, first + gpus) for _, first, gpus in found]
    assert ends[0][0] == 0
    assert all(before[1] == after[0] for before, after in pairwise(ends))


def test_too_few_gpus_are_told_with_the_group_that_waits(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(LAUNCH.format(more="--train.colocate_all --train.async_enable"))
    result = run("plan", "train.sh", "--cluster", "1x8")
    assert result.exit_code == 1
    assert "16 GPUs asked for, 8 on offer by --cluster: not enough" in result.output
    assert "the first that finds too few GPUs: vLLM" in result.output
    assert "8-15 (more than there are)" in result.output
    enough = run("plan", "train.sh", "--cluster", "2x8")
    assert enough.exit_code == 0
    assert "16 on offer by --cluster: enough" in enough.output
    assert "8-15 (machine 1)" in enough.output


def test_memory_is_told_by_stage(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text(CLUSTER.format(nodes=1, memory=80))
    (project / "train.sh").write_text(
        LAUNCH.format(more="--train.colocate_all --vllm.enable_sleep --vllm.gpu_memory_utilization 0.5")
    )
    one = planned(run, "train.sh")
    assert [stage["name"] for stage in one["stages"]] == ["the actor's training", "generation"]
    assert one["gpu_memory"] == 80 * 2**30
    for stage in one["stages"]:
        assert stage["total"] == pytest.approx(sum(term["size"] for term in stage["terms"]))
    output = run("plan", "train.sh").output
    assert "memory of one GPU that trains of 80.0 GiB, estimated" in output
    assert "likely does not fit" in output
    (project / "rlhflint.toml").write_text(CLUSTER.format(nodes=1, memory=900))
    assert "likely does not fit" not in run("plan", "train.sh").output


def test_what_is_not_known_is_said(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(LAUNCH.format(more="--actor.num_nodes $NODES"))
    result = run("plan", "train.sh")
    assert result.exit_code == 0
    assert "how many GPUs it needs is not known" in result.output
    assert "$NODES" in result.output
    one = planned(run, "train.sh")
    assert one["asked"] is None
    assert one["fits"] is None
    assert {"what": "gpu", "because": "nothing says how much memory a GPU has"} in one["undecided"]


def test_processes_of_a_supervised_launch(run: Run, project: Path) -> None:
    (project / "sft.sh").write_text(
        "deepspeed --num_gpus 4 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-7B\n"
    )
    one = planned(run, "sft.sh", "--cluster", "1x8")
    assert groups(one) == [("training", 0, 4)]
    assert one["fits"] is True
    assert one["stages"]


SERVED = """\
CUDA_VISIBLE_DEVICES={server} trl vllm-serve --model acme/seven --tensor_parallel_size 2 &
CUDA_VISIBLE_DEVICES=0,1,2,3 accelerate launch --num_processes 4 --num_machines 1 grpo.py
"""
GRPO = """\
from trl import GRPOConfig, GRPOTrainer

args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="{mode}")
GRPOTrainer("acme/seven", args=args, train_dataset=data, reward_funcs=reward).train()
"""


def test_a_trainer_and_the_server_beside_it(run: Run, project: Path) -> None:
    (project / "run.sh").write_text(SERVED.format(server="4,5"))
    (project / "grpo.py").write_text(GRPO.format(mode="server"))
    result = run("plan", "run.sh:2")
    assert "devices 0,1,2,3  training" in result.output
    assert "devices 4,5      vLLM server" in result.output
    assert "6 GPUs asked for" in result.output
    assert result.exit_code == 0
    enough = planned(run, "run.sh:2", "--cluster", "1x8")
    assert (enough["asked"], enough["offered"], enough["fits"]) == (6, 8, True)
    assert planned(run, "run.sh:2", "--cluster", "1x4")["fits"] is False


def test_devices_that_server_and_trainer_share_are_told(run: Run, project: Path) -> None:
    (project / "run.sh").write_text(SERVED.format(server="3,4"))
    (project / "grpo.py").write_text(GRPO.format(mode="server"))
    one = planned(run, "run.sh:2")
    assert one["groups"][1]["note"] == "3 shared with training"
    assert one["asked"] == 5


def test_engines_within_the_training_processes(run: Run, project: Path) -> None:
    (project / "run.sh").write_text("accelerate launch --num_processes 4 --num_machines 1 grpo.py\n")
    (project / "grpo.py").write_text(GRPO.format(mode="colocate"))
    assert groups(planned(run, "run.sh")) == [("training + vLLM (in each process)", 0, 4)]


def test_devices_of_a_command_of_trl(run: Run, project: Path) -> None:
    (project / "sft.sh").write_text(
        "CUDA_VISIBLE_DEVICES=2,3 trl sft --model_name_or_path acme/seven --output_dir out --num_processes 2\n"
    )
    one = planned(run, "sft.sh", "--cluster", "1x8")
    assert groups(one) == [("training", 0, 2)]
    assert one["groups"][0]["names"] == ["2", "3"]


def test_one_of_several_launches_is_chosen_by_its_line(run: Run, project: Path) -> None:
    (project / "both.sh").write_text(LAUNCH.format(more="") + LAUNCH.format(more="--train.colocate_all"))
    assert run("plan", "both.sh").output.count("openrlhf:train_ppo_ray") == 2
    assert planned(run, "both.sh:3")["asked"] == 8


def test_a_line_without_a_launch_is_told(run: Run, project: Path) -> None:
    (project / "one.sh").write_text("\n" + LAUNCH.format(more="") + "\necho done\n")
    at_it, behind = run("plan", "one.sh:2"), run("plan", "one.sh:5")
    assert (at_it.stderr, at_it.exit_code) == ("", 0)
    assert behind.stdout == at_it.stdout
    assert behind.stderr == ("line 5 is in no launch; the one before it is taken: one.sh:2 (openrlhf:train_ppo_ray)\n")
    beyond = run("plan", "one.sh:6")
    assert beyond.exit_code == 2
    assert "one.sh has 5 lines; one.sh:2 (openrlhf:train_ppo_ray)" in beyond.output
    before = run("plan", "one.sh:1")
    assert before.exit_code == 2
    assert "one.sh holds no launch at or before line 1; one.sh:2 " in before.output


@pytest.mark.parametrize(("path", "message"), [("nothing.sh", "not there"), ("empty.sh", "holds no launch")])
def test_nothing_to_plan_is_wrong_usage(run: Run, project: Path, path: str, message: str) -> None:
    (project / "empty.sh").write_text("echo\n")
    result = run("plan", path)
    assert result.exit_code == 2
    assert message in result.output


def test_what_an_engine_takes_on_its_gpus(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text(CLUSTER.format(nodes=3, memory=80))
    (project / "train.sh").write_text(LAUNCH.format(more="--vllm.gpu_memory_utilization 0.5"))
    one = planned(run, "train.sh")
    engine = one["engine"]
    assert engine["budget"] == 40 * 2**30
    assert engine["weights"] == pytest.approx(7.6e9, rel=0.02)  # 7.6 billion parameters, 2 bytes each, on two GPUs
    assert engine["cache"] == engine["budget"] - engine["weights"]
    # 57,344 bytes for each token, shared by two GPUs
    assert engine["tokens"] == engine["cache"] // (57_344 / 2)
    assert "left for keys and values" in run("plan", "train.sh").output


def test_an_engine_whose_weights_are_more_than_its_share(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text(CLUSTER.format(nodes=3, memory=16))
    (project / "train.sh").write_text(LAUNCH.format(more="--vllm.gpu_memory_utilization 0.3"))
    assert "more than its share" in run("plan", "train.sh").output


def test_groups_whose_memory_is_not_estimated_are_named(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text(CLUSTER.format(nodes=4, memory=80))
    (project / "train.sh").write_text(LAUNCH.format(more=""))
    assert "memory of critic: GPUs of their own are not estimated" in run("plan", "train.sh").output


SERVER = "trl vllm-serve --model Qwen/Qwen2.5-7B --tensor_parallel_size 2\n"
BESIDE = """\
trl grpo --model_name_or_path Qwen/Qwen2.5-7B --dataset_name d \\
   --use_vllm --vllm_mode colocate --vllm_gpu_memory_utilization 0.3
"""


def test_a_server_and_engines_beside_training_are_told_too(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text(CLUSTER.format(nodes=1, memory=80))
    (project / "requirements.txt").write_text("trl==1.16.0\n")
    (project / "serve.sh").write_text(SERVER)
    (project / "train.sh").write_text(BESIDE)
    assert planned(run, "serve.sh")["engine"]["share"] == 0.9
    assert planned(run, "train.sh")["engine"]["share"] == 0.3


def test_a_program_that_trains_nothing_is_not_planned(run: Run, project: Path) -> None:
    (project / "train.sh").write_text("python -m openrlhf.cli.batch_inference --eval_task generate --pretrain m\n")
    one = planned(run, "train.sh")
    assert one["groups"] == []
    assert "batch_inference is not planned" in run("plan", "train.sh").output


def test_more_processes_than_gpus(run: Run, project: Path) -> None:
    words = "--module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d"
    (project / "train.sh").write_text(f"deepspeed --num_gpus 8 {words}\n")
    result = run("plan", "train.sh", "--cluster", "1x4")
    assert result.exit_code == 1
    assert "8 GPUs asked for, 4 on offer by --cluster: not enough" in result.output
    assert "training" in result.output


OLD = """\
python -m openrlhf.cli.train_ppo_ray --pretrain m --reward_pretrain r --prompt_data d --vllm_num_engines {engines} \\
   --vllm_tensor_parallel_size 1 --actor_num_nodes {nodes} --actor_num_gpus_per_node {gpus} --colocate_actor_ref \\
   --ref_num_nodes {nodes} --ref_num_gpus_per_node {gpus} --critic_num_gpus_per_node 1 --reward_num_gpus_per_node 1
"""


@pytest.mark.parametrize(("nodes", "gpus", "blocked"), [(1, 4, False), (3, 2, True)])
def test_whole_machines_that_early_releases_ask_for(
    run: Run, project: Path, nodes: int, gpus: int, blocked: bool
) -> None:
    (project / "requirements.txt").write_text("openrlhf==0.5.2\n")
    (project / "train.sh").write_text(OLD.format(engines=1, nodes=nodes, gpus=gpus))
    result = run("plan", "train.sh", "--cluster", "2x8")
    assert ("which has to find whole machines" in result.output) is blocked


def test_memory_of_a_trainer_that_is_not_estimated(run: Run, project: Path) -> None:
    (project / "run.sh").write_text("accelerate launch --multi_gpu --num_processes 2 train.py\n")
    text = "import trl\n\ntrl.CPOTrainer('m', args=trl.CPOConfig('o'))\n"
    (project / "train.py").write_text(text)
    (project / "requirements.txt").write_text("trl==0.24.0\n")
    assert "what trl:cpo takes is not estimated" in run("plan", "run.sh").output


def test_a_server_that_needs_more_gpus_than_there_are(run: Run, project: Path) -> None:
    (project / "run.sh").write_text("trl vllm-serve --model m --tensor_parallel_size 4 --data_parallel_size 2\n")
    result = run("plan", "run.sh", "--cluster", "1x4", "--framework-version", "trl=0.24.0")
    assert result.exit_code == 1
    assert "8 GPUs asked for, 4 on offer by --cluster: not enough" in result.output


def test_a_launch_of_verl_is_not_worked_out(run: Run, project: Path) -> None:
    (project / "run.sh").write_text("python3 -m verl.trainer.main_ppo trainer.nnodes=1\n")
    (project / "rlhflint.toml").write_text('experimental = ["verl"]\n')
    assert "where the parts of a launch of verl run is not worked out" in run("plan", "run.sh").output
