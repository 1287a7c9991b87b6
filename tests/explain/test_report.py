"""The report for an issue: all that is needed, and nothing that says where or who."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.check import Checker
from rlhflint.cli.chosen import chosen
from rlhflint.explain.report import report
from rlhflint.explain.shareable import NAME, PATH, SECRET, TEXT, UNKNOWN, URL, shareable
from rlhflint.explain.symptoms import signs
from rlhflint.reports.secrets import Secrets
from rlhflint.result import FileResult

PRIVATE = {
    "hf_abcdefghijklmnopqrstuvwx": "--logger.wandb.key hf_abcdefghijklmnopqrstuvwx",
    "/home/ada/secret-project/out": "--ckpt.output_dir /home/ada/secret-project/out",
    "rewards.corp.example": "--reward.remote_url http://rewards.corp.example:5000/score",
    "data/unpublished.jsonl": "--data.prompt_dataset data/unpublished.jsonl",
    "moonshot": "--logger.wandb.project moonshot",
    "ada-lovelace": "--logger.wandb.org ada-lovelace",
    "runs/best": "--actor.model_name_or_path ./runs/best",
    "You are a secret": "--data.input_template 'You are a secret {}'",
    "deadbeefdeadbeefdeadbeefdeadbeef": "--critic.model_name_or_path deadbeefdeadbeefdeadbeefdeadbeef",
}
TOKEN = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def written(log: str = "") -> str:
    flags = " \\\n   ".join(PRIVATE.values())
    start = f"export WANDB_API_KEY={TOKEN}\nexport NCCL_DEBUG=INFO\n"
    Path("job.sh").write_text(
        f"{start}python3 -m openrlhf.cli.train_ppo_ray --train.batch_size 96 --ds.zero_stage 3 \\\n   {flags}\n"
    )
    Path("requirements.txt").write_text("openrlhf==0.11.2\n")
    return report(chosen(Checker(), "job.sh"), signs(log))


def test_no_secret_no_path_and_no_name_is_in_it() -> None:
    text = written("File /home/ada/secret-project/train.py: CUDA error: invalid device ordinal")
    for private in (*PRIVATE, TOKEN, "/home/ada", "secret-project"):
        assert private not in text


def test_releases_sizes_and_findings_are_in_it() -> None:
    text = written("CUDA error: invalid device ordinal")
    assert "| openrlhf | 0.11.2 | requirements.txt line 1 |" in text
    assert "--train.batch_size 96" in text
    assert "--ds.zero_stage 3" in text
    assert "NCCL_DEBUG=INFO" in text
    assert re.search(r"rlhflint finds: .*\bLA111\b|rlhflint finds: \w+", text)
    assert "invalid-device" in text
    assert "Still to be added" in text


def test_a_folder_in_who_says_a_release_is_left_out() -> None:
    Path("lovelace").mkdir()
    Path("lovelace/requirements.txt").write_text("trl==1.16.0\n")
    Path("lovelace/sft.sh").write_text("trl sft --model_name_or_path Qwen/Qwen3-8B --dataset_name trl-lib/x\n")
    text = report(chosen(Checker(), "lovelace/sft.sh"))
    assert "| trl | 1.16.0 | requirements.txt line 1 |" in text
    assert "lovelace" not in text
    assert "--model_name_or_path Qwen/Qwen3-8B" in text
    assert "`trl env`" in text


@pytest.mark.parametrize("name", ["token", "logger.wandb.key", "use_wandb", "hub_token", "api_key", "wandb.api_key"])
@given(text=st.text(alphabet="abcdefghij0123456789", min_size=3, max_size=40).filter(lambda one: not one.isdigit()))
def test_what_is_named_a_secret_is_never_shown(name: str, text: str) -> None:
    assert shareable(name, text, Secrets(FileResult("x"))) in (SECRET, "true", "false", "none", "null") or _number(text)


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@given(st.text(min_size=1, max_size=60))
def test_no_value_with_a_slash_is_shown_but_a_model_of_the_hub(text: str) -> None:
    shown = shareable("data.dataset", f"{text}/x", Secrets(FileResult("x")))
    assert "/" not in shown


@pytest.mark.parametrize("value", [1e-6, True, None, [0.2, 0.27], "zero3", "bf16", "0.95"])
def test_numbers_and_words_of_the_frameworks_are_shown(value: object) -> None:
    assert shareable("ds.x", value, Secrets(FileResult("x"))) in (str(value), "0.2 0.27")


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("actor.model_name_or_path", "Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
        ("actor.model_name_or_path", "runs/step_3.bin", PATH),
        ("actor.model_name_or_path", "/data/models/mine", PATH),
        ("reward.remote_url", "http://rewards:5000/score", URL),
        ("ckpt.output_dir", "out", PATH),
        ("data.dataset", "chat.jsonl", PATH),
        ("data.dataset", "..", PATH),
        ("data.dataset", "C:\\data", PATH),
        ("logger.wandb.project", "moonshot", SECRET),
        ("run_name", "moonshot", NAME),
        ("logger.wandb.key", "abc", SECRET),
        ("hf.api_key", "abc", SECRET),
        ("data.key", "prompt", "prompt"),
        ("ds.x", "a1B2c3D4e5F6g7H8i9J0k1L2", SECRET),
        ("algo.estimator", "rloo", "rloo"),
        ("data.system_prompt", "You are helpful", TEXT),
        ("author", "me@host", TEXT),
        ("model_init_kwargs", {"dtype": "bfloat16"}, TEXT),
        ("reward_weights", [1.0, "0.5"], "1.0 0.5"),
    ],
)
def test_a_value_is_shown_or_told_by_its_kind(name: str, value: object, shown: str) -> None:
    assert shareable(name, value, Secrets(FileResult("x"))) == shown


def test_a_switch_and_what_is_not_known_have_no_value() -> None:
    Path("job.sh").write_text(
        "python -m openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d --ds.packing_samples "
        "--ds.zero_stage $STAGE\n"
    )
    Path("requirements.txt").write_text("openrlhf==0.11.2\n")
    text = report(chosen(Checker(), "job.sh"))
    assert "--ds.packing_samples\n" in text or "--ds.packing_samples " in text
    assert f"--ds.zero_stage {UNKNOWN}" in text
    assert "$STAGE" not in text
