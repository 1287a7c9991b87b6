"""What training with TRL takes on a GPU, term by term, and where that is not estimated."""

from __future__ import annotations

import json

import pytest

from rlhflint.check import Checker
from rlhflint.frameworks.trl import memory
from rlhflint.frameworks.trl.models.vllm_serve import VllmServeModel
from rlhflint.memory import activations
from rlhflint.project.settings import Settings
from rlhflint.value import Undetermined
from tests.frameworks.trl.made import Folder

GIB = 1024**3
CONFIG = {
    "model_type": "qwen2",
    "hidden_size": 896,
    "intermediate_size": 4864,
    "num_hidden_layers": 24,
    "num_attention_heads": 14,
    "num_key_value_heads": 2,
    "vocab_size": 151936,
    "tie_word_embeddings": True,
}
CLUSTER = "[cluster]\nnodes = 1\ngpus-per-node = 2\ngpu-memory = 80\n"
WORDS = "--model_name_or_path base --dataset_name d --output_dir o"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "config.json").write_text(json.dumps(CONFIG))
    (tmp_path / "rlhflint.toml").write_text(CLUSTER)
    return Folder(tmp_path, monkeypatch)


def terms(launch):
    return {term.what: term for term in memory.training(launch, checkpointing=True).terms}


def command(folder, program="sft", more="", start="accelerate launch --multi_gpu --num_processes 2 -m trl.scripts."):
    return folder.model(f"{start}{program} {WORDS} {more}\n")


@pytest.mark.parametrize(
    ("more", "size"),
    [("--dtype bfloat16", 2), ("--dtype float32", 4), ("--load_in_4bit true", 0.56), ("--load_in_8bit true", 1.06)],
)
def test_the_bytes_of_a_weight(folder, more, size):
    launch = command(folder, more=f"--use_peft {more}")
    params = memory.facts(launch).params
    assert terms(launch)["weights"].size == size * params
    assert terms(launch)["weights"].setting == more.split()[0].lstrip("-")


@pytest.mark.parametrize(
    ("program", "more", "size", "setting"),
    [
        ("dpo", "--dtype bfloat16", 2, "precompute_ref_log_probs"),
        ("dpo", "--dtype bfloat16 --precompute_ref_log_probs true", None, ""),
        ("kto", "--dtype float32", 4, "precompute_ref_log_probs"),
        ("grpo", "--dtype bfloat16 --beta 0.04 --reward_funcs accuracy_reward", 2, "beta"),
        ("grpo", "--dtype bfloat16 --beta 0.0 --reward_funcs accuracy_reward", None, ""),
        ("sft", "--dtype bfloat16", None, ""),
        ("dpo", "--dtype bfloat16 --use_peft", None, ""),
    ],
)
def test_the_reference_model_is_held_where_something_needs_it(folder, program, more, size, setting):
    launch = command(folder, program, more)
    found = terms(launch).get("the reference model")
    assert (found is None) is (size is None)
    if found is not None:
        assert (found.size, found.setting) == (size * memory.facts(launch).params, setting)


def test_zero_3_shards_the_reference_model_too(folder):
    start = "accelerate launch --use_deepspeed --zero_stage 3 --num_processes 2 -m trl.scripts."
    launch = command(folder, "dpo", "--dtype bfloat16", start)
    params = memory.facts(launch).params
    found = terms(launch)
    assert found["the reference model"].size == 2 * params / 2
    assert found["weights"].size == 2 * params / 2
    assert found["optimizer states"].setting == "optim"


@pytest.mark.parametrize("program", ["grpo", "rloo"])
def test_vllm_beside_training(folder, program):
    options = "--dtype bfloat16 --use_vllm true --vllm_mode colocate --vllm_gpu_memory_utilization 0.4"
    rewards = " --reward_funcs accuracy_reward" if program == "grpo" else " --reward_model_name_or_path r"
    launch = command(folder, program, options + rewards)
    assert terms(launch)["vLLM"].size == pytest.approx(0.4 * memory.card(launch))
    engine = memory.colocated_engine(launch)
    assert engine is not None
    assert engine.share == 0.4
    assert memory.colocated_engine(command(folder, program, "--dtype bfloat16" + rewards)) is None
    assert memory.mode_of(command(folder)) is None


@pytest.mark.parametrize(
    ("program", "more", "tokens"),
    [("sft", "--max_length 700", 700), ("grpo", "--max_completion_length 90 --reward_funcs accuracy_reward", 90)],
)
def test_the_longest_sample(folder, program, more, tokens):
    assert memory.length(command(folder, program, more)) == tokens


@pytest.mark.parametrize(("program", "tokens"), [("sft", 1), ("dpo", 2), ("reward", 2), ("kto", 1)])
def test_pairs_are_one_batch(folder, program, tokens):
    lone = command(folder, program, "--dtype bfloat16 --max_length 512 --per_device_train_batch_size 3")
    written = {term.what for term in memory.training(lone, checkpointing=False).terms}
    assert ("logits" in written) is (program != "reward")
    expected = activations(memory.facts(lone), tokens * 3 * 512, checkpointing=True)
    assert terms(lone)["activations"].size == expected


def test_liger_writes_no_logits(folder):
    assert "logits" not in terms(command(folder, "sft", "--dtype bfloat16 --use_liger_kernel true"))


@pytest.mark.parametrize(
    ("program", "more", "start", "because"),
    [
        ("sft", "", "accelerate launch --use_fsdp --num_processes 2 -m trl.scripts.", "FSDP takes is not estimated"),
        ("sft", "--dtype auto", None, "in which type the model is loaded"),
        ("sft", "--model_name_or_path unheard-of --dtype bfloat16", None, "its size is not known"),
    ],
)
def test_what_is_not_estimated(folder, program, more, start, because):
    launch = command(folder, program, more) if start is None else command(folder, program, more, start)
    with pytest.raises(Undetermined, match=because):
        memory.training(launch, checkpointing=True)


def test_samples_of_any_length_are_not_estimated(folder):
    given = "max_length=None, model_init_kwargs={'dtype': 'bfloat16'}"
    script = f"import trl\n\ntrl.SFTTrainer('base', args=trl.SFTConfig('o', {given}), train_dataset=load())\n"
    launch = folder.model("accelerate launch --multi_gpu --num_processes 2 train.py\n", train_py=script)
    with pytest.raises(Undetermined, match="samples are as long as they are"):
        memory.training(launch, checkpointing=True)


def test_a_server_of_vllm_takes_its_share(folder):
    def served(words):
        (folder.path / "run.sh").write_text(f"trl vllm-serve {words}\n")
        checker = Checker(Settings(framework_versions={"trl": "0.24.0", "transformers": "4.56.2"}))
        (file,) = checker.results(["run.sh"])
        model = checker.model(file, file.launches[0].launch)
        assert isinstance(model, VllmServeModel)
        return memory.served_engine(model)

    engine = served("--model base --gpu_memory_utilization 0.7 --tensor_parallel_size 2")
    assert engine is not None
    assert (engine.share, engine.budget) == (0.7, pytest.approx(0.7 * 80 * GIB))
    assert served("--model unheard-of --gpu_memory_utilization 0.7") is None


def test_weights_quantised_by_an_object_have_a_size_that_is_not_known(folder):
    script = (
        "from transformers import AutoModelForCausalLM, BitsAndBytesConfig\nfrom trl import SFTConfig, SFTTrainer\n"
        "model = AutoModelForCausalLM.from_pretrained('base', quantization_config=BitsAndBytesConfig())\n"
        "SFTTrainer(model, args=SFTConfig('o'), train_dataset=load())\n"
    )
    launch = folder.model("accelerate launch --multi_gpu --num_processes 2 train.py\n", train_py=script)
    with pytest.raises(Undetermined, match="how many bits"):
        memory.training(launch, checkpointing=True)


@pytest.mark.parametrize(("optim", "size"), [("adamw_torch_fused", 2), ("adafactor", 0), ("paged_adamw_8bit", 0)])
def test_moments_are_those_of_plain_adam(folder, optim, size):
    launch = command(folder, "sft", f"--dtype bfloat16 --optim {optim}")
    assert terms(launch)["optimizer states"].size == size * 2 * memory.facts(launch).params
