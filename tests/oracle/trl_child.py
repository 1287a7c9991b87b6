"""The other side of `tests/oracle/trl.py`: runs in an environment with torch and transformers, imports TRL, answers."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import importlib.util
import inspect
import io
import json
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

CPU = {"use_cpu": True, "bf16": False}


def main(site, cases_file, answers_file):
    sys.path.insert(0, site)
    transformers = importlib.import_module("transformers")
    real_world_size = transformers.TrainingArguments.world_size
    cases = json.loads(Path(cases_file).read_text(encoding="utf-8"))
    data = datasets_and_model() if any("trainer" in case for case in cases) else {}
    with Path(answers_file).open("a", encoding="utf-8") as stream:
        for case in cases:
            fixed = case.get("world_size")
            transformers.TrainingArguments.world_size = (
                real_world_size if fixed is None else property(lambda _, value=fixed: value)
            )
            stream.write(json.dumps(answer(case, data), default=repr) + "\n")
            stream.flush()


def answer(case, data):
    found = {"ok": False}
    environment, stderr = dict(os.environ), io.StringIO()
    os.environ.update({name: str(value) for name, value in case.get("env", {}).items()})
    started = time.perf_counter()
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(stderr),
    ):
        warnings.simplefilter("always")
        try:
            HOW[next(key for key in HOW if key in case)](case, found, data)
            found["ok"] = True
        except SystemExit as stop:
            lines = [line for line in stderr.getvalue().splitlines() if line.strip()]
            found |= {"type": "SystemExit", "message": f"{stop.code}: {lines[-1] if lines else ''}"}
        except Exception as error:
            found |= {"type": type(error).__name__, "message": str(error)[:900]}
    found["warnings"] = sorted({f"{one.category.__name__}: {str(one.message)[:300]}" for one in caught})
    found["seconds"] = round(time.perf_counter() - started, 4)
    os.environ.clear()
    os.environ.update(environment)
    return found


def load(path):
    """What `from module import name` gives."""
    module, _, name = path.rpartition(".")
    source = importlib.import_module(module)
    try:
        return getattr(source, name)
    except AttributeError:
        if importlib.util.find_spec(path) is None:
            raise
        return importlib.import_module(path)


def list_fields(case, found, _):
    rows = []
    for field in dataclasses.fields(load(case["fields"])):
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        default = None if required else field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        if isinstance(default, tuple):
            default = list(default)
        plain = isinstance(default, (str, int, float, bool, list, dict, type(None)))
        default = getattr(default, "value", default) if not plain else default
        rows.append(
            {
                "name": field.name,
                "init": field.init,
                "required": required,
                "default": default if isinstance(default, (str, int, float, bool, list, dict)) else None,
                "choices": list(field.metadata.get("choices") or ()),
            }
        )
    found["fields"] = rows


def list_parameters(case, found, _):
    signature = inspect.signature(load(case["parameters"]).__init__)
    found["parameters"] = [
        {
            "name": one.name,
            "kind": one.kind.name,
            "required": one.default is one.empty and one.kind.name.startswith(("POSITIONAL_OR", "KEYWORD")),
        }
        for one in list(signature.parameters.values())[1:]
    ]


def try_imports(case, found, _):
    found["importable"] = {}
    for path in case["imports"]:
        try:
            load(path)
            found["importable"][path] = True
        except (ImportError, AttributeError):
            found["importable"][path] = False
        except RuntimeError as error:
            found["importable"][path] = f"{type(error).__name__}: {error}"[:300]


def build_config(case, found, _):
    found["stage"] = "config"
    config_class = load(case["config"])
    arguments = dict(case["kwargs"])
    if any(base.__name__ == "TrainingArguments" for base in config_class.__mro__):
        arguments = {"output_dir": tempfile.gettempdir(), **CPU, **arguments}
    config = config_class(**arguments)
    found["values"] = {name: plain(getattr(config, name, "<none>")) for name in case.get("show", [])}


def parse(case, found, _):
    found["stage"] = "parser"
    argv = list(case.get("argv", []))
    if "yaml" in case:
        path = Path(tempfile.mkdtemp()) / "config.yaml"
        path.write_text(case["yaml"], encoding="utf-8")
        argv = ["--config", str(path), *argv]
    parser = importlib.import_module(f"trl.scripts.{case['parser']}").make_parser()
    sys.argv = [case["parser"], *argv]
    parsed = parser.parse_args_and_config(**case.get("call", {}))
    found["values"] = {
        name: plain(getattr(part, name)) for part in parsed for name in case.get("show", []) if hasattr(part, name)
    }
    if isinstance(parsed[-1], list):
        found["remaining"] = parsed[-1]


def convert(case, found, _):
    """What the parser of a script makes of words behind every flag, and of values in its file."""
    found["stage"] = "parser"
    parser = importlib.import_module(f"trl.scripts.{case['convert']}").make_parser()
    for action in parser._actions:
        action.required = False
    actions = {action.option_strings[0].lstrip("-"): action for action in parser._actions if action.option_strings}
    found["words"], found["yaml"] = {}, {}
    for name in case["fields"]:
        for words in case["words"]:
            found["words"][json.dumps([name, *words])] = attempt(
                lambda name=name, words=words: getattr(parser.parse_args([f"--{name}", *words]), name)
            )
        action = actions[name]
        kept = action.default
        for value in case["values"]:
            action.default = value
            found["yaml"][json.dumps([name, value])] = attempt(lambda name=name: getattr(parser.parse_args([]), name))
        action.default = kept


def attempt(function):
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            return ["value", plain(function())]
    except SystemExit:
        return ["refused"]
    except Exception as error:
        return ["refused", type(error).__name__]


def start(case, found, _):
    """Runs `trl WORD …` up to the point where accelerate would start the script, and tells how it would."""
    found["stage"] = "command"
    argv = list(case["command"])
    if "yaml" in case:
        path = Path(tempfile.mkdtemp()) / "config.yaml"
        path.write_text(case["yaml"], encoding="utf-8")
        argv[1:1] = ["--config", str(path)]
    started = {}

    def launch(args):
        started.update(vars(args))

    try:
        cli = importlib.import_module("trl.cli.accelerate_launcher")
        cli.launch_training_script.__kwdefaults__["launch_command_fn"] = launch
        cli = importlib.import_module("trl.cli.main")
    except ModuleNotFoundError:
        cli = importlib.import_module("trl.cli")
        cli.launch_command = launch
    sys.argv = ["trl", *argv]
    cli.main()
    found["values"] = {
        "script": Path(started["training_script"]).name,
        "arguments": list(started["training_script_args"]),
        "num_processes": started["num_processes"],
    }


def train(case, found, data):
    transformers = importlib.import_module("transformers")
    found["stage"] = "config"
    small = {**CPU, "report_to": "none", "max_steps": 1, "logging_steps": 1, "save_strategy": "no"}
    small |= {"per_device_train_batch_size": 2, "gradient_checkpointing": False}
    config = load(case["config"])(**{"output_dir": tempfile.mkdtemp(), **small, **case["kwargs"]})
    found["stage"] = "trainer"
    by_name = case.get("by_name")
    model = data["model"] if by_name else transformers.AutoModelForCausalLM.from_pretrained(data["model"])
    given = {"model": model, "args": config}
    given["tokenizer" if case.get("tokenizer") else "processing_class"] = data["tokenizer"]
    given["train_dataset"] = data["datasets"][case["data"]]
    if "rewards" in case:
        given["reward_funcs"] = [lengths] * case["rewards"]
    if case.get("peft"):
        given["peft_config"] = importlib.import_module("peft").LoraConfig(**case["peft"])
    trainer = load(case["trainer"])(**given, **case.get("extra", {}))
    found["stage"] = "train"
    found["loss"] = trainer.train().training_loss


def lengths(completions, **_):
    return [float(len(completion)) for completion in completions]


def plain(value):
    value = getattr(value, "value", value)
    return value if isinstance(value, (str, int, float, bool, list, dict, type(None))) else repr(value)


def datasets_and_model():
    dataset = importlib.import_module("datasets").Dataset
    numbers = range(8)
    rows = {
        "sft": [{"text": f"hello world {i}"} for i in numbers],
        "conv": [{"messages": [said("user", "hi"), said("assistant", f"yo {i}")]} for i in numbers],
        "pc": [{"prompt": "hi ", "completion": f"yo {i}"} for i in numbers],
        "dpo": [{"prompt": "hi ", "chosen": "good", "rejected": "bad"} for _ in numbers],
        "grpo": [{"prompt": f"hi {i}"} for i in numbers],
        "kto": [{"prompt": "hi ", "completion": "ok", "label": bool(i % 2)} for i in numbers],
    }
    folder, tokenizer = tiny_model()
    datasets = {name: dataset.from_list(items) for name, items in rows.items()}
    return {"model": folder, "tokenizer": tokenizer, "datasets": datasets}


def said(role, content):
    return {"role": role, "content": content}


def tiny_model():
    """A two-layer model with a tokenizer that knows single characters."""
    tokenizers = importlib.import_module("tokenizers")
    transformers = importlib.import_module("transformers")
    transformers.set_seed(0)
    folder = tempfile.mkdtemp()
    symbols = ["<pad>", "<eos>", "<unk>", *map(chr, range(32, 127))]
    words = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({symbol: i for i, symbol in enumerate(symbols)}, unk_token="<unk>")
    )
    words.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    special = {"pad_token": "<pad>", "eos_token": "<eos>", "unk_token": "<unk>"}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, **special)
    tokenizer.chat_template = (
        "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}<eos>{% endfor %}"
        "{% if add_generation_prompt %}assistant: {% endif %}"
    )
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    tokenizer.save_pretrained(folder)
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    shape |= {"num_key_value_heads": 2, "max_position_embeddings": 512, "vocab_size": len(symbols)}
    ids = {"pad_token_id": 0, "eos_token_id": 1, "bos_token_id": 1}
    config = transformers.Qwen2Config(**shape, **ids, tie_word_embeddings=False)
    transformers.Qwen2ForCausalLM(config).save_pretrained(folder)
    return folder, tokenizer


HOW = {
    "command": start,
    "convert": convert,
    "fields": list_fields,
    "parameters": list_parameters,
    "imports": try_imports,
    "parser": parse,
    "trainer": train,
    "config": build_config,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
