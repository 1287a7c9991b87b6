"""Rules about the environment and the launchers, value by value."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.project.kinds import FileKind

SFT = "python -m openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d"
KEY = "0123456789abcdef0123456789abcdef01234567"
HUB = "hf_" + "aB3" * 12


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("openrlhf==0.11.2\n")
    monkeypatch.chdir(tmp_path)


def found(text: str, code: str) -> list[str]:
    """What a rule marks in a script."""
    result = Checker().check_text(text, "train.sh", FileKind.SHELL)
    return [text[one.span.start : one.span.end] for one in result.findings if one.code == code]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        (f"export WANDB_API_KEY={KEY}\n{SFT}\n", KEY),
        (f"WANDB_API_KEY={KEY} {SFT}\n", KEY),
        (f"{SFT} --logger.wandb.key {KEY}\n", KEY),
        (f"{SFT} --logger.wandb.key={KEY}\n", KEY),
        (f"{SFT} --api_key=a1b2c3d4e5f6g7h8i9\n", "a1b2c3d4e5f6g7h8i9"),
        (f"wandb login {KEY}\n{SFT}\n", KEY),
        (f"huggingface-cli login --token {HUB}\n{SFT}\n", HUB),
        (f"curl -H 'Authorization: Bearer {HUB}' https://host/x\n{SFT}\n", HUB),
        (f"env HF_TOKEN={HUB} {SFT}\n", HUB),
    ],
)
def test_a_credential_in_clear_text(text: str, marked: str) -> None:
    assert found(text, "LA111") == [marked]


@pytest.mark.parametrize(
    "text",
    [
        f"export WANDB_API_KEY=$MY_KEY\n{SFT}\n",
        f"export HF_TOKEN=your_token_goes_here_1\n{SFT}\n",
        f"export MAX_TOKEN=12345678901234567890a\n{SFT}\n",
        f"export API_KEY=aaaaaaaaaaaaaaaaaaaa1\n{SFT}\n",
        f"export API_KEY=short1\n{SFT}\n",
        f"export ACCESS_KEY=/run/secrets/access/key1\n{SFT}\n",
        f"export API_KEY=onlylettersofthealphabet\n{SFT}\n",
        f"export API_KEY='two words of 16 letters 1'\n{SFT}\n",
        f"export COMMIT={KEY}\n{SFT}\n",
        f"{SFT} --logger.wandb.key $WANDB_API_KEY\n",
        f"wandb login\n{SFT}\n",
    ],
)
def test_what_is_no_credential(text: str) -> None:
    assert found(text, "LA111") == []


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("HF_ENDPOINT", "https://huggingface.co", False),
        ("HF_ENDPOINT", "huggingface.co", True),
        ("HF_ENDPOINT", "https://huggingface.co/api/models", True),
        ("HF_ENDPOINT", "?", True),
        ("TRANSFORMERS_VERBOSITY", "error", False),
        ("TRANSFORMERS_VERBOSITY", "loud", True),
        ("TORCH_DISTRIBUTED_DEBUG", "detail", False),
        ("TORCH_DISTRIBUTED_DEBUG", "1", True),
        ("TORCH_CUDA_ARCH_LIST", "8.0;9.0+PTX", False),
        ("TORCH_CUDA_ARCH_LIST", "Hopper", False),
        ("TORCH_CUDA_ARCH_LIST", "sm_90", True),
        ("TORCH_CUDA_ARCH_LIST", "", False),
        ("HF_ENDPOINT", "$MIRROR", False),
    ],
)
def test_values_of_variables(name: str, value: str, wrong: bool) -> None:
    assert bool(found(f"export {name}={value}\n{SFT}\n", "VE104")) is wrong


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("huggingface.co", "https://huggingface.co"),
        ("http://mirror:8080/hf/", "http://mirror:8080"),
        ("mirror/api", "https://mirror"),
        ("://", None),
    ],
)
def test_an_address_is_written_without_its_path(value: str, written: str | None) -> None:
    result = Checker().check_text(f"export HF_ENDPOINT={value}\n{SFT}\n", "train.sh", FileKind.SHELL)
    (one,) = (one for one in result.findings if one.code == "VE104")
    assert (one.fix.edits[0].text if one.fix else None) == written


DEEPSPEED = "deepspeed {options} --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d\n"


@pytest.mark.parametrize(
    ("hosts", "options", "processes"),
    [
        ("a slots=2\nb slots=2\n", "--hostfile hosts", True),
        ("a slots=2\nb slots=2\n", "--hostfile hosts --num_gpus 2", True),
        ("a slots=many\n", "--hostfile hosts", False),
        ("", "--hostfile hosts", False),
        (None, "--hostfile hosts", False),
        ("a slots=2\nb slots=2\n", "--hostfile $HOSTS", False),
    ],
)
def test_processes_by_the_file_of_hosts(hosts: str | None, options: str, processes: bool) -> None:
    if hosts is not None:
        Path("hosts").write_text(hosts)
    text = DEEPSPEED.format(options=options).rstrip() + " --train.batch_size 6 --train.micro_batch_size 1\n"
    Path("train.sh").write_text(text)
    (judged,) = Checker().check_text(text, "train.sh", FileKind.SHELL).launches
    model = Checker().model(Checker().check_text(text, "train.sh", FileKind.SHELL), judged.launch)
    assert model.session.world.total.number == (4 if processes else None)


@pytest.mark.parametrize(
    ("launcher", "warned"),
    [
        ("accelerate launch --num_processes 4 --num_processes 8 t.py", True),
        ("accelerate launch --num_processes 4 --num_processes 4 t.py", False),
        ("accelerate launch --num_processes 4 --num_processes $N t.py", False),
        ("torchrun --nproc_per_node 2 -m accelerate.commands.launch --num_processes 2 t.py", True),
        ("srun torchrun --nproc_per_node 2 t.py", False),
    ],
)
def test_two_numbers_of_processes(launcher: str, warned: bool) -> None:
    Path("t.py").write_text("from trl import SFTConfig, SFTTrainer\nSFTTrainer('m', SFTConfig('out')).train()\n")
    assert bool(found(f"{launcher}\n", "LA204")) is warned


@pytest.mark.parametrize(
    ("header", "command", "warned"),
    [
        ("#SBATCH --nodes=1", "", True),
        ("#SBATCH --nodes=1\n#SBATCH --gres=gpu:4", "", False),
        ("#SBATCH --nodes=1\n#SBATCH --exclusive", "", False),
        ("#SBATCH --nodes=1", "srun --gpus-per-node=4 ", False),
        ("#SBATCH --nodes=1", "srun -N1 ", True),
        ("#SBATCH --nodes=1", "ssh host ", False),
    ],
)
def test_a_job_that_asks_for_no_gpus(header: str, command: str, warned: bool) -> None:
    text = f"#!/bin/bash\n{header}\n{command}{DEEPSPEED.format(options='--num_gpus 4')}"
    assert bool(found(text, "LA402")) is warned
